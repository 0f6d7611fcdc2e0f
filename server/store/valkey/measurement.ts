/** One process asks all nodes of the cluster, for itself and the others. */
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, withinMs } from './client/cluster.ts'
import { readFailed, readUnlisted } from './client/cluster-nodes.ts'
import { toAddress } from './client/failures.ts'
import { addressKey, connectionReason, isCut, type NodeAddress, nodeCommand } from './client/node-connection.ts'
import {
  type ClockReading,
  countFlushes,
  describeUnasked,
  isOlder,
  type NodeReading,
  productOf,
  readInfoOf,
  readNodeAt,
  type Shortcoming,
} from './client/node-reading.ts'
import { nodesOf, type Shard } from './client/topology.ts'

/** How far clocks may differ. Beyond it addresses would end much too early or late, so a process takes and shows no mail. */
export const CLOCKS_DIFFER_MS = 5000
/** Up to this many keys of a master are counted one by one; beyond that, a sample is counted and the rest estimated. */
const KEYS_COUNTED_MAX = 5000
const SCAN_KEYS = 1000
/** Any master knows all nodes. */
export const NODES_ASKED = 3
/** So many are asked at once over new connections for all that is needed of them. Each costs a TLS handshake and about 32 commands. */
const NODES_READ_MAX = 16
/** How long a master that is not among them may take to say how it is. */
const INFO_MS_MAX = 1500
const LOOK_AGAIN_MS = 1000
/** The cursor of a scan at its start and at its end. */
const SCAN_START = '0'

type Memory = { readonly usedBytes: number; readonly capacityBytes: number }
/** `isWritable`: its disk takes writes. */
type MasterMemory = Memory & { readonly isWritable: boolean }

/** The sums of all masters. Other versions of this program read it too: new fields are optional. */
export type Measurement = Memory & {
  readonly full: number
  readonly fullAt?: readonly string[]
  /** The masters whose disk takes no writes. */
  readonly unwritableAt?: readonly string[]
  /** They keep nodes from serving their shards, now or as masters. */
  readonly faults?: readonly NodeFault[]
  /** How many keys nodes have thrown away since they started, where they have. */
  readonly evicted?: Readonly<Record<string, number>>
  /** The last that each master said. */
  readonly memories?: Readonly<Record<string, MasterMemory>>
  /** The first shard that the next measurement reads. */
  readonly turn?: number
  /** Since when masters run, and with how many keys. */
  readonly runs?: Readonly<Record<string, Run>>
  /** Nodes that have failed, or did not say how they are when they were last asked. */
  readonly unsure?: readonly string[]
  /** Since when nodes have not replied. */
  readonly silent?: Readonly<Record<string, number>>
  /** How far the clock of a replica is ahead of those of the masters, where it is wrong. */
  readonly replicaClocks?: readonly { readonly name: string; readonly aheadMs: number }[]
  readonly mailboxes: number
  readonly countedAtMs: number
}

/**
 * `unlinked`: a replica copies nothing, because its link is broken, `apart` where its master has others. `outdated`: it never will, because
 * its engine is older than its master's.
 */
type Effect =
  | Extract<Shortcoming['effect'], 'refusal' | 'denial' | 'late' | 'some' | 'paused' | 'risk'>
  | ('unlinked' | 'apart' | 'outdated')

/** A node says these of itself. */
const OF_INFO: readonly Effect[] = ['refusal', 'risk']
/** A node says these where it refuses something. */
const OF_REFUSALS: readonly Effect[] = ['denial', 'late', 'some', 'paused']

/**
 * `lost`: keys that it has lost by restarting. `flushed`: those that somebody removed all at once, at the last of `flushes`.
 */
type Run = {
  readonly id: string
  readonly keys: number
  readonly lost: number
  readonly readAtMs: number
  readonly flushes?: number
  readonly flushed?: number
}

/** `master`: of the node, which may be one itself. */
export type NodeFault = {
  readonly name: string
  readonly master: string
  readonly effect: Effect
  readonly fact: string
  readonly remedy: string
  readonly isShut?: true
  /** Mail was refused for it, and then a trial. */
  readonly isSure?: true
}

/** The state of a node, by its own reply. */
type NodeState = NonNullable<NodeReading['told']> & { readonly name: string }
type Replica = { readonly replica: NodeAddress; readonly master: string }

/**
 * Reads whole shards over new connections, at most `nodesMax` nodes at once, the others in turn; of these, masters say what they
 * say of themselves. What is not read now is as it was. `known`: the last measurement.
 */
export async function measureNodes(
  cluster: Cluster,
  known: Measurement | undefined,
  nodesMax = NODES_READ_MAX,
): Promise<Omit<Measurement, 'mailboxes' | 'countedAtMs'>> {
  const { topology, isSynced } = cluster
  const { shards } = topology
  const { faults = [], evicted = {}, runs = {}, memories = {}, replicaClocks = [] } = known ?? {}
  const { whole, turn } = takeTurn(shards, known, nodesMax)
  const { joining, failed } = await findUnlisted(cluster)
  const askInfo = async ({ master }: Shard): Promise<NodeReading> => {
    const name = addressKey(master)
    const asked = readInfoOf(name, isSynced, (...words) => cluster.callMaster(master, ...words))
    return await withinMs(INFO_MS_MAX, asked).catch((error: unknown) => ({ name, shortcomings: [], error }))
  }
  const [read, others] = await Promise.all([
    readShards(cluster, whole, joining, faults),
    Promise.all(shards.filter(shard => !whole.includes(shard)).map(askInfo)),
  ])
  const states = [...read.readings, ...others].flatMap(({ name, told }): NodeState[] => (told ? [{ name, ...told }] : []))
  const masterNames = new Set(shards.map(({ master }) => addressKey(master)))
  const masters = states.filter(({ name }) => masterNames.has(name))
  const nodeNames = new Set(topology.nodes.map(addressKey))
  const wholeNames = new Set([...whole.flatMap(nodesOf), ...joining.map(({ replica }) => replica)].map(addressKey))
  const readings = new Map([...read.readings, ...others].map(reading => [reading.name, reading]))
  const isKept = ({ name, effect }: NodeFault) => {
    const { told, error, shortcomings = [] } = readings.get(name) ?? {}
    if (!wholeNames.has(name)) return !told || !OF_INFO.includes(effect)
    // It runs and hangs up, which is told as such: it may let us in and take writes again, and nobody can see whether.
    return error !== undefined && shortcomings.length === 0 && !(isCut(error) && OF_REFUSALS.includes(effect))
  }
  const keepUntold = <T>(record: Readonly<Record<string, T>>, names: ReadonlySet<string>) =>
    Object.entries(record).filter(([name]) => names.has(name) && !readings.get(name)?.told)
  const memoryOf = new Map([...keepUntold(memories, masterNames), ...masters.map(state => [state.name, readMemory(state)] as const)])
  const readMemories = [...memoryOf]
  const fullAt = readMemories.flatMap(([name, { usedBytes, capacityBytes }]) => (usedBytes >= capacityBytes ? [name] : []))
  const unwritableAt = readMemories.flatMap(([name, { isWritable }]) => (isWritable ? [] : [name]))
  const masterOf = new Map([
    ...joining.map(({ replica, master }) => [addressKey(replica), master] as const),
    ...shards.flatMap(shard => nodesOf(shard).map(node => [addressKey(node), addressKey(shard.master)] as const)),
  ])
  const silent = noteSilent(read.readings, known?.silent)
  const shut = await Promise.all(whole.map(({ master }) => findShut(cluster, master, readings.get(addressKey(master)), silent)))
  const found = [
    ...[...readings.values()].flatMap(reading => findFaults(reading, masterOf.get(reading.name), nodeNames.has(reading.name))),
    ...read.copyFaults,
    ...whole.flatMap(shard => findSilent(shard, readings, silent)),
    ...shut.flat(),
  ]
  const isFound = ({ name, effect }: NodeFault) => found.some(fault => fault.name === name && fault.effect === effect)
  return {
    turn,
    usedBytes: sum(readMemories.map(([, { usedBytes }]) => usedBytes)),
    capacityBytes: sum(readMemories.map(([, { capacityBytes }]) => capacityBytes)),
    memories: Object.fromEntries(memoryOf),
    full: new Set([...fullAt, ...unwritableAt]).size,
    fullAt,
    unwritableAt,
    replicaClocks: [
      ...replicaClocks.filter(({ name }) => nodeNames.has(name) && !wholeNames.has(name)),
      ...findWrongClocks(
        states.filter(({ name }) => !masterNames.has(name)),
        masters,
      ),
    ],
    faults: [
      ...faults.flatMap(fault => {
        const master = masterOf.get(fault.name)
        return master !== undefined && isKept(fault) && !isFound(fault) ? [{ ...fault, master }] : []
      }),
      ...found,
    ],
    evicted: Object.fromEntries([
      ...keepUntold(evicted, nodeNames),
      ...states.flatMap(({ name, info }) => {
        const keys = Number(info.get('evicted_keys') ?? 0)
        return keys > 0 && nodeNames.has(name) ? [[name, keys] as const] : []
      }),
    ]),
    silent,
    unsure: [
      ...(known?.unsure ?? []).filter(name => nodeNames.has(name) && !readings.has(name)),
      ...read.readings.flatMap(({ name, told, error }) => (told && error === undefined && !isUnlinked(told.info) ? [] : [name])),
      ...failed,
    ],
    runs: Object.fromEntries([...keepUntold(runs, nodeNames), ...masters.flatMap(state => readRun(state, runs[state.name]))]),
  }
}

/** The shards that are read now: those of which something is wrong, so that its end is told soon, and the next ones. Both are limited. */
function takeTurn(shards: readonly Shard[], known: Measurement | undefined, nodesMax: number): { whole: readonly Shard[]; turn: number } {
  const start = (known?.turn ?? 0) % Math.max(1, shards.length)
  const ordered = [...shards.slice(start), ...shards.slice(0, start)]
  const wrong = new Set(known?.faults?.map(({ master }) => master))
  const next = takeNodes(ordered, nodesMax)
  const suspects = takeNodes(
    ordered.filter(({ master }) => wrong.has(addressKey(master))),
    nodesMax,
  )
  return { whole: [...new Set([...next, ...suspects])], turn: start + next.length }
}

/** The first of them, one at least. */
function takeNodes(shards: readonly Shard[], nodesMax: number): Shard[] {
  let [count, nodes] = [0, 0]
  for (const shard of shards) {
    nodes += nodesOf(shard).length
    if (nodes > nodesMax && count > 0) break
    count++
  }
  return shards.slice(0, count)
}

/** A replica whose link is broken, and a node that hangs up, may be over it in a moment: what is new of these is looked at twice. */
async function readShards(cluster: Cluster, shards: readonly Shard[], joining: readonly Replica[], known: readonly NodeFault[]) {
  const { topology, access, isSynced } = cluster
  const read = (nodes: readonly NodeAddress[]) => Promise.all(nodes.map(node => readNodeAt(node, access, isSynced, topology)))
  const replicas = [
    ...shards.flatMap(({ master, replicas: its }) => its.map(replica => ({ replica, master: addressKey(master) }))),
    ...joining,
  ]
  const nodes = [...shards.flatMap(nodesOf), ...joining.map(({ replica }) => replica)]
  const readings = new Map((await read(nodes)).map(reading => [reading.name, reading]))
  const findBroken = () => replicas.flatMap(each => findCopyFault(each, replicas, readings, cluster))
  const isKnown = ({ name, effect }: Pick<NodeFault, 'name' | 'effect'>) =>
    known.some(fault => fault.name === name && fault.effect === effect)
  const doubted = new Set([
    ...findBroken().flatMap(fault => (isKnown(fault) ? [] : [fault.name, fault.master])),
    ...[...readings.values()].flatMap(({ name, error, shortcomings }) =>
      error !== undefined && shortcomings.some(({ effect }) => effect === 'denial' && !isKnown({ name, effect })) ? [name] : [],
    ),
  ])
  if (doubted.size > 0) {
    await sleep(LOOK_AGAIN_MS)
    for (const reading of await read(nodes.filter(node => doubted.has(addressKey(node))))) readings.set(reading.name, reading)
  }
  return { readings: [...readings.values()], copyFaults: findBroken() }
}

/** `CLUSTER SLOTS` lists no replica that has copied nothing yet or since its start, nor nodes that have failed. */
async function findUnlisted(cluster: Cluster): Promise<{ joining: Replica[]; failed: string[] }> {
  const { nodes, shards } = cluster.topology
  const listed = new Set(nodes.map(addressKey))
  const asked = shards.slice(0, NODES_ASKED).map(async ({ master }) => String(await cluster.ask(master, 'CLUSTER', 'NODES')))
  const known = await Promise.any(asked).catch(() => '')
  const joining = readUnlisted(known, listed)
  return { joining: joining.slice(0, NODES_READ_MAX), failed: readFailed(known) }
}

/** What a node that joins would do to mail matters once it is listed. `master`: missing of a node that is none of ours. */
function findFaults({ name, shortcomings }: NodeReading, master: string | undefined, isListed: boolean): NodeFault[] {
  return shortcomings.flatMap(({ effect, ...rest }) =>
    master === undefined || effect === 'other' || effect === 'warning' || (!isListed && OF_INFO.includes(effect))
      ? []
      : [{ name, master, effect, ...rest }],
  )
}

/** Its master may be away, or not be known: no fault is told then. */
const isUnlinked = (info: ReadonlyMap<string, string>) => info.get('master_link_status') === 'down'

const CLOSED_PORT = 'Somebody set "tls-cluster no" at its master, or "tls-port" or "port" to 0: set it back there, or restart it'

/** A replica that copies is over it soon, unless it cannot read what it gets, or has no link. */
function findCopyFault(
  { replica, master }: Replica,
  replicas: readonly Replica[],
  readings: ReadonlyMap<string, NodeReading>,
  { access, replicasWanted }: Cluster,
): NodeFault[] {
  const name = addressKey(replica)
  const [own, its] = [name, master].map(wanted => readings.get(wanted)?.told?.info)
  const describe = (effect: Effect, fact: string, remedy: string): NodeFault[] => [{ name, master, effect, fact, remedy }]
  if (!own || !isUnlinked(own) || its?.get('role') !== 'master') return []
  if (isOlder(own, its)) {
    const [product, other] = [own, its].map(productOf)
    return describe(
      'outdated',
      `${name} has copied nothing of its master ${master}: it runs ${product}, and older engines cannot read what ${other} sends`,
      'Upgrade it, or take it away (redis-cli --cluster del-node)',
    )
  }
  const links = readLinks(its)
  // Its master lists the address that it sees, or `replica-announce-ip`: one that copies may be any but those known by their addresses.
  const others = replicas.filter(each => each.master === master && each.replica !== replica && isIP(each.replica.host))
  const isOfOther = (link: string) => others.some(each => link.includes(`ip=${each.replica.host},port=${each.replica.port},`))
  const isCopying = links.some(link => !link.includes(',state=online,') && !isOfOther(link))
  if (isCopying || own.get('loading') === '1') return []
  const at = `${own.get('master_host')}:${own.get('master_port')}`
  const fact = `${name} copies nothing of its master ${master}: its link to it is down (master_link_status:down)`
  const tls = access.isEncrypted ? ', "tls-replication" and "tls-cluster" the same on every node' : ''
  const remedy = `Its log says why: "masterauth" there, and "masteruser" if it has one, must be right at its master${tls}, which it must reach`
  const effect = links.filter(link => link.includes(',state=online,')).length < (replicasWanted || 1) ? 'unlinked' : 'apart'
  const { host = '' } = toAddress(master) ?? {}
  if (own.get('master_port') === '0') return describe(effect, `${fact}, as that announces no port`, CLOSED_PORT)
  // `INFO` gives no names. Without "tls-replication" it copies from the port without TLS.
  if ([master, `${host}:${its.get('tcp_port')}`].includes(at) || !isIP(host)) return describe(effect, fact, remedy)
  const replicate = `cluster replicate $(${nodeCommand('cluster myid', master, access.isEncrypted)})`
  const typed = nodeCommand(replicate, name, access.isEncrypted)
  return describe(effect, `${fact}, and it looks for it at ${at}`, `Type "${typed}". If that does not help: ${remedy}`)
}

/** A master says this of each that copies it. */
const readLinks = (info: ReadonlyMap<string, string> = new Map<string, string>()) =>
  [...info].flatMap(([field, value]) => (/^slave\d+$/.test(field) ? [value] : []))

/** A stall of this process may last as long as a reading. */
const SILENT_MS_MIN = 1500

/** Since when nodes have not replied. Where most do not, it may be this process. */
function noteSilent(readings: readonly NodeReading[], known: Readonly<Record<string, number>> = {}): Record<string, number> {
  const silent = readings.filter(({ error, shortcomings }) => error !== undefined && shortcomings.length === 0)
  return silent.length * 2 > readings.length ? {} : Object.fromEntries(silent.map(({ name }) => [name, known[name] ?? Date.now()]))
}

const isSilent = (name: string, since: Readonly<Record<string, number>>) =>
  Date.now() - (since[name] ?? Number.POSITIVE_INFINITY) >= SILENT_MS_MIN

/** Whether a master refuses new connections while those go on that this process has: they are the next to end. */
async function findShut(
  cluster: Cluster,
  master: NodeAddress,
  reading: NodeReading | undefined,
  since: Readonly<Record<string, number>>,
): Promise<NodeFault[]> {
  const name = addressKey(master)
  if (!isSilent(name, since) || !/ECONNREFUSED|EHOSTUNREACH/.test(connectionReason(reading?.error))) return []
  const reply = withinMs(INFO_MS_MAX, cluster.callMaster(master, 'PING'))
  const fact = describeUnasked(name, reading?.error)
  return await reply.then(
    () => [{ name, master: name, effect: 'denial', fact, remedy: UNREACHED, isShut: true }],
    () => [],
  )
}

const UNREACHED =
  'Somebody changed "bind" or its port: set it back there, or type "cluster failover" at its replica and restart it. Else open a firewall'

/** Finds the replicas that reply to their master alone. */
function findSilent(
  { master, replicas }: Shard,
  readings: ReadonlyMap<string, NodeReading>,
  since: Readonly<Record<string, number>>,
): NodeFault[] {
  const links = readLinks(readings.get(addressKey(master))?.told?.info)
  const isOnline = ({ host, port }: NodeAddress) => links.some(link => link.startsWith(`ip=${host},port=${port},state=online,`))
  return replicas
    .filter(replica => isSilent(addressKey(replica), since) && isOnline(replica))
    .map(replica => ({
      ...{ name: addressKey(replica), master: addressKey(master), effect: 'denial' },
      fact: `${addressKey(replica)} does not reply (${connectionReason(readings.get(addressKey(replica))?.error)})`,
      remedy: 'Its master hears it: open a firewall, correct "cluster-announce-ip" there, or, if it hangs, restart it',
    }))
}

/** Finds the replicas that have not what their master had written up to `offset`, by what it says of them now. */
export function findUnacknowledged({ master, replicas }: Shard, info: ReadonlyMap<string, string>, offset: number): NodeFault[] {
  const name = addressKey(master)
  const online = readLinks(info).filter(link => link.includes(',state=online,'))
  const isOf = (link: string, { host, port }: NodeAddress) => link.startsWith(`ip=${host},port=${port},`)
  const unnamed = online.filter(link => replicas.every(replica => !isOf(link, replica)))
  const isBehind = (link: string) => Number(/,offset=(\d+)/.exec(link)?.[1]) < offset
  const behind = replicas.filter(replica => [online.find(link => isOf(link, replica)) ?? unnamed.shift() ?? ''].some(isBehind))
  return behind.map(replica => ({
    ...{ name: addressKey(replica), master: name, effect: 'unlinked', isSure: true },
    fact: `${addressKey(replica)} does not acknowledge what its master ${name} sends`,
    remedy: 'Perhaps somebody typed "client pause" there, or it hangs: restart it',
  }))
}

/** With a file a master has all its keys again: so many are gone at once only if the file is. */
const RESTART_MS_MAX = 30_000

function readRun({ name, info }: NodeState, before: Run | undefined): (readonly [name: string, run: Run])[] {
  if (info.get('loading') === '1') return before ? [[name, before]] : []
  const [id = '', readAtMs] = [info.get('run_id'), Date.now()]
  const keys = Number(/^keys=(\d+)/.exec(info.get('db0') ?? '')?.[1] ?? 0)
  const isSame = before?.id === id
  const flushes = countFlushes(info)
  // "config resetstat" begins it anew.
  const flushesBefore = isSame && (before.flushes ?? flushes) <= flushes ? (before.flushes ?? flushes) : 0
  const { lost = 0, flushed = 0 } = before ?? {}
  const run = { id, keys, lost, readAtMs, flushes, flushed }
  if (isSame && flushes > flushesBefore) return [[name, { ...run, flushed: flushed + before.keys }]]
  if (!before || isSame || keys * 2 >= before.keys) return [[name, run]]
  const isEmptied = info.get('aof_enabled') !== '1' || readAtMs - before.readAtMs < RESTART_MS_MAX
  return [[name, { ...run, lost: lost + (isEmptied ? before.keys - keys : 0) }]]
}

function readMemory({ info }: NodeState): MasterMemory {
  const read = (field: string) => Number(info.get(field) ?? 0)
  return {
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
