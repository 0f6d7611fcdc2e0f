/** The remedies where masters do not reply, by what is wrong with the way to them. */
import { atEach } from './client/cluster-nodes.ts'
import { connectionReason, type NodeAddress } from './client/node-connection.ts'

const PROMOTE_SECTION = 'deploy/cluster/README.md#when-masters-do-not-come-back'

/**
 * The remedy for nodes that run and reply to nobody new. `replicas`: that can take their places. Without "force" they would wait for a word
 * of their master, which one that hangs does not give.
 */
const describeStuck = (replicas: readonly string[] = []) =>
  'If a node runs there, it hangs, somebody typed "client pause", or it may open no more files: ' +
  (replicas.length > 0 ? `type "cluster failover force" at ${atEach(replicas)}, then restart it` : 'restart it')

const ANNOUNCED =
  'correct "cluster-announce-ip" and "cluster-announce-port" there (with TLS "cluster-announce-tls-port"; ' +
  'at Valkey "cluster-announce-client-ipv4" and "cluster-announce-client-ipv6" too)'

/** The remedy where masters are away, by whether they run, as other nodes know. */
const REVIVALS = {
  heard: `Other nodes hear them: ${ANNOUNCED}, set "bind" back, or open a firewall. Else start them`,
  failed: 'Start them',
  unknown: `Start them if they do not run, or ${ANNOUNCED} if they do`,
  closed: 'Somebody set "port" there to 0, or "tls-port" with TLS, so that nobody reaches them, or "tls-cluster no": restart them',
  lost: 'Another node is where they were, as if "nodes.conf" had been lost there: put it back, and restart them',
  nameless: 'Correct "cluster-announce-hostname" there, or set "cluster-preferred-endpoint-type ip" on every node',
}

/** Names what is wrong with the way to a master, where the failure of a connection shows it. */
export function readWay({ host, port }: NodeAddress, reason: string): 'closed' | 'lost' | 'nameless' | 'stuck' | undefined {
  if (port === 0) return host === '' ? 'lost' : 'closed'
  if (/^(getaddrinfo|no address) /.test(reason)) return 'nameless'
  return /^no (reply|TLS handshake) within/.test(reason) ? 'stuck' : undefined
}

/** The remedy where a master never comes back. `replicas`: that could be promoted; none if none is known. */
export function describePromotion(
  replicas: readonly string[],
  areMostAway: boolean,
  life: keyof typeof REVIVALS | 'stuck' = 'failed',
): string {
  // Without a replica, and without most masters, there is nobody to take over.
  const start = life === 'stuck' ? describeStuck(areMostAway ? [] : replicas) : REVIVALS[life]
  const isTyped = replicas.length > 0 && (areMostAway || life !== 'stuck')
  const typed = isTyped ? `, type "cluster failover ${areMostAway ? 'takeover' : 'force'}" at ${atEach(replicas)}` : ''
  if (!areMostAway) return `${start}. If they never come back${typed}: ${PROMOTE_SECTION}`
  // On the smaller side of a partition it would empty the masters that go on taking mail on the other.
  return (
    `${start}. If /readyz on another machine answers 200, they run: do nothing here, or their mail is lost, and mend the network. ` +
    `Only if they are stopped for certain and never come back${typed}: ${PROMOTE_SECTION}`
  )
}

/** The remedy for one node with which there was no connection, where its reason shows it. */
export function describeWay(node: NodeAddress, error: unknown, replicas: readonly string[] = []): string | undefined {
  const way = readWay(node, connectionReason(error))
  return way === 'stuck' ? describeStuck(replicas) : way && REVIVALS[way]
}
