import type { Clock } from '#server/platform/clock.ts'
import { type BudgetLease, equalShares, ShareBudget } from '#server/platform/limits/share-budget.ts'

const WINDOW_MS = 3_600_000
/** Reports and bounces of a busy service stay below a few per hour. */
const MESSAGES_MAX = 160

/**
 * Limits mail to postmaster and abuse per hour. Every server must accept it (RFC 5321 section 4.5.1) and the operator reads all of it. Each
 * network has a share, so that a rare report still arrives while other networks flood.
 */
export class OperatorMailQuota {
  readonly #budget = new ShareBudget({ ...equalShares(MESSAGES_MAX, 1), reservePerNetworkMax: 1 })
  readonly #nowMs: Clock
  /** Oldest first. */
  readonly #recent: { readonly endsMs: number; readonly lease: BudgetLease }[] = []

  constructor(nowMs: Clock) {
    this.#nowMs = nowMs
  }

  hasRoom(network: string | undefined): boolean {
    this.#forget()
    return this.#budget.hasRoom(network, 1)
  }

  /** Counts a message. `false` when the network, or all of them together, reached the limit. */
  take(network: string | undefined): boolean {
    this.#forget()
    const lease = this.#budget.acquire(network, 1)
    if (!lease) return false
    this.#recent.push({ endsMs: this.#nowMs() + WINDOW_MS, lease })
    return true
  }

  #forget(): void {
    const now = this.#nowMs()
    while (this.#recent[0] && this.#recent[0].endsMs <= now) this.#recent.shift()?.lease[Symbol.dispose]()
  }
}
