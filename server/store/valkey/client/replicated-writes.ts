/**
 * Writes to one master, acknowledged by its replicas. `WAIT` blocks a connection until the replicas have everything it wrote, so writes
 * that arrive meanwhile form the next group, with one `WAIT` for all of them: like one fsync for a group commit.
 */
import type { NodeConnection, Reply } from './node-connection.ts'

/** Shorter than the silence after which a connection is given up. */
const WAIT_MS_MAX = 1000
/** With `appendfsync everysec`, data is synced once a second. */
const SYNC_MS_MAX = 2000
/** Limits how much waits for one `WAIT`. */
const GROUP_MAX = 512

export type Acknowledgement = {
  /** Replicas that must have a write before it counts. */
  readonly replicas: number
  /** Whether the master, and that many replicas, must have synced it to disk (`WAITAOF`, Valkey or Redis 7.2). */
  readonly isSynced: boolean
}

/** The master has the write, but not enough replicas in time. It may be lost with the master, so it must not be acknowledged. */
export class NotReplicated extends Error {}

type Write = {
  readonly send: (connection: NodeConnection) => Promise<Reply>
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: unknown) => void
}

export class ReplicatedWrites {
  readonly #connection: NodeConnection
  readonly #acknowledgement: () => Acknowledgement
  #waiting: Write[] = []
  #isBusy = false

  constructor(connection: NodeConnection, acknowledgement: () => Acknowledgement) {
    this.#connection = connection
    this.#acknowledgement = acknowledgement
  }

  /** Resolves when the write is acknowledged as configured. @throws NotReplicated if that takes too long. */
  write(send: Write['send']): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ send, resolve, reject })
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
    const replies = group.map(({ send }) => send(this.#connection))
    const acknowledged = this.#wait()
    const settled = await Promise.allSettled(replies)
    const isAcknowledged = await acknowledged
    for (const [i, { resolve, reject }] of group.entries()) {
      const reply = settled[i]
      if (reply?.status !== 'fulfilled') reject(reply?.reason)
      else if (isAcknowledged) resolve(reply.value)
      else reject(new NotReplicated('not enough replicas had the write in time'))
    }
  }

  /** Sent right after the writes on the same connection: on another one it would not wait for them. */
  async #wait(): Promise<boolean> {
    const { replicas, isSynced } = this.#acknowledgement()
    try {
      if (isSynced) {
        const [local, remote] = (await this.#connection.call('WAITAOF', 1, replicas, SYNC_MS_MAX)) as [number, number]
        return local >= 1 && remote >= replicas
      }
      return replicas === 0 || Number(await this.#connection.call('WAIT', replicas, WAIT_MS_MAX)) >= replicas
    } catch {
      return false
    }
  }
}
