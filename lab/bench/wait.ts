/**
 * How soon a waiting test gets its code: 200 mailboxes of one API token, each with an open `wait`, then a mail with its own code to each.
 * Prints the time from the sender's 250 to the response and what a mail with its wait costs the server, and fails if a code reached the
 * wrong test. In the first round the server has just started and compiles what it runs. `npm run lab -- wait [--mailboxes N]
 * [--connections N] [--per-second N] [--rounds N]`.
 */
import { createHash } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type MailboxCreated, mailboxesCreatedSchema, messageSchema } from '../../contract/mailbox.ts'
import { routes } from '../../contract/routes.ts'
import { dotted, SmtpClient } from '../../test/harness/clients/smtp-client.ts'
import { startServerProcess } from '../../test/harness/mayfly/start-server-process.ts'
import { ProcessUsage } from './process-usage.ts'

const TOKEN = `mft_${'b'.repeat(43)}`
const BATCH = 100

const { values } = parseArgs({
  options: {
    mailboxes: { type: 'string', default: '200' },
    connections: { type: 'string', default: '20' },
    'per-second': { type: 'string', default: '0' },
    rounds: { type: 'string', default: '4' },
  },
})
const [mailboxCount, connectionCount, perSecond] = [values.mailboxes, values.connections, values['per-second']].map(Number) as [
  number,
  number,
  number,
]

const env = { API_TOKENS: `bench:${createHash('sha256').update(TOKEN).digest('hex')}`, DNS_SERVERS: 'off', LOG_LEVEL: 'error' }
await using server = await startServerProcess({ env })
const usage = new ProcessUsage(server.pid)
const agent = new Agent({ keepAlive: true, maxSockets: mailboxCount })
for (let round = 1; round <= Number(values.rounds); round++) {
  const { sentMs, delays, astray, cpuMicros } = await runRound()
  const at = (share: number) => (delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? Number.NaN).toFixed(1)
  console.log(
    `round ${round}: ${mailboxCount} mailboxes waiting, ${mailboxCount} mails by ${connectionCount} connections in ${sentMs.toFixed(0)} ms, ${astray} codes astray; ` +
      `from the 250 to the code: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms; ${cpuMicros.toFixed(0)} CPU-µs each`,
  )
  if (astray > 0) process.exitCode = 1
}
agent.destroy()

async function runRound() {
  const mailboxes = await createMailboxes()
  const acceptedAt = new Map<number, number>()
  const waits = mailboxes.map(async ({ token }, n) => {
    const { status, body, at } = await ask('GET', `${routes.wait}?timeoutSeconds=50&subject=code`, token)
    const code = status === 200 ? messageSchema.parse(JSON.parse(body)).codes[0] : undefined
    return { n, at, isOwn: code === codeOf(n) }
  })
  await sleep(1000)
  const senders = await Promise.all(Array.from({ length: connectionCount }, () => SmtpClient.connect(server.smtpPort)))
  const [startedAt, cpuMs] = [performance.now(), usage.cpuMs()]
  await Promise.all(senders.map((sender, index) => sendShare({ sender, index, mailboxes, acceptedAt, startedAt })))
  const sentMs = performance.now() - startedAt
  const found = await Promise.all(waits)
  const cpuMicros = ((usage.cpuMs() - cpuMs) * 1000) / mailboxCount
  for (const sender of senders) await sender[Symbol.asyncDispose]()
  const delays = found.map(({ n, at }) => at - (acceptedAt.get(n) ?? Number.NaN)).sort((a, b) => a - b)
  return { sentMs, delays, cpuMicros, astray: found.filter(({ isOwn }) => !isOwn).length }
}

async function createMailboxes(): Promise<MailboxCreated[]> {
  const mailboxes: MailboxCreated[] = []
  while (mailboxes.length < mailboxCount) {
    const count = Math.min(BATCH, mailboxCount - mailboxes.length)
    const { body } = await ask('POST', routes.mailboxBatch, TOKEN, { count })
    mailboxes.push(...mailboxesCreatedSchema.parse(JSON.parse(body)).mailboxes)
  }
  return mailboxes
}

type Share = {
  readonly sender: SmtpClient
  readonly index: number
  readonly mailboxes: readonly MailboxCreated[]
  readonly acceptedAt: Map<number, number>
  readonly startedAt: number
}

/** Every n-th mailbox, on one connection. */
async function sendShare({ sender, index, mailboxes, acceptedAt, startedAt }: Share): Promise<void> {
  await sender.play([['EHLO bench.test', 250]])
  for (let n = index; n < mailboxCount; n += connectionCount) {
    if (perSecond > 0) await sleep(Math.max(0, startedAt + (n / perSecond) * 1000 - performance.now()))
    await sender.play([
      ['MAIL FROM:<app@elsewhere.test>', 250],
      [`RCPT TO:<${mailboxes[n]?.email}>`, 250],
      ['DATA', 354],
    ])
    const text = `From: App <app@elsewhere.test>\r\nSubject: Your code\r\n\r\nYour code is ${codeOf(n)}.\r\n`
    sender.send(dotted(text))
    await sender.reply()
    acceptedAt.set(n, performance.now())
  }
}

function codeOf(n: number): string {
  return String(100_000 + n * 37)
}

function ask(method: string, path: string, token: string, body?: unknown): Promise<{ status: number; body: string; at: number }> {
  const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port: server.httpPort, method, path, headers, agent }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), at: performance.now() }))
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
