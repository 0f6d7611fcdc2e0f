/**
 * Mail of all sizes arrives, is listed, awaited, opened in every way, destroyed or left to expire, for a quarter of an hour; prints how
 * memory grew, each slope with its standard error, and which threads died: `npm run lab -- soak [--minutes N] [--visitors N]`. Linux only,
 * because memory comes from /proc.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { KIB, MIB } from '../contract/limits.ts'
import { pathTo } from '../contract/path-to.ts'
import { routes } from '../contract/routes.ts'
import { type Address, askMailbox, createAddress, followStream } from '../test/harness/clients/mailbox-client.ts'
import { deliver } from '../test/harness/clients/smtp-client.ts'
import { sampleMail, textMail } from './bench/mime-mails.ts'
import { startMeasured } from './bench/parts/server.ts'

/** Around every threshold: small buffers come from a pool, larger ones are shared between threads, the largest stored in pieces. */
const SIZES = [...[4, 8, 12, 14, 16, 20, 24, 28, 31, 32, 48, 64, 256].map(size => size * KIB), MIB, 4 * MIB, 24 * MIB]
/** Their attachments are random bytes, which take seconds to make for the largest. */
const SAMPLE_BYTES_MAX = 4 * MIB
const SAMPLE_EVERY_MS = 2000
/** This share of the samples does not count: threads start, code is compiled, caches fill. */
const WARM_SHARE = 0.25
/** Short, so that what is not destroyed expires and is swept during the run. */
const LIFETIME_SECONDS = 60
/** A visitor who waits longer for a stream goes on without it. */
const REPLY_MS_MAX = 5000
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '15' }, visitors: { type: 'string', default: '6' } } })
const minutes = Number(values.minutes)

type Sample = { readonly minute: number; readonly mib: number }

const mails = SIZES.flatMap(bytes => [textMail(bytes), ...(bytes > 4 * KIB && bytes <= SAMPLE_BYTES_MAX ? [sampleMail(bytes)] : [])])
await using server = await startMeasured({ LIFETIME_SECONDS: String(LIFETIME_SECONDS) })
const { httpPort, smtpPort, usage } = server
const over = AbortSignal.timeout(minutes * 60_000)
const failures = new Map<string, number>()
const samples: Sample[] = []
let opened = 0

const startedMs = performance.now()
const work = Array.from({ length: Number(values.visitors) }, (_, visitor) => visit(visitor))
while (!over.aborted) {
  await sleep(SAMPLE_EVERY_MS, undefined, { signal: over }).catch(() => undefined)
  samples.push({ minute: (performance.now() - startedMs) / 60_000, mib: usage.rssMib() })
}
await Promise.all(work)
report()
const deaths = await countThreadDeaths()
console.log(`thread deaths ${deaths}`)
if (deaths > 0 || failures.size > 0) process.exitCode = 1

/** One mailbox after the other, each with one mail, whose size is the next of all. */
async function visit(visitor: number): Promise<void> {
  for (let n = visitor * 5; !over.aborted; n++) {
    const mail = mails[n % mails.length] ?? Buffer.alloc(0)
    const kind = `${Math.round(mail.length / KIB)} KiB`
    const leaving = new AbortController()
    try {
      const address = await createAddress(httpPort)
      const stream = followStream(httpPort, address, leaving.signal)
      await Promise.race([stream.opened, sleep(REPLY_MS_MAX)])
      const [, reply] = await Promise.all([ask(address, `${routes.wait}?timeoutSeconds=20`, 200), deliver(smtpPort, address.email, mail)])
      if (!reply.startsWith('250')) throw new Error(reply)
      await open(address)
      if (n % 2 === 0) await ask(address, routes.mailbox, 204, 'DELETE')
    } catch (error) {
      const failure = `${kind}: ${error}`
      failures.set(failure, (failures.get(failure) ?? 0) + 1)
    }
    leaving.abort()
  }
}

async function open(address: Address): Promise<void> {
  const { messages } = (await ask(address, routes.messages, 200)) as { messages: { id: string }[] }
  for (const { id } of messages) {
    const { attachments } = (await ask(address, pathTo(routes.message, { id }), 200)) as { attachments: unknown[] }
    await ask(address, pathTo(routes.raw, { id }), 200)
    if (attachments.length > 0) {
      const { url } = (await ask(address, pathTo(routes.attachmentLink, { id, index: 0 }), 200, 'POST')) as { url: string }
      await ask(address, new URL(url, 'http://localhost').pathname, 200)
    }
    opened++
  }
}

/** The reply, if it is JSON; all of it is read. */
async function ask(address: Address, path: string, expected: number, method = 'GET'): Promise<unknown> {
  const response = await askMailbox(httpPort, address, path, method)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status !== expected) throw new Error(`${method} ${path.split('/').slice(0, 4).join('/')} ${response.status}`)
  return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(bytes.toString()) : undefined
}

function report(): void {
  const warm = samples.slice(Math.floor(samples.length * WARM_SHARE))
  const quarter = Math.max(1, Math.floor(warm.length / 4))
  const [early, late] = [median(warm.slice(0, quarter)), median(warm.slice(-quarter))]
  const half = samples.slice(Math.floor(samples.length / 2))
  console.log(`${minutes} minutes, ${opened} mails opened, ${(usage.cpuMs() / 1000).toFixed(0)} s of CPU`)
  for (const [failure, count] of failures) console.log(`  ${count} × ${failure}`)
  console.log(
    `memory, MiB a minute: ${slope(warm)} after the first quarter, ${slope(half)} in the second half, ${slope(atRest(half))} of its least each minute`,
  )
  console.log(`median ${early.toFixed(0)} MiB early, ${late.toFixed(0)} MiB late; peak ${usage.peakMib().toFixed(0)} MiB`)
}

/** The least of each whole minute: without the mail that is being read, which is most of the difference between two samples. */
function atRest(of: readonly Sample[]): Sample[] {
  const perMinute = Map.groupBy(
    of.filter(({ minute }) => minute < minutes),
    ({ minute }) => Math.floor(minute),
  )
  return [...perMinute.values()].flatMap(samples => samples.toSorted((a, b) => a.mib - b.mib).slice(0, 1))
}

/** The slope of the line with the least squares, with its standard error. */
function slope(of: readonly Sample[]): string {
  const mean = (value: (sample: Sample) => number) => of.reduce((sum, sample) => sum + value(sample), 0) / of.length
  const [minute, mib] = [mean(sample => sample.minute), mean(sample => sample.mib)]
  const variance = mean(sample => (sample.minute - minute) ** 2)
  const steepness = mean(sample => (sample.minute - minute) * (sample.mib - mib)) / variance
  const rest = mean(sample => (sample.mib - mib - steepness * (sample.minute - minute)) ** 2)
  return `${steepness.toFixed(2)} ± ${Math.sqrt(rest / variance / (of.length - 2)).toFixed(2)}`
}

function median(of: readonly Sample[]): number {
  return of.map(({ mib }) => mib).toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? Number.NaN
}

async function countThreadDeaths(): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${httpPort}${routes.metrics}`)).text()
  const counts = [...metrics.matchAll(/^mayfly_thread_deaths_total\{.*\} (\d+)$/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}
