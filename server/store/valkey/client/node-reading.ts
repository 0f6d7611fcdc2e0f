/** Reads what one node says of itself and lets us do. The start, the log, `/readyz` and the doctor tell it. */
import { setImmediate as pollOnce, setTimeout as sleep } from 'node:timers/promises'
import { MIB } from '#contract/limits.ts'
import { withinMs } from './cluster.ts'
import { readNodes } from './cluster-nodes.ts'
import {
  addressKey,
  type ClusterAccess,
  clusterCommand,
  connectionReason,
  connectionRemedy,
  describeRefusal,
  lackOf,
  type NodeAddress,
  NodeConnection,
  NotConnected,
  USER_SECTION,
} from './node-connection.ts'
import { NO_EVICTION } from './replicated-writes.ts'
import { EngineError } from './reply-reader.ts'
import { findKey, findMissingRules, isForEvents, isForMail } from './rights.ts'
import { findMeetings } from './slot-owners.ts'
import { SLOTS, Topology } from './topology.ts'

/** Sharded pub/sub, PEXPIRETIME and scripts that are safe in a cluster need 7.0. Every version of Valkey has them. */
const REDIS_MIN = 7
/** WAITAOF needs Redis 7.2, which is the version that every Valkey reports. */
const REDIS_MIN_SYNCED = '7.2'

/** How long the running server waits for a node, of which it has another reading soon. */
const READ_MS_MAX = 1500
/** How long a write may take at a node that replies to everything else: twice this, since a stall of this process may last as long. */
const WRITE_MS_MAX = 400

/**
 * A fault of a node. `other`: it belongs to no whole cluster, while another one may. `refusal`: its shard may keep no mail. `denial`: it
 * denies us what a shard needs of its master, or, `late`, what live events need, or, `some`, what others than senders need. `paused`: it
 * takes no writes for now. `risk`: its restart loses mail.
 */
export type Shortcoming = {
  readonly effect: 'other' | 'refusal' | 'denial' | 'late' | 'some' | 'paused' | 'risk' | 'warning'
  readonly fact: string
  readonly remedy: string
  /** What `other` nodes say of a whole cluster that refuses mail. */
  readonly isRefusing?: true
  /** A denial that lets in nobody new, while connections that are open may go on. */
  readonly isShut?: true
}

/** How far the clock here is ahead of that of a node, and how much of it the way of the question may be. */
export type ClockReading = { readonly aheadMs: number; readonly uncertainMs: number }

export type NodeReading = {
  readonly name: string
  /** Missing of a node that does not say it. */
  readonly told?: { readonly info: ReadonlyMap<string, string>; readonly clock: ClockReading }
  readonly shortcomings: readonly Shortcoming[]
  /** The cluster as it is known here or, if nothing is, as this node sees it. */
  readonly topology?: Topology | undefined
  /** Why it does not reply. A refusal is a reply, and a shortcoming. */
  readonly error?: unknown
}

/**
 * Tries all that a server needs of a node. `known`: the cluster as another described it. `onTold` gets what it says at once. `seeds`: the
 * nodes of MAIL_STORE_URL.
 */
export async function readNode(
  connection: NodeConnection,
  isSynced: boolean,
  known?: Topology,
  { onTold, seeds = [] }: { readonly onTold?: (reading: NodeReading) => void; readonly seeds?: readonly NodeAddress[] } = {},
): Promise<NodeReading> {
  const { name } = connection
  const shortcomings: Shortcoming[] = []
  let [topology, told, refusal] = [known] as [Topology?, NodeReading['told']?, unknown?]
  try {
    const reading = await readInfoOf(name, isSynced, (...words) => connection.call(...words))
    const { info } = reading.told
    told = reading.told
    shortcomings.push(...reading.shortcomings)
    onTold?.(reading)
    if (info.get('cluster_enabled') === '0') return { name, told, shortcomings: [describeSingle(name)] }
    if (isTooOld(info)) return { name, told, shortcomings, topology }
    if (!known) {
      topology = Topology.read(await connection.call('CLUSTER', 'SLOTS'), connection.address)
      shortcomings.push(...(await describeView(connection, topology, seeds)))
    }
  } catch (error) {
    refusal = error
  }
  try {
    if (refusal !== undefined && !(refusal instanceof EngineError)) throw refusal
    // Its view of the cluster says more than its reply to a write.
    const isWhole = shortcomings.every(({ effect }) => effect !== 'other')
    const denial =
      (await findMissingRights(connection, topology, isSynced)) ??
      (refusal !== undefined ? describeDenial(connection, refusal) : isWhole ? await tryWrite(connection, topology) : undefined)
    return { name, shortcomings: [...shortcomings, ...(denial ? [denial] : [])], topology, ...(told ? { told } : {}) }
  } catch (error) {
    // A certificate that cannot be trusted, for example, stays until somebody acts.
    const remedy = error instanceof NotConnected ? connectionRemedy(error, name) : undefined
    const lasting = remedy === undefined ? [] : [{ effect: 'denial', fact: describeUnasked(name, error), remedy, isShut: true } as const]
    return { name, shortcomings: lasting, error, ...(told ? { told } : {}) }
  }
}

/** Reads what a node says of itself, which any connection to it may ask. */
export async function readInfoOf(name: string, isSynced: boolean, call: NodeConnection['call']) {
  const askedAt = Date.now()
  const info = await askInfo(call)
  const told = { info, clock: compareClock(askedAt, Number(info.get('server_time_usec')) / 1000) }
  return { name, told, shortcomings: findShortcomings(name, info, isSynced) }
}

export const describeUnasked = (name: string, error: unknown) => `${name} cannot be asked (${connectionReason(error)}).`

const describeDenial = ({ name, isEnded }: NodeConnection, refusal: EngineError): Shortcoming => ({
  effect: 'denial',
  ...describeRefusal(name, refusal),
  // At the first words of a connection it ends it, or asks who it is.
  ...(isEnded || refusal.message.startsWith('NOAUTH') ? { isShut: true } : {}),
})

/** Does what `readNode` does, over a connection of its own: one that is open already may go on where a new one is refused. */
export async function readNodeAt(node: NodeAddress, access: ClusterAccess, isSynced: boolean, known: Topology): Promise<NodeReading> {
  const connection = new NodeConnection(node, access)
  let told: NodeReading['told']
  try {
    const onTold = (reading: NodeReading) => {
      told = reading.told
    }
    return await withinMs(READ_MS_MAX, readNode(connection, isSynced, known, { onTold }), () => connection.missing)
  } catch (error) {
    return { name: addressKey(node), shortcomings: [], error, ...(told ? { told } : {}) }
  } finally {
    connection.close()
  }
}

/** The clock of a node that was asked at `askedAt` and has just replied. */
export function compareClock(askedAt: number, itsTime: number): ClockReading {
  const now = Date.now()
  // The reply may have been under way for all of that time, or waited here.
  return { aheadMs: (askedAt + now) / 2 - itsTime, uncertainMs: Math.abs(now - askedAt) / 2 }
}

const describeSingle = (name: string): Shortcoming => ({
  effect: 'other',
  fact: `${name} does not run in cluster mode.`,
  remedy: 'Start its nodes with "cluster-enabled yes" and join them with "redis-cli --cluster create", or correct MAIL_STORE_URL.',
})

/** Says why the cluster cannot be used as this node sees it. */
async function describeView(connection: NodeConnection, topology: Topology, seeds: readonly NodeAddress[]): Promise<Shortcoming[]> {
  const { name, access } = connection
  const other = (fact: string, remedy: string): Shortcoming => ({ effect: 'other', fact, remedy })
  if (topology.missingSlots === SLOTS)
    return [
      other(
        `${name} belongs to no cluster: it serves no slots.`,
        'If no node has a cluster, join them with "redis-cli --cluster create". ' +
          'If it has lost its disk: deploy/cluster/README.md#replace-a-machine. Else take it out of MAIL_STORE_URL.',
      ),
    ]
  const state = readInfo(String(await connection.call('CLUSTER', 'INFO'))).get('cluster_state')
  if (topology.missingSlots === 0 && state === 'ok') return []
  const isPartial = topology.missingSlots > 0
  const nodes = isPartial ? readNodes(String(await connection.call('CLUSTER', 'NODES')), 0) : []
  const meetings = isPartial ? await findMeetings(name, { topology, nodes }, access, seeds) : ''
  const refusal = isPartial
    ? other(
        `The cluster at ${name} serves ${SLOTS - topology.missingSlots} of its ${SLOTS} slots, so some addresses could get no mail.`,
        meetings
          ? `Type ${meetings}, as it has forgotten who serves the others.`
          : `Bring its missing masters back, or type "${clusterCommand('fix', name, access.isEncrypted)}", and answer "yes".`,
      )
    : other(
        `The cluster at ${name} is down (cluster_state:${state}): this node cannot reach most of the masters.`,
        'Start them, or mend the network between them; if most run, set "cluster-require-full-coverage no" there. If they never come back: deploy/cluster/README.md#when-masters-do-not-come-back.',
      )
  return [{ ...refusal, isRefusing: true }]
}

/** Says what this user cannot do at a node; `undefined` if it can do all that is needed. */
async function findMissingRights(
  connection: NodeConnection,
  topology: Topology | undefined,
  isSynced: boolean,
): Promise<Shortcoming | undefined> {
  const { name } = connection
  const { rules, unknown, leavesWritesOut } = await findMissingRules(connection, topology, isSynced)
  const effectOf = (missing: readonly string[]) => (missing.every(isForEvents) ? 'late' : missing.some(isForMail) ? 'denial' : 'some')
  if (unknown.size > 0) {
    return {
      effect: leavesWritesOut ? 'refusal' : effectOf([...unknown.keys()]),
      fact: `${name} does not know commands that are needed: ${[...new Set(unknown.values())].join(' ')}.`,
      remedy: 'Take "rename-command" out of its configuration, and restart it.',
    }
  }
  if (rules.length === 0) return undefined
  return {
    effect: effectOf(rules),
    fact: `${name} does not give this user the rights it needs: ${rules.join(' ')}.`,
    remedy: `Add them there to the user of MAIL_STORE_URL: ${USER_SECTION} says how, and "mayfly mail-store-rights" prints all it needs.`,
  }
}

/** It is no master of this key any more. */
const IS_NO_MASTER = /^(MOVED|ASK|READONLY|TRYAGAIN|UNBLOCKED|-?FAILOVER)\b/

/** It has left its cluster, whose other nodes have what it had: our view of it is older. */
const servesNothing = async (connection: NodeConnection) =>
  Topology.read(await connection.call('CLUSTER', 'SLOTS'), connection.address).missingSlots === SLOTS

/** A master tells only who writes that it has too few replicas, or that it is paused. No key has this name, so nothing is changed. */
async function tryWrite(connection: NodeConnection, topology: Topology | undefined): Promise<Shortcoming | undefined> {
  const { name } = connection
  const key = topology && findKey(shard => addressKey(shard.master) === name, topology)
  if (key === undefined) return undefined
  const reply = connection.call('DEL', key).catch((error: unknown) => error)
  for (let look = 0; look < 2; look++) {
    const found = await Promise.race([reply, sleep(WRITE_MS_MAX, undefined, { ref: false }).then(pollOnce)])
    // That it is full is told otherwise.
    if (found instanceof EngineError && !IS_NO_MASTER.test(found.message) && lackOf(found) === undefined) {
      const hasLeft = found.message.startsWith('CLUSTERDOWN') && (await servesNothing(connection))
      return hasLeft ? undefined : { effect: 'paused', ...describeRefusal(name, found) }
    }
    if (found !== undefined) return undefined
  }
  return {
    effect: 'paused',
    fact: `${name} replies, but not to writes.`,
    remedy: 'If somebody typed "client pause" there, type "client unpause". Else its disk hangs.',
  }
}

export const productOf = (info: ReadonlyMap<string, string>) =>
  info.has('valkey_version') ? `Valkey ${info.get('valkey_version')}` : `Redis ${info.get('redis_version') ?? ''}`

/** Whether an engine is of an earlier version than another, which may write a format that it cannot read. */
export function isOlder(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  // Valkey says which Redis it is compatible with.
  const field = one.has('valkey_version') && other.has('valkey_version') ? 'valkey_version' : 'redis_version'
  return readVersion(one.get(field)) < readVersion(other.get(field))
}

/** The major and minor version as one number, in which 7.10 comes after 7.2. */
function readVersion(text = ''): number {
  const [major = Number.NaN, minor = Number.NaN] = text.split('.').map(Number)
  return major * 1000 + minor
}

const isTooOld = (info: ReadonlyMap<string, string>) => Number.parseInt(info.get('redis_version') ?? '', 10) < REDIS_MIN

const INFO_SECTIONS = ['server', 'memory', 'persistence', 'stats', 'replication', 'cluster', 'keyspace', 'commandstats']

/** How often a node was emptied since its start or since "config resetstat". A flush on its replica is that of its master. */
export function countFlushes(info: ReadonlyMap<string, string>): number {
  const counts = ['flushall', 'flushdb'].map(command => {
    const [, calls = 0, failed = 0] = /^calls=(\d+),.*failed_calls=(\d+)/.exec(info.get(`cmdstat_${command}`) ?? '') ?? []
    return Number(calls) - Number(failed)
  })
  return counts.reduce((total, count) => total + count, 0)
}

/** Asks for what `findShortcomings` reads: in sections, of which an engine before 7.0 takes one at most, so that it is asked for all. */
async function askInfo(call: NodeConnection['call']): Promise<Map<string, string>> {
  const reply = call('INFO', ...INFO_SECTIONS).catch((error: unknown) => {
    if (error instanceof EngineError && error.message.startsWith('ERR syntax')) return call('INFO')
    throw error
  })
  return readInfo(String(await reply))
}

/** The reasons of a node against keeping mail: asked at the start, by the doctor, and of every node while the server runs. */
function findShortcomings(name: string, info: ReadonlyMap<string, string>, isSynced: boolean): Shortcoming[] {
  const product = productOf(info)
  const shortcomings: Shortcoming[] = []
  const find = (effect: Shortcoming['effect'], fact: string, remedy: string) => shortcomings.push({ effect, fact, remedy })
  if (isTooOld(info))
    find('refusal', `${name} runs ${product}, which is too old for a mail store.`, 'Upgrade it to Redis 7.0 or later, or to Valkey.')
  if (isSynced && readVersion(info.get('redis_version')) < readVersion(REDIS_MIN_SYNCED))
    find(
      'refusal',
      `${name} runs ${product}, which cannot say when a write is on disk.`,
      'Upgrade it to Redis 7.2 or later, or to Valkey; or take +sync out of MAIL_STORE_REPLICAS and give every node "appendfsync always".',
    )
  if (info.get('aof_enabled') !== '1') {
    if (isSynced)
      find(
        'refusal',
        `${name} keeps no append-only file, so nothing is ever on disk.`,
        'Set "appendonly yes" on every node, or take +sync out of MAIL_STORE_REPLICAS.',
      )
    else find('risk', `${name} keeps no append-only file, so it restarts empty.`, 'Set "appendonly yes" on every node.')
  }
  if (info.get('maxmemory') === '0')
    find(
      'warning',
      `${name} has no maxmemory: when the memory of its machine is full, the system ends it.`,
      `Set "maxmemory ${Math.floor(Number(info.get('total_system_memory')) / 3 / MIB)}mb" there, so that mail is refused instead.`,
    )
  const policy = info.get('maxmemory_policy') ?? NO_EVICTION
  if (policy !== NO_EVICTION)
    find(
      'refusal',
      `${name} throws acknowledged mail away when its memory is full (maxmemory-policy ${policy}).`,
      `Set "maxmemory-policy ${NO_EVICTION}" on every node.`,
    )
  // Redis does not count it.
  const cut = Number(info.get('client_output_buffer_limit_disconnections') ?? 0)
  if (cut > 0)
    find(
      'warning',
      `${name} has closed ${cut} connections on which much was read since its start.`,
      'If it runs, raise "client-output-buffer-limit" there, then type "config resetstat" to end this warning.',
    )
  const evictedClients = Number(info.get('evicted_clients') ?? 0)
  if (evictedClients > 0)
    find(
      'warning',
      `${name} has closed ${evictedClients} connections since its start, as all together took too much memory (maxmemory-clients).`,
      'Set "maxmemory-clients 0" there, then type "config resetstat" to end this warning.',
    )
  const evicted = Number(info.get('evicted_keys') ?? 0)
  if (evicted > 0)
    find(
      'warning',
      `${name} has thrown ${evicted} keys away since its start: mail or addresses among them are lost.`,
      `Set "maxmemory-policy ${NO_EVICTION}", then type "config resetstat" there to end this warning.`,
    )
  const flushes = countFlushes(info)
  if (flushes > 0)
    find(
      'warning',
      `${name} has been emptied since its start ("flushall" or "flushdb", ${flushes} times): the mail and addresses that it had are lost.`,
      'If that was long ago, type "config resetstat" there to end this warning. Their senders get 550.',
    )
  return shortcomings
}

/** The `name:value` lines of `INFO` and `CLUSTER INFO`. */
function readInfo(text: string): Map<string, string> {
  return new Map(
    text.split('\r\n').flatMap(line => (line.includes(':') ? [[line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]] : [])),
  )
}
