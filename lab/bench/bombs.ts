/**
 * MIME bombs through the whole server: the CPU and memory that each takes, how long it blocks the main thread, and how long other visitors
 * wait meanwhile (GET /healthz, and an SMTP connection with NOOP) compared with an idle server. `npm run lab -- bombs [--seconds N]`. The
 * limits: 2 s of CPU and 200 MB each, p99 at most twice that of an idle server, no pause over 200 ms, memory back after 30 s.
 */
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { Mayfly } from '../../client/mayfly.ts'
import { dotted, SmtpClient } from '../../test/harness/clients/smtp-client.ts'
import { startServerProcess } from '../../test/harness/mayfly/start-server-process.ts'
import { ProcessUsage } from './process-usage.ts'
import type { VisitorsSettings, VisitorTimes } from './visitors.worker.ts'

const REST_MS = 30_000
/** `seconds`: how long each bomb is sent and opened repeatedly, so that a p99 is based on hundreds of requests. */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '6' } } })
const bombMs = Number(values.seconds) * 1000

const head = 'Subject: bomb\r\nContent-Type: multipart/mixed; boundary=x\r\n'
const nested = Array.from({ length: 20_000 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('')
const html = (body: string) => `Subject: bomb\r\nContent-Type: text/html\r\n\r\n${body}`
const wrapped = (text: string, times: number) => `${text.repeat(10)}\r\n`.repeat(times / 10)

const bombs: readonly (readonly [string, () => string])[] = [
  ['20,000 multiparts deep', () => nested],
  ['50,000 messages deep', () => 'Content-Type: message/rfc822\r\n\r\n'.repeat(50_000)],
  ['500,000 empty parts', () => `${head}\r\n${'--x\r\n\r\n'.repeat(500_000)}`],
  ['25 MB of near-boundaries', () => `${head}\r\n${'--xy\r\n'.repeat(4_100_000)}`],
  ['one field of 10 MB', () => `Subject: ${'a'.repeat(10_000_000)}\r\n\r\nbody`],
  ['500,000 fields', () => `${'X: y\r\n'.repeat(500_000)}\r\nbody`],
  ['200,000 nested divs', () => html(wrapped('<div>', 200_000))],
  ['100,000 tables', () => html(wrapped('<table>', 100_000))],
  ['20 MB of style sheet', () => html(`<style>${wrapped('p{color:red}', 1_700_000)}</style>`)],
  ['25 MB of CR, encoded', () => `Content-Transfer-Encoding: quoted-printable\r\n\r\n${wrapped('=0D', 8_000_000)}`],
  ['5 MB of ampersands', () => html(wrapped('&', 5_000_000))],
]

await using server = await startServerProcess({
  env: {
    BOT_CHECK: 'off',
    DNS_SERVERS: 'off',
    MAILBOX_MESSAGES_MAX: '2000',
    NETWORK_LIMIT_FACTOR: '1000',
    NODE_OPTIONS: `--import ${new URL('./event-loop-delay.ts', import.meta.url)}`,
  },
})
const usage = new ProcessUsage(server.pid)
const mailbox = await new Mayfly({ url: `http://127.0.0.1:${server.httpPort}` }).createMailbox()
await using sender = await SmtpClient.connect(server.smtpPort)
await sender.play([['EHLO bombs.test', 250]])
const { httpPort, smtpPort } = server
const visitors = new Worker(new URL('./visitors.worker.ts', import.meta.url), {
  workerData: { httpPort, smtpPort } satisfies VisitorsSettings,
})
visitors.on('error', error => {
  throw error
})

await sleep(2000)
await visits()
await sleep(bombMs)
const idleMib = usage.rssMib()
console.log(`load average ${loadavg()[0]?.toFixed(1)}; at rest ${idleMib.toFixed(0)} MiB; ${formatVisits(await visits())}`)
for (const [name, make] of bombs) await run(name, make())

await sleep(REST_MS)
console.log(
  `after ${REST_MS / 1000} s of rest ${usage.rssMib().toFixed(0)} MiB, ${formatVisits(await visits())}; load average ${loadavg()[0]?.toFixed(1)}`,
)
await visitors.terminate()

async function run(name: string, bomb: string): Promise<void> {
  const wires = [0, 1, 2, 3].map(round => dotted(Buffer.from(`X-Round: ${round}\r\n${bomb}\r\n`, 'latin1')))
  const took = { receive: { ms: 0 }, open: { ms: 0 } }
  const [before, cpuBefore] = [usage.rssMib(), usage.cpuMs()]
  const statuses = new Set<string | undefined>()
  usage.forgetPeak()
  await visits()
  await longestTurn()
  let rounds = 0
  for (const end = performance.now() + bombMs; performance.now() < end; rounds++) {
    await measure(took.receive, () => send(wires[rounds % wires.length] ?? Buffer.alloc(0)))
    const [newest] = await mailbox.listMessages()
    if (!newest) throw new Error(`${name}: taken, but not in the list`)
    await measure(took.open, async () => statuses.add((await mailbox.readMessage(newest.id)).parseStatus))
    await mailbox.deleteMessage(newest.id)
  }
  const cpuMs = (usage.cpuMs() - cpuBefore) / rounds
  console.log(
    `${name.padEnd(30)} ${String(rounds).padStart(3)} times, CPU ${cpuMs.toFixed(0).padStart(4)} ms each; 250 after ${longest(took.receive)}, opened in ${longest(took.open)} (${[...statuses]}); memory +${(usage.peakMib() - before).toFixed(0).padStart(3)} MiB; main thread at most ${await longestTurn()} per turn; ${formatVisits(await visits())}`,
  )
}

async function send(wire: Buffer): Promise<void> {
  await sender.play([
    ['MAIL FROM:<a@elsewhere.test>', 250],
    [`RCPT TO:<${mailbox.address}>`, 250],
    ['DATA', 354],
    [wire, 250],
  ])
}

async function measure(took: { ms: number }, call: () => Promise<unknown>): Promise<void> {
  const start = performance.now()
  await call()
  took.ms = Math.max(took.ms, performance.now() - start)
}

function longest({ ms }: { ms: number }): string {
  return `${ms.toFixed(0).padStart(4)} ms`
}

/** The longest time, in CPU time, for which the main thread was blocked since the last call. */
async function longestTurn(): Promise<string> {
  const before = server.output().length
  process.kill(server.pid, 'SIGUSR2')
  for (;;) {
    const duration = /longest turn (.+)\n/.exec(server.output().slice(before))?.[1]
    if (duration) return duration
    await sleep(5)
  }
}

/** How long visitors have waited since the last call. */
async function visits(): Promise<VisitorTimes> {
  visitors.postMessage('tell')
  const [times] = await once(visitors, 'message')
  return times
}

function formatVisits({ http, smtp }: VisitorTimes): string {
  return `p99 and longest of /healthz ${spread(http)}, NOOP ${spread(smtp)}`
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1).padStart(5)
  return `${at(0.99)} ${at(1)} ms`
}
