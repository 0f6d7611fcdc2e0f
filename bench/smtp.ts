/**
 * Mail in, under load: 1,000 connections at once, 20,000 messages of 4 kB, each durable before its 250; then one message of exactly the maximum
 * and one of a byte more. Prints what was refused, what was lost, the rate, the CPU of all threads per message and the memory.
 * `npm run bench:smtp -- [--connections N] [--messages N] [--bytes N] [--profile]`. The sender takes its share of the same cores.
 */
import { parseArgs } from 'node:util'
import { MIB } from '#contract/limits.ts'
import { deliver, dotted } from '#test/smtp-client.ts'
import { type LoadResult, sendLoad } from '#test/smtp-load.ts'
import { sampleMail } from './mime-mails.ts'
import { SmtpProcess } from './smtp-process.ts'
import type { Stored } from './smtp-server.ts'

const WARM_UP_MESSAGES = 1000
const MESSAGE_BYTES_MAX = 25 * MIB

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '1000' },
    messages: { type: 'string', default: '20000' },
    bytes: { type: 'string', default: '4000' },
    profile: { type: 'boolean', default: false },
  },
})
const connections = Number(values.connections)
const messages = Number(values.messages)
const mail = dotted(sampleMail(Number(values.bytes)))

/** Every message is one of its own: the same bytes twice would be stored once. */
const numbered = (from: number) => (n: number) => Buffer.concat([Buffer.from(`X-Bench: ${from + n}\r\n`), mail])
const mib = (bytes: number) => `${(bytes / MIB).toFixed(0)} MiB`
const at = (sorted: readonly number[], share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1)

await using server = new SmtpProcess({ profile: values.profile })
const { port, emails } = await server.ready
const send = (count: number, atOnce: number, from: number) =>
  sendLoad({ port, connections: atOnce, messages: count, recipients: emails, body: numbered(from) })

const warmUp = await send(WARM_UP_MESSAGES, 20, 0)
const before = await server.ask('usage')
const result = await send(messages, connections, WARM_UP_MESSAGES)
const after = await server.ask('usage')
const cpuMicros = (after.cpuMicros - before.cpuMicros) / Math.max(1, result.accepted)
console.log(`${messages} messages of ${mail.length} bytes over ${connections} connections at once`)
console.log(
  `  accepted ${result.accepted}, refused ${[...result.refused].map(([reply, count]) => `${count} × ${reply}`).join(', ') || 'none'}`,
)
console.log(`  ${(result.accepted / result.seconds).toFixed(0)} messages/s, ${cpuMicros.toFixed(0)} µs of CPU each over all threads`)
console.log(`  final dot to 250: p50 ${at(result.waitsMs, 0.5)} ms, p99 ${at(result.waitsMs, 0.99)} ms`)
console.log(`  memory ${mib(before.rssBytes)} before, ${mib(after.peakRssBytes)} at the peak, ${mib(after.rssBytes)} after`)
report(await server.ask('stored'), [warmUp, result])

const line = `${'x'.repeat(1022)}\r\n`
const exact = line.repeat(MESSAGE_BYTES_MAX / line.length)
for (const [name, message] of [
  [`exactly ${mib(MESSAGE_BYTES_MAX)}`, exact],
  ['one byte more', `x${exact}`],
] as const) {
  const reply = await deliver(port, emails[0] ?? '', message)
  const { rssBytes, peakRssBytes } = await server.ask('usage')
  console.log(`${name}: ${reply}; memory ${mib(rssBytes)}, peak ${mib(peakRssBytes)}`)
}

function report(stored: Stored, results: readonly LoadResult[]): void {
  const numbers = new Set(stored.numbers)
  const acknowledged = [...(results[0]?.acknowledged ?? []), ...(results[1]?.acknowledged ?? []).map(n => n + WARM_UP_MESSAGES)]
  const lost = acknowledged.filter(n => !numbers.has(n)).length
  console.log(`  stored ${stored.numbers.length}, lost ${lost}, twice ${stored.numbers.length - numbers.size}, ${mib(stored.bytes)} in all`)
  if (lost > 0) process.exitCode = 1
}
