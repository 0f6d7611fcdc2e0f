/** Health of the cluster, and what it contains. Idle processes must cost the masters nothing, so one of them measures for all. */

import { OWN_CLOCK, type StoreHealth, type StoreProblem } from '../store.ts'
import type { Cluster } from './client/cluster.ts'
import { atEach, readLife, readLiveReplicas, readMissing, readSpares } from './client/cluster-nodes.ts'
import { toAddress } from './client/failures.ts'
import {
  addressKey,
  clusterCommand,
  connectionReason,
  connectionRemedy,
  defineScript,
  describeRefusal,
  type Lack,
  meaningOf,
  type NodeAddress,
  NotConnected,
  nodeCommand,
  withoutFullStop,
} from './client/node-connection.ts'
import { compareClock, describeUnasked } from './client/node-reading.ts'
import { EngineError, type EngineReply } from './client/reply-reader.ts'
import { findMeetings, readView } from './client/slot-owners.ts'
import { nodesOf, type Shard } from './client/topology.ts'
import {
  CLOCKS_DIFFER_MS,
  countMailboxes,
  leastAheadMs,
  type Measurement,
  measureNodes,
  NODES_ASKED,
  type NodeFault,
  sum,
} from './measurement.ts'
import { describePromotion, readWay } from './revivals.ts'
import { ShardTrials, type TrialFault } from './shard-trials.ts'

/** A process asks this often, and at every check while a master is away. */
const ASK_EVERY_MS = 1900
/** How long all processes use what one of them measured. */
const MEASURED_MS = 1000
/** After this, another process measures: the one whose turn it was has ended or waits for a master. */
const TURN_MS = 5000
const COUNT_EVERY_MS = 5000
/** While the shard of the measurement does not reply, each process measures for itself. */
const PATIENCE_MS = 300

/** → the last measurement, '' while another process measures, or nothing: then it is the caller's turn */
const FIND_MEASUREMENT = defineScript({ isRepeatable: true, isReplicated: false })(`
local measured = redis.call('GET', KEYS[1])
if not measured then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end
return measured`)

const SECTION = 'docs/scaling.md#when-something-fails'

/** A master as this process sees it. `aheadMs`: how far the clock here is ahead of its clock, at least. */
type Presence = { readonly name: string; readonly master: NodeAddress; readonly aheadMs: number }
type Absence = { readonly name: string; readonly master: NodeAddress; readonly reason: string }
/** `nodes`: `CLUSTER NODES` of a node that replies. `elsewhere`: the lines of nodes outside of the topology. `replicas`: of those away. */
type Around = {
  readonly nodes: string
  readonly elsewhere: string
  readonly isReached: boolean
  readonly replicas: readonly string[]
}

type HealthOptions = {
  readonly cluster: Cluster
  readonly prefix: string
  /** How old the number of mailboxes may be; with 0 each reading counts them anew, and shares nothing. */
  readonly countEveryMs?: number | undefined
  /** Whether a running server takes mail in each shard, over connections that it has. The doctor opens new ones. */
  readonly isReached?: (() => Promise<boolean>) | undefined
}

/** A loss is over at once, and told for so long. */
const LOSS_TOLD_MS = 30_000

export class HealthReader {
  readonly #cluster: Cluster
  /** The pattern of the keys of mailboxes. */
  readonly #pattern: string
  readonly #key: string
  readonly #countEveryMs: number
  readonly #isReached: NonNullable<HealthOptions['isReached']>
  #measured: Measurement | undefined
  #health: StoreHealth | undefined
  #readAtMs = Number.NEGATIVE_INFINITY
  /** By cause and node, when last read. */
  readonly #lost = new Map<keyof typeof LOSSES, Readonly<Record<string, number>>>()
  #lostKeys = 0
  readonly #losses = new Map<keyof typeof LOSSES, Loss>()
  readonly #trials: ShardTrials

  constructor({ cluster, prefix, countEveryMs = COUNT_EVERY_MS, isReached = async () => false }: HealthOptions) {
    this.#cluster = cluster
    this.#isReached = isReached
    this.#trials = new ShardTrials(cluster, countEveryMs === 0, isReached)
    let nodes = ''
    cluster.onTopology(() => {
      const before = nodes
      nodes = `${cluster.topology.nodes.map(addressKey).toSorted()} ${cluster.topology.unservedSlots}`
      // A node that joins may lose mail.
      if (nodes !== before) this.#readAtMs = Number.NEGATIVE_INFINITY
    })
    this.#pattern = `${prefix}{*}`
    this.#key = `${prefix}health`
    this.#countEveryMs = countEveryMs
  }

  /** Healthy while most masters reply: if one fails, the mailboxes of the others still work. */
  async read(): Promise<StoreHealth> {
    const isRecent = performance.now() - this.#readAtMs < Math.min(ASK_EVERY_MS, this.#countEveryMs)
    if (this.#health?.shards?.away !== 0 || this.#cluster.refused.size > 0 || !isRecent) this.#health = await this.#readNow()
    return this.#health
  }

  async #readNow(): Promise<StoreHealth> {
    this.#readAtMs = performance.now()
    const { shards } = this.#cluster.topology
    // At once, since each takes seconds where a node hangs.
    const [trials, measured, ...sightings] = await Promise.all([
      this.#trials.run(),
      this.#findOrMeasure(),
      ...shards.map(({ master }) => this.#see(master)),
    ])
    this.#measured = measured
    const present = sightings.filter(sighting => 'aheadMs' in sighting)
    const away = sightings.filter(sighting => 'reason' in sighting)
    const denials = sightings.flatMap(sighting => ('fault' in sighting ? [sighting.fault] : []))
    const presentNames = new Set(present.map(({ name }) => name))
    // A shard that is away is told as that only.
    const alone = this.#cluster
      .mastersAlone()
      .map(addressKey)
      .filter(name => presentNames.has(name))
    if (present.length < shards.length) void this.#cluster.refresh()
    const around = await this.#askAround(present, away, alone)
    const { usedBytes, capacityBytes, replicaClocks = [], mailboxes } = measured
    const awayNames = new Set(away.map(({ name }) => name))
    const hereOf = (names: readonly string[] = []) => names.filter(name => !awayNames.has(name))
    const lacking = { full: hereOf(measured.fullAt), unwritable: hereOf(measured.unwritableAt) }
    // A measurement of another process may be older, and a node that is away is told as that only.
    // It says all that such a node denies.
    const isMeasured = ({ name }: NodeFault) =>
      (measured.faults ?? []).some(fault => fault.name === name && ['denial', 'some'].includes(fault.effect))
    // It serves, and does not say what time it is.
    const serving = denials.filter(({ name }) => (measured.faults ?? []).some(fault => fault.name === name && fault.effect === 'some'))
    const read = [...denials.filter(fault => !isMeasured(fault)), ...(measured.faults ?? [])].filter(
      ({ name, effect }) => effect === 'refusal' || !awayNames.has(name),
    )
    this.#cluster.refuseBy(
      new Map(read.flatMap(({ name, effect, fact }) => (effect === 'refusal' ? [[name, withoutFullStop(fact)] as const] : []))),
    )
    this.#noteLosses(measured)
    const clockAheadMs = median(present.map(({ aheadMs }) => aheadMs))
    const isClockWrong = Math.abs(clockAheadMs) > CLOCKS_DIFFER_MS
    const masterNames = new Set(shards.map(({ master }) => addressKey(master)))
    const describe = (fault: NodeFault) => describeFault(fault, masterNames.has(fault.name), presentNames.has(fault.name))
    const known = [
      ...[...awayNames, ...lacking.full, ...lacking.unwritable, ...(this.#cluster.replicasWanted > 0 ? alone : [])],
      ...read.flatMap(fault => (describe(fault).isHarmless ? [] : [fault.master])),
    ]
    const tried = await this.#trials.finish(new Set(known), trials)
    const faults = [...read, ...tried.filter(isNodeFault)]
    // A trial may hear of it before the measurement does: it is one fault, in one sentence.
    const findLacking = (effect: Lack) => [...new Set([...lacking[effect], ...mastersWith(tried, effect)])]
    const [fullAt, unwritableAt] = [findLacking('full'), findLacking('unwritable')]
    const countShards = (...effects: readonly NodeFault['effect'][]) => mastersWith(faults, ...effects).size
    const full = new Set([...fullAt, ...unwritableAt]).size
    const unserved = this.#cluster.topology.unservedSlots
    return {
      ok: (present.length + serving.length) * 2 > shards.length && !isClockWrong,
      isFull: full > 0,
      mailboxes,
      bytesOnDisk: usedBytes,
      roomBytes: Math.max(0, capacityBytes - usedBytes),
      capacityBytes,
      shards: {
        ...{ total: shards.length, away: away.length, full, alone: alone.length, unsafe: countShards('refusal') },
        ...{ denied: countShards('denial', 'late', 'some', 'paused'), unlinked: countShards('unlinked', 'apart') },
        ...{ outdated: countShards('outdated'), unserved: unserved === '' ? 0 : 1 },
      },
      ...{ evictedKeys: this.#lostKeys, calmMs: this.#cluster.calmMs },
      unsure: [...this.#listRefusing(awayNames), ...(measured.unsure ?? [])],
      problems: [
        ...(away.length > 0 ? [this.#describeAway(away, around)] : []),
        ...(fullAt.length > 0 ? [describeFull(fullAt)] : []),
        ...(unwritableAt.length > 0 ? [this.#describeUnwritable(unwritableAt)] : []),
        ...(alone.length > 0 ? [await this.#describeAlone(alone, around)] : []),
        ...faults.map(describe),
        ...(unserved === '' ? [] : [await describeUnserved(unserved, present[0]?.name, this.#cluster)]),
        ...[...this.#cluster.cutting].map(describeCutting),
        ...[...this.#losses].map(describeLoss),
        ...(isClockWrong ? [describeOwnClock(clockAheadMs)] : []),
        ...present.flatMap(({ name, aheadMs }) => describeClock(name, clockAheadMs - aheadMs, 'its mailboxes end')),
        ...replicaClocks.flatMap(({ name, aheadMs }) => describeClock(name, aheadMs, 'once it is a master, mailboxes end')),
      ],
      clockAheadMs,
    }
  }

  /** The nodes of shards that keep nothing now, so that nobody sees whether something else was wrong with them, and is over. */
  #listRefusing(away: ReadonlySet<string>): string[] {
    const { refused, topology } = this.#cluster
    const isRefusing = ({ master }: Shard) => away.has(addressKey(master)) || refused.has(addressKey(master))
    return topology.shards.filter(isRefusing).flatMap(nodesOf).map(addressKey)
  }

  #noteLosses({ evicted, runs = {} }: Measurement): void {
    const ofRuns = Object.entries(runs)
    this.#noteLost('evicted', evicted)
    this.#noteLost('emptied', Object.fromEntries(ofRuns.map(([name, { lost }]) => [name, lost])))
    this.#noteLost('flushed', Object.fromEntries(ofRuns.map(([name, { flushed = 0 }]) => [name, flushed])))
  }

  /** `now`: numbers of keys that grow, by node. */
  #noteLost(cause: keyof typeof LOSSES, now: Readonly<Record<string, number>> = {}): void {
    const before = this.#lost.get(cause) ?? now
    this.#lost.set(cause, now)
    const grown = Object.entries(now)
      .map(([name, keys]) => ({ name, keys: keys - (before[name] ?? 0) }))
      .filter(({ keys }) => keys > 0)
    const keys = sum(grown.map(node => node.keys))
    this.#lostKeys += keys
    const atMs = performance.now()
    if (keys > 0) this.#losses.set(cause, { names: grown.map(({ name }) => name), keys, atMs })
    else if (atMs - (this.#losses.get(cause)?.atMs ?? 0) > LOSS_TOLD_MS) this.#losses.delete(cause)
  }

  async #see(master: NodeAddress): Promise<Presence | Absence | { readonly fault: NodeFault }> {
    const name = addressKey(master)
    const readClock = async (asked: Promise<EngineReply>) => {
      const askedAt = Date.now()
      const [seconds, micros] = ((await asked) as Buffer[]).map(Number) as [number, number]
      return { name, master, aheadMs: leastAheadMs(compareClock(askedAt, seconds * 1000 + micros / 1000)) }
    }
    try {
      return await readClock(this.#cluster.callMaster(master, 'TIME')).catch((error: unknown) => {
        if (error instanceof EngineError) throw error
        // A write that hangs before it holds up that connection alone.
        return readClock(this.#cluster.ask(master, 'TIME'))
      })
    } catch (error) {
      const refusal = error instanceof NotConnected ? error.cause : error
      if (refusal instanceof EngineError) return { fault: { name, master: name, effect: 'denial', ...describeRefusal(name, refusal) } }
      const remedy = connectionRemedy(error, name)
      // Such as a certificate that nobody trusts: what answers there runs.
      if (error instanceof NotConnected && remedy !== undefined) {
        return { fault: { name, master: name, effect: 'denial', fact: describeUnasked(name, error), remedy } }
      }
      const reasons = [connectionReason(error), remedy].filter(reason => reason !== undefined)
      return { name, master, reason: withoutFullStop(reasons.join('. ')) }
    }
  }

  /** Returns those that reply, with what: other nodes call one live for seconds after its end, and one that they do not hear may run. */
  async #findAlive(names: readonly string[]): Promise<Map<string, unknown>> {
    const asked = names.map(async name => {
      const node = toAddress(name)
      const reply = node && (await this.#cluster.ask(node, 'PING').catch((reason: unknown) => reason))
      const isAlive = !(reply instanceof Error) || reply instanceof EngineError || connectionRemedy(reply, name) !== undefined
      return isAlive ? [[name, reply] as const] : []
    })
    return new Map((await Promise.all(asked)).flat())
  }

  /** `CLUSTER NODES` of the first node that replies. One after the other they would delay the reading while all of them hang. */
  async #askNodes(present: readonly Presence[]): Promise<string> {
    const replicas = this.#cluster.topology.shards.flatMap(shard => shard.replicas)
    const asked = present.length > 0 ? present.slice(0, NODES_ASKED).map(({ master }) => master) : replicas
    const replies = asked.map(async node => String(await this.#cluster.callMaster(node, 'CLUSTER', 'NODES')))
    return await Promise.any(replies).catch(() => '')
  }

  /** Asks others of what is missing. */
  async #askAround(present: readonly Presence[], away: readonly Absence[], alone: readonly string[]): Promise<Around> {
    if (away.length + alone.length === 0) return { nodes: '', elsewhere: '', isReached: false, replicas: [] }
    const isAsked = away.length > 0 && this.#isReached()
    const [nodes, elsewhere, isReached] = await Promise.all([this.#askNodes(present), this.#askElsewhere(alone), isAsked])
    const replicas = away.flatMap(({ master }) => readLiveReplicas(nodes, master))
    return { nodes, elsewhere, isReached, replicas: [...(await this.#findAlive(replicas)).keys()] }
  }

  /** Lines as of `CLUSTER NODES`: a node that announces a wrong address is heard by itself alone, a forgotten replica by its master. */
  async #askElsewhere(alone: readonly string[]): Promise<string> {
    const lines = this.#cluster.seedsElsewhere.map(async node =>
      String(await this.#cluster.ask(node, 'CLUSTER', 'NODES'))
        .split('\n')
        .filter(line => /\bmyself\b/.test(line)),
    )
    const links = alone
      .flatMap(name => toAddress(name) ?? [])
      .map(async master => {
        const info = String(await this.#cluster.ask(master, 'INFO', 'replication'))
        const online = info.matchAll(/^slave\d+:ip=(.*?),port=(\d+),state=online/gm)
        return [...online].map(([, ip, port]) => `${ip}:${port} ${ip}:${port} slave - 0 0 0 connected`)
      })
    return (await Promise.all([...lines, ...links].map(reply => reply.catch(() => [])))).flat().join('\n')
  }

  #describeAway(away: readonly Absence[], { nodes, elsewhere, isReached, replicas }: Around): StoreProblem {
    const total = this.#cluster.topology.shards.length
    const details = away.map(({ name, master, reason }) => {
      const slots = shortenSlots(this.#cluster.topology.slotsOf(master))
      return `${master.host === '' ? 'one without an address' : name}${slots && ` with the slots ${slots}`}: ${reason}`
    })
    const areMost = away.length * 2 >= total
    const where = away.map(({ name }) => name)
    const ways = [...new Set(away.map(({ master, reason }) => readWay(master, reason)))]
    const heard = readLife(`${nodes}\n${elsewhere}`, where)
    const life = ways.length === 1 && ways[0] ? ways[0] : heard
    const until = `senders to their mailboxes get 451 and readers 503${isReached ? '' : ' until they do'}`
    const effect = isReached
      ? `nothing while the connections last that the running server has, but then ${until}`
      : `${until}. ${areMost ? 'No replica takes over' : 'New addresses are on the others'}`
    const fact = `${away.length} of ${total} shards of MAIL_STORE_URL do not reply${isReached ? ' to new connections' : ''} (${details.join('; ')})`
    const remedy = `${effect}. ${describePromotion(replicas, areMost, life)}`
    // It has refused something, and does not answer now either.
    const isSure = where.every(name => this.#cluster.refused.get(name)?.reason !== undefined)
    return { ...toProblem('away', where, fact, remedy, isReached), successors: replicas, ...(isSure ? { isSure } : {}) }
  }

  async #describeAlone(alone: readonly string[], { nodes, elsewhere }: Around): Promise<StoreProblem> {
    const { replicasWanted: wanted, topology, access } = this.#cluster
    const missing = readMissing(nodes, alone)
    const alive = await this.#findAlive(missing)
    const stopped = missing.filter(name => !alive.has(name)).join(', ')
    const unheard = [...alive].map(([name, reply]) => {
      if (!(reply instanceof EngineError) || meaningOf(reply) !== 'not_now')
        return `Start ${name} again, with "cluster-enabled yes" and an open bus port, as other nodes do not hear it`
      // Such as one that reads its file.
      const { fact, remedy } = describeRefusal(name, reply)
      return withoutFullStop(`${fact} ${remedy}`)
    })
    const joining = readSpares(nodes, elsewhere, alone).map(({ spare, master, id }) => {
      const typed = (command: string) => `"${nodeCommand(command, spare, access.isEncrypted)}"`
      const [meet, replicate] = [typed(`cluster meet ${master.replace(/:(\d+)$/, ' $1')}`), typed(`cluster replicate ${id}`)]
      return `${spare} runs and could be a replica of ${master}: type ${meet}, and some seconds later ${replicate}`
    })
    const steps = [...(stopped ? [`Start ${stopped}`] : []), ...unheard, ...joining]
    const effect =
      wanted === 0
        ? 'mail with its 250 is lost if one of these machines is'
        : `senders to their mailboxes get 451, as MAIL_STORE_REPLICAS is ${wanted}`
    const fact = `${alone.length} of ${topology.shards.length} shards of MAIL_STORE_URL have too few replicas (${alone.join(', ')})`
    const remedy = steps.length > 0 ? steps.join('. ') : 'Start their replicas, unless they still copy'
    return toProblem('alone', alone, fact, `${effect}. ${remedy}`, wanted === 0)
  }

  #describeUnwritable(names: readonly string[]): StoreProblem {
    const shards = this.#cluster.topology.shards.filter(({ master }) => names.includes(addressKey(master)))
    const replicas = shards.flatMap(shard => shard.replicas.slice(0, 1).map(addressKey))
    const failover = replicas.length > 0 ? `, or type "cluster failover" at ${atEach(replicas)}` : ''
    const fact = `The disk of a master of MAIL_STORE_URL takes no writes (${names.join(', ')})`
    return toProblem('full', names, fact, `senders to its mailboxes get 452 until it does. Make room there${failover}`)
  }

  async #findOrMeasure(): Promise<Measurement> {
    if (this.#countEveryMs === 0) return await this.#measure()
    const found = await this.#cluster.run(FIND_MEASUREMENT, this.#key, [TURN_MS], { patienceMs: PATIENCE_MS }).catch(() => undefined)
    const text = found instanceof Buffer ? found.toString() : undefined
    const shared: Measurement | undefined = text ? JSON.parse(text) : undefined
    // Another version of this program may not look for them.
    if (shared?.faults) return shared
    // Processes that start together must not all count: the number of mailboxes comes a second later.
    if (text === '') return this.#measured ?? { ...(await measureNodes(this.#cluster, this.#measured)), mailboxes: 0, countedAtMs: 0 }
    const measured = await this.#measure()
    if (found === null) this.#cluster.call(this.#key, 'SET', JSON.stringify(measured), 'PX', MEASURED_MS).catch(() => undefined)
    return measured
  }

  async #measure(): Promise<Measurement> {
    const known = this.#measured
    const isRecent = known && Math.abs(Date.now() - known.countedAtMs) < this.#countEveryMs
    const count = async () => ({ mailboxes: await countMailboxes(this.#cluster, this.#pattern), countedAtMs: Date.now() })
    // The doctor looks once.
    const nodesMax = this.#countEveryMs === 0 ? Number.POSITIVE_INFINITY : undefined
    const [nodes, counted] = await Promise.all([measureNodes(this.#cluster, known, nodesMax), isRecent ? known : count()])
    return { ...nodes, mailboxes: counted.mailboxes, countedAtMs: counted.countedAtMs }
  }
}

const isNodeFault = (fault: TrialFault): fault is NodeFault => fault.effect !== 'full' && fault.effect !== 'unwritable'

const mastersWith = (faults: readonly TrialFault[], ...effects: readonly TrialFault['effect'][]) =>
  new Set(faults.flatMap(({ master, effect }) => (effects.includes(effect) ? [master] : [])))

const SLOTS_NAMED = 5

/** Once "cluster fix" has spread them they are hundreds, and the remedy stands behind them. */
function shortenSlots(ranges: string): string {
  const slots = ranges.split(', ')
  const more = slots.length > SLOTS_NAMED ? ` and ${slots.length - SLOTS_NAMED} other ranges` : ''
  return `${slots.slice(0, SLOTS_NAMED).join(', ')}${more}`
}

/** A problem, whose remedy ends with a page that says more. */
function toProblem(
  kind: StoreProblem['kind'],
  where: readonly string[],
  fact: string,
  remedy: string,
  isHarmless: boolean | undefined = false,
): StoreProblem {
  const page = remedy.includes('.md#') ? '' : `: ${SECTION}`
  return {
    ...{ kind, where, fact: withoutFullStop(fact), remedy: `${withoutFullStop(remedy)}${page}` },
    ...(isHarmless ? { isHarmless } : {}),
  }
}

const describeFull = (fullAt: readonly string[]) =>
  toProblem(
    'full',
    fullAt,
    `The memory of a master of MAIL_STORE_URL is full (${fullAt.join(', ')})`,
    'senders to its mailboxes get 452. Raise its maxmemory, or move slots to another shard',
  )

function describeCutting(name: string): StoreProblem {
  const fact = `The mail store at ${name} does not tell this user of new mail (it closes the connection again and again)`
  return toProblem('cut', [name], fact, `${LATE}. Raise its "client-output-buffer-limit pubsub"`, true)
}

const LATE = 'live events and waits of its shard come late'
const REFUSED = 'senders to the mailboxes of its shard get 451'

/** `name`: a node that replies. */
async function describeUnserved(slots: string, name: string | undefined, cluster: Cluster): Promise<StoreProblem> {
  const { access, seeds } = cluster
  const node = toAddress(name ?? '')
  const view = node && (await readView((...words) => cluster.ask(node, ...words), node).catch(() => undefined))
  const meetings = name !== undefined && view ? await findMeetings(name, view, access, seeds) : ''
  const typed = name !== undefined && view ? `, or type "${clusterCommand('fix', name, access.isEncrypted)}", and answer "yes"` : ''
  const steps = meetings ? `Type ${meetings}, as it has forgotten who serves slots` : `Bring back the master that had them${typed}`
  const remedy = `senders to their mailboxes get 451 and readers 503. ${steps}`
  return toProblem('unserved', ['slots'], `Slots of MAIL_STORE_URL have no master (${shortenSlots(slots)})`, remedy)
}

/** `what`: the faults of a node do to its shard. `isOfMaster`: nothing while it is a replica. */
const EFFECTS: Record<
  NodeFault['effect'],
  { readonly kind: StoreProblem['kind']; readonly what: string; readonly isHarmless?: true; readonly isOfMaster?: true }
> = {
  refusal: { kind: 'unsafe', what: `${REFUSED}, new addresses are on the others` },
  denial: { kind: 'denied', what: `${REFUSED}, and readers may get 503`, isOfMaster: true },
  some: { kind: 'denied', what: 'readers and new addresses of its shard may get 503', isHarmless: true, isOfMaster: true },
  late: { kind: 'denied', what: LATE, isHarmless: true, isOfMaster: true },
  paused: { kind: 'denied', what: REFUSED, isOfMaster: true },
  risk: { kind: 'unsaved', what: 'if it is restarted before another is master, acknowledged mail is lost', isHarmless: true },
  unlinked: { kind: 'unlinked', what: `${REFUSED} until it copies again or is stopped` },
  apart: { kind: 'unlinked', what: 'mail of its shard is on one node less', isHarmless: true },
  outdated: { kind: 'outdated', what: 'it is no replica until it is upgraded', isHarmless: true },
}

/** `isPresent`: it replies over the connections that this process has. */
function describeFault({ name, effect, fact, remedy, isShut, isSure }: NodeFault, isMaster: boolean, isPresent: boolean): StoreProblem {
  const { kind, what, isHarmless, isOfMaster } = EFFECTS[effect]
  const isLater = isOfMaster && (!isMaster || (isShut && isPresent))
  const until = isMaster ? 'while open connections last, but then' : 'yet, but once it is a master'
  const effects = isLater ? `nothing ${until} ${what}` : what
  return { ...toProblem(kind, [name], fact, `${effects}. ${remedy}`, isHarmless || isLater), ...(isSure ? { isSure } : {}) }
}

const LOSSES = {
  evicted: {
    fact: 'keys were thrown away',
    remedy: 'their memory was full. Set "maxmemory-policy noeviction" on every node',
  },
  emptied: {
    fact: 'keys were gone after a restart',
    remedy: 'their senders get 550. Set "appendonly yes" on every node, and in its configuration',
  },
  flushed: {
    fact: 'keys were removed at once by "flushall" or "flushdb"',
    remedy: 'their senders get 550. Give nobody but Mayfly this cluster, or take both commands from its users ("-flushall -flushdb")',
  },
}
type Loss = { readonly names: readonly string[]; readonly keys: number; readonly atMs: number }

function describeLoss([cause, { names, keys }]: [keyof typeof LOSSES, Loss]): StoreProblem {
  const { fact, remedy } = LOSSES[cause]
  return toProblem('lost', names, `Acknowledged mail or addresses are lost: ${keys} ${fact} (${names.join(', ')})`, remedy, true)
}

const describeGap = (ms: number) => `${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'ahead of' : 'behind'}`

function describeOwnClock(aheadMs: number): StoreProblem {
  return {
    kind: 'clock',
    where: [OWN_CLOCK],
    fact: `The clock of this machine is ${describeGap(aheadMs)} those of MAIL_STORE_URL`,
    remedy: 'addresses would end at the wrong time, so senders get 451 and readers 503 until it is right. Set it: timedatectl set-ntp true',
  }
}

/** Reports a master whose clock is not that of most. */
function describeClock(name: string, aheadMs: number, effect: string): StoreProblem[] {
  if (Math.abs(aheadMs) <= CLOCKS_DIFFER_MS) return []
  const fact = `The clock of ${name} is ${describeGap(aheadMs)} those of most masters of MAIL_STORE_URL`
  return [{ kind: 'clock', where: [name], fact, remedy: `${effect} at the wrong time. Set it there: timedatectl set-ntp true` }]
}

/** 0 of nothing. */
function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
