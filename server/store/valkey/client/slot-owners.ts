/** Who serves the slots of which a node knows no master: one that was told to forget another does not know what that serves. */
import { withinMs } from './cluster.ts'
import { readNodes, type SeenNode } from './cluster-nodes.ts'
import { toAddress } from './failures.ts'
import { addressKey, type ClusterAccess, type NodeAddress, NodeConnection, nodeCommand } from './node-connection.ts'
import { SLOTS, Topology } from './topology.ts'

const ASK_MS_MAX = 1500
/** So many of those that it knows are asked. */
const ASKED_MAX = 8

type View = { readonly topology: Topology; readonly nodes: readonly SeenNode[] }

/**
 * Returns what to type at the node `name`, so that it knows again the masters that serve slots which it leaves out, if there are any:
 * "cluster fix" would give these slots to other masters, and they would throw their mail away. One that cannot be asked counts, since it
 * may have that mail. The nodes that it knows are asked, and `seeds`: those of MAIL_STORE_URL, as all may have forgotten a master with its
 * replica.
 */
export async function findMeetings(name: string, view: View, access: ClusterAccess, seeds: readonly NodeAddress[]): Promise<string> {
  const others = view.nodes.filter(({ isSelf, isSuspected }) => !(isSelf || isSuspected))
  const known = others.slice(0, ASKED_MAX).flatMap(({ address }) => toAddress(address) ?? [])
  const asked = new Map([...known, ...seeds].map(node => [addressKey(node), node]))
  const views = (await Promise.all([...asked.values()].map(node => askView(node, access)))).filter(other => other !== undefined)
  const missing = Array.from({ length: SLOTS }, (_, slot) => slot).filter(slot => view.topology.shardOf(slot) === undefined)
  const ownersIn = ({ topology }: View) => missing.flatMap(slot => topology.shardOf(slot)?.master ?? [])
  const named = new Map(views.flatMap(other => ownersIn(other).map(owner => [addressKey(owner), { owner, nodes: other.nodes }] as const)))
  const owners = [...named].map(async ([key, { owner, nodes }]) => {
    const own = await askView(owner, access)
    if (own && ownersIn(own).every(master => addressKey(master) !== key)) return []
    // The engine takes no host name.
    const { address } = nodes.find(node => node.address === key || node.named === key) ?? { address: key }
    return `"${nodeCommand(`cluster meet ${address.replace(/:(\d+)$/, ' $1')}`, name, access.isEncrypted)}"`
  })
  return (await Promise.all(owners)).flat().join(' and ')
}

async function askView(node: NodeAddress, access: ClusterAccess): Promise<View | undefined> {
  const connection = new NodeConnection(node, access)
  try {
    return await withinMs(
      ASK_MS_MAX,
      readView((...words) => connection.call(...words), node),
    )
  } catch {
    return undefined
  } finally {
    connection.close()
  }
}

export async function readView(call: NodeConnection['call'], node: NodeAddress): Promise<View> {
  const [slots, nodes] = await Promise.all([call('CLUSTER', 'SLOTS'), call('CLUSTER', 'NODES')])
  return { topology: Topology.read(slots, node), nodes: readNodes(String(nodes), 0) }
}
