import { AppError } from '#server/errors.ts'
import { networksServed } from '#server/platform/limits/clients.ts'
import { ShareBudget } from '#server/platform/limits/share-budget.ts'

/** Part of the connections that the smallest network may hold at once. The largest one may hold half as many more. */
const NETWORK_SHARE = 0.4
/** Queries take milliseconds, so whoever waits for longer waits for a database that hangs. */
const WAIT_MS_MAX = 10_000
const RETRY_SECONDS = 2

/**
 * The connections of this process to the database, which are shared as everything else is: the networks of the clients who are served take
 * turns, and none of them holds all. Background work belongs to nobody and goes first, since it asks for one thing after the other.
 */
export class ConnectionShares {
  readonly #budget: ShareBudget

  constructor(total: number) {
    this.#budget = new ShareBudget({ total, perHolderMax: Math.ceil(total * NETWORK_SHARE) })
  }

  /** A turn to use one connection, until it is disposed of. AppError `unavailable` if it does not come in time. */
  async take(): Promise<Disposable> {
    const turn = this.#budget.wait(networksServed(), 1)
    const late = Promise.withResolvers<never>()
    const refuse = () => late.reject(new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS }))
    const timer = setTimeout(refuse, WAIT_MS_MAX)
    try {
      return await Promise.race([turn, late.promise])
    } catch (error) {
      void turn.then(unused => unused[Symbol.dispose]())
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}
