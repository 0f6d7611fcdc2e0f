/** Opens the cluster of `MAIL_STORE_URL`, after checking that it can keep mail safely. */
import { StartError } from '#server/platform/start-error.ts'
import { Cluster } from './cluster.ts'
import { addressKey, type ClusterAccess, EngineError, type NodeAddress, NodeConnection } from './node-connection.ts'
import { SLOTS, Topology } from './topology.ts'

/** Sharded pub/sub, PEXPIRETIME and scripts that are safe in a cluster need 7.0. Every version of Valkey has them. */
const REDIS_MIN = 7
/** WAITAOF needs Redis 7.2, which is the version that every Valkey reports. */
const REDIS_MIN_SYNCED = 7.2

type ClusterOptions = {
  /** `redis://` or `rediss://` (also `valkey://`, `valkeys://`). One node that replies is enough. */
  readonly urls: readonly string[]
  readonly replicas: number | 'auto'
  readonly isSynced: boolean
}

/** @throws StartError with the remedy if no node replies, or the cluster cannot keep mail. */
export async function openCluster({ urls, replicas, isSynced }: ClusterOptions): Promise<Cluster> {
  const { seeds, access } = readNodeUrls(urls)
  const unreachable: string[] = []
  for (const seed of seeds) {
    const connection = new NodeConnection(seed, access)
    try {
      const topology = await readUsableTopology(connection, isSynced)
      requireReplicas(topology, replicas)
      return new Cluster({ seeds, access, replicas, isSynced }, topology)
    } catch (error) {
      if (error instanceof StartError) throw error
      if (error instanceof EngineError) throw refusedBy(seed, access, error)
      unreachable.push(`${addressKey(seed)} (${error instanceof Error ? error.message : error})`)
    } finally {
      connection.close()
    }
  }
  throw new StartError(`No node of the mail store answers: ${unreachable.join(', ')}. Start Valkey there, or correct MAIL_STORE_URL.`)
}

async function readUsableTopology(connection: NodeConnection, isSynced: boolean): Promise<Topology> {
  const { name, address } = connection
  const info = readInfo(String(await connection.call('INFO')))
  const version = info.get('redis_version') ?? ''
  const product = info.has('valkey_version') ? `Valkey ${info.get('valkey_version')}` : `Redis ${version}`
  if (Number.parseInt(version, 10) < REDIS_MIN) {
    throw new StartError(`${name} runs ${product}, which is too old for a mail store. Upgrade it to Redis 7.0 or later, or to Valkey.`)
  }
  if (isSynced && Number.parseFloat(version) < REDIS_MIN_SYNCED) {
    throw new StartError(
      `${name} runs ${product}, which cannot say when a write is on disk. ` +
        'Upgrade it to Redis 7.2 or later, or to Valkey; or take +sync out of MAIL_STORE_REPLICAS and give every node "appendfsync always".',
    )
  }
  if (info.get('cluster_enabled') !== '1') {
    throw new StartError(
      `${name} does not run in cluster mode. Start its nodes with "cluster-enabled yes" and join them with "redis-cli --cluster create", or correct MAIL_STORE_URL.`,
    )
  }
  if (isSynced && info.get('aof_enabled') !== '1') {
    throw new StartError(
      `${name} keeps no append-only file, so nothing is ever on disk. Set "appendonly yes" on every node, or take +sync out of MAIL_STORE_REPLICAS.`,
    )
  }
  const policy = info.get('maxmemory_policy') ?? 'noeviction'
  if (policy !== 'noeviction') {
    throw new StartError(
      `${name} throws keys away when its memory is full (maxmemory-policy ${policy}): acknowledged mail would be lost. Set "maxmemory-policy noeviction" on every node.`,
    )
  }
  const topology = Topology.read(await connection.call('CLUSTER', 'SLOTS'), address)
  const state = readInfo(String(await connection.call('CLUSTER', 'INFO'))).get('cluster_state')
  if (topology.missingSlots > 0) {
    throw new StartError(
      `The cluster at ${name} serves ${SLOTS - topology.missingSlots} of its ${SLOTS} slots, so some addresses could get no mail. ` +
        `Bring its missing masters back, or assign the slots with "redis-cli --cluster fix ${name}".`,
    )
  }
  if (state !== 'ok') {
    throw new StartError(
      `The cluster at ${name} is down (cluster_state:${state}): this node cannot reach most of the masters. Start them, or mend the network between them.`,
    )
  }
  return topology
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

function refusedBy(seed: NodeAddress, { password }: ClusterAccess, error: Error): StartError {
  const where = `The mail store at ${addressKey(seed)}`
  if (/^(WRONGPASS|NOAUTH|ERR invalid password|ERR AUTH)/.test(error.message)) {
    const why = password === undefined ? 'it asks for a password' : error.message
    return new StartError(`${where} does not let us in: ${why}. Correct the user and the password in MAIL_STORE_URL.`, error)
  }
  if (error.message.startsWith('NOPERM')) {
    return new StartError(
      `${where} does not give this user the rights it needs: ${error.message}. Grant them (deploy/cluster/README.md lists the commands).`,
      error,
    )
  }
  return new StartError(`${where} cannot be used: ${error.message}.`, error)
}

/** The `name:value` lines of `INFO` and `CLUSTER INFO`. */
export function readInfo(text: string): Map<string, string> {
  return new Map(
    text.split('\r\n').flatMap(line => (line.includes(':') ? [[line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]] : [])),
  )
}

const PORT = 6379

/** User and password of the first URL are used for every node. The configuration has checked that the others name none or the same. */
function readNodeUrls(urls: readonly string[]): { seeds: NodeAddress[]; access: ClusterAccess } {
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
