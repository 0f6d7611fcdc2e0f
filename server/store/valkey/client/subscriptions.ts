/**
 * Sharded pub/sub: subscribes each channel at the master of its slot. An empty message means that something changed. If a subscription was
 * lost (a failed master, a moved slot), the channel reports a change after it is subscribed again, so that missed changes are read then.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MailboxId } from '../../store.ts'
import type { Cluster } from './cluster.ts'
import { addressKey, type NodeAddress, NodeConnection } from './node-connection.ts'
import { keySlot } from './topology.ts'

/** A connection that only listens must ping, or a stuck node is never noticed. */
const HEARTBEAT_MS = 1000
const PAUSE_MS = { min: 50, max: 500 }
/** A master that ends so many subscribed connections in so long is not failing: it cuts them. */
const CUTS_MAX = 3
const CUTS_MS = 10_000

type Channel = {
  readonly name: string
  watchers: number
  /** Where the channel is, or is being, subscribed. */
  place: NodeConnection | undefined
  wasHeard: boolean
  readonly heard: PromiseWithResolvers<void>
}

export class Subscriptions implements AsyncDisposable {
  readonly #cluster: Cluster
  readonly #onRing: (channel: string, message: string) => void
  readonly #channels = new Map<string, Channel>()
  readonly #connections = new Map<string, NodeConnection>()
  /** Connections with a subscription. */
  readonly #heard = new Set<NodeConnection>()
  /** When masters ended such connections. */
  readonly #cutsAtMs = new Map<string, number[]>()
  readonly #closing = new AbortController()
  #isRepairing = false

  constructor(cluster: Cluster, onRing: (channel: string, message: string) => void) {
    this.#cluster = cluster
    this.#onRing = onRing
    cluster.onTopology(() => this.#followSlots())
    void this.#beat()
  }

  /** Resolves when the channel is first subscribed. Each `add` needs its `remove`. */
  add(name: string): Promise<void> {
    const channel = this.#channels.get(name) ?? { name, watchers: 0, place: undefined, wasHeard: false, heard: Promise.withResolvers() }
    channel.watchers += 1
    if (channel.watchers === 1) {
      this.#channels.set(name, channel)
      this.#subscribe(channel)
    }
    return channel.heard.promise
  }

  remove(name: string): void {
    const channel = this.#channels.get(name)
    if (!channel) return
    channel.watchers -= 1
    if (channel.watchers > 0) return
    this.#channels.delete(name)
    channel.place?.call('SUNSUBSCRIBE', name).catch(() => undefined)
  }

  #subscribe(channel: Channel): void {
    const master = this.#cluster.topology.shardOf(keySlot(channel.name))?.master
    if (!master) {
      this.#lose(channel)
      return
    }
    const place = this.#connectionTo(master)
    if (channel.place && channel.place !== place) channel.place.call('SUNSUBSCRIBE', channel.name).catch(() => undefined)
    channel.place = place
    // One channel per command: several are refused if their slots differ.
    place.call('SSUBSCRIBE', channel.name).then(
      () => this.#hear(channel, place),
      () => this.#loseAt(place, channel),
    )
  }

  #hear(channel: Channel, place: NodeConnection): void {
    this.#heard.add(place)
    if (channel.place !== place) return
    if (channel.wasHeard) this.#onRing(channel.name, '')
    channel.wasHeard = true
    channel.heard.resolve()
  }

  #lose(channel: Channel): void {
    channel.place = undefined
    if (!this.#isRepairing && !this.#closing.signal.aborted) void this.#repair()
  }

  /** Subscribes all missing channels. */
  async #repair(): Promise<void> {
    this.#isRepairing = true
    let pauseMs = PAUSE_MS.min
    const { signal } = this.#closing
    while (await sleep(pauseMs, true, { signal, ref: false }).catch(() => false)) {
      await this.#cluster.refresh()
      const lost = [...this.#channels.values()].filter(({ place }) => place === undefined)
      if (lost.length === 0) break
      for (const channel of lost) this.#subscribe(channel)
      pauseMs = Math.min(pauseMs * 2, PAUSE_MS.max)
    }
    this.#isRepairing = false
  }

  #connectionTo(master: NodeAddress): NodeConnection {
    const key = addressKey(master)
    const known = this.#connections.get(key)
    if (known && !known.isEnded) return known
    const connection = new NodeConnection(master, this.#cluster.access)
    this.#connections.set(key, connection)
    connection.listen({ onRing: this.#onRing, onDropped: name => this.#loseAt(connection, this.#channels.get(name)) })
    void connection.ended.then(() => {
      if (this.#connections.get(key) === connection) this.#connections.delete(key)
      if (this.#heard.delete(connection)) this.#noteCut(key)
      for (const channel of this.#channels.values()) this.#loseAt(connection, channel)
    })
    return connection
  }

  /** Unless it has been subscribed elsewhere meanwhile. */
  #loseAt(connection: NodeConnection, channel: Channel | undefined): void {
    if (channel?.place === connection) this.#lose(channel)
  }

  #noteCut(master: string): void {
    const cutsAtMs = [...(this.#cutsAtMs.get(master) ?? []), performance.now()]
    this.#cutsAtMs.set(master, cutsAtMs)
    if (cutsAtMs.length >= CUTS_MAX) this.#cluster.cutting.add(master)
  }

  #forgetCuts(): void {
    for (const [master, cutsAtMs] of this.#cutsAtMs) {
      const recent = cutsAtMs.filter(atMs => performance.now() - atMs < CUTS_MS)
      this.#cutsAtMs.set(master, recent)
      if (recent.length > 0) continue
      this.#cutsAtMs.delete(master)
      this.#cluster.cutting.delete(master)
    }
  }

  #followSlots(): void {
    for (const channel of this.#channels.values()) {
      const master = this.#cluster.topology.shardOf(keySlot(channel.name))?.master
      if (channel.place && master && channel.place.name !== addressKey(master)) this.#subscribe(channel)
    }
  }

  async #beat(): Promise<void> {
    const { signal } = this.#closing
    while (await sleep(HEARTBEAT_MS, true, { signal, ref: false }).catch(() => false)) {
      for (const connection of this.#connections.values()) connection.call('PING').catch(() => undefined)
      this.#forgetCuts()
    }
  }

  async [Symbol.asyncDispose]() {
    this.#closing.abort()
    const connections = [...this.#connections.values()]
    for (const connection of connections) connection.close()
    await Promise.all(connections.map(({ ended }) => ended))
  }
}

/** A reader who opens a stream in another process misses progress for at most this long; mail itself reaches them at once. */
const KNOWN_MS = 5000
const MAILBOXES_MAX = 10_000

/** Remembers mailboxes without readers, so that delivery progress for them costs no command. */
export class AbsentReaders {
  /** When each was last seen without readers, oldest first. */
  readonly #absentSince = new Map<MailboxId, number>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  recordListeners(mailboxId: MailboxId, listeners: number): void {
    this.#absentSince.delete(mailboxId)
    if (listeners > 0) return
    this.#absentSince.set(mailboxId, this.#nowMs())
    const [oldest] = this.#absentSince.keys()
    if (this.#absentSince.size > MAILBOXES_MAX && oldest !== undefined) this.#absentSince.delete(oldest)
  }

  /** `false` also when nobody looked lately. */
  isAbsent(mailboxId: MailboxId): boolean {
    const since = this.#absentSince.get(mailboxId)
    return since !== undefined && this.#nowMs() - since < KNOWN_MS
  }
}
