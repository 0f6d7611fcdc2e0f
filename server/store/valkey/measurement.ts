/** One process asks all nodes of the cluster, for itself and the others. */
import { isIP } from 'node:net'
import { type Cluster, readReplicas } from './client/cluster.ts'
import { addressKey, type NodeAddress } from './client/node-connection.ts'
import { type ClockReading, isOlder, type NodeReading, productOf, readNodeAt, type Shortcoming } from './client/node-reading.ts'
import { nodesOf } from './client/topology.ts'

/** How far clocks may differ. Beyond it addresses would end much too early or late, so a process takes and shows no mail. */
export const CLOCKS_DIFFER_MS = 5000
/** Up to this many keys of a master are counted one by one; beyond that, a sample is counted and the rest estimated. */
const KEYS_COUNTED_MAX = 5000
const SCAN_KEYS = 1000
/** Any master knows all nodes. */
export const NODES_ASKED = 3
/** The cursor of a scan at its start and at its end. */
const SCAN_START = '0'

type Memory = { readonly usedBytes: number; readonly capacityBytes: number }

/** The sums of the masters that replied. Other versions of this program read it too: new fields are optional. */
export type Measurement = Memory & {
  readonly full: number
  readonly fullAt?: readonly string[]
  /** The masters whose disk takes no writes. */
  readonly unwritableAt?: readonly string[]
  /** What keeps nodes from serving their shards, now or as masters. */
  readonly faults?: readonly NodeFault[]
  /** How many keys nodes have thrown away since they started, where they have. */
  readonly evicted?: Readonly<Record<string, number>>
  /** Since when masters run, and with how many keys. */
  readonly runs?: Readonly<Record<string, Run>>
  /** How far the clock of a replica is ahead of those of the masters, where it is wrong. */
  readonly replicaClocks?: readonly { readonly name: string; readonly aheadMs: number }[]
  readonly mailboxes: number
  readonly countedAtMs: number
}

/**
 * `unlinked`: a replica copies nothing, because its link is broken, `apart` where its master has others. `outdated`: it never will, because
 * its engine is older than its master's.
 */
type Effect = Extract<Shortcoming['effect'], 'refusal' | 'denial' | 'late' | 'paused' | 'risk'> | 'unlinked' | 'apart' | 'outdated'

/** `lost`: keys that it has lost by restarting. */
type Run = { readonly id: string; readonly keys: number; readonly lost: number; readonly readAtMs: number }

/** `master`: of the node, which may be one itself. */
export type NodeFault = {
  readonly name: string
  readonly master: string
  readonly effect: Effect
  readonly fact: string
  readonly remedy: string
}

/** The state of a node, by its own reply. */
type NodeState = NonNullable<NodeReading['told']> & { readonly name: string }
type Replica = { readonly replica: NodeAddress; readonly master: string }

/** `known`: the last measurement. */
export async function measureNodes(
  cluster: Cluster,
  known: Measurement | undefined,
): Promise<Omit<Measurement, 'mailboxes' | 'countedAtMs'>> {
  const { topology, access, isSynced } = cluster
  const read = (node: NodeAddress) => readNodeAt(node, access, isSynced, topology)
  const [listed, joining] = await Promise.all([Promise.all(topology.nodes.map(read)), findJoining(cluster)])
  const others = await Promise.all(joining.map(({ replica }) => read(replica)))
  const states = [...listed, ...others].flatMap(({ name, told }): NodeState[] => (told ? [{ name, ...told }] : []))
  const masterNames = new Set(topology.shards.map(({ master }) => addressKey(master)))
  const masters = states.filter(({ name }) => masterNames.has(name))
  const listedReplicas = topology.shards.flatMap(({ master, replicas }) =>
    replicas.map(replica => ({ replica, master: addressKey(master) })),
  )
  const memories = masters.map(readMemory)
  const fullAt = memories.filter(({ usedBytes, capacityBytes }) => usedBytes >= capacityBytes).map(({ name }) => name)
  const unwritableAt = memories.filter(({ isWritable }) => !isWritable).map(({ name }) => name)
  // A node of the cluster that does not reply now, or says nothing of itself, is as it was.
  const { faults = [], evicted = {}, runs = {} } = known ?? {}
  const silent = new Set(listed.flatMap(({ name, error, shortcomings }) => (error === undefined || shortcomings.length > 0 ? [] : [name])))
  const keepUntold = <T>(record: Readonly<Record<string, T>>) =>
    listed.flatMap(({ name, told }) => (told || record[name] === undefined ? [] : [[name, record[name]] as const]))
  return {
    usedBytes: sum(memories.map(({ usedBytes }) => usedBytes)),
    capacityBytes: sum(memories.map(({ capacityBytes }) => capacityBytes)),
    full: new Set([...fullAt, ...unwritableAt]).size,
    fullAt,
    unwritableAt,
    replicaClocks: findWrongClocks(
      states.filter(({ name }) => !masterNames.has(name)),
      masters,
    ),
    faults: [
      ...faults.filter(({ name }) => silent.has(name)),
      ...findFaults(cluster, listed),
      ...[...listedReplicas, ...joining].flatMap(each => findCopyFault(each, states, cluster.replicasWanted || 1)),
    ],
    evicted: Object.fromEntries([
      ...keepUntold(evicted),
      ...listed.flatMap(({ name, told }) => {
        const keys = Number(told?.info.get('evicted_keys') ?? 0)
        return keys > 0 ? [[name, keys]] : []
      }),
    ]),
    runs: Object.fromEntries([...keepUntold(runs), ...masters.flatMap(state => readRun(state, runs[state.name]))]),
  }
}

/** `CLUSTER SLOTS` lists no replica that has copied nothing yet. */
async function findJoining(cluster: Cluster): Promise<Replica[]> {
  const { nodes, shards } = cluster.topology
  const listed = new Set(nodes.map(addressKey))
  const asked = shards.slice(0, NODES_ASKED).map(async ({ master }) => String(await cluster.ask(master, 'CLUSTER', 'NODES')))
  const known = await Promise.any(asked).catch(() => '')
  return readReplicas(known).filter(({ replica }) => !listed.has(addressKey(replica)))
}

function findFaults({ topology }: Cluster, readings: readonly NodeReading[]): NodeFault[] {
  const masterOf = new Map(topology.shards.flatMap(shard => nodesOf(shard).map(node => [addressKey(node), addressKey(shard.master)])))
  return readings.flatMap(({ name, shortcomings }) =>
    shortcomings.flatMap(({ effect, fact, remedy }) =>
      effect === 'other' || effect === 'warning' ? [] : [{ name, master: masterOf.get(name) ?? name, effect, fact, remedy }],
    ),
  )
}

/** A replica that copies is over it soon, unless it cannot read what it gets, or has no link. `needed`: how many a master needs. */
function findCopyFault({ replica, master }: Replica, states: readonly NodeState[], needed: number): NodeFault[] {
  const name = addressKey(replica)
  const [own, its] = [name, master].map(wanted => states.find(state => state.name === wanted)?.info)
  if (own?.get('master_link_status') !== 'down' || its?.get('role') !== 'master') return []
  const describe = (effect: Effect, fact: string, remedy: string): NodeFault[] => [{ name, master, effect, fact, remedy }]
  if (isOlder(own, its)) {
    const [product, other] = [own, its].map(productOf)
    return describe(
      'outdated',
      `${name} has copied nothing of its master ${master}: it runs ${product}, and older engines cannot read what ${other} sends`,
      'Upgrade it, or take it away (redis-cli --cluster del-node)',
    )
  }
  const links = [...its].flatMap(([field, value]) => (/^slave\d+$/.test(field) ? [value] : []))
  const place = isIP(replica.host) ? `ip=${replica.host},port=${replica.port},` : `,port=${replica.port},`
  // Its master knows of one that copies, or that it has told to wait. The replica says that it copies with each try to connect, too.
  if (links.some(link => link.includes(place))) return []
  return describe(
    links.filter(link => link.includes(',state=online,')).length < needed ? 'unlinked' : 'apart',
    `${name} copies nothing of its master ${master}: its link to it is down (master_link_status:down)`,
    `Its log says why: "masterauth" there, and "masteruser" if it has one, must be right at its master, which it must reach`,
  )
}

/** With a file a master has all its keys again: so many are gone at once only if the file is. */
const RESTART_MS_MAX = 30_000

function readRun({ name, info }: NodeState, before: Run | undefined): (readonly [name: string, run: Run])[] {
  if (info.get('loading') === '1') return before ? [[name, before]] : []
  const [id = '', readAtMs] = [info.get('run_id'), Date.now()]
  const keys = Number(/^keys=(\d+)/.exec(info.get('db0') ?? '')?.[1] ?? 0)
  const { lost = 0 } = before ?? {}
  if (!before || before.id === id || keys * 2 >= before.keys) return [[name, { id, keys, lost, readAtMs }]]
  const isEmptied = info.get('aof_enabled') !== '1' || readAtMs - before.readAtMs < RESTART_MS_MAX
  return [[name, { id, keys, lost: lost + (isEmptied ? before.keys - keys : 0), readAtMs }]]
}

function readMemory({ name, info }: NodeState): Memory & { name: string; isWritable: boolean } {
  const read = (field: string) => Number(info.get(field) ?? 0)
  return {
    name,
    usedBytes: read('used_memory'),
    capacityBytes: read('maxmemory') || read('total_system_memory'),
    // With `appendfsync everysec` a master that cannot write its file stays, and refuses all writes.
    isWritable: info.get('aof_last_write_status') !== 'err',
  }
}

export const leastAheadMs = ({ aheadMs, uncertainMs }: ClockReading) => Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - uncertainMs)

/** Replicas whose clocks are not that of the median master. */
function findWrongClocks(replicas: readonly NodeState[], masters: readonly NodeState[]): { name: string; aheadMs: number }[] {
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
