/**
 * Limits the open event streams and long polls per mailbox and per network. Apart from `responses/event-stream.ts`, because app.ts needs it
 * first: Hono's adapter, loaded that early, would answer each stream a second time.
 */
import { AppError } from '#server/errors.ts'
import { describeShare } from '#server/platform/limits/clients.ts'
import { MostHeld, type Yielding } from '#server/platform/limits/most-held.ts'
import { equalShares, type Holder, ShareBudget } from '#server/platform/limits/share-budget.ts'

/** A person has a few tabs and a phone. */
const STREAMS_PER_MAILBOX_MAX = 6
/** All networks together may have so many. Each is a connection and the keys of an open mailbox. */
const STREAMS_MAX = 8000
/** An API token, or the API keys of one account, may have so many: a test run with a thousand workers. Counted apart from networks. */
const API_STREAMS_MAX = 4000
const API_STREAMS_PER_OWNER_MAX = 1000
/** Short, because streams end when tabs close. */
const RETRY_SECONDS = 10

export class StreamLimit {
  readonly #byMailbox = new ShareBudget({ perHolderMax: STREAMS_PER_MAILBOX_MAX })
  /** Apart, so that an owner's many tabs that watch a mailbox, or somebody who got its token, take no stream from it. */
  readonly #watchersByMailbox = new ShareBudget({ perHolderMax: STREAMS_PER_MAILBOX_MAX })
  readonly #streams: Streams
  readonly #apiStreams = createStreams(API_STREAMS_MAX, API_STREAMS_PER_OWNER_MAX, holder => holder)

  constructor(perNetworkMax: number, totalMax = STREAMS_MAX) {
    this.#streams = createStreams(totalMax, perNetworkMax)
  }

  get count(): number {
    return this.#streams.budget.held + this.#apiStreams.budget.held
  }

  /** Counts a stream for its networks and mailbox until disposal. `giveWay`: it must end for another. @throws AppError `streams_max`. */
  acquire(mailboxId: string, networks: Holder, giveWay: () => void): Disposable {
    return this.#acquire(this.#streams, mailboxId, networks, giveWay)
  }

  /**
   * The same for a mailbox of an API key or API token, whose owner has a share apart from the network's. An account stands in place of the
   * smallest network: the accounts of one line have together what its larger networks may have. API tokens are the operator's.
   */
  acquireForApi(mailboxId: string, owner: string, networks: Holder, giveWay: () => void): Disposable {
    const larger = owner.startsWith('account:') ? networks.slice(1) : []
    return this.#acquire(this.#apiStreams, mailboxId, [owner, ...larger], giveWay)
  }

  /** For a further mailbox of a stream. `undefined` if so many streams watch it that this one must do without. */
  acquireWatcher(mailboxId: string): Disposable | undefined {
    return this.#watchersByMailbox.acquire([mailboxId], 1)
  }

  #acquire({ budget, open }: Streams, mailboxId: string, networks: Holder, giveWay: () => void): Disposable {
    using leases = new DisposableStack()
    if (!leases.use(this.#byMailbox.acquire([mailboxId], 1))) throw new AppError('streams_max', { retryAfterSeconds: RETRY_SECONDS })
    const lease = open.acquire(networks, 1)
    if (lease) {
      leases.use(open.add({ networks, lease, giveWay }))
      return leases.move()
    }
    const detail = `All streams of ${describeShare(budget.fullShare(networks, 1))} are in use.`
    throw new AppError('streams_max', { retryAfterSeconds: RETRY_SECONDS, detail })
  }
}

type Streams = { readonly budget: ShareBudget; readonly open: MostHeld<Yielding> }

/** When all are open, the oldest one of whoever has most gives way, be it a network or an owner, unless that has only one. */
function createStreams(total: number, perHolderMax: number, groupsOf?: (holder: Holder) => Holder): Streams {
  const budget = new ShareBudget({ ...equalShares(total, 1), perHolderMax, reservePerHolderMax: STREAMS_PER_MAILBOX_MAX })
  return { budget, open: new MostHeld(budget, { keptMax: STREAMS_PER_MAILBOX_MAX, ...(groupsOf && { groupsOf }) }) }
}
