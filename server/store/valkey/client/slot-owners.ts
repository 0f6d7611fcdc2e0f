/** Who serves the slots of which a node knows no master: one that was told to forget another does not know what that serves. */
import { withinMs } from './cluster.ts'
import { readNodes } from './cluster-nodes.ts'
import { toAddress } from './failures.ts'
import { addressKey, type ClusterAccess, type NodeAddress, NodeConnection } from './node-connection.ts'
import { SLOTS, Topology } from './topology.ts'

const ASK_MS_MAX = 1500
/** So many of those that it knows are asked. */
const ASKED_MAX = 8

/**
 * Finds the masters that serve slots which `view` leaves out. "cluster fix" would give these slots to other masters, and they would throw
 * their mail away. One that cannot be asked counts, since it may have that mail. `nodes`: `CLUSTER NODES` of who has this view.
 */
export async function findOwners(view: Topology, nodes: string, access: ClusterAccess): Promise<NodeAddress[]> {
  const others = readNodes(nodes, 0).filter(({ isSelf, isSuspected }) => !(isSelf || isSuspected))
  const known = others.slice(0, ASKED_MAX).flatMap(({ address }) => toAddress(address) ?? [])
  const views = await Promise.all(known.map(node => askView(node, access)))
  const missing = Array.from({ length: SLOTS }, (_, slot) => slot).filter(slot => view.shardOf(slot) === undefined)
  const ownersIn = (other: Topology | undefined) => missing.flatMap(slot => other?.shardOf(slot)?.master ?? [])
  const named = new Map(views.flatMap(ownersIn).map(owner => [addressKey(owner), owner]))
  const asked = [...named].map(async ([name, owner]) => {
    const own = await askView(owner, access)
    return !own || ownersIn(own).some(master => addressKey(master) === name) ? [owner] : []
  })
  return (await Promise.all(asked)).flat()
}

async function askView(node: NodeAddress, access: ClusterAccess): Promise<Topology | undefined> {
  const connection = new NodeConnection(node, access)
  try {
    return Topology.read(await withinMs(ASK_MS_MAX, connection.call('CLUSTER', 'SLOTS')), node)
  } catch {
    return undefined
  } finally {
    connection.close()
  }
}
