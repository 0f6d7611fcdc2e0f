/** How much mail the core processes without SMTP: parsed, encrypted and durable. `npm run bench:ingest -- --messages 20000 --bytes 4096` */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createMailCore } from '#server/mail/create-mail-core.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { createLog } from '#server/platform/log.ts'
import { openSqliteStore } from '#server/store/sqlite/sqlite-store.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '20000' },
    bytes: { type: 'string', default: '4096' },
    senders: { type: 'string', default: '50' },
    mailboxes: { type: 'string', default: '1000' },
  },
})
const [messages, bytes, senders, mailboxes] = [values.messages, values.bytes, values.senders, values.mailboxes].map(Number) as [
  number,
  number,
  number,
  number,
]

const folder = mkdtempSync(join(tmpdir(), 'mayfly-ingest-'))
const config = readConfig({ DATA_DIR: folder, MAILBOX_MESSAGES_MAX: '10000', MAILBOX_BYTES_MAX: '1073741824' })
const store = await openSqliteStore({ folder, diskReserveBytes: 0, clock: Date.now })
const mail = createMailCore({
  store,
  secret: 'a secret for the bench, long enough',
  config,
  clock: Date.now,
  random: randomBytes,
  log: createLog('silent'),
})

const recipients = await Promise.all(
  Array.from({ length: mailboxes }, async () => {
    const found = await mail.checkRecipient((await mail.createAddress({ lifetimeSeconds: 600 })).email)
    if (typeof found === 'string') throw new Error(found)
    return found
  }),
)
const body = `${'All work and no play makes a dull mail, as every sender knows.\r\n'.repeat(Math.ceil(bytes / 64))}`.slice(
  0,
  Math.max(0, bytes - 300),
)
const latencies: number[] = []

async function send(from: number): Promise<void> {
  for (let i = from; i < messages; i += senders) {
    const raw = Buffer.from(
      `From: Jane <jane@sender.test>\r\nTo: you@mayfly.test\r\nSubject: Mail ${i}\r\nMessage-ID: <${i}@sender.test>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${body}`,
    )
    const startedMs = performance.now()
    const recipient = recipients[i % mailboxes]
    if (!recipient) throw new Error('no recipient')
    const outcome = await mail.receive(
      { from: 'jane@sender.test', recipients: [recipient], clientAddress: '127.0.0.1', helo: 'sender.test', isEncrypted: false },
      raw,
    )
    if (outcome !== 'delivered') throw new Error(`message ${i}: ${outcome}`)
    latencies.push(performance.now() - startedMs)
  }
}

const cpu = process.cpuUsage()
const startedMs = performance.now()
await Promise.all(Array.from({ length: senders }, (_, from) => send(from)))
const seconds = (performance.now() - startedMs) / 1000
const { user, system } = process.cpuUsage(cpu)
latencies.sort((one, other) => one - other)
const at = (share: number) => (latencies[Math.floor(share * (latencies.length - 1))] ?? 0).toFixed(1)
console.log(`${messages} messages of ${bytes} bytes, ${senders} senders, ${mailboxes} mailboxes, synchronous=FULL`)
console.log(`${Math.round(messages / seconds)} messages/s, ${Math.round((user + system) / messages)} CPU-µs a message over all threads`)
console.log(`p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms; ${Math.round(process.memoryUsage.rss() / 1e6)} MB resident`)
await mail[Symbol.asyncDispose]()
await store[Symbol.asyncDispose]()
rmSync(folder, { recursive: true })
