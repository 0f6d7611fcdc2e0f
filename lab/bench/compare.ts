/**
 * Two folders with the sources of the server, e.g. before and after a change. In each turn both servers are started, one after the other,
 * with senders checked (the default) and unchecked, and measured, so that other work on the machine affects all. `npm run lab -- compare
 * --old FOLDER [--new FOLDER] [--turns N] [--only NAME,…] [--size SHARE] [--settings checked,unchecked]`. Prints medians, and the median of
 * the ratios of single turns. Linux only, because CPU time and memory come from /proc.
 */
import { execFileSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { routes } from '../../contract/routes.ts'
import { type Address, askMailbox, createAddress } from '../../test/harness/clients/mailbox-client.ts'
import { dotted } from '../../test/harness/clients/smtp-client.ts'
import { sendLoad } from '../../test/harness/clients/smtp-load.ts'
import { textMail } from './mime-mails.ts'
import { quantile } from './parts/figures.ts'
import { KIB, type Load, measureLoad } from './parts/ingest.ts'
import { createAddresses, type MeasuredServer, nameServerAddress, UNCHECKED } from './parts/server.ts'
import { signedMail } from './parts/signed-mail.ts'
import { sendOneByOne } from './parts/single-mail.ts'

const MAILBOXES = 500

/** `listed`: mailboxes with 20 mails each, and their ids. */
type Side = {
  readonly server: MeasuredServer
  readonly addresses: readonly Address[]
  readonly listed: { readonly address: Address; readonly ids: readonly string[] }[]
}
type Measured = { readonly name: string; readonly value: number }
type Measure = (side: Side, turn: string, scale: number) => Promise<readonly Measured[]>

const { values } = parseArgs({
  options: {
    old: { type: 'string' },
    new: { type: 'string', default: resolve(import.meta.dirname, '../..') },
    turns: { type: 'string', default: '5' },
    only: { type: 'string' },
    size: { type: 'string', default: '1' },
    settings: { type: 'string', default: 'checked,unchecked' },
  },
})
if (values.old === undefined) throw new Error('--old FOLDER is missing')

type MailLoad = Omit<Load, 'name' | 'mails'> & { readonly bytes: number; readonly isSigned?: boolean }

const mails = (name: string, { bytes, isSigned, ...load }: MailLoad): [string, Measure] => [
  name,
  async ({ server, addresses }, turn, scale) => {
    const receiver = { port: server.smtpPort, pid: server.pid, recipients: addresses.map(({ email }) => email) }
    const messages = Math.round(load.messages * scale)
    const sent = { ...load, name, messages, mails: [dotted(isSigned ? await signedMail(bytes) : textMail(bytes))], pipelining: false }
    const { cpuMicros = Number.NaN, perSecond } = await measureLoad(receiver, sent, `${name} ${turn}`)
    return [
      { name: `${name}, CPU µs`, value: cpuMicros },
      { name: `${name}, per second`, value: perSecond },
    ]
  },
]

const requests = (name: string, count: number, ask: (side: Side, n: number) => Promise<unknown>): [string, Measure] => [
  name,
  async (side, _turn, scale) => {
    const cpuMs = side.server.usage.cpuMs()
    let next = 0
    const work = async () => {
      while (next < count * scale) await ask(side, next++)
    }
    await Promise.all(Array.from({ length: 5 }, work))
    return [{ name: `${name}, CPU µs`, value: ((side.server.usage.cpuMs() - cpuMs) * 1000) / next }]
  },
]

async function read({ server }: Side, address: Address | undefined, path: string): Promise<unknown> {
  if (!address) throw new Error('no address')
  const response = await askMailbox(server.httpPort, address, path)
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return await response.json()
}

const highest: Measure = async ({ server }) => [{ name: 'highest memory, MiB', value: server.usage.peakMib() }]

const median = (list: readonly number[]) =>
  quantile(
    list.toSorted((a, b) => a - b),
    0.5,
  )

const single: Measure = async ({ server }, _turn, scale) => {
  const { replyWaitsMs, eventWaitsMs } = await sendOneByOne(server, Math.round(100 * scale))
  return [
    { name: 'dot to 250, ms', value: median(replyWaitsMs) },
    { name: 'dot to event, ms', value: median(eventWaitsMs) },
  ]
}

const MEASURES = new Map<string, Measure>([
  mails('4 kB, 20 connections', { bytes: 4 * KIB, messages: 4000, connections: 20 }),
  mails('4 kB, 50 connections', { bytes: 4 * KIB, messages: 4000, connections: 50 }),
  mails('64 kB', { bytes: 64 * KIB, messages: 1000, connections: 20 }),
  mails('signed, 4 kB', { bytes: 4 * KIB, messages: 3000, connections: 20, isSigned: true }),
  ['highest', highest],
  mails('a connection each', { bytes: 4 * KIB, messages: 2000, connections: 20, messagesEach: 1 }),
  ['single', single],
  requests('create', 500, ({ server }) => createAddress(server.httpPort)),
  requests('list 20', 500, (side, n) => read(side, side.listed[n % 5]?.address, routes.messages)),
  requests('open', 500, (side, n) => {
    const { address, ids = [] } = side.listed[n % 5] ?? {}
    return read(side, address, routes.message.replace(':id', ids[n % ids.length] ?? ''))
  }),
])

const only = values.only?.split(',').map(name => name.trim())
const measures = [...MEASURES].filter(([name]) => only?.some(wanted => name.startsWith(wanted)) ?? true)
if (measures.length === 0) throw new Error(`nothing to measure; there are ${[...MEASURES.keys()].join('; ')}`)

async function startSide(folder: string, settings: string): Promise<Side> {
  const { startMeasured } = (await import(resolve(folder, 'lab/bench/parts/server.ts'))) as typeof import('./parts/server.ts')
  const server = await startMeasured(settings === 'unchecked' ? UNCHECKED : { DNS_SERVERS: await nameServerAddress() })
  const addresses = await createAddresses(server, MAILBOXES)
  const side: Side = { server, addresses, listed: [] }
  const mail = dotted(textMail(4 * KIB))
  const body = (n: number) => Buffer.concat([Buffer.from(`X-Bench: before ${n}\r\n`), mail])
  const recipients = addresses.map(({ email }) => email)
  await sendLoad({ port: server.smtpPort, connections: 20, messages: 1000, recipients, body: n => body(-n) })
  // No other mail comes to these.
  const few = await createAddresses(server, 5)
  await sendLoad({ port: server.smtpPort, connections: 5, messages: 20 * few.length, recipients: few.map(({ email }) => email), body })
  for (const address of few) {
    const { messages } = (await read(side, address, routes.messages)) as { messages: { id: string }[] }
    side.listed.push({ address, ids: messages.map(({ id }) => id) })
  }
  return side
}

const folders = [values.old, values.new]
const sides = values.settings
  .split(',')
  .flatMap(settings => folders.map(folder => ({ folder, settings, measured: new Map<string, number[]>() })))
for (let turn = 0; turn < Number(values.turns); turn++) {
  // Who is last in one turn is first in the next.
  for (const { folder, settings, measured } of turn % 2 === 0 ? sides : sides.toReversed()) {
    const side = await startSide(folder, settings)
    await using _server = side.server
    for (const [, measure] of measures) {
      for (const { name, value } of await measure(side, `${turn}`, Number(values.size))) {
        measured.set(name, [...(measured.get(name) ?? []), value])
      }
    }
  }
}

function commitOf(folder: string): string {
  return execFileSync('git', ['-C', folder, 'describe', '--always', '--dirty'], { encoding: 'utf8' }).trim()
}

const show = (value: number) => (value < 100 ? value.toFixed(2) : value.toFixed(0))
function report(title: string, olds: ReadonlyMap<string, number[]>, news: ReadonlyMap<string, number[]>): void {
  console.log(`\n${title}`)
  for (const [name, all] of olds) {
    const others = news.get(name) ?? []
    const ratios = all.map((one, turn) => (others[turn] ?? Number.NaN) / one)
    const each = ratios.map(ratio => ratio.toFixed(2)).join(' ')
    console.log(`${name}: ${show(median(all))} → ${show(median(others))}, ratio ${median(ratios).toFixed(3)} (${each})`)
  }
}

const [oldCommit, newCommit] = folders.map(commitOf)
console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}, ${values.turns} turns`)
for (const [settings, [older, newer]] of Map.groupBy(sides, side => side.settings)) {
  if (older && newer) report(`senders ${settings}, ${oldCommit} → ${newCommit}`, older.measured, newer.measured)
}
const [checked, unchecked] = ['checked', 'unchecked'].map(settings => sides.findLast(side => side.settings === settings))
if (checked && unchecked) report(`${newCommit}, senders unchecked → checked`, unchecked.measured, checked.measured)
