/** Who holds how many open streams, so that no token and no network takes them all (case W20). */
import { STREAMS_PER_MAILBOX_MAX } from '#contract/limits.ts'
import { AppError } from '#server/errors.ts'

/** What a client that is refused should wait: streams end when tabs close. */
const RETRY_SECONDS = 10

export class Streams {
  readonly #open = new Map<string, number>()
  readonly #perNetworkMax: number
  #count = 0

  constructor(perNetworkMax: number) {
    this.#perNetworkMax = perNetworkMax
  }

  get count(): number {
    return this.#count
  }

  /** Takes a place; call the result once when the stream ends. @throws AppError `streams_max`. */
  enter(mailboxId: string, network: string): () => void {
    const keys = [`mailbox ${mailboxId}`, `network ${network}`] as const
    if (this.#of(keys[0]) >= STREAMS_PER_MAILBOX_MAX || this.#of(keys[1]) >= this.#perNetworkMax) {
      throw new AppError('streams_max', { retryAfterSeconds: RETRY_SECONDS })
    }
    for (const key of keys) this.#open.set(key, this.#of(key) + 1)
    this.#count += 1
    return () => {
      this.#count -= 1
      for (const key of keys) {
        const left = this.#of(key) - 1
        if (left > 0) this.#open.set(key, left)
        else this.#open.delete(key)
      }
    }
  }

  #of(key: string): number {
    return this.#open.get(key) ?? 0
  }
}
