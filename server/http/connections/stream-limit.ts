/** Limits the open event streams and long polls per mailbox and per network. */
import { AppError } from '#server/errors.ts'
import { KeyedCounter } from '#server/limiter/keyed-counter.ts'
import { ShareBudget } from '#server/limiter/share-budget.ts'

/** A person has a few tabs and a phone. */
const STREAMS_PER_MAILBOX_MAX = 6
/** Of all networks together. Each is a connection and the keys of an open mailbox. */
const STREAMS_MAX = 8000
/** Of one API token, or one account's API keys: a test run with a thousand workers. Counted apart from networks. */
const API_STREAMS_MAX = 4000
const API_STREAMS_PER_OWNER_MAX = 1000
/** Short, because streams end when tabs close. */
const RETRY_SECONDS = 10

export class StreamLimit {
  readonly #byMailbox = new KeyedCounter()
  readonly #budget: ShareBudget
  readonly #apiBudget = new ShareBudget({
    total: API_STREAMS_MAX,
    perNetworkMax: API_STREAMS_PER_OWNER_MAX,
    reserve: API_STREAMS_MAX / 8,
    smallMax: 1,
    reservePerNetworkMax: STREAMS_PER_MAILBOX_MAX,
  })

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
    return this.#enter(this.#budget, mailboxId, network)
  }

  /** The same for a mailbox of an API key or API token, whose owner has a share apart from the network's. */
  enterForApi(mailboxId: string, owner: string): () => void {
    return this.#enter(this.#apiBudget, mailboxId, owner)
  }

  #enter(budget: ShareBudget, mailboxId: string, key: string): () => void {
    const hold = budget.open(key)
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
