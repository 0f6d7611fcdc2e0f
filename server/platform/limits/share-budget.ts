/**
 * Divides an amount that all share (bytes in memory, connections), so that nobody can use it all: one holder, usually a network, has at
 * most its share. A reserve is left for small leases, of which each holder gets only a small part.
 */
import { FairQueue } from './fair-queue.ts'

type ShareBudgetOptions = {
  /** The whole amount. By default unlimited, as is what one holder may have. */
  readonly total?: number
  readonly perHolderMax?: number
  /** The part of `total` that only small leases may use, and only when the rest is taken. */
  readonly reserve?: number
  /** The largest lease that may use the reserve. */
  readonly smallMax?: number
  /** Most that one holder may have of the reserve. */
  readonly reservePerHolderMax?: number
}

/** What one holder has of each part. */
type Held = { ordinary: number; reserved: number }
type Waiting = { readonly amount: number; readonly start: () => void }

/** An eighth of the total for each holder, and an eighth in reserve, of which each holder gets an eighth. */
export function equalShares(total: number, smallMax: number, largestLease = 0): Required<ShareBudgetOptions> {
  const eighth = Math.ceil(total / 8)
  return {
    total,
    // A budget that is small compared to its largest lease must still accept one of those.
    perHolderMax: Math.min(total, Math.max(eighth, largestLease)),
    reserve: total - eighth >= largestLease ? eighth : 0,
    smallMax,
    reservePerHolderMax: Math.max(smallMax, Math.ceil(eighth / 8)),
  }
}

export class ShareBudget {
  readonly #options: Required<ShareBudgetOptions>
  /** Only those that hold something. */
  readonly #holders = new Map<string, Held>()
  readonly #all: Held = { ordinary: 0, reserved: 0 }
  readonly #waiting = new FairQueue<Waiting>()

  constructor(options: ShareBudgetOptions = {}) {
    const all = Number.POSITIVE_INFINITY
    this.#options = { total: all, perHolderMax: all, reserve: 0, smallMax: 0, reservePerHolderMax: 0, ...options }
  }

  /** By all holders together. */
  get held(): number {
    return this.#all.ordinary + this.#all.reserved
  }

  heldBy(holder: string): number {
    const held = this.#holders.get(holder)
    return held ? held.ordinary + held.reserved : 0
  }

  /** Whether `acquire` would succeed now. */
  hasRoom(holder: string | undefined, amount: number): boolean {
    return this.placeFor(holder, amount, amount) !== undefined
  }

  /**
   * `undefined` if there is not enough left. `holder` is `undefined` for those who may use any part, such as the operator's own relay.
   */
  acquire(holder: string | undefined, amount: number): BudgetLease | undefined {
    const lease = this.openLease(holder)
    return lease.grow(amount) ? lease : undefined
  }

  /** The same for so long, instead of until a lease is disposed of. */
  acquireFor(holder: string | undefined, amount: number, ms: number): boolean {
    const lease = this.acquire(holder, amount)
    if (lease) setTimeout(() => lease[Symbol.dispose](), ms).unref()
    return lease !== undefined
  }

  /**
   * Resolves when there is room. Holders within their share take turns, and none passes one that waits for the others. What is larger than
   * the whole amount gets all of it, alone.
   */
  wait(holder: string, amount: number): Promise<BudgetLease> {
    const within = Math.min(amount, this.#options.total)
    return new Promise(resolve => {
      const start = () => {
        const lease = this.openLease(holder)
        lease.grow(within)
        resolve(lease)
      }
      this.#waiting.push(holder, { amount: within, start })
      this.#startWaiting()
    })
  }

  /** A lease of nothing yet, for what grows. */
  openLease(holder: string | undefined): BudgetLease {
    return new BudgetLease(this, holder)
  }

  /** Which part has room for `amount` more, for a lease that then has this size. */
  placeFor(holder: string | undefined, amount: number, size: number): keyof Held | undefined {
    const { total, reserve, smallMax, reservePerHolderMax } = this.#options
    if (holder !== undefined && this.#isOverShare(holder, amount)) return undefined
    if (this.#all.ordinary + amount <= total - reserve) return 'ordinary'
    if (size > smallMax || this.#all.reserved + amount > reserve) return undefined
    const reserved = holder === undefined ? 0 : (this.#holders.get(holder)?.reserved ?? 0)
    return reserved + amount <= reservePerHolderMax ? 'reserved' : undefined
  }

  /** Used by `BudgetLease`. A negative `amount` gives back. */
  move(holder: string | undefined, place: keyof Held, amount: number): void {
    this.#all[place] += amount
    if (holder !== undefined) {
      const held = this.#holders.get(holder) ?? { ordinary: 0, reserved: 0 }
      held[place] += amount
      if (held.ordinary + held.reserved === 0) this.#holders.delete(holder)
      else this.#holders.set(holder, held)
    }
    if (amount < 0 && this.#waiting.size > 0) this.#startWaiting()
  }

  #isOverShare(holder: string, amount: number): boolean {
    return this.heldBy(holder) + amount > this.#options.perHolderMax
  }

  #startWaiting(): void {
    let isFull = false
    const mayStart = (holder: string, { amount }: Waiting) => {
      if (isFull || this.#isOverShare(holder, amount)) return false
      isFull = !this.hasRoom(holder, amount)
      return !isFull
    }
    for (let next = this.#waiting.shift(mayStart); next; next = this.#waiting.shift(mayStart)) next.start()
  }
}

/** What one message, download or connection holds of a budget, until it is disposed of. Disposing of it again does nothing. */
export class BudgetLease implements Disposable {
  readonly #budget: ShareBudget
  readonly #holder: string | undefined
  #ordinary = 0
  #reserved = 0

  constructor(budget: ShareBudget, holder: string | undefined) {
    this.#budget = budget
    this.#holder = holder
  }

  get size(): number {
    return this.#ordinary + this.#reserved
  }

  /** `false` if there is not enough; then nothing is taken. */
  grow(amount: number): boolean {
    const place = this.#budget.placeFor(this.#holder, amount, this.size + amount)
    if (place === undefined) return false
    this.#budget.move(this.#holder, place, amount)
    if (place === 'ordinary') this.#ordinary += amount
    else this.#reserved += amount
    return true
  }

  [Symbol.dispose](): void {
    const [ordinary, reserved] = [this.#ordinary, this.#reserved]
    this.#ordinary = 0
    this.#reserved = 0
    this.#budget.move(this.#holder, 'ordinary', -ordinary)
    this.#budget.move(this.#holder, 'reserved', -reserved)
  }
}
