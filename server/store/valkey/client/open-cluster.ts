/** Opens the cluster of `MAIL_STORE_URL`, after checking that it can keep mail safely. */
import { StartError } from '#server/platform/start-error.ts'
import { Cluster } from './cluster.ts'
import {
  addressKey,
  type ClusterAccess,
  connectionReason,
  connectionRemedy,
  describeRefusal,
  EngineError,
  type EngineReply,
  type NodeAddress,
  NodeConnection,
} from './node-connection.ts'
import { NO_EVICTION } from './replicated-writes.ts'
import { findMissingRules } from './rights.ts'
import { nodesOf, SLOTS, Topology } from './topology.ts'

/** Sharded pub/sub, PEXPIRETIME and scripts that are safe in a cluster need 7.0. Every version of Valkey has them. */
const REDIS_MIN = 7
/** WAITAOF needs Redis 7.2, which is the version that every Valkey reports. */
const REDIS_MIN_SYNCED = '7.2'

export type ClusterOptions = {
  /** `redis://` or `rediss://` (also `valkey://`, `valkeys://`). One node that replies is enough. */
  readonly urls: readonly string[]
  readonly replicas: number | 'auto'
  readonly isSynced: boolean
}

/**
 * Asks the nodes in their order until one can be used.
 * @throws StartError with the remedy if none replies, or the cluster cannot keep mail.
 */
export async function openCluster({ urls, replicas, isSynced }: ClusterOptions): Promise<Cluster> {
  const { seeds, access } = readNodeUrls(urls)
  const unreachable: { readonly seed: NodeAddress; readonly error: unknown }[] = []
  let refusal: StartError | undefined
  for (const seed of seeds) {
    const connection = new NodeConnection(seed, access)
    try {
      const { topology, shortcomings } = await inspectNode(connection, isSynced)
      const worst = shortcomings.find(({ effect }) => effect === 'other') ?? shortcomings[0]
      if (!topology || worst?.effect === 'other') {
        if (worst) refusal ??= toStartError(worst)
        continue
      }
      requireReplicas(topology, replicas)
      await requireSafeShard(topology, access, isSynced)
      return new Cluster({ seeds, access, replicas, isSynced }, topology)
    } catch (error) {
      if (error instanceof StartError) throw error
      if (error instanceof EngineError) refusal ??= new StartError(describeRefusal(seed, access, error), error)
      else unreachable.push({ seed, error })
    } finally {
      connection.close()
    }
  }
  if (refusal) throw refusal
  const reasons = [...Map.groupBy(unreachable, ({ error }) => connectionReason(error))].map(
    ([reason, nodes]) => `${nodes.map(({ seed }) => addressKey(seed)).join(', ')} (${reason})`,
  )
  const remedies = new Set(unreachable.flatMap(({ error }) => connectionRemedy(error) ?? []))
  const remedy = remedies.size > 0 ? [...remedies].join(' ') : 'Start Valkey there, or correct MAIL_STORE_URL.'
  throw new StartError(`No node of the mail store answers: ${reasons.join(', ')}. ${remedy}`)
}

/**
 * A fault of a node. `other`: it belongs to no whole cluster, while another one may. `refusal`: its shard may keep no mail. `risk`:
 * its restart loses mail.
 */
type Shortcoming = { readonly effect: 'refusal' | 'risk' | 'other' | 'warning'; readonly fact: string; readonly remedy: string }

type InspectedNode = {
  /** E.g. `Valkey 8.1.1`. */
  readonly product: string
  readonly shortcomings: readonly Shortcoming[]
  /** The cluster as this node sees it. Missing where there is none. */
  readonly topology?: Topology
}

/** What a node says of itself and of its cluster. */
export async function inspectNode(connection: NodeConnection, isSynced: boolean): Promise<InspectedNode> {
  const { name, address } = connection
  const info = readInfo(String(await connection.call('INFO')))
  const product = productOf(info)
  if (info.get('cluster_enabled') !== '1') {
    const fact = `${name} does not run in cluster mode.`
    const remedy = 'Start its nodes with "cluster-enabled yes" and join them with "redis-cli --cluster create", or correct MAIL_STORE_URL.'
    return { product, shortcomings: [{ effect: 'other', fact, remedy }] }
  }
  const shortcomings = findShortcomings(name, info, isSynced)
  if (isTooOld(info)) return { product, shortcomings }
  const find = (effect: Shortcoming['effect'], fact: string, remedy: string) => shortcomings.push({ effect, fact, remedy })
  const topology = Topology.read(await connection.call('CLUSTER', 'SLOTS'), address)
  const state = readInfo(String(await connection.call('CLUSTER', 'INFO'))).get('cluster_state')
  if (topology.missingSlots === SLOTS) {
    find(
      'other',
      `${name} belongs to no cluster: it serves no slots.`,
      'If no node has a cluster, join them with "redis-cli --cluster create". ' +
        'If it has lost its disk: deploy/cluster/README.md#replace-a-machine. Else take it out of MAIL_STORE_URL.',
    )
  } else if (topology.missingSlots > 0) {
    find(
      'other',
      `The cluster at ${name} serves ${SLOTS - topology.missingSlots} of its ${SLOTS} slots, so some addresses could get no mail.`,
      `Bring its missing masters back, or assign the slots with "redis-cli --cluster fix ${name}".`,
    )
  } else if (state !== 'ok') {
    find(
      'other',
      `The cluster at ${name} is down (cluster_state:${state}): this node cannot reach most of the masters.`,
      'Start them, or mend the network between them. If they never come back: deploy/cluster/README.md#when-masters-do-not-come-back.',
    )
  }
  return { product, shortcomings, topology }
}

/** Says what this user cannot do at a node; `undefined` if it can do all that is needed. */
export async function findMissingRights(
  connection: NodeConnection,
  topology: Topology,
  isSynced: boolean,
): Promise<Shortcoming | undefined> {
  const { rules, unknown } = await findMissingRules(connection, topology, isSynced)
  if (unknown.length > 0) {
    const info = await askInfo((...sections) => connection.call('INFO', ...sections))
    if (isTooOld(info)) return describeAge(connection.name, info)
    return {
      effect: 'refusal',
      fact: `${connection.name} does not know commands that are needed: ${unknown.join(' ')}.`,
      remedy: 'Take "rename-command" out of its configuration.',
    }
  }
  if (rules.length === 0) return undefined
  return {
    effect: 'refusal',
    fact: `${connection.name} does not give this user the rights it needs: ${rules.join(' ')}.`,
    remedy: 'Add them there to the user of MAIL_STORE_URL (ACL SETUSER, ACL SAVE): "mayfly mail-store-rights" prints all it needs.',
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

const describeAge = (name: string, info: ReadonlyMap<string, string>): Shortcoming => ({
  effect: 'refusal',
  fact: `${name} runs ${productOf(info)}, which is too old for a mail store.`,
  remedy: 'Upgrade it to Redis 7.0 or later, or to Valkey.',
})

/** Asks for what `findShortcomings` reads: in sections, of which an engine before 7.0 takes one at most, so that it is asked for all. */
export async function askInfo(ask: (...sections: readonly string[]) => Promise<EngineReply>): Promise<Map<string, string>> {
  const reply = ask('server', 'memory', 'persistence', 'stats').catch((error: unknown) => {
    if (error instanceof EngineError && error.message.startsWith('ERR syntax')) return ask()
    throw error
  })
  return readInfo(String(await reply))
}

/** The reasons of a node against keeping mail: asked at the start, by the doctor, and of every node while the server runs. */
export function findShortcomings(name: string, info: ReadonlyMap<string, string>, isSynced: boolean): Shortcoming[] {
  const version = info.get('redis_version') ?? ''
  const product = productOf(info)
  const shortcomings: Shortcoming[] = []
  const find = (effect: Shortcoming['effect'], fact: string, remedy: string) => shortcomings.push({ effect, fact, remedy })
  if (isTooOld(info)) shortcomings.push(describeAge(name, info))
  if (isSynced && readVersion(version) < readVersion(REDIS_MIN_SYNCED)) {
    find(
      'refusal',
      `${name} runs ${product}, which cannot say when a write is on disk.`,
      'Upgrade it to Redis 7.2 or later, or to Valkey; or take +sync out of MAIL_STORE_REPLICAS and give every node "appendfsync always".',
    )
  }
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
      'Set "maxmemory", so that mail is refused instead.',
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
  const evicted = Number(info.get('evicted_keys') ?? 0)
  if (evicted > 0)
    find(
      'warning',
      `${name} has thrown ${evicted} keys away since its start: mail or addresses among them are lost.`,
      `Set "maxmemory-policy ${NO_EVICTION}", then type "config resetstat" there to end this warning.`,
    )
  return shortcomings
}

const toStartError = ({ fact, remedy }: Shortcoming) => new StartError(`${fact} ${remedy}`)

/**
 * While some shards may keep mail, the others refuse it: see `HealthReader`. A node that does not reply says nothing against it. Rights are
 * needed at every node, since mail and its readers would wait there in silence.
 */
async function requireSafeShard(topology: Topology, access: ClusterAccess, isSynced: boolean): Promise<void> {
  const { shards, nodes } = topology
  const inspect = async (address: NodeAddress) => {
    const connection = new NodeConnection(address, access)
    try {
      const lack = await findMissingRights(connection, topology, isSynced)
      if (lack) throw toStartError(lack)
      const info = await askInfo((...sections) => connection.call('INFO', ...sections))
      const refusal = findShortcomings(addressKey(address), info, isSynced).find(({ effect }) => effect === 'refusal')
      return refusal ? [[addressKey(address), refusal] as const] : []
    } finally {
      connection.close()
    }
  }
  const inspected = await Promise.allSettled(nodes.map(inspect))
  for (const found of inspected) if (found.status === 'rejected' && found.reason instanceof StartError) throw found.reason
  const refusals = new Map(inspected.flatMap(found => (found.status === 'fulfilled' ? found.value : [])))
  const [first] = refusals.values()
  if (first && shards.every(shard => nodesOf(shard).some(node => refusals.has(addressKey(node))))) throw toStartError(first)
}

function requireReplicas({ shards }: Topology, replicas: number | 'auto'): void {
  if (replicas === 'auto') return
  const [bare, ...others] = shards.filter(shard => shard.replicas.length < replicas)
  // A shard that has lost its replica does not keep a process from serving the others.
  if (!bare || others.length + 1 < shards.length) return
  throw new StartError(
    `MAIL_STORE_REPLICAS is ${replicas}, but the master ${addressKey(bare.master)} has ${bare.replicas.length}: no mail could be acknowledged. ` +
      'Add replicas (redis-cli --cluster add-node … --cluster-slave), or lower MAIL_STORE_REPLICAS.',
  )
}

/** The `name:value` lines of `INFO` and `CLUSTER INFO`. */
export function readInfo(text: string): Map<string, string> {
  return new Map(
    text.split('\r\n').flatMap(line => (line.includes(':') ? [[line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]] : [])),
  )
}

const PORT = 6379

/** User and password of the first URL are used for every node. The configuration has checked that the others name none or the same. */
export function readNodeUrls(urls: readonly string[]): { seeds: NodeAddress[]; access: ClusterAccess } {
  const parsed = urls.map(url => new URL(url))
  const first = parsed.find(({ username, password }) => username || password) ?? parsed[0]
  const access = {
    username: decodeURIComponent(first?.username ?? '') || undefined,
    password: decodeURIComponent(first?.password ?? '') || undefined,
    isEncrypted: /^(rediss|valkeys):$/.test(first?.protocol ?? ''),
  }
  const seeds = parsed.map(({ hostname, port }) => ({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || PORT) }))
  return { seeds, access }
}
