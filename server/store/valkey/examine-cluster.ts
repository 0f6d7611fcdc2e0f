/** What the doctor says of the cluster: each node as a start inspects it, and the whole as the server reads its health. */
import { DAY_MS, MIB } from '#contract/limits.ts'
import { StartError } from '#server/platform/start-error.ts'
import type { StoreFinding, StoreProblem } from '../store.ts'
import { readLiveReplicas, readOpenSlots } from './client/cluster-nodes.ts'
import {
  addressKey,
  type ClusterAccess,
  clusterCommand,
  connectionReason,
  connectionRemedy,
  type NodeAddress,
  NodeConnection,
} from './client/node-connection.ts'
import { productOf, readNode } from './client/node-reading.ts'
import { type ClusterOptions, openCluster, readNodeUrls } from './client/open-cluster.ts'
import { PREFIX } from './client/rights.ts'
import { SLOTS, type Topology } from './client/topology.ts'
import { HealthReader } from './health.ts'
import { describePromotion, describeWay } from './revivals.ts'

/** The docs and the alert MayflyClockWrong demand this of clocks. */
const CLOCK_AHEAD_MS_MAX = 1000

/** How long before a certificate expires it is told. */
const RENEWAL_MS = 30 * DAY_MS

/** So much may wait on a connection: several of the largest mails, or short texts. `value` is the engine's default. */
const OUTPUT_LIMITS = [
  { kind: 'normal', bytesMin: 256 * MIB, value: '0 0 0' },
  { kind: 'pubsub', bytesMin: MIB, value: '32mb 8mb 60' },
]

const warning = (sentence: string, remedy: string): StoreFinding => ({ status: 'warning', sentence, remedy })
const failure = (sentence: string, remedy: string): StoreFinding => ({ status: 'failure', sentence, remedy })

/** The findings about single nodes say these already, where there are any. */
const OF_NODES: readonly StoreProblem['kind'][] = ['unsafe', 'unsaved', 'denied']

/** `isReached`: whether a running server takes mail in each shard. */
export async function examineCluster(options: ClusterOptions, isReached?: () => Promise<boolean>): Promise<StoreFinding[]> {
  let refusal = ''
  await using cluster = await openCluster(options).catch((error: unknown) => {
    if (!(error instanceof StartError)) throw error
    refusal = error.message
    return undefined
  })
  const inspected = await inspectAll(options, cluster?.topology)
  if (!cluster) return [failure('No server can start on the cluster of MAIL_STORE_URL.', refusal), ...describeRefused(inspected, refusal)]
  const { shards, nodes } = cluster.topology
  const health = await new HealthReader({ cluster, prefix: PREFIX, countEveryMs: 0, isReached }).read()
  const { problems = [], clockAheadMs = 0 } = health
  const away = new Set(problems.flatMap(({ kind, where }) => (kind === 'away' ? where : [])))
  const replied = inspected.filter(({ product }) => product !== undefined)
  const products = [...new Set(replied.map(({ product }) => product))].join(', ')
  const seconds = (Math.abs(clockAheadMs) / 1000).toFixed(1)
  const whole: StoreFinding = {
    status: 'ok',
    sentence:
      `The cluster of MAIL_STORE_URL has ${shards.length} shards with all ${SLOTS} slots on ${nodes.length} nodes (${products}), ` +
      `and a clock ${seconds} s from that of this machine.`,
  }
  return [
    // Else the problems name the slots that are not served.
    ...(health.shards?.away === 0 ? [whole] : []),
    // That a master does not reply is among the problems, but not that it closes its connections.
    ...inspected.flatMap(({ name, product, findings }) =>
      product === undefined && away.has(name) ? findings.filter(({ status }) => status === 'failure') : findings,
    ),
    ...describeCertificates(inspected),
    ...describeCrowdedHost(
      nodes,
      shards.map(({ master }) => master),
    ),
    ...problems
      .filter(
        ({ kind, where }) =>
          !OF_NODES.includes(kind) || !inspected.some(({ name, findings }) => where.includes(name) && findings.length > 0),
      )
      .map(({ fact, remedy, isHarmless }) => (isHarmless ? warning : failure)(`${fact}.`, `${capitalise(remedy)}.`)),
    ...(Math.abs(clockAheadMs) > CLOCK_AHEAD_MS_MAX && problems.every(({ kind }) => kind !== 'clock')
      ? [warning(`The clock of this machine is ${seconds} s from those of the cluster.`, 'Set all of them: timedatectl set-ntp true.')]
      : []),
  ]
}

/** Every node that is known: of `topology`, else of those whom the named ones name. */
async function inspectAll({ urls, isSynced }: ClusterOptions, topology: Topology | undefined): Promise<Inspected[]> {
  const { seeds, access } = readNodeUrls(urls)
  const inspected = new Map<string, Inspected>()
  const inspectNew = async (addresses: readonly NodeAddress[]) => {
    const distinct = new Map(addresses.map(address => [addressKey(address), address]))
    const unseen = [...distinct].flatMap(([name, address]) => (inspected.has(name) ? [] : [address]))
    for (const found of await Promise.all(unseen.map(address => inspect(address, seeds, access, isSynced))))
      inspected.set(found.name, found)
  }
  await inspectNew([...(topology?.nodes ?? []), ...seeds])
  await inspectNew([...inspected.values()].flatMap(found => found.topology?.nodes ?? []))
  return [...inspected.values()]
}

/** Describes the certificate that expires first: usually all nodes have the same. */
function describeCertificates(inspected: readonly Inspected[]): StoreFinding[] {
  const [first] = inspected
    .flatMap(({ name, certificateExpiresAt: at }) => (at === undefined ? [] : [{ name, at }]))
    .toSorted((a, b) => a.at - b.at)
  if (!first || first.at - Date.now() > RENEWAL_MS) return []
  const day = new Date(first.at).toISOString().slice(0, 10)
  return [
    warning(
      `The certificate of ${first.name} expires on ${day}: no server can connect to it then.`,
      'Renew it on every node: deploy/cluster/README.md#renew-the-certificate.',
    ),
  ]
}

/** Most masters are needed to promote a replica. If all nodes are on one machine, none is expected to survive it. */
function describeCrowdedHost(nodes: readonly NodeAddress[], masters: readonly NodeAddress[]): StoreFinding[] {
  if (new Set(nodes.map(({ host }) => host)).size === 1) return []
  return [...Map.groupBy(masters, ({ host }) => host)].flatMap(([host, { length }]) =>
    length * 2 < masters.length
      ? []
      : [
          warning(
            `${length} of ${masters.length} masters of MAIL_STORE_URL are on ${host}: if it fails, no replica takes over and no mail is taken.`,
            'Make replicas on other machines masters: deploy/cluster/README.md#give-the-masters-back.',
          ),
        ],
  )
}

/** What is wrong with the whole cluster is told once, and not by each node. */
const unnamed = (text: string) => text.replace(/^The cluster at \S+/, '')

/** What is wrong with the other nodes where no server can start. If any replies, the absence of others may be what keeps it from that. */
function describeRefused(inspected: readonly Inspected[], refusal: string): StoreFinding[] {
  const findings = inspected.flatMap(({ isAway, findings }) =>
    findings.filter(({ status, sentence }) => (isAway || status === 'failure') && !unnamed(refusal).startsWith(unnamed(sentence))),
  )
  const away = new Set(inspected.flatMap(({ name, isAway }) => (isAway ? [name] : [])))
  if (away.size === inspected.length) return []
  const view = inspected.find(({ topology }) => topology && topology.shards.length > 0)
  const masters = view?.topology?.shards.map(({ master }) => master) ?? []
  const mastersAway = masters.filter(master => away.has(addressKey(master)))
  const replicas = mastersAway.flatMap(master => readLiveReplicas(view?.nodes ?? '', master).filter(name => !away.has(name)))
  if (replicas.length === 0) return findings
  const where = mastersAway.map(addressKey).join(', ')
  return [
    ...findings,
    failure(
      `${mastersAway.length} of ${masters.length} masters of MAIL_STORE_URL do not reply (${where}).`,
      `${describePromotion(replicas, mastersAway.length * 2 >= masters.length)}.`,
    ),
  ]
}

/** `product`: missing of a node that does not say it. */
type Inspected = {
  readonly name: string
  readonly product?: string
  readonly isAway: boolean
  readonly topology?: Topology | undefined
  /** Its reply to `CLUSTER NODES`. */
  readonly nodes?: string
  readonly certificateExpiresAt?: number | undefined
  readonly findings: readonly StoreFinding[]
}

async function inspect(address: NodeAddress, seeds: readonly NodeAddress[], access: ClusterAccess, isSynced: boolean): Promise<Inspected> {
  const name = addressKey(address)
  const connection = new NodeConnection(address, access)
  try {
    const { told, shortcomings, topology, error } = await readNode(connection, isSynced, undefined, { seeds })
    const findings = shortcomings.map(({ effect, fact, remedy, isRefusing }) =>
      (effect === 'risk' || effect === 'warning' || (effect === 'other' && !isRefusing) ? warning : failure)(fact, remedy),
    )
    if (error !== undefined && findings.length === 0) {
      const remedy = connectionRemedy(error, name) ?? `${describeWay(address, error) ?? 'Start it, or take it out of MAIL_STORE_URL'}.`
      findings.push(warning(`The node ${name} of MAIL_STORE_URL does not reply (${connectionReason(error)}).`, remedy))
    }
    findings.push(...(await examineSyncing(connection, isSynced)), ...(await examineOutputLimits(connection)))
    const nodes = topology ? String(await connection.call('CLUSTER', 'NODES').catch(() => '')) : ''
    findings.push(...describeOpenSlots(connection, readOpenSlots(nodes)))
    return {
      ...{ name, isAway: error !== undefined, topology, nodes, certificateExpiresAt: connection.certificateExpiresAt, findings },
      ...(told ? { product: productOf(told.info) } : {}),
    }
  } finally {
    connection.close()
  }
}

/** A rebalance that was interrupted keeps the next from starting. */
function describeOpenSlots({ name, isEncrypted }: NodeConnection, slots: readonly string[]): StoreFinding[] {
  if (slots.length === 0) return []
  return [
    warning(
      `Slots of ${name} have begun to move: ${slots.join(', ')}.`,
      `If no rebalance runs, it was interrupted: type "${clusterCommand('fix', name, isEncrypted)}", then rebalance again.`,
    ),
  ]
}

/** `INFO` does not tell it, and a user may have no right to ask for more. */
async function examineSyncing(connection: NodeConnection, isSynced: boolean): Promise<StoreFinding[]> {
  const value = await readSetting(connection, 'appendfsync')
  const sentence = `${connection.name} has "appendfsync ${value}"`
  if (isSynced && value === 'everysec')
    return [warning(`${sentence}, so that each mail waits up to a second for its 250.`, 'Set "appendfsync always" on every node.')]
  if (value !== 'no') return []
  return [
    failure(
      `${sentence}: a power cut loses half a minute of mail.`,
      `Set "appendfsync ${isSynced ? 'always' : 'everysec'}" on every node.`,
    ),
  ]
}

/** A node closes a connection on which more waits than the first number, or more than the second for some seconds. */
async function examineOutputLimits(connection: NodeConnection): Promise<StoreFinding[]> {
  const limits = (await readSetting(connection, 'client-output-buffer-limit')) ?? ''
  return OUTPUT_LIMITS.flatMap(({ kind, bytesMin, value }) => {
    const [limit, ...bytes] = new RegExp(`\\b${kind} (\\d+) (\\d+) \\d+`).exec(limits) ?? []
    if (limit === undefined || bytes.map(Number).every(count => count === 0 || count >= bytesMin)) return []
    return [
      warning(
        `${connection.name} closes connections on which much is read (client-output-buffer-limit ${limit}).`,
        `Set "client-output-buffer-limit ${kind} ${value}" there.`,
      ),
    ]
  })
}

async function readSetting(connection: NodeConnection, name: string): Promise<string | undefined> {
  const reply = await connection.call('CONFIG', 'GET', name).catch(() => undefined)
  return Array.isArray(reply) ? String(reply[1]) : undefined
}

const capitalise = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
