/**
 * CPU per message of each process when 1, 2 and 4 of them share a cluster and a PostgreSQL, which shows whether more processes slow each
 * other down; and what a message, a mailbox and a stream cost on the cluster. `npm run lab -- processes [--processes 1,2,4] [--messages
 * N] [--connections N] [--bytes N]`. Linux only, because CPU time comes from /proc.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { routes } from '../../contract/routes.ts'
import { createAddress } from '../../test/harness/clients/mailbox-client.ts'
import { dotted } from '../../test/harness/clients/smtp-client.ts'
import { sendLoad } from '../../test/harness/clients/smtp-load.ts'
import { startClusterProcesses } from '../../test/harness/mayfly/cluster-processes.ts'
import type { RunningServer } from '../../test/harness/mayfly/start-server-process.ts'
import { sampleMail } from './mime-mails.ts'
import { ProcessUsage } from './process-usage.ts'

/** As on a busy day: a mailbox gets a few messages, and no figure depends on how long the run is. */
const MESSAGES_PER_MAILBOX = 4
const CREATED_AT_ONCE = 20
const FLAT_SHARE = 0.15
const IDLE = 200
const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '1,2,4' },
    messages: { type: 'string', default: '4000' },
    connections: { type: 'string', default: '200' },
    bytes: { type: 'string', default: '4000' },
  },
})
const messages = Number(values.messages)
const mail = dotted(sampleMail(Number(values.bytes)))

// One network creates every address.
await using shared = await startClusterProcesses({ NETWORK_LIMIT_FACTOR: '1000000' })
const { cluster } = shared
const masters = cluster.nodes.slice(0, cluster.nodes.length / 2)
const results: Awaited<ReturnType<typeof measure>>[] = []
for (const processes of values.processes.split(',').map(Number)) results.push(await measure(processes))

const most = Math.max(...results.flatMap(({ micros }) => micros))
const least = Math.min(...results.flatMap(({ micros }) => micros))
for (const { processes, micros, perSecond, engine } of results) {
  console.log(
    `${processes} processes: ${micros.map(value => value.toFixed(0)).join(', ')} CPU-µs a message in each, ${perSecond.toFixed(0)} messages/s together`,
  )
  console.log(`  of the cluster, a message: ${describe(engine, messages * processes)}`)
}
const spread = most / least - 1
console.log(`from least to most ${(spread * 100).toFixed(0)} %${spread > FLAT_SHARE ? ', which is not flat' : ''}`)

/** All processes receive the same number of messages at the same time, for mailboxes that they share. */
async function measure(processes: number) {
  const servers = await Promise.all(Array.from({ length: processes }, () => shared.start()))
  const warmUp = Math.ceil(messages / 4)
  const recipients: string[] = []
  while (recipients.length < (processes * (warmUp + messages)) / MESSAGES_PER_MAILBOX) {
    const created = Array.from({ length: CREATED_AT_ONCE }, (_, n) => createAddress(servers[n % processes]?.httpPort ?? 0))
    recipients.push(...(await Promise.all(created)).map(({ email }) => email))
  }
  const send = ({ smtpPort }: RunningServer, from: number, count: number) =>
    sendLoad({
      port: smtpPort,
      connections: Number(values.connections),
      messages: count,
      recipients,
      body: n => Buffer.concat([Buffer.from(`X-Bench: ${processes} ${from} ${n} ${count}\r\n`), mail]),
    })
  // The first messages compile code, so they are not measured.
  await Promise.all(servers.map((server, from) => send(server, from, warmUp)))
  const usages = servers.map(({ pid }) => new ProcessUsage(pid))
  const before = usages.map(usage => usage.cpuMs())
  const engineBefore = await engineUsage()
  const startedMs = performance.now()
  const loads = await Promise.all(servers.map((server, from) => send(server, from, messages)))
  const seconds = (performance.now() - startedMs) / 1000
  const refused = loads.flatMap(load => [...load.refused])
  if (refused.length > 0) throw new Error(`refused: ${JSON.stringify(refused)}`)
  const micros = usages.map((usage, n) => ((usage.cpuMs() - (before[n] ?? 0)) * 1000) / messages)
  const engine = difference(await engineUsage(), engineBefore)
  if (processes === 1) await measureIdle(servers[0] as RunningServer)
  await Promise.all(servers.map(server => server.stop()))
  return { processes, micros, perSecond: (messages * processes) / seconds, engine }
}

type EngineUsage = {
  masterCpuMs: number
  replicaCpuMs: number
  memoryBytes: number
  commands: number
  receivedBytes: number
  sentBytes: number
}

async function engineUsage(): Promise<EngineUsage> {
  const infos = await Promise.all(masters.map(async node => String(await node.call('INFO', 'all'))))
  const total = (field: string) => infos.reduce((sum, info) => sum + Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0), 0)
  const cpuMs = (nodes: typeof masters) => nodes.reduce((sum, { pid }) => sum + new ProcessUsage(pid).cpuMs(), 0)
  return {
    masterCpuMs: cpuMs(masters),
    replicaCpuMs: cpuMs(cluster.nodes.slice(masters.length)),
    memoryBytes: total('used_memory_dataset'),
    commands: total('total_commands_processed'),
    receivedBytes: total('total_net_input_bytes'),
    sentBytes: total('total_net_output_bytes'),
  }
}

function difference(after: EngineUsage, before: EngineUsage): EngineUsage {
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name as keyof EngineUsage]])) as EngineUsage
}

function describe(usage: EngineUsage, count: number): string {
  const each = (value: number) => (value / count).toFixed(value / count < 10 ? 1 : 0)
  return (
    `${each(usage.masterCpuMs * 1000)} CPU-µs of masters and ${each(usage.replicaCpuMs * 1000)} of replicas, ${each(usage.memoryBytes)} bytes of memory, ` +
    `${each(usage.commands)} commands, ${each(usage.receivedBytes)} bytes in and ${each(usage.sentBytes)} out (replication included)`
  )
}

/** What mailboxes and streams cost while nothing happens in them. */
async function measureIdle(server: RunningServer): Promise<void> {
  const usage = new ProcessUsage(server.pid)
  const before = { engine: await engineUsage(), cpuMs: usage.cpuMs() }
  const tokens: string[] = []
  while (tokens.length < IDLE) {
    tokens.push(...(await Promise.all(Array.from({ length: 20 }, () => createAddress(server.httpPort)))).map(({ token }) => token))
  }
  console.log(
    `a mailbox: ${(((usage.cpuMs() - before.cpuMs) * 1000) / IDLE).toFixed(0)} CPU-µs of its process; ${describe(difference(await engineUsage(), before.engine), IDLE)}`,
  )
  const [rssMib, engine, cpuMs] = [usage.rssMib(), await engineUsage(), usage.cpuMs()]
  const url = `http://127.0.0.1:${server.httpPort}${routes.events}`
  const streams = await Promise.all(tokens.map(token => fetch(url, { headers: { authorization: `Bearer ${token}` } })))
  await sleep(1000)
  const kib = ((usage.rssMib() - rssMib) * 1024) / IDLE
  console.log(
    `a stream: ${(((usage.cpuMs() - cpuMs) * 1000) / IDLE).toFixed(0)} CPU-µs to open, ${kib.toFixed(0)} KiB of its process; ${describe(difference(await engineUsage(), engine), IDLE)}`,
  )
  await Promise.all(streams.map(({ body }) => body?.cancel()))
}
