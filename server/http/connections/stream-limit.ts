/** How many event streams and long polls one mailbox and one network may hold open at once. */
import { STREAMS_PER_MAILBOX_MAX } from '#contract/limits.ts'
import { AppError } from '#server/errors.ts'
import { KeyedCounter } from '#server/limiter/keyed-counter.ts'

/** Streams end when tabs close, so a refused client need not wait long. */
const RETRY_SECONDS = 10

export class StreamLimit {
  readonly #byMailbox = new KeyedCounter()
  readonly #byNetwork = new KeyedCounter()
  readonly #perNetworkMax: number

  constructor(perNetworkMax: number) {
    this.#perNetworkMax = perNetworkMax
  }

  get count(): number {
    return this.#byMailbox.total
  }

  /** Counts a stream; call the result once when it ends. @throws AppError `streams_max`. */
  enter(mailboxId: string, network: string): () => void {
    const isFull = this.#byMailbox.heldBy(mailboxId) >= STREAMS_PER_MAILBOX_MAX || this.#byNetwork.heldBy(network) >= this.#perNetworkMax
    if (isFull) throw new AppError('streams_max', { retryAfterSeconds: RETRY_SECONDS })
    const leaveMailbox = this.#byMailbox.hold(mailboxId)
    const leaveNetwork = this.#byNetwork.hold(network)
    return () => {
      leaveMailbox()
      leaveNetwork()
    }
  }
}
