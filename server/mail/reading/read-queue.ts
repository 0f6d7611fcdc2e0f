/** Queues reads. Decrypting the largest message takes four times its size in memory, so sixty at once take gigabytes. */
import { KIB } from '#contract/limits.ts'
import { AppError } from '#server/errors.ts'
import { type Holder, ShareBudget } from '#server/platform/limits/share-budget.ts'
import type { MailboxId } from '#server/store/store.ts'

const RETRY_SECONDS = 1

export type Reader = {
  /** It uses the shares of these. */
  readonly networks: Holder
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal
}

type ReadQueueOptions = {
  /** At once, all networks together. */
  readonly readsMax: number
  /** At once, one network. */
  readonly perNetworkMax: number
  readonly waitingPerMailboxMax: number
}

/** Hundreds of tests on one machine wait for small messages at once. */
export const SMALL_READS: ReadQueueOptions = { readsMax: 64, perNetworkMax: 32, waitingPerMailboxMax: 64 }
/** Messages up to this size take milliseconds to read, so one network may read many at once. */
export const SMALL_READ_BYTES_MAX = 64 * KIB

/** One mailbox reads one thing at a time, one network only so many, and the networks that wait take turns. */
export class ReadQueue {
  readonly #options: ReadQueueOptions
  readonly #lines = new Map<MailboxId, { last: Promise<unknown>; length: number }>()
  readonly #reads: ShareBudget

  constructor(options: ReadQueueOptions) {
    this.#options = options
    this.#reads = new ShareBudget({ total: options.readsMax, perHolderMax: options.perNetworkMax })
  }

  /**
   * Runs `read` when it is this reader's turn, and not at all when the reader has disconnected by then.
   * @throws AppError `rate_limited` when too many reads of the mailbox wait already, `unavailable` when the reader has disconnected.
   */
  async run<T>(mailboxId: MailboxId, { networks, signal }: Reader, read: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(mailboxId) ?? { last: Promise.resolve(), length: 0 }
    if (line.length >= this.#options.waitingPerMailboxMax) throw new AppError('rate_limited', { retryAfterSeconds: RETRY_SECONDS })
    line.length += 1
    this.#lines.set(mailboxId, line)
    const turn = line.last.then(() => this.#inTurn(networks, signal, read))
    // The queue must not keep the result.
    line.last = Promise.allSettled([turn]).then(() => undefined)
    try {
      return await turn
    } finally {
      line.length -= 1
      if (line.length === 0) this.#lines.delete(mailboxId)
    }
  }

  async #inTurn<T>(networks: Holder, signal: AbortSignal, read: () => Promise<T>): Promise<T> {
    refuseDisconnected(signal)
    using _read = await this.#reads.wait(networks, 1)
    refuseDisconnected(signal)
    return await read()
  }
}

function refuseDisconnected(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS })
}
