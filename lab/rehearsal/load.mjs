// Sends mail over port 25 until told to stop, and records what was acknowledged. Failed connections and temporary refusals are tried again,
// as a sender does.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const [, , apiToken = ''] = process.argv
const HOST = '203.0.113.5'
const MAILBOXES = 100
const PAUSE_MS = 40
/** A mailbox can have a hundred. */
const MAILS_MAX = MAILBOXES * 90
const ACKNOWLEDGED = '/root/acknowledged.txt'
const STOP = '/root/load.stop'

const made = await fetch('https://mayfly.example/api/mailboxes/batch', {
  method: 'POST',
  headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
  body: JSON.stringify({ count: MAILBOXES, lifetimeSeconds: 86_400 }),
})
if (made.status !== 201) throw new Error(`no addresses: ${made.status} ${await made.text()}`)
const { mailboxes } = await made.json()
writeFileSync('/root/mailboxes.json', JSON.stringify(mailboxes.map(({ email, token }) => ({ email, token }))))

/** Each reply of the server, in order; ends with the connection. */
async function* replies(socket) {
  let heard = ''
  for await (const chunk of socket) {
    heard += chunk
    for (let last = /^\d{3} .*\r\n/m.exec(heard); last; last = /^\d{3} .*\r\n/m.exec(heard)) {
      yield last[0]
      heard = heard.slice(last.index + last[0].length)
    }
  }
}

let sent = 0
async function sendUntilLost() {
  const socket = connect(25, HOST)
  socket.setTimeout(10_000, () => socket.destroy())
  const heard = replies(socket)
  const say = async line => {
    if (line !== undefined) socket.write(`${line}\r\n`)
    const { value = '421 lost' } = await heard.next()
    return value
  }
  try {
    if (!(await say()).startsWith('220')) return
    await say('EHLO load.example')
    while (!existsSync(STOP) && sent < MAILS_MAX) {
      const subject = `load ${sent}`
      const { email } = mailboxes[sent % MAILBOXES]
      const steps = ['MAIL FROM:<load@sender.example>', `RCPT TO:<${email}>`, 'DATA']
      for (const step of steps) if (!/^[23]/.test(await say(step))) return
      if (!(await say(`Subject: ${subject}\r\n\r\nUnder load.\r\n.`)).startsWith('250')) return
      appendFileSync(ACKNOWLEDGED, `${email} ${subject}\n`)
      sent++
      await sleep(PAUSE_MS)
    }
  } finally {
    socket.destroy()
  }
}

while (!existsSync(STOP) && sent < MAILS_MAX) {
  await sendUntilLost().catch(() => undefined)
  await sleep(200)
}
console.log(`load: ${sent} mails acknowledged`)
