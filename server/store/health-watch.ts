/**
 * The last known health of the store, available at once: a readiness probe must not wait behind reads or deliveries, or a busy server would
 * look broken.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MailStore, StoreHealth } from './store.ts'

const CHECK_MS = 500
/** A store that has not responded for this long is stuck, not just busy. */
const STUCK_MS = 30_000

const UNKNOWN: StoreHealth = { ok: false, isFull: false, mailboxes: 0, bytesOnDisk: 0, roomBytes: 0, capacityBytes: 0 }

/** What a store is before its first check. */
const HEALTHY: Pick<StoreHealth, 'ok' | 'isFull' | 'shards'> = { ok: true, isFull: false }

type Options = {
  readonly checkMs?: number
  readonly stuckMs?: number
  /**
   * Called when the store has failed twice in a row, since one check may only have been slow; when a shard is away; when it is full; and
   * when it recovers.
   */
  readonly onChange?: (health: StoreHealth) => void
}

export class HealthWatch implements AsyncDisposable {
  readonly #store: Pick<MailStore, 'health'>
  readonly #closing = new AbortController()
  readonly #stuckMs: number
  readonly #onChange: (health: StoreHealth) => void
  readonly #watching: Promise<void>
  #seen: StoreHealth | undefined
  #seenAtMs = Number.NEGATIVE_INFINITY
  #told = HEALTHY

  private constructor(store: Pick<MailStore, 'health'>, { checkMs = CHECK_MS, stuckMs = STUCK_MS, onChange = () => undefined }: Options) {
    this.#store = store
    this.#stuckMs = stuckMs
    this.#onChange = onChange
    this.#watching = this.#watch(checkMs)
  }

  /** Resolves after the first check. */
  static async start(store: Pick<MailStore, 'health'>, options: Options = {}): Promise<HealthWatch> {
    const watch = new HealthWatch(store, options)
    await watch.#check()
    return watch
  }

  /** The same object until the next check. */
  get latest(): StoreHealth {
    const isStuck = performance.now() - this.#seenAtMs > this.#stuckMs
    return this.#seen && !isStuck ? this.#seen : UNKNOWN
  }

  async [Symbol.asyncDispose]() {
    this.#closing.abort()
    await this.#watching
  }

  async #watch(checkMs: number): Promise<void> {
    const { signal } = this.#closing
    while (await sleep(checkMs, true, { signal, ref: false }).catch(() => false)) await this.#check()
  }

  async #check(): Promise<void> {
    const before = this.#seen
    const seen = await this.#store.health().catch(() => UNKNOWN)
    this.#seen = seen
    this.#seenAtMs = performance.now()
    const told = this.#told
    const isSame = seen.ok === told.ok && seen.isFull === told.isFull && countAway(seen) === countAway(told)
    if (this.#closing.signal.aborted || isSame) return
    const hasJustFailed = !seen.ok && !seen.isFull && before?.ok !== false
    if (hasJustFailed || countAway(seen) > countAway(before)) return
    this.#told = seen
    this.#onChange(seen)
  }
}

function countAway(health: Pick<StoreHealth, 'shards'> | undefined): number {
  return health?.shards?.away ?? 0
}
