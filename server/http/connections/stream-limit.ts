/** How many event streams and long polls one mailbox and one network may hold open at once. */
import { STREAMS_PER_MAILBOX_MAX } from '#contract/limits.ts'
import { AppError } from '#server/errors.ts'
import { KeyedCounter } from '#server/limiter/keyed-counter.ts'
import { ShareBudget } from '#server/limiter/share-budget.ts'

/** All networks together; each is a connection and the keys of an open mailbox. */
const STREAMS_MAX = 8000
/** Streams end when tabs close, so a refused client need not wait long. */
const RETRY_SECONDS = 10

export class StreamLimit {
  readonly #byMailbox = new KeyedCounter()
  readonly #budget: ShareBudget

  constructor(perNetworkMax: number, totalMax = STREAMS_MAX) {
    this.#budget = new ShareBudget({
      total: totalMax,
      perNetworkMax,
      reserve: Math.floor(totalMax / 8),
      smallMax: 1,
      reservePerNetworkMax: STREAMS_PER_MAILBOX_MAX,
    })
  }

  get count(): number {
    return this.#byMailbox.total
  }

  /** Counts a stream; call the result once when it ends. @throws AppError `streams_max`. */
  enter(mailboxId: string, network: string): () => void {
    const hold = this.#budget.open(network)
    if (this.#byMailbox.heldBy(mailboxId) >= STREAMS_PER_MAILBOX_MAX || !hold.grow(1)) {
      throw new AppError('streams_max', { retryAfterSeconds: RETRY_SECONDS })
    }
    const leaveMailbox = this.#byMailbox.hold(mailboxId)
    return () => {
      leaveMailbox()
      hold.release()
    }
  }
}
