/**
 * A client for a Valkey or Redis Cluster: runs scripts on the node that has their key, follows moved slots and failed masters, and gives up
 * in time. Why it is our own: docs/decisions/0024-mail-on-a-cluster.md.
 */
import { setImmediate as pollOnce, setTimeout as sleep } from 'node:timers/promises'
import { AppError, Outage } from '#server/errors.ts'
import { liveReplicasOf, readNodes, type SeenNode } from './cluster-nodes.ts'
import { describeFailure, Hitches, readFailure } from './failures.ts'
import {
  type Argument,
  addressKey,
  type ClusterAccess,
  isCut,
  type NodeAddress,
  NodeConnection,
  NotConnected,
  type Script,
} from './node-connection.ts'
import { type Acknowledgement, NotReplicated, ReplicatedWrites, Unsafe } from './replicated-writes.ts'
import type { EngineReply } from './reply-reader.ts'
import { keySlot, nodesOf, SLOTS, Topology } from './topology.ts'

/** How long a command is retried before it fails: enough for a moving slot, but not always for a master that failed. */
const PATIENCE_MS = 2000
/** How long a shard that failed counts as away. Then one command tries it again. */
const AWAY_MS = 1000
/** Longer than the reader needs that tries whether a silent shard answers again. */
const TRIAL_MS = 10_000
const PAUSE_MS = { min: 10, max: 200 }
const REFRESH_MS = 5000
/** While a shard acknowledges alone, its replica is checked more often. */
const REFRESH_ALONE_MS = 1000
/** How many nodes are asked besides one that knows of slots without a master: only few have a view of their own. */
const OTHERS_ASKED = 2
const RETRY_AFTER_SECONDS = 2
/** Another node is asked after this. */
const ASK_MS_MAX = 500

/** `replicas`: how many must have a write. `'auto'` is one where the shard has any. */
type ClusterSettings = {
  readonly seeds: readonly NodeAddress[]
  readonly access: ClusterAccess
  readonly replicas: number | 'auto'
  readonly isSynced: boolean
}

type RunOptions = {
  /** Further keys, in the same slot as the first. */
  readonly keys?: readonly string[]
  /** For a caller with another way: it fails after this long, and at once while the shard is away. */
  readonly patienceMs?: number
  /** Its patience says nothing of the shard: others still try it after a time-out. */
  readonly isBackground?: boolean
}

/** Tells of a master, by the view of the majority: how many replicas are there, and the addresses of those that are gone. */
type SeenReplicas = { readonly present: number; readonly gone: readonly string[] }

/** Connections to one master: writes that wait for replicas must not delay reads. */
type Node = {
  readonly commands: NodeConnection
  readonly writes: () => { readonly connection: NodeConnection; readonly queue: ReplicatedWrites }
}

export class Cluster implements AsyncDisposable {
  readonly #settings: ClusterSettings
  readonly #nodes = new Map<string, Node>()
  readonly #closing = new AbortController()
  readonly #topologyListeners = new Set<() => void>()
  /** By master, while replicas are copying everything from it: those that are not called failed, and how many others it has. */
  readonly #syncing = new Map<string, { readonly copying: readonly string[]; readonly others: number }>()
  /**
   * Masters of which a write did not reach its replica in time. Each refresh asks all masters about these replicas, until none is gone or
   * the master has been replaced. `undefined`: not asked yet, or the master did not reply; then the replicas of the topology count.
   */
  readonly #doubted = new Map<string, SeenReplicas | undefined>()
  /** Until when each master that failed counts as away. */
  readonly #awayUntilMs = new Map<string, number>()
  /** The same of masters that a reader waited for in vain. The others fail at once until then; one of them then tries it. */
  readonly #silentUntilMs = new Map<string, number>()
  /** Masters that end each connection on which this process hears of new mail. Kept by `Subscriptions`. */
  readonly cutting = new Set<string>()
  /** Why the shard of a node may keep no mail. */
  #unsafe = new Map<string, string>()
  /** By master, the last key of which it kept or read nothing, and why. It is well again when a write to the slot of that key succeeds. */
  readonly refused = new Map<string, { readonly key: string; readonly reason?: unknown }>()
  readonly hitches = new Hitches()
  #refusedAtMs = Number.NEGATIVE_INFINITY
  /** A master said that it does not serve a slot that others say it has. */
  #areSlotsDoubted = false
  #topology: Topology
  #refreshing: Promise<void> | undefined

  /** See `openCluster`, which checks whether the cluster can be used. */
  constructor(settings: ClusterSettings, topology: Topology) {
    this.#settings = settings
    this.#topology = topology
    void this.#refreshPeriodically()
  }

  get topology(): Topology {
    return this.#topology
  }

  /** The nodes of `MAIL_STORE_URL` that announce themselves elsewhere, or belong to no shard. */
  get seedsElsewhere(): NodeAddress[] {
    const known = new Set(this.#topology.nodes.map(addressKey))
    return this.#settings.seeds.filter(seed => !known.has(addressKey(seed)))
  }

  /** The nodes of `MAIL_STORE_URL`. */
  get seeds(): readonly NodeAddress[] {
    return this.#settings.seeds
  }

  get access(): ClusterAccess {
    return this.#settings.access
  }

  /** For certain; 0 if it depends on how many there are. */
  get replicasWanted(): number {
    const { replicas } = this.#settings
    return replicas === 'auto' ? 0 : replicas
  }

  /** Masters with fewer live replicas than wanted, or with none. */
  mastersAlone(): NodeAddress[] {
    const { replicas } = this.#settings
    const wanted = replicas === 'auto' ? 1 : replicas
    return this.#topology.shards.map(({ master }) => master).filter(master => this.#liveReplicas(master) < wanted)
  }

  get isSynced(): boolean {
    return this.#settings.isSynced
  }

  /** Why mail is refused by the shards of these nodes, by node. A master that says so itself with a write is added until the next call. */
  refuseBy(unsafe: ReadonlyMap<string, string>): void {
    this.#unsafe = new Map(unsafe)
  }

  /** For how long nothing was refused. */
  get calmMs(): number {
    return performance.now() - this.#refusedAtMs
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  /** Called after each refresh of the topology. */
  onTopology(listener: () => void): void {
    this.#topologyListeners.add(listener)
  }

  /** Runs a script on the node that has `key`. @throws AppError `storage_full` if the engine cannot store it, else `unavailable`. */
  async run(script: Script, key: string, args: readonly Argument[], options: RunOptions = {}): Promise<EngineReply> {
    const { keys = [], patienceMs, isBackground = false } = options
    if (script.isRead) this.#requireAnswering(key)
    const attempt = () =>
      this.#attempt(key, script, (node, isAsking) => {
        const { mustBeKept = false, isReplicated } = script
        if (mustBeKept) this.#requireSafe(key)
        const send = (connection: NodeConnection) => connection.run(script, [key, ...keys], args, isAsking)
        return isReplicated ? node.writes().queue.write(send, mustBeKept) : send(node.commands)
      })
    return await (patienceMs === undefined ? attempt() : this.#attemptWithin(patienceMs, key, attempt, !isBackground))
  }

  /** Sends one command about `key`. It may be executed twice. */
  call(key: string, name: string, ...args: readonly Argument[]): Promise<EngineReply> {
    return this.#attempt(key, { isRepeatable: true }, ({ commands }, isAsking) => {
      if (isAsking) commands.call('ASKING').catch(() => undefined)
      return commands.call(name, key, ...args)
    })
  }

  /** Asks a node to which there may be no connection. Rejects if it takes long. */
  ask(node: NodeAddress, name: string, ...args: readonly Argument[]): Promise<EngineReply> {
    return this.#connectedTo(node, connection => connection.call(name, ...args))
  }

  /** Sends one command to one master. */
  async callMaster(master: NodeAddress, name: string, ...args: readonly Argument[]): Promise<EngineReply> {
    return await this.#nodeAt(master).commands.call(name, ...args)
  }

  async #attemptWithin(patienceMs: number, key: string, attempt: () => Promise<EngineReply>, isTelling: boolean): Promise<EngineReply> {
    const master = this.#topology.shardOf(keySlot(key))?.master
    if (master && performance.now() < (this.#awayUntilMs.get(addressKey(master)) ?? 0)) throw away(new Error('its shard is away'))
    const answered = new AbortController()
    const late = sleep(patienceMs, undefined, { signal: answered.signal }).then(async () => {
      // After a stall of this process the reply may be here, unread.
      await pollOnce()
      if (isTelling && !answered.signal.aborted) this.#noteAway(master)
      throw away(new Error(`no reply within ${patienceMs} ms`))
    })
    try {
      return await Promise.race([attempt(), late])
    } finally {
      answered.abort()
    }
  }

  #requireSafe(key: string): void {
    if (this.#unsafe.size === 0) return
    const shard = this.#topology.shardOf(keySlot(key))
    const reason = shard && nodesOf(shard).flatMap(node => this.#unsafe.get(addressKey(node)) ?? [])[0]
    if (reason !== undefined) throw new Unsafe(reason)
  }

  /** Says which node it was, for the log. */
  #named(address: NodeAddress, error: Error): Error {
    const { fact, remedy } = describeFailure(addressKey(address), error)
    const reason = [fact, ...(remedy ? [remedy] : [])].join(' ')
    return new Error(reason, { cause: error })
  }

  #requireAnswering(key: string): void {
    const master = this.#topology.shardOf(keySlot(key))?.master
    const silentUntilMs = master && this.#silentUntilMs.get(addressKey(master))
    if (!master || silentUntilMs === undefined) return
    const nowMs = performance.now()
    if (nowMs < silentUntilMs) {
      const { reason } = this.refused.get(addressKey(master)) ?? {}
      throw away(reason instanceof Error ? this.#named(master, reason) : new Error('its shard does not answer'))
    }
    this.#silentUntilMs.set(addressKey(master), nowMs + TRIAL_MS)
  }

  #noteRefused(address: NodeAddress, key: string, reason: unknown): void {
    const name = addressKey(address)
    this.refused.set(name, { key, reason })
    this.#refusedAtMs = performance.now()
    this.hitches.note(name, reason)
  }

  #noteAway(master: NodeAddress | undefined): void {
    if (master) this.#awayUntilMs.set(addressKey(master), performance.now() + AWAY_MS)
  }

  async #attempt(
    key: string,
    { isRepeatable, isRead, mustBeKept }: Pick<Script, 'isRepeatable' | 'isRead' | 'mustBeKept'>,
    run: (node: Node, isAsking: boolean) => Promise<EngineReply>,
  ): Promise<EngineReply> {
    const slot = keySlot(key)
    const endMs = performance.now() + PATIENCE_MS
    let pauseMs = PAUSE_MS.min
    let asked: NodeAddress | undefined
    for (;;) {
      const address = asked ?? this.#topology.shardOf(slot)?.master
      const isAsking = asked !== undefined
      asked = undefined
      try {
        if (!address) throw new Error('no master has this slot')
        const reply = await run(this.#nodeAt(address), isAsking)
        for (const until of [this.#awayUntilMs, this.#silentUntilMs]) if (until.size > 0) until.delete(addressKey(address))
        if (mustBeKept) this.hitches.end(addressKey(address))
        return reply
      } catch (error) {
        if (error instanceof Unsafe) {
          if (address) this.#unsafe.set(addressKey(address), error.message)
          throw new Outage('unavailable', { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS })
        }
        const failure = readFailure(error)
        const isSilent = failure.kind === 'unknown' || error instanceof NotConnected
        if (address && !isSilent) this.#silentUntilMs.delete(addressKey(address))
        if (address && isCut(error)) this.hitches.note(addressKey(address), error)
        if (failure.kind === 'full') {
          if (mustBeKept && address) this.#noteRefused(address, key, error)
          throw new AppError('storage_full', { cause: error })
        }
        if (error instanceof NotReplicated && address) {
          this.#doubt(address)
          await this.refresh()
          if (isRepeatable && this.#acknowledgementAt(address).replicas < error.replicas) continue
        } else if (failure.kind === 'refused') void this.refresh()
        const mayRetry =
          failure.kind === 'elsewhere' || failure.kind === 'not_now' || (failure.kind === 'unknown' && (isRepeatable || !address))
        if (!mayRetry || this.isClosed || performance.now() > endMs) {
          if (failure.kind !== 'refused') this.#noteAway(address)
          if (isRead && isSilent && address) this.#silentUntilMs.set(addressKey(address), performance.now() + AWAY_MS)
          if ((mustBeKept || isRead) && address) this.#noteRefused(address, key, error)
          throw away(address ? this.#named(address, error as Error) : error)
        }
        if (failure.kind === 'elsewhere' && failure.isAsking) {
          asked = failure.address
          continue
        }
        await this.refresh()
        await sleep(pauseMs)
        pauseMs = Math.min(pauseMs * 2, PAUSE_MS.max)
      }
    }
  }

  #nodeAt(address: NodeAddress): Node {
    // A refresh may still run: nobody would close what it opens now.
    if (this.isClosed) throw new Error('the mail store is closed')
    const key = addressKey(address)
    const known = this.#nodes.get(key)
    if (known && !known.commands.isEnded) return known
    const node = this.#openNode(address)
    this.#nodes.set(key, node)
    return node
  }

  #openNode(address: NodeAddress): Node {
    const commands = new NodeConnection(address, this.access)
    const acknowledgement = () => this.#acknowledgementAt(address)
    const openWrites = () => {
      const connection = new NodeConnection(address, this.access)
      // Both connections close together, so that a node is always reconnected for everything.
      void commands.ended.then(() => connection.close())
      return { connection, queue: new ReplicatedWrites(connection, acknowledgement) }
    }
    let writes: ReturnType<typeof openWrites> | undefined
    return {
      commands,
      writes() {
        if (!writes || writes.connection.isEnded) writes = openWrites()
        return writes
      },
    }
  }

  #acknowledgementAt(master: NodeAddress): Acknowledgement {
    const { replicas, isSynced } = this.#settings
    return { isSynced, replicas: replicas === 'auto' ? Math.min(1, this.#liveReplicas(master)) : replicas }
  }

  /**
   * A replica counts unless the majority calls it failed or hears nothing of it, or its master says that it is still copying. One that
   * merely lost contact with its master counts: a master that is cut off together with us must not acknowledge alone.
   */
  #liveReplicas(master: NodeAddress): number {
    const doubted = this.#doubted.get(addressKey(master))
    const { copying = [], others = Number.POSITIVE_INFINITY } = this.#syncing.get(addressKey(master)) ?? {}
    if (doubted) return Math.max(0, doubted.present - copying.filter(replica => !doubted.gone.includes(replica)).length)
    // The topology names a replica that copies if it was in step before.
    return Math.min(this.#topology.replicasOf(master) ?? 1, others)
  }

  /** `areAsked`: the masters have just been asked for the slots that they serve. */
  async #countSyncing(areAsked: boolean): Promise<void> {
    const count = async ({ master }: Topology['shards'][number]) => {
      const asked = [this.callMaster(master, 'INFO', 'replication'), this.callMaster(master, 'CLUSTER', 'INFO').catch(() => '')]
      const [info = '', own = ''] = (await Promise.all(asked)).map(String)
      // Another node may go on to say that it serves them all, and few of them may have mail.
      if (!areAsked && SLOTS - Number(/^cluster_slots_assigned:(\d+)/m.exec(own)?.[1]) > this.#topology.missingSlots) {
        this.#areSlotsDoubted = true
        void this.refresh()
      }
      const all = [...info.matchAll(/^slave\d+:ip=(.*?),port=(\d+),.*state=(?:wait_bgsave|send_bulk)/gm)]
      if (all.length === 0) return void this.#syncing.delete(addressKey(master))
      const nodes = readNodes(String(await this.callMaster(master, 'CLUSTER', 'NODES')), 0)
      const failed = nodes.filter(({ isFailed }) => isFailed).map(({ address }) => address)
      const copying = all.map(([, ip, port]) => `${ip}:${port}`).filter(address => !failed.includes(address))
      const online = [...info.matchAll(/^slave\d+:.*state=online/gm)].length
      // The master may not have heard yet that one which copies is its replica.
      const others = Math.max(online, liveReplicasOf(nodes).filter(({ address }) => !copying.includes(address)).length)
      this.#syncing.set(addressKey(master), { copying, others })
    }
    await Promise.allSettled(this.#topology.shards.map(count))
  }

  /** With a fixed number of replicas nothing else would be done about one that is gone. */
  #doubt(master: NodeAddress): void {
    const key = addressKey(master)
    if (this.#settings.replicas === 'auto' && !this.#doubted.has(key)) this.#doubted.set(key, undefined)
  }

  /**
   * The nodes call a replica failed long after it is gone, so the masters are asked what they hear. It is gone if most of them hear their
   * fellow, its master, but not it: then no majority can have replaced that master by it.
   */
  async #countPresent(): Promise<void> {
    if (this.#doubted.size === 0) return
    const { shards } = this.#topology
    const asked = shards.map(async ({ master }) => {
      const [nodes, time] = await withinMs(
        ASK_MS_MAX,
        Promise.all([this.callMaster(master, 'CLUSTER', 'NODES'), this.callMaster(master, 'TIME')]),
      )
      return { key: addressKey(master), nodes: readNodes(String(nodes), Number((time as Buffer[])[0]) * 1000) }
    })
    const views = (await Promise.allSettled(asked)).flatMap(view => (view.status === 'fulfilled' ? [view.value] : []))
    for (const master of this.#doubted.keys()) {
      const own = views.find(({ key }) => key === master)?.nodes
      const self = own?.find(({ isSelf }) => isSelf)
      const replicas = liveReplicasOf(own ?? [])
      const hears = (nodes: readonly SeenNode[], id = '') => nodes.some(node => node.id === id && (node.isSelf || !node.isSilent))
      const isGone = ({ id }: SeenNode) =>
        views.filter(({ nodes }) => hears(nodes, self?.id) && !hears(nodes, id)).length * 2 > shards.length
      const gone = replicas.filter(isGone).map(({ address }) => address)
      if (own && gone.length === 0) this.#doubted.delete(master)
      else this.#doubted.set(master, own && { present: replicas.length - gone.length, gone })
    }
  }

  async #refreshPeriodically(): Promise<void> {
    const { signal } = this.#closing
    const pauseMs = () => (this.#topology.shards.every(({ master }) => this.#liveReplicas(master) > 0) ? REFRESH_MS : REFRESH_ALONE_MS)
    while (await sleep(pauseMs(), true, { signal, ref: false }).catch(() => false)) await this.refresh()
  }

  /** Asks which node has which slot. Concurrent callers share one request. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#readTopology().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #readTopology(): Promise<void> {
    const places = [...this.#topology.nodes, ...this.#settings.seeds].map(address => [addressKey(address), address] as const)
    const nodes = shuffled([...new Map(places).values()])
    const askNext = (count: number) => Promise.all(nodes.splice(0, count).map(node => this.#askTopology(node).catch(() => undefined)))
    let found: Topology | undefined
    while (!found && nodes.length > 0 && !this.isClosed) [found] = await askNext(1)
    // Where slots have no master, another node may know better. One that has closed its port to the others is right about itself alone.
    const isDoubted = found && (found.missingSlots > 0 || (this.#topology.isClosed && !found.isClosed))
    for (const other of isDoubted ? await askNext(OTHERS_ASKED) : []) {
      if (!found || !other || other.missingSlots > found.missingSlots) continue
      if (other.missingSlots < found.missingSlots || (other.isClosed && !found.isClosed)) found = other
    }
    if (!found || this.isClosed) return
    const areDoubted = this.#areSlotsDoubted
    this.#topology = areDoubted ? await this.#omitDisowned(found) : found
    this.#forgetUnknown()
    void this.#countSyncing(areDoubted)
    await this.#countPresent()
    for (const listener of this.#topologyListeners) listener()
  }

  async #omitDisowned(found: Topology): Promise<Topology> {
    const asked = found.shards.map(async ({ master }) => {
      const slots = await this.ask(master, 'CLUSTER', 'SLOTS').catch(() => undefined)
      return slots === undefined ? [] : [[addressKey(master), Topology.read(slots, master)] as const]
    })
    const whole = found.seenBy(new Map((await Promise.all(asked)).flat()), this.#topology)
    this.#areSlotsDoubted = whole.missingSlots > found.missingSlots
    return whole
  }

  async #askTopology(address: NodeAddress): Promise<Topology | undefined> {
    const ask = (connection: NodeConnection) => Promise.all([connection.call('CLUSTER', 'INFO'), connection.call('CLUSTER', 'SLOTS')])
    const [info, slots] = await this.#connectedTo(address, ask)
    // A node that is cut off from the majority has outdated information.
    return String(info).includes('cluster_state:ok') ? Topology.read(slots, address) : undefined
  }

  /** Uses the connection to a master, or one for this only. Rejects if it takes long. */
  async #connectedTo<T>(address: NodeAddress, ask: (connection: NodeConnection) => Promise<T>): Promise<T> {
    const known = this.#nodes.get(addressKey(address))
    const connection = known && !known.commands.isEnded ? known.commands : new NodeConnection(address, this.access)
    try {
      return await withinMs(ASK_MS_MAX, ask(connection), () => connection.missing)
    } finally {
      if (connection !== known?.commands) connection.close()
    }
  }

  /**
   * Closes connections to nodes that are no masters now, and drops what was noted of their replicas. The successor of a replaced master has
   * another address, so nothing noted of the former counts for it; should the former become a master again, it starts anew too.
   */
  #forgetUnknown(): void {
    const masters = new Set(this.#topology.shards.map(({ master }) => addressKey(master)))
    for (const noted of [this.#doubted, this.#syncing]) for (const key of noted.keys()) if (!masters.has(key)) noted.delete(key)
    for (const [key, node] of this.#nodes) {
      if (masters.has(key)) continue
      this.#nodes.delete(key)
      node.commands.close()
    }
  }

  async [Symbol.asyncDispose]() {
    this.#closing.abort()
    for (const { commands } of this.#nodes.values()) commands.close()
    await Promise.all([...this.#nodes.values()].map(({ commands }) => commands.ended))
  }
}

export async function withinMs<T>(ms: number, work: Promise<T>, missing = () => 'reply'): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no ${missing()} within ${ms} ms`)), ms)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function away(cause: unknown): AppError {
  return new AppError('unavailable', { cause, retryAfterSeconds: RETRY_AFTER_SECONDS })
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map(item => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
