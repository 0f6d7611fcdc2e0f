// Checks whether every mail of a list of acknowledged ones is in its mailbox.
import { readFileSync } from 'node:fs'

const [, , list = ''] = process.argv
const acknowledged = readFileSync(list, 'utf8').split('\n').filter(Boolean)
const found = new Set()
for (const { email, token } of JSON.parse(readFileSync('/root/mailboxes.json', 'utf8'))) {
  const response = await fetch('https://mayfly.example/api/mailbox/messages', { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 200) throw new Error(`${email}: ${response.status} ${await response.text()}`)
  for (const { subject } of (await response.json()).messages) found.add(`${email} ${subject}`)
}
const missing = acknowledged.filter(line => !found.has(line))
if (acknowledged.length === 0 || missing.length > 0)
  throw new Error(`missing ${missing.length} of ${acknowledged.length}: ${missing.slice(0, 5)}`)
console.log(`${acknowledged.length} acknowledged, none missing`)
