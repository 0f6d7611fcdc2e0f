/** Opens the cluster of `MAIL_STORE_URL`, after checking that it can keep mail safely. */
import { StartError } from '#server/platform/start-error.ts'
import { Cluster } from './cluster.ts'
import { addressKey, type ClusterAccess, connectionReason, connectionRemedy, type NodeAddress, NodeConnection } from './node-connection.ts'
import { type NodeReading, readNode, type Shortcoming } from './node-reading.ts'
import { nodesOf, type Topology } from './topology.ts'

export type ClusterOptions = {
  /** `redis://` or `rediss://` (also `valkey://`, `valkeys://`). One node that replies is enough. */
  readonly urls: readonly string[]
  readonly replicas: number | 'auto'
  readonly isSynced: boolean
}

/** Asks the nodes in their order. @throws StartError with the remedy if none can be used, or the cluster cannot keep mail. */
export async function openCluster({ urls, replicas, isSynced }: ClusterOptions): Promise<Cluster> {
  const { seeds, access } = readNodeUrls(urls)
  const unreachable: { readonly seed: NodeAddress; readonly error: unknown }[] = []
  let refusal: StartError | undefined
  for (const seed of seeds) {
    const { topology, shortcomings, error } = await readWhole(seed, access, isSynced, { seeds })
    const worst =
      shortcomings.find(({ effect }) => effect === 'other') ??
      shortcomings.find(({ effect }) => effect === 'refusal' || effect === 'denial' || effect === 'some')
    if (!topology || worst?.effect === 'other') {
      if (error === undefined && worst) refusal ??= toStartError(worst)
      else unreachable.push({ seed, error })
      continue
    }
    requireReplicas(topology, replicas)
    await requireUsableShard(topology, access, isSynced)
    return new Cluster({ seeds, access, replicas, isSynced }, topology)
  }
  if (refusal) throw refusal
  const reasons = [...Map.groupBy(unreachable, ({ error }) => connectionReason(error))].map(
    ([reason, nodes]) => `${nodes.map(({ seed }) => addressKey(seed)).join(', ')} (${reason})`,
  )
  const remedies = new Set(unreachable.flatMap(({ seed, error }) => connectionRemedy(error, addressKey(seed)) ?? []))
  const remedy = remedies.size > 0 ? [...remedies].join(' ') : 'Start Valkey there, or correct MAIL_STORE_URL.'
  throw new StartError(`No node of the mail store answers: ${reasons.join(', ')}. ${remedy}`)
}

/** Reads a node with as much patience as a connection has. */
async function readWhole(
  node: NodeAddress,
  access: ClusterAccess,
  isSynced: boolean,
  { topology, seeds = [] }: { readonly topology?: Topology; readonly seeds?: readonly NodeAddress[] },
): Promise<NodeReading> {
  const connection = new NodeConnection(node, access)
  try {
    return await readNode(connection, isSynced, topology, { seeds })
  } finally {
    connection.close()
  }
}

const toStartError = ({ fact, remedy }: Shortcoming) => new StartError(`${fact} ${remedy}`)

/**
 * While one shard can take mail, a process starts, and tells what is wrong with the others: see `HealthReader`. A shard can if none of its
 * nodes may lose mail, and its master denies us nothing. A node that does not reply says nothing against it.
 */
async function requireUsableShard(topology: Topology, access: ClusterAccess, isSynced: boolean): Promise<void> {
  const { shards, nodes } = topology
  const readings = await Promise.all(nodes.map(node => readWhole(node, access, isSynced, { topology })))
  const masters = new Set(shards.map(({ master }) => addressKey(master)))
  const isAgainst = ({ effect }: Shortcoming, name: string) =>
    effect === 'refusal' || (masters.has(name) && (effect === 'denial' || effect === 'some' || effect === 'late'))
  const refusals = new Map(
    readings.flatMap(({ name, shortcomings }) => {
      const found = shortcomings.find(shortcoming => isAgainst(shortcoming, name))
      return found ? [[name, found] as const] : []
    }),
  )
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
