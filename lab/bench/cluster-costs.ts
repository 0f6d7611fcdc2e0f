/**
 * What a mailbox, a message and a stream cost on a cluster: memory, commands, round trips and CPU time. `npm run lab -- cluster-costs`.
 * Bytes are the growth of `used_memory` of all masters; each replica needs as much again.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { HealthWatch } from '../../server/store/health-watch.ts'
import { openCluster } from '../../server/store/valkey/client/open-cluster.ts'
import { openValkeyStore } from '../../server/store/valkey/valkey-store.ts'
import { createdAtOf, deliverTo, mailboxRecord, randomId, START } from '../../test/harness/mayfly/store-fixture.ts'
import { type RedisCluster, startRedisCluster } from '../../test/harness/servers/redis-cluster.ts'

const MAILBOXES = 10_000
const STREAMS = 5000
const SUMMARY_BYTES = 400
const AT_ONCE = 200
/** How full a mailbox is, which must not make the next message dearer. */
const FILLS = [10, 100, 1000]
const FILLED = 20
const MORE = 25
const MASTERS = 3
const IDLE_PROCESSES = 100
const IDLE_MS = 15_000

await using cluster = await startRedisCluster()
const connection = await openCluster({ urls: cluster.url.split(','), replicas: 1, isSynced: false })
await using store = await openValkeyStore({ cluster: connection, clock: () => START, keyCheck: 'bench' })
const records = Array.from({ length: MAILBOXES }, () => mailboxRecord(START + 3_600_000))
const message = (bytes: number) => ({
  messageId: randomId<never>(),
  receivedAt: START,
  sealedSummary: randomBytes(SUMMARY_BYTES),
  sealedRaw: randomBytes(bytes),
})

/** Runs `work` for every item, several at once, and prints the cost of one. */
async function measure<T>(name: string, items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const before = await look(cluster)
  const [cpu, startedMs] = [process.cpuUsage(), performance.now()]
  const queue = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of queue) await work(item)
    }),
  )
  const [spent, elapsedMs, after] = [process.cpuUsage(cpu), performance.now() - startedMs, await look(cluster)]
  const each = (total: number) => (total / items.length).toFixed(1)
  const commands = [...after.commands].flatMap(([command, calls]) => {
    const count = (calls - (before.commands.get(command) ?? 0)) / items.length
    return count >= 0.05 ? [`${command} ${count.toFixed(1)}`] : []
  })
  console.log(
    `${name}: ${each(after.bytes - before.bytes)} bytes, engine ${each(after.cpuMicros - before.cpuMicros)} µs, client ${each(spent.user + spent.system)} µs, ` +
      `${((items.length / elapsedMs) * 1000).toFixed(0)}/s, commands: ${commands.join(', ')}`,
  )
}

/** Sums what all masters say. */
async function look({ nodes }: RedisCluster) {
  const infos = await Promise.all(nodes.slice(0, MASTERS).map(async node => readInfo(String(await node.call('INFO', 'everything')))))
  const sum = (name: string) => infos.reduce((total, info) => total + Number(info.get(name) ?? 0), 0)
  const commands = new Map<string, number>()
  for (const [name, value] of infos.flatMap(info => [...info]).filter(([key]) => key.startsWith('cmdstat_'))) {
    const command = name.slice('cmdstat_'.length)
    if (/^(info|ping|replconf|scan|dbsize|cluster)/.test(command)) continue
    commands.set(command, (commands.get(command) ?? 0) + Number(/calls=(\d+)/.exec(value)?.[1]))
  }
  return { bytes: sum('used_memory'), cpuMicros: (sum('used_cpu_user') + sum('used_cpu_sys')) * 1e6, commands }
}

console.log(`${MAILBOXES} mailboxes, ${AT_ONCE} requests at once, one replica acknowledges every write`)
await measure('create a mailbox', records, record => store.createMailbox(record))
await measure('find a mailbox', records, ({ mailboxId }) => store.findMailbox(mailboxId))
await measure('deliver 4 kB', records, ({ mailboxId }) => deliverTo(store, mailboxId, message(4096)))
await measure('deliver 64 kB', records.slice(0, 1000), ({ mailboxId }) => deliverTo(store, mailboxId, message(65_536)))
await measure('read what changed', records, ({ mailboxId }) => store.changesSince(mailboxId, 0, 100))
const leaving = new AbortController()
const watchers = records.slice(0, STREAMS)
await measure('watch a mailbox', watchers, ({ mailboxId }) => store.watch(mailboxId, leaving.signal)[Symbol.asyncIterator]().next())
await measure('deliver 4 kB to a watched mailbox', watchers, ({ mailboxId }) => deliverTo(store, mailboxId, message(4096)))
leaving.abort()
await measure('destroy a mailbox', records, ({ mailboxId }) => store.destroyMailbox(mailboxId))
for (const fill of FILLS) await measureFilled(fill)
await measureIdle()

async function measureFilled(fill: number): Promise<void> {
  const filled = Array.from({ length: FILLED }, () => mailboxRecord(START + 3_600_000))
  await Promise.all(
    filled.map(async record => {
      await store.createMailbox(record)
      for (let i = 0; i < fill; i++) await deliverTo(store, record.mailboxId, message(100))
    }),
  )
  const next = Array.from({ length: MORE }, () => filled).flatMap(records =>
    records.map(({ mailboxId }) => ({ mailboxId, mail: message(4096) })),
  )
  await measure(`deliver 4 kB to a mailbox of ${fill}`, next, ({ mailboxId, mail }) => deliverTo(store, mailboxId, mail))
  await measure('  and its authentication result', next, ({ mailboxId, mail }) =>
    store.addAuthentication(mailboxId, mail.messageId, randomBytes(SUMMARY_BYTES), createdAtOf(mailboxId)),
  )
}

/** What processes cost that do nothing but check the cluster's health. What a master spends without them is not counted. */
async function measureIdle(): Promise<void> {
  const spend = async () => {
    const before = await look(cluster)
    await sleep(IDLE_MS)
    return ((await look(cluster)).cpuMicros - before.cpuMicros) / MASTERS / (IDLE_MS / 1000)
  }
  const alone = await spend()
  await using stack = new AsyncDisposableStack()
  for (let i = 0; i < IDLE_PROCESSES; i++) {
    const own = await openCluster({ urls: cluster.url.split(','), replicas: 1, isSynced: false })
    const idle = stack.use(await openValkeyStore({ cluster: own, clock: () => START, keyCheck: 'bench' }))
    stack.use(await HealthWatch.start(idle))
  }
  const each = ((await spend()) - alone) / IDLE_PROCESSES
  console.log(`an idle process: ${each.toFixed(0)} µs a second of each master, where ${alone.toFixed(0)} µs are spent without any`)
}

/** The `name:value` lines of a reply to `INFO`. */
function readInfo(text: string): Map<string, string> {
  return new Map([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]))
}
