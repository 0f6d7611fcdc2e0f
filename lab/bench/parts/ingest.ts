/** Incoming mail: rate and CPU time by size and number of connections, for our server and any other receiver. */
import { MIB } from '../../../contract/limits.ts'
import { dotted } from '../../../test/harness/clients/smtp-client.ts'
import { sendLoad } from '../../../test/harness/clients/smtp-load.ts'
import { sampleMail, textMail } from '../mime-mails.ts'
import { ProcessUsage } from '../process-usage.ts'
import { BlackHole } from './black-hole.ts'
import type { Figure, Part, Scale } from './figures.ts'
import { createAddresses, startMeasured, UNCHECKED } from './server.ts'
import { signedMail } from './signed-mail.ts'

const RECIPIENTS = 20

/** Any receiver of mail; `pid` for its CPU time. */
type Receiver = {
  readonly host?: string
  readonly port: number
  readonly pid?: number | undefined
  readonly recipients: readonly string[]
}

/** `mails` as they are sent after DATA. */
export type Load = {
  readonly name: string
  readonly mails: readonly Buffer[]
  readonly messages: number
  readonly connections: number
  readonly pipelining?: boolean
  readonly messagesEach?: number
}

export const KIB = 1024
/** Sizes of ordinary mail: most are small, few have attachments. */
const MIXED_BYTES = [3 * KIB, 4 * KIB, 6 * KIB, 9 * KIB, 14 * KIB, 22 * KIB, 40 * KIB, 75 * KIB, 180 * KIB, 900 * KIB]

async function loads({ isQuick }: Scale): Promise<Load[]> {
  const times = isQuick ? 0.01 : 1
  const load = (name: string, bytes: readonly number[], messages: number, connections: number, makeMail = sampleMail) => ({
    name,
    mails: bytes.map(each => dotted(makeMail(each))),
    messages: Math.max(20, messages * times),
    connections: isQuick ? 10 : connections,
  })
  return [
    load('4 kB of text, 50 connections', [4 * KIB], 10_000, 50, textMail),
    load('4 kB of text, 20 connections', [4 * KIB], 10_000, 20, textMail),
    { ...load('4 kB of text, signed', [4 * KIB], 5000, 20), mails: [dotted(await signedMail(4 * KIB))] },
    load('4 kB in two forms', [4 * KIB], 5000, 50),
    load('40 kB of HTML', [40 * KIB], 3000, 20),
    load('64 kB of text', [64 * KIB], 3000, 20, textMail),
    load('1 MB', [MIB], 200, 10),
    load('mixed sizes', MIXED_BYTES, 2000, 20),
  ]
}

/** `runId` makes its mails differ from those of other runs. `settle` is awaited before the CPU is read again. */
export async function measureLoad(receiver: Receiver, load: Load, runId: number | string, settle?: (usage: ProcessUsage) => Promise<void>) {
  const usage = receiver.pid === undefined ? undefined : new ProcessUsage(receiver.pid)
  // Each message is different, because the same bytes twice would be stored once.
  const body = (n: number) => Buffer.concat([Buffer.from(`X-Bench: ${runId}.${n}\r\n`), load.mails[n % load.mails.length] ?? dotted('')])
  const cpuBefore = usage?.cpuMs() ?? 0
  const { accepted, refused, seconds } = await sendLoad({ ...receiver, ...load, body })
  if (refused.size > 0 || accepted !== load.messages) throw new Error(`${load.name}: ${accepted} taken, ${JSON.stringify([...refused])}`)
  if (usage) await settle?.(usage)
  return { perSecond: accepted / seconds, cpuMicros: usage && ((usage.cpuMs() - cpuBefore) * 1000) / accepted }
}

async function measure(receiver: Receiver, load: Load, runId: number): Promise<Figure[]> {
  const { perSecond, cpuMicros } = await measureLoad(receiver, load, runId)
  const bytes = load.mails.reduce((sum, mail) => sum + mail.byteLength, 0) / load.mails.length
  return [
    { name: load.name, value: perSecond, unit: '/s' },
    ...(cpuMicros === undefined ? [] : [{ name: `${load.name}, CPU`, value: cpuMicros, unit: 'µs' }]),
    ...(bytes >= MIB / 2 ? [{ name: `${load.name}, bytes`, value: (perSecond * bytes) / 1e6, unit: 'MB/s' }] : []),
  ]
}

async function measureAll(receiver: Receiver, scale: Scale): Promise<Figure[]> {
  const figures: Figure[] = []
  const warmUp = { name: 'warm-up', mails: [dotted(sampleMail(4 * KIB))], messages: scale.isQuick ? 20 : 1000, connections: 10 }
  await measure(receiver, warmUp, -1)
  for (const [runId, load] of (await loads(scale)).entries()) figures.push(...(await measure(receiver, load, runId)))
  return figures
}

const ingestWith = (name: string, env: Readonly<Record<string, string>>): Part => ({
  name,
  async run(scale) {
    await using server = await startMeasured(env)
    const recipients = (await createAddresses(server, RECIPIENTS)).map(({ email }) => email)
    return await measureAll({ port: server.smtpPort, pid: server.pid, recipients }, scale)
  },
})

export const ingest = ingestWith('ingest', {})
export const unchecked = ingestWith('unchecked', UNCHECKED)

/** What Node takes to read the same bytes and do nothing else: no receiver in Node can be faster. */
export const limit: Part = {
  name: 'limit',
  async run(scale) {
    await using blackHole = await BlackHole.start()
    return await measureAll({ port: blackHole.port, pid: blackHole.pid, recipients: ['nobody@bench.test'] }, scale)
  },
}

export function ingestOf(receiver: Receiver): Part {
  return { name: `${receiver.host}:${receiver.port}`, run: scale => measureAll(receiver, scale) }
}
