/**
 * Divides an amount that all share (bytes in memory, connections), so that nobody can use it all: one holder has at most its share. A
 * reserve is left for small leases, of which each holder gets only a small part.
 */
import { FairQueue } from './fair-queue.ts'

/**
 * Who holds: the key of one mailbox or account, or those of the networks around a client, the smallest first. Each of them has a share, and
 * a larger network has a larger one. Without keys any part may be used, as the operator's own relay does.
 */
export type Holder = readonly string[]

type ShareBudgetOptions = {
  /** The whole amount. By default unlimited, as is what one holder may have. */
  readonly total?: number
  /** The share of the smallest key. That of the largest network is a quarter of `total`, or half as much again. */
  readonly perHolderMax?: number
  /** The part of `total` that only small leases may use, and only when the rest is taken. */
  readonly reserve?: number
  /** The largest lease that may use the reserve. */
  readonly smallMax?: number
  /** Most that the smallest key may have of the reserve. The largest network may have twice as much. */
  readonly reservePerHolderMax?: number
}

/** What one key has of each part. */
type Held = { ordinary: number; reserved: number }
type Waiting = { readonly holder: Holder; readonly amount: number; readonly start: () => void }

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

/** The shares of a small, a middle and a large network (see `Client.networks`). */
function growingShares(smallest: number, largest: number): readonly number[] {
  return [smallest, Math.floor((smallest + largest) / 2), Math.floor(largest)]
}

export class ShareBudget {
  readonly #options: Required<ShareBudgetOptions>
  readonly #shares: readonly number[]
  readonly #reservedShares: readonly number[]
  /** Only those that hold something. */
  readonly #holders = new Map<string, Held>()
  readonly #all: Held = { ordinary: 0, reserved: 0 }
  readonly #waiting = new FairQueue<Waiting>()

  constructor(options: ShareBudgetOptions = {}) {
    const all = Number.POSITIVE_INFINITY
    this.#options = { total: all, perHolderMax: all, reserve: 0, smallMax: 0, reservePerHolderMax: 0, ...options }
    const { total, perHolderMax, reservePerHolderMax } = this.#options
    this.#shares = growingShares(perHolderMax, Math.max(total / 4, 1.5 * perHolderMax))
    this.#reservedShares = growingShares(reservePerHolderMax, 2 * reservePerHolderMax)
  }

  /** By all holders together. */
  get held(): number {
    return this.#all.ordinary + this.#all.reserved
  }

  heldBy(key: string): number {
    const held = this.#holders.get(key)
    return held ? held.ordinary + held.reserved : 0
  }

  /** Whether `acquire` would succeed now. */
  hasRoom(holder: Holder, amount: number): boolean {
    return this.placeFor(holder, amount, amount) !== undefined
  }

  /** The first key of the holder whose share is too small for `amount` more. `undefined` if the shares are not what is missing. */
  fullShare(holder: Holder, amount: number): string | undefined {
    return holder.find((key, size) => this.heldBy(key) + amount > (this.#shares[size] ?? 0))
  }

  /** `undefined` if there is not enough left. */
  acquire(holder: Holder, amount: number): BudgetLease | undefined {
    const lease = this.openLease(holder)
    return lease.grow(amount) ? lease : undefined
  }

  /** The same for so long, instead of until a lease is disposed of. */
  acquireFor(holder: Holder, amount: number, ms: number): boolean {
    const lease = this.acquire(holder, amount)
    if (lease) setTimeout(() => lease[Symbol.dispose](), ms).unref()
    return lease !== undefined
  }

  /** Resolves when there is room. Holders within their share take turns. What is larger than the whole amount gets it alone. */
  wait(holder: Holder, amount: number): Promise<BudgetLease> {
    const within = Math.min(amount, this.#options.total)
    return new Promise(resolve => {
      const start = () => {
        const lease = this.openLease(holder)
        lease.grow(within)
        resolve(lease)
      }
      this.#waiting.push(holder, { holder, amount: within, start })
      this.#startWaiting()
    })
  }

  /** A lease of nothing yet, for what grows. */
  openLease(holder: Holder): BudgetLease {
    return new BudgetLease(this, holder)
  }

  /** Which part has room for `amount` more, for a lease that then has this size. */
  placeFor(holder: Holder, amount: number, size: number): keyof Held | undefined {
    const { total, reserve, smallMax } = this.#options
    if (this.fullShare(holder, amount) !== undefined) return undefined
    if (this.#all.ordinary + amount <= total - reserve) return 'ordinary'
    if (size > smallMax || this.#all.reserved + amount > reserve) return undefined
    const fits = (key: string, size: number) => (this.#holders.get(key)?.reserved ?? 0) + amount <= (this.#reservedShares[size] ?? 0)
    return holder.every(fits) ? 'reserved' : undefined
  }

  /** Used by `BudgetLease`. A negative `amount` gives back. */
  move(holder: Holder, place: keyof Held, amount: number): void {
    this.#all[place] += amount
    for (const key of holder) {
      const held = this.#holders.get(key) ?? { ordinary: 0, reserved: 0 }
      held[place] += amount
      if (held.ordinary + held.reserved === 0) this.#holders.delete(key)
      else this.#holders.set(key, held)
    }
    if (amount < 0 && this.#waiting.size > 0) this.#startWaiting()
  }

  #startWaiting(): void {
    let isFull = false
    const mayStart = ({ holder, amount }: Waiting) => {
      if (isFull || this.fullShare(holder, amount) !== undefined) return false
      isFull = !this.hasRoom(holder, amount)
      return !isFull
    }
    for (let next = this.#waiting.shift(mayStart); next; next = this.#waiting.shift(mayStart)) next.start()
  }
}

/** What one message, download or connection holds of a budget, until it is disposed of. Disposing of it again does nothing. */
export class BudgetLease implements Disposable {
  readonly #budget: ShareBudget
  readonly #holder: Holder
  #ordinary = 0
  #reserved = 0
  #fullShare: string | undefined

  constructor(budget: ShareBudget, holder: Holder) {
    this.#budget = budget
    this.#holder = holder
  }

  get size(): number {
    return this.#ordinary + this.#reserved
  }

  /** The key whose share was too small when it could last not grow. */
  get fullShare(): string | undefined {
    return this.#fullShare
  }

  /** `false` if there is not enough; then nothing is taken. */
  grow(amount: number): boolean {
    const place = this.#budget.placeFor(this.#holder, amount, this.size + amount)
    if (place === undefined) {
      this.#fullShare = this.#budget.fullShare(this.#holder, amount)
      return false
    }
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
