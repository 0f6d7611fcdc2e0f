// Makes an address over the API, lets Postfix deliver to it by the MX record, and reads the mail.
import { spawnSync } from 'node:child_process'

const [, , apiToken = ''] = process.argv
const ask = (path, token, init = {}) =>
  fetch(`https://mayfly.example${path}`, { ...init, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } })
const made = await ask('/api/mailboxes', apiToken, { method: 'POST', body: '{}' })
if (made.status !== 201) throw new Error(`no address: ${made.status} ${await made.text()}`)
const { email, token } = await made.json()
const mail = `From: Ann <ann@sender.example>\nTo: ${email}\nSubject: Rehearsal\n\nBy Postfix, DNS and MX.\n`
const sent = spawnSync('/usr/sbin/sendmail', ['-f', 'ann@sender.example', email], { input: mail })
if (sent.status !== 0) throw new Error(String(sent.stderr))
const arrived = await ask('/api/mailbox/wait?subject=Rehearsal&timeoutSeconds=30', token)
if (arrived.status !== 200) throw new Error(`the mail did not arrive: ${arrived.status}`)
const { text, headers } = await arrived.json()
const received = headers?.find?.(({ name }) => name.toLowerCase() === 'received')?.value ?? ''
console.log(`arrived: ${text.trim()} ${received.replace(/\s+/g, ' ').slice(0, 160)}`)
