/**
 * MIME bombs through the whole server: how long each is answered, what CPU and memory it costs, and what other visitors feel meanwhile
 * (p99 of GET /healthz, and of an SMTP connection with its NOOP, beside the same at rest). `npm run bench:bombs`. Expected (cases M01–M05, M27, G2): 2 s of CPU, 200 MB.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiClient } from '../cli/api-client.ts'
import { dotted, SmtpClient } from '../test/smtp-client.ts'
import { startServer } from '../test/start-server.ts'

const CLOCK_TICKS_PER_SECOND = 100
const REST_MS = 3000
const PROBE_PAUSE_MS = 20
const ROUNDS = 3

const head = 'Subject: bomb\r\nContent-Type: multipart/mixed; boundary=x\r\n'
const nested = Array.from({ length: 20_000 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('')
const html = (body: string) => `Subject: bomb\r\nContent-Type: text/html\r\n\r\n${body}`
const wrapped = (text: string, times: number) => `${text.repeat(10)}\r\n`.repeat(times / 10)

const bombs: readonly (readonly [string, () => string])[] = [
  ['M01 20,000 multiparts deep', () => nested],
  ['M02 50,000 messages deep', () => 'Content-Type: message/rfc822\r\n\r\n'.repeat(50_000)],
  ['M03 500,000 empty parts', () => `${head}\r\n${'--x\r\n\r\n'.repeat(500_000)}`],
  ['M04 25 MB of near-boundaries', () => `${head}\r\n${'--xy\r\n'.repeat(4_100_000)}`],
  ['M05 one field of 10 MB', () => `Subject: ${'a'.repeat(10_000_000)}\r\n\r\nbody`],
  ['M05 500,000 fields', () => `${'X: y\r\n'.repeat(500_000)}\r\nbody`],
  ['M27 200,000 nested divs', () => html(wrapped('<div>', 200_000))],
  ['M27 100,000 tables', () => html(wrapped('<table>', 100_000))],
  ['M27 20 MB of style sheet', () => html(`<style>${wrapped('p{color:red}', 1_700_000)}</style>`)],
  ['M27 5 MB of ampersands', () => html(wrapped('&', 5_000_000))],
]

type Probe = { stop(): Promise<number[]> }

/** Calls again and again, one at a time, and collects milliseconds. */
function probe(call: () => Promise<unknown>): Probe {
  const times: number[] = []
  let isStopped = false
  const running = (async () => {
    while (!isStopped) {
      const start = performance.now()
      await call()
      times.push(performance.now() - start)
      await sleep(PROBE_PAUSE_MS)
    }
    return times
  })()
  return {
    stop() {
      isStopped = true
      return running
    },
  }
}

function p99(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  return `${(sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN).toFixed(1).padStart(6)} ms`
}

async function cpuMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS_PER_SECOND
}

async function rssMb(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

await using server = await startServer({
  env: { BOT_CHECK: 'off', AUTHENTICATE_MAIL: 'off', MAILBOX_BYTES_MAX: String(1024 ** 3) },
})
const api = new ApiClient(`http://127.0.0.1:${server.httpPort}`)
const { email } = await api.createMailbox()
await using sender = await SmtpClient.connect(server.smtpPort)
await sender.play([['EHLO bombs.test', 250]])
const http = () => probe(async () => await (await fetch(`http://127.0.0.1:${server.httpPort}/healthz`)).arrayBuffer())
// A connection of its own each time: one that only sends NOOP is told to leave after some hundreds.
const noop = () =>
  probe(async () => {
    await using visitor = await SmtpClient.connect(server.smtpPort)
    await visitor.play([['NOOP', 250]])
  })

const atRest = [http(), noop()]
await sleep(REST_MS)
const [httpRest, noopRest] = await Promise.all(atRest.map(one => one.stop()))
console.log(`at rest: GET /healthz p99 ${p99(httpRest ?? [])}, NOOP p99 ${p99(noopRest ?? [])}`)

for (const [name, make] of bombs) {
  const wires = Array.from({ length: ROUNDS }, (_, round) => dotted(Buffer.from(`X-Round: ${round}\r\n${make()}\r\n`, 'latin1')))
  const [cpuBefore, rssBefore] = [await cpuMs(server.pid), await rssMb(server.pid)]
  let rssPeak = rssBefore
  const memory = probe(async () => {
    rssPeak = Math.max(rssPeak, await rssMb(server.pid))
  })
  const probes = [http(), noop(), memory]
  let answerMs = 0
  for (const wire of wires) {
    await sender.play([
      ['MAIL FROM:<a@elsewhere.test>', 250],
      [`RCPT TO:<${email}>`, 250],
      ['DATA', 354],
    ])
    const start = performance.now()
    sender.send(wire)
    const reply = await sender.reply()
    answerMs = Math.max(answerMs, performance.now() - start)
    if (!reply.startsWith('250')) throw new Error(`${name}: ${reply}`)
  }
  const cpu = (await cpuMs(server.pid)) - cpuBefore
  const [newest] = await api.listMessages()
  const opened = performance.now()
  const message = newest && (await api.readMessage(newest.id))
  const openMs = performance.now() - opened
  const [httpTimes, noopTimes] = await Promise.all(probes.map(one => one.stop()))
  console.log(
    `${name.padEnd(30)} answered ${answerMs.toFixed(0).padStart(5)} ms, CPU ${(cpu / ROUNDS).toFixed(0).padStart(5)} ms, opened ${openMs.toFixed(0).padStart(5)} ms (${message?.parseStatus}), memory +${(rssPeak - rssBefore).toFixed(0).padStart(3)} MB, /healthz p99 ${p99(httpTimes ?? [])}, NOOP p99 ${p99(noopTimes ?? [])}`,
  )
}
