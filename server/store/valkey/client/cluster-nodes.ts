/** Reads the replies to `CLUSTER NODES`: who is there, who is missing, and what an operator does about it. */
import { toAddress } from './failures.ts'
import { addressKey, type NodeAddress } from './node-connection.ts'

/** A node with no connection, or that leaves a ping unanswered for this long, is silent. Masters ping each node every few seconds. */
const SILENT_MS = 2000
/** A node of the cluster as another sees it. */
export type SeenNode = {
  readonly id: string
  readonly address: string
  /** With the host name that it announces, under which `CLUSTER SLOTS` may list it. */
  readonly named: string
  readonly masterId: string
  readonly isSelf: boolean
  readonly isFailed: boolean
  /** The node that sees it takes it for failed, perhaps alone. */
  readonly isSuspected: boolean
  readonly isSilent: boolean
  readonly hasSlots: boolean
}

/** Parses `CLUSTER NODES`: id, address, flags, id of the master, when the unanswered ping was sent, last pong, epoch, link, slots. */
export function readNodes(text: string, nowMs: number): SeenNode[] {
  return text.split('\n').flatMap(line => {
    const [id, place = '', flags, masterId, pingSentMs, , , link, ...slots] = line.split(' ')
    if (!id || flags === undefined || masterId === undefined) return []
    // It left the cluster, and is listed until it is forgotten. A master is missed while its slots are its own.
    if (flags.includes('noaddr') && slots.length === 0) return []
    const isUnanswered = Number(pingSentMs) > 0 && nowMs - Number(pingSentMs) > SILENT_MS
    const states = flags.split(',')
    const isFailed = states.includes('fail')
    const isSuspected = isFailed || states.includes('fail?')
    const isSilent = isSuspected || link !== 'connected' || isUnanswered
    // ip:port@bus-port, and since Redis 7 ",hostname".
    const [address = '', announced = ''] = place.split('@')
    const [, host] = announced.split(',')
    const named = host ? `${host}:${address.slice(address.lastIndexOf(':') + 1)}` : address
    return [
      { id, address, named, masterId, isSelf: states.includes('myself'), isFailed, isSuspected, isSilent, hasSlots: slots.length > 0 },
    ]
  })
}

/** Whether a node is among `names`, which are as `CLUSTER SLOTS` lists nodes. */
const isOneOf =
  (names: readonly string[]) =>
  ({ address, named }: SeenNode) =>
    names.includes(address) || names.includes(named)

/** The replicas of the node that sent these, which have not failed. */
export function liveReplicasOf(nodes: readonly SeenNode[]): SeenNode[] {
  const self = nodes.find(({ isSelf }) => isSelf)
  return nodes.filter(node => node.masterId === self?.id && !node.isFailed)
}

/** Replicas of `master` in `CLUSTER NODES` that have not failed: `CLUSTER SLOTS` lacks those restarted while it was away. */
export function readLiveReplicas(text: string, master: NodeAddress): string[] {
  const nodes = readNodes(text, 0)
  const masterId = nodes.find(isOneOf([addressKey(master)]))?.id
  return nodes.filter(node => node.masterId === masterId && !node.isFailed).map(({ address }) => address)
}

/** Reads from `CLUSTER NODES` the nodes that have failed. */
export const readFailed = (text: string) => readNodes(text, 0).flatMap(({ isFailed, address, named }) => (isFailed ? [address, named] : []))

/** Reads from `CLUSTER NODES` each replica that has not failed and is not `listed`, and its master as that is listed. */
export function readUnlisted(text: string, listed: ReadonlySet<string>): { replica: NodeAddress; master: string }[] {
  const nodes = readNodes(text, 0).filter(({ isFailed }) => !isFailed)
  const places = new Map(nodes.map(({ id, address, named }) => [id, listed.has(named) ? named : address]))
  return nodes.flatMap(({ address, named, masterId }) => {
    const [replica, master] = [toAddress(address), places.get(masterId)]
    // The address of a node may not be known yet.
    return replica && master !== undefined && !listed.has(address) && !listed.has(named) ? [{ replica, master }] : []
  })
}

/**
 * Reads from `CLUSTER NODES` whether these nodes run: who sent it hears one of them, or hears nothing of any for as long as
 * `cluster-node-timeout`; before that, or while only the way to them is lost, nobody knows.
 */
export function readLife(text: string, names: readonly string[]): 'heard' | 'failed' | 'unknown' {
  const nodes = readNodes(text, 0)
  const found = nodes.filter(isOneOf(names))
  if (found.some(({ isSilent }) => !isSilent)) return 'heard'
  // One that none of the others lists may run elsewhere by now.
  if (found.length === 0 && nodes.length > 0) return 'unknown'
  return found.every(({ isSuspected }) => isSuspected) ? 'failed' : 'unknown'
}

/** Silent replicas of `masters`, and silent former masters. Only the nodes know whose replicas those will be when back. */
export function readMissing(text: string, masters: readonly string[]): string[] {
  const nodes = readNodes(text, 0)
  const ids = new Set(nodes.filter(isOneOf(masters)).map(({ id }) => id))
  const isOfThem = ({ masterId, hasSlots }: SeenNode) => ids.has(masterId) || (masterId === '-' && !hasSlots)
  return nodes.filter(node => node.isSilent && !node.address.startsWith(':') && isOfThem(node)).map(({ address }) => address)
}

/**
 * Reads from `CLUSTER NODES` a node for each of `masters` without a replica that could be one: it serves nothing, or its master has
 * another. `elsewhere`: lines that nodes outside of the topology sent of themselves.
 */
export function readSpares(text: string, elsewhere: string, masters: readonly string[]): { spare: string; master: string; id: string }[] {
  const nodes = readNodes(text, 0)
  const isSecond = (id: string, place: string) => nodes.find(node => node.masterId === id && !node.isSilent)?.address !== place
  const idle = [...nodes, ...readNodes(elsewhere, 0)].filter(
    node =>
      !(node.isSilent || node.hasSlots || node.address.startsWith(':')) && (node.masterId === '-' || isSecond(node.masterId, node.address)),
  )
  const spares = [...new Set(idle.map(({ address }) => address))]
  const bare = nodes.filter(isOneOf(masters)).filter(({ id }) => nodes.every(({ masterId }) => masterId !== id))
  return bare.flatMap(({ id, address: master }, i) => spares.slice(i, i + 1).map(spare => ({ spare, master, id })))
}

export const atEach = (names: readonly string[]) => `${names.length > 1 ? 'each of ' : ''}${names.join(', ')}`

/** Reads from a master's own line in `CLUSTER NODES` the slots that have begun to move from or to it, e.g. `[93-<-id]`. */
export function readOpenSlots(text: string): string[] {
  // Replicas of Valkey 8 and later repeat it.
  const own = text.split('\n').find(line => / \S*\bmyself,master\b/.test(line)) ?? ''
  return [...own.matchAll(/\[(\d+)-[<>]-/g)].map(([, slot = '']) => slot)
}
