/** Writes that count only when replicas have them, and when their master keeps what it has. */
import type { NodeConnection } from './node-connection.ts'
import type { EngineReply } from './reply-reader.ts'

/** Shorter than the silence after which a connection is given up. */
const WAIT_MS_MAX = 1000
/** With `appendfsync everysec`, data is synced once a second. */
const SYNC_MS_MAX = 2000
const SYNC_ASK_MS = 100
/** The only `maxmemory-policy` with which a full node refuses writes. The others throw away what has an expiry, or anything. */
export const NO_EVICTION = 'noeviction'
/** Limits how much waits for one `WAIT`. */
const GROUP_MAX = 512

export type Acknowledgement = {
  /** Replicas that must have a write before it counts. */
  readonly replicas: number
  /** Whether the master, and that many replicas, must have synced it to disk (`WAITAOF`, Valkey or Redis 7.2). */
  readonly isSynced: boolean
}

/** The master has the write, but not enough replicas in time. It may be lost with the master, so it must not be acknowledged. */
export class NotReplicated extends Error {
  readonly replicas: number
  readonly isSynced: boolean

  constructor({ replicas, isSynced }: Acknowledgement, cause?: unknown) {
    super(`${replicas === 1 ? 'no replica' : 'too few replicas'} had the write ${isSynced ? 'on disk ' : ''}in time`, { cause })
    this.replicas = replicas
    this.isSynced = isSynced
  }
}

/** A node of the shard may lose what is stored, or has just thrown keys away. */
export class Unsafe extends Error {}

type Write = {
  readonly send: (connection: NodeConnection) => Promise<EngineReply>
  readonly mustBeKept: boolean
  readonly resolve: (reply: EngineReply) => void
  readonly reject: (error: unknown) => void
  reply?: EngineReply
  error?: unknown
}

/**
 * Writes to one master, acknowledged by its replicas. `WAIT` blocks a connection until the replicas have everything it wrote, so writes
 * that arrive meanwhile form the next group, with one `WAIT` for all of them: like one fsync for a group commit.
 */
export class ReplicatedWrites {
  readonly #connection: NodeConnection
  readonly #acknowledgement: () => Acknowledgement
  #waiting: Write[] = []
  #isBusy = false
  /** Keys that the master had thrown away when it was last asked. */
  #evictedKeys = Number.POSITIVE_INFINITY

  constructor(connection: NodeConnection, acknowledgement: () => Acknowledgement) {
    this.#connection = connection
    this.#acknowledgement = acknowledgement
  }

  /** Resolves when the write is acknowledged as configured. @throws NotReplicated if that takes too long, Unsafe if it may be lost. */
  write(send: Write['send'], mustBeKept: boolean): Promise<EngineReply> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ send, mustBeKept, resolve, reject })
      if (!this.#isBusy) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isBusy = true
    // Writes in the same turn of the event loop join the group.
    await Promise.resolve()
    while (this.#waiting.length > 0) await this.#runGroup(this.#waiting.splice(0, GROUP_MAX))
    this.#isBusy = false
  }

  async #runGroup(group: readonly Write[]): Promise<void> {
    const acknowledgement = this.#acknowledgement()
    const replies = Promise.all(group.map(write => this.#send(write)))
    // A replica that gets the question together with the write replies before it has synced it, and tells of that a second later.
    if (acknowledgement.isSynced) await replies
    const acknowledged = this.#wait(acknowledgement)
    if (acknowledgement.isSynced) await acknowledged
    const checked = group.some(({ mustBeKept }) => mustBeKept) ? this.#findEviction() : undefined
    const [missed, danger] = await Promise.all([acknowledged, checked, replies])
    for (const { resolve, reject, mustBeKept, reply, error } of group) {
      if (reply === undefined) reject(error)
      else if (missed) reject(missed)
      else if (mustBeKept && danger) reject(danger)
      else resolve(reply)
    }
  }

  /**
   * Why the writes before it may be lost. The master is asked with each group, because somebody may change its policy at any time; and
   * whether it has thrown keys away, because the policy may have been changed back meanwhile.
   */
  async #findEviction(): Promise<unknown> {
    try {
      const info = String(await this.#connection.call('INFO', 'memory', 'stats'))
      const [, policy = NO_EVICTION] = /^maxmemory_policy:(\S+)/m.exec(info) ?? []
      const evictedKeys = Number(/^evicted_keys:(\d+)/m.exec(info)?.[1] ?? 0)
      const hasEvicted = evictedKeys > this.#evictedKeys
      this.#evictedKeys = evictedKeys
      if (policy === NO_EVICTION && !hasEvicted) return undefined
      return new Unsafe(
        `${this.#connection.name} ${hasEvicted ? 'has just thrown keys away' : `throws keys away (maxmemory-policy ${policy})`}`,
      )
    } catch (error) {
      return error
    }
  }

  #send(write: Write): Promise<void> {
    return write.send(this.#connection).then(
      reply => {
        write.reply = reply
      },
      (error: unknown) => {
        write.error = error
      },
    )
  }

  /** Sent right after the writes on the same connection: on another one it would not wait for them. */
  async #wait(wanted: Acknowledgement): Promise<NotReplicated | undefined> {
    const { replicas, isSynced } = wanted
    try {
      if (isSynced) return (await this.#isOnDisk(replicas)) ? undefined : new NotReplicated(wanted)
      if (replicas === 0 || Number(await this.#connection.call('WAIT', replicas, WAIT_MS_MAX)) >= replicas) return undefined
      return new NotReplicated(wanted)
    } catch (error) {
      return new NotReplicated(wanted, error)
    }
  }

  /** Asks again and again: each question is passed on to the replicas, which else tell their state once a second. */
  async #isOnDisk(replicas: number): Promise<boolean> {
    const endMs = performance.now() + SYNC_MS_MAX
    do {
      const [local, remote] = (await this.#connection.call('WAITAOF', 1, replicas, SYNC_ASK_MS)) as [number, number]
      if (local >= 1 && remote >= replicas) return true
    } while (performance.now() < endMs)
    return false
  }
}
