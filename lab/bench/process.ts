/**
 * The whole server under load, as its own process: many SMTP connections at once, then every acknowledged message counted through the API,
 * and the CPU and memory before, at the peak and after a pause; then one message of exactly the maximum size, one of a byte more, and a
 * large one to many recipients. `npm run lab -- process [--connections N] [--messages N] [--bytes N] [--rest SECONDS]`. Linux only,
 * because memory comes from /proc.
 */
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createTransport } from 'nodemailer'
import { MIB } from '../../contract/limits.ts'
import { listSubjects } from '../../test/harness/clients/mailbox-client.ts'
import { deliver, dotted } from '../../test/harness/clients/smtp-client.ts'
import { sendLoad } from '../../test/harness/clients/smtp-load.ts'
import { sampleMail } from './mime-mails.ts'
import { createAddresses, startMeasured } from './parts/server.ts'

const MAILBOXES = 20
const MANY_RECIPIENTS = 50
const MANY_BYTES = 24 * MIB
const MESSAGE_BYTES_MAX = 25 * MIB
const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '1000' },
    messages: { type: 'string', default: '20000' },
    bytes: { type: 'string', default: '4000' },
    rest: { type: 'string', default: '30' },
  },
})
const restMs = Number(values.rest) * 1000
const mail = dotted(sampleMail(Number(values.bytes)))

await using server = await startMeasured()
const { usage } = server
const mib = (value: number) => `${value.toFixed(0)} MiB`

const mailboxes = await createAddresses(server, MAILBOXES)
await sleep(3000)
console.log(`load average ${loadavg()[0]?.toFixed(1)}; idle ${mib(usage.rssMib())}`)
const cpuBefore = usage.cpuMs()
const result = await sendLoad({
  port: server.smtpPort,
  connections: Number(values.connections),
  messages: Number(values.messages),
  recipients: mailboxes.map(({ email }) => email),
  // Each message is different, because the same bytes twice would be stored once.
  body: n => Buffer.concat([Buffer.from(`X-Bench: ${n}\r\n`), mail]),
})
const at = (share: number) => (result.waitsMs[Math.floor(result.waitsMs.length * share)] ?? Number.NaN).toFixed(1)
const cpuMicros = ((usage.cpuMs() - cpuBefore) * 1000) / Math.max(1, result.accepted)
const peak = mib(usage.peakMib())
await sleep(restMs)
console.log(`${values.messages} messages of ${mail.length} bytes over ${values.connections} connections at once`)
console.log(
  `  accepted ${result.accepted}, refused ${[...result.refused].map(([reply, count]) => `${count} × ${reply}`).join(', ') || 'none'}`,
)
console.log(
  `  ${(result.accepted / result.seconds).toFixed(0)} messages/s, ${cpuMicros.toFixed(0)} µs of CPU each over all threads; final dot to 250: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
)
console.log(`  memory ${peak} at the peak, ${mib(usage.rssMib())} after ${values.rest} s of rest`)

const line = `${'x'.repeat(1022)}\r\n`
const exact = line.repeat(MESSAGE_BYTES_MAX / line.length)
await measureOne('exactly the maximum', to => deliver(server.smtpPort, to, exact))
await measureOne('one byte more', to => deliver(server.smtpPort, to, `x${exact}`))
const many = await createAddresses(server, MANY_RECIPIENTS)
await measureOne(`${mib(MANY_BYTES / MIB)} to ${MANY_RECIPIENTS} recipients`, async () => {
  const transport = createTransport({ host: '127.0.0.1', port: server.smtpPort, secure: false, ignoreTLS: true })
  const envelope = { from: 'sender@elsewhere.test', to: many.map(({ email }) => email) }
  const { response } = await transport.sendMail({ envelope, raw: exact.slice(0, MANY_BYTES) })
  return response
})

async function measureOne(name: string, send: (to: string) => Promise<string>): Promise<void> {
  const [before, cpuMs] = [usage.rssMib(), usage.cpuMs()]
  usage.forgetPeak()
  const reply = await send(mailboxes[0]?.email ?? '')
  const [peakMib, usedMs] = [usage.peakMib(), usage.cpuMs() - cpuMs]
  await sleep(restMs)
  const memory = `memory +${mib(peakMib - before)} at the peak, ${mib(usage.rssMib())} after a rest`
  console.log(`${name}: ${reply}; ${usedMs.toFixed(0)} ms of CPU; ${memory}`)
}

const listed = (await Promise.all(mailboxes.map(mailbox => listSubjects(server.httpPort, mailbox)))).reduce(
  (sum, subjects) => sum + subjects.length,
  0,
)
const missing = result.accepted + 1 - listed
console.log(`the API lists ${listed} messages; ${missing === 0 ? 'none lost, none twice' : `${missing} missing`}`)
if (missing !== 0 || result.refused.size > 0) process.exitCode = 1
