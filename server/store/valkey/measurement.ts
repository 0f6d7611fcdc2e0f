/** One process asks all nodes of the cluster, for itself and the others. */
import { type Cluster, readReplicas } from './client/cluster.ts'
import { addressKey, type EngineReply, type NodeAddress } from './client/node-connection.ts'
import { askInfo, findShortcomings, isOlder, productOf } from './client/open-cluster.ts'

/** How far clocks may differ. Beyond it addresses would end much too early or late, so a process takes and shows no mail. */
export const CLOCKS_DIFFER_MS = 5000
/** Up to this many keys of a master are counted one by one; beyond that, a sample is counted and the rest estimated. */
const KEYS_COUNTED_MAX = 5000
const SCAN_KEYS = 1000
/** The cursor of a scan at its start and at its end. */
const SCAN_START = '0'

type Memory = { readonly usedBytes: number; readonly capacityBytes: number }

/** The sums of the masters that replied. Other versions of this program read it too: new fields are optional. */
export type Measurement = Memory & {
  readonly full: number
  readonly fullAt?: readonly string[]
  /** The masters whose disk takes no writes. */
  readonly unwritableAt?: readonly string[]
  /** Nodes that may lose mail. */
  readonly unsafe?: readonly UnsafeNode[]
  /** How many keys nodes have thrown away since they started, where they have. */
  readonly evicted?: Readonly<Record<string, number>>
  /** How far the clock of a replica is ahead of those of the masters, where it is wrong. */
  readonly replicaClocks?: readonly { readonly name: string; readonly aheadMs: number }[]
  /** Replicas that may copy for ever. */
  readonly outdated?: readonly OutdatedReplica[]
  readonly mailboxes: number
  readonly countedAtMs: number
}

/** A replica that has copied nothing yet, and an engine older than its master's. */
export type OutdatedReplica = { readonly name: string; readonly product: string; readonly master: string; readonly masterProduct: string }

/** `risk`: its shard takes mail all the same. */
export type UnsafeNode = { readonly name: string; readonly effect: 'refusal' | 'risk'; readonly fact: string; readonly remedy: string }

/** The state of a node, by its own reply. */
type NodeReading = { readonly name: string; readonly info: ReadonlyMap<string, string>; readonly clock: ClockReading }

/** How far the clock here is ahead of that of a node, and how much of it the way of the question may be. */
type ClockReading = { readonly aheadMs: number; readonly uncertainMs: number }

/** `known`: the last measurement. */
export async function measureNodes(
  cluster: Cluster,
  known: Measurement | undefined,
): Promise<Omit<Measurement, 'mailboxes' | 'countedAtMs'>> {
  const { shards } = cluster.topology
  const read = async (node: NodeAddress, ask: (...sections: readonly string[]) => Promise<EngineReply>) => {
    const askedAt = Date.now()
    const info = await askInfo(ask).catch(() => undefined)
    if (!info) return undefined
    return { name: addressKey(node), info, clock: compareClock(askedAt, Number(info.get('server_time_usec')) / 1000) }
  }
  const readAll = async (nodes: readonly Promise<NodeReading | undefined>[]) =>
    (await Promise.all(nodes)).filter(reading => reading !== undefined)
  const [masters, replicas] = await Promise.all([
    readAll(shards.map(({ master }) => read(master, (...sections) => cluster.callMaster(master, 'INFO', ...sections)))),
    readAll(shards.flatMap(({ replicas }) => replicas.map(node => read(node, (...sections) => cluster.ask(node, 'INFO', ...sections))))),
  ])
  const outdated = await findOutdated(
    cluster,
    masters,
    async address => await read(address, (...sections) => cluster.ask(address, 'INFO', ...sections)),
  )
  const memories = masters.map(readMemory)
  const fullAt = memories.filter(({ usedBytes, capacityBytes }) => usedBytes >= capacityBytes).map(({ name }) => name)
  const unwritableAt = memories.filter(({ isWritable }) => !isWritable).map(({ name }) => name)
  return {
    usedBytes: sum(memories.map(({ usedBytes }) => usedBytes)),
    capacityBytes: sum(memories.map(({ capacityBytes }) => capacityBytes)),
    full: new Set([...fullAt, ...unwritableAt]).size,
    fullAt,
    unwritableAt,
    replicaClocks: findWrongClocks(replicas, masters),
    outdated,
    ...findUnsafe(cluster, [...masters, ...replicas], known),
  }
}

/** `CLUSTER SLOTS` lists no replica that has copied nothing yet. One that copies is over it soon, unless it cannot read what it gets. */
async function findOutdated(
  cluster: Cluster,
  masters: readonly NodeReading[],
  read: (replica: NodeAddress) => Promise<NodeReading | undefined>,
): Promise<OutdatedReplica[]> {
  const { nodes, shards } = cluster.topology
  const listed = new Set(nodes.map(addressKey))
  const [first] = shards.filter(({ master }) => masters.some(({ name }) => name === addressKey(master)))
  if (!first) return []
  const known = String(await cluster.callMaster(first.master, 'CLUSTER', 'NODES').catch(() => ''))
  const joining = readReplicas(known).filter(({ replica }) => !listed.has(addressKey(replica)))
  const found = joining.map(async ({ replica, master }) => {
    const reading = await read(replica)
    const its = masters.find(({ name }) => name === master)
    if (!reading || !its || !isOlder(reading.info, its.info)) return []
    return [{ name: addressKey(replica), product: productOf(reading.info), master, masterProduct: productOf(its.info) }]
  })
  return (await Promise.all(found)).flat()
}

/** A node of the cluster that does not reply now is as it was. */
function findUnsafe(
  { topology, isSynced }: Cluster,
  readings: readonly NodeReading[],
  known: Measurement | undefined,
): Pick<Measurement, 'unsafe' | 'evicted'> {
  const replied = new Set(readings.map(({ name }) => name))
  const silent = new Set(topology.nodes.map(addressKey).filter(name => !replied.has(name)))
  const { unsafe = [], evicted = {} } = known ?? {}
  return {
    unsafe: [
      ...unsafe.filter(({ name }) => silent.has(name)),
      ...readings.flatMap(({ name, info }) =>
        findShortcomings(name, info, isSynced).flatMap(({ effect, fact, remedy }) =>
          effect === 'refusal' || effect === 'risk' ? [{ name, effect, fact, remedy }] : [],
        ),
      ),
    ],
    evicted: Object.fromEntries([
      ...Object.entries(evicted).filter(([name]) => silent.has(name)),
      ...readings.flatMap(({ name, info }) =>
        (info.get('evicted_keys') ?? '0') === '0' ? [] : [[name, Number(info.get('evicted_keys'))]],
      ),
    ]),
  }
}

function readMemory({ name, info }: NodeReading): Memory & { name: string; isWritable: boolean } {
  const read = (field: string) => Number(info.get(field) ?? 0)
  return {
    name,
    usedBytes: read('used_memory'),
    capacityBytes: read('maxmemory') || read('total_system_memory'),
    // With `appendfsync everysec` a master that cannot write its file stays, and refuses all writes.
    isWritable: info.get('aof_last_write_status') !== 'err',
  }
}

/** The clock of a node that was asked at `askedAt` and has just replied. */
export function compareClock(askedAt: number, itsTime: number): ClockReading {
  const now = Date.now()
  // The reply may have been under way for all of that time, or waited here.
  return { aheadMs: (askedAt + now) / 2 - itsTime, uncertainMs: Math.abs(now - askedAt) / 2 }
}

export const leastAheadMs = ({ aheadMs, uncertainMs }: ClockReading) => Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - uncertainMs)

/** Replicas whose clocks are not that of the median master. */
function findWrongClocks(replicas: readonly NodeReading[], masters: readonly NodeReading[]): { name: string; aheadMs: number }[] {
  const median = masters.map(({ clock }) => clock).toSorted((a, b) => a.aheadMs - b.aheadMs)[Math.floor(masters.length / 2)]
  if (!median) return []
  return replicas
    .map(({ name, clock }) => {
      const difference = { aheadMs: median.aheadMs - clock.aheadMs, uncertainMs: median.uncertainMs + clock.uncertainMs }
      return { name, aheadMs: leastAheadMs(difference) }
    })
    .filter(({ aheadMs }) => Math.abs(aheadMs) > CLOCKS_DIFFER_MS)
}

/** `pattern`: of their keys. */
export async function countMailboxes(cluster: Cluster, pattern: string): Promise<number> {
  const { shards } = cluster.topology
  return Math.round(sum(await Promise.all(shards.map(({ master }) => countAt(cluster, pattern, master).catch(() => 0)))))
}

async function countAt(cluster: Cluster, pattern: string, master: NodeAddress): Promise<number> {
  const keys = Number(await cluster.callMaster(master, 'DBSIZE'))
  if (keys <= KEYS_COUNTED_MAX) return countAll(cluster, pattern, master)
  // Buckets are visited in an order independent of the keys, so any part of them is a fair sample.
  const sample = await scan(cluster, pattern, master, SCAN_START)
  return (sample.found / SCAN_KEYS) * keys
}

async function countAll(cluster: Cluster, pattern: string, master: NodeAddress): Promise<number> {
  let total = 0
  let cursor = SCAN_START
  do {
    const { found, next } = await scan(cluster, pattern, master, cursor)
    total += found
    cursor = next
  } while (cursor !== SCAN_START)
  return total
}

async function scan(cluster: Cluster, pattern: string, master: NodeAddress, cursor: string): Promise<{ found: number; next: string }> {
  const args = [cursor, 'MATCH', pattern, 'COUNT', SCAN_KEYS, 'TYPE', 'hash']
  const [next, keys] = (await cluster.callMaster(master, 'SCAN', ...args)) as [Buffer, Buffer[]]
  return { found: keys.length, next: String(next) }
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
