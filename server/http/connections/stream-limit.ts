/**
 * Limits the open event streams and long polls per mailbox and per network. Apart from `responses/event-stream.ts`, because app.ts needs it
 * first: Hono's adapter, loaded that early, would answer each stream a second time.
 */
import { AppError } from '#server/errors.ts'
import { KeyedCounter, ShareBudget } from '#server/platform/limits/share-budget.ts'

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

  /** Counts a stream until the lease is disposed of. @throws AppError `streams_max`. */
  acquire(mailboxId: string, network: string): Disposable {
    return this.#acquire(this.#budget, mailboxId, network)
  }

  /** The same for a mailbox of an API key or API token, whose owner has a share apart from the network's. */
  acquireForApi(mailboxId: string, owner: string): Disposable {
    return this.#acquire(this.#apiBudget, mailboxId, owner)
  }

  #acquire(budget: ShareBudget, mailboxId: string, key: string): Disposable {
    const hasRoom = this.#byMailbox.heldBy(mailboxId) < STREAMS_PER_MAILBOX_MAX
    const ofKey = hasRoom ? budget.acquire(key, 1) : undefined
    if (!ofKey) throw new AppError('streams_max', { retryAfterSeconds: RETRY_SECONDS })
    const leases = new DisposableStack()
    leases.use(ofKey)
    leases.use(this.#byMailbox.acquire(mailboxId))
    return leases
  }
}
