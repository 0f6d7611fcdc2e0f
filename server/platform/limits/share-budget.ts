/**
 * Divides an amount that all networks share (bytes in memory, connections), so that none can use it all: one network holds at most its
 * share. A reserve is left for small leases, of which each network gets only a small part.
 */
type ShareBudgetOptions = {
  /** The whole amount. */
  readonly total: number
  /** Most that one network may hold. */
  readonly perNetworkMax: number
  /** The part of `total` that only small leases may use, and only when the rest is taken. */
  readonly reserve: number
  /** The largest lease that may use the reserve. */
  readonly smallMax: number
  /** Most that one network may hold of the reserve. */
  readonly reservePerNetworkMax: number
}

/** What one network holds of each part. */
type Held = { ordinary: number; reserved: number }

/** An eighth of the total for each network, and an eighth in reserve, of which each network gets an eighth. */
export function equalShares(total: number, smallMax: number, largestLease = 0): ShareBudgetOptions {
  const eighth = Math.ceil(total / 8)
  return {
    total,
    // A budget that is small compared to its largest lease must still accept one of those.
    perNetworkMax: Math.min(total, Math.max(eighth, largestLease)),
    reserve: total - eighth >= largestLease ? eighth : 0,
    smallMax,
    reservePerNetworkMax: Math.max(smallMax, Math.ceil(eighth / 8)),
  }
}

export class ShareBudget {
  readonly #options: ShareBudgetOptions
  /** Only networks that hold something. */
  readonly #networks = new Map<string, Held>()
  readonly #all: Held = { ordinary: 0, reserved: 0 }

  constructor(options: ShareBudgetOptions) {
    this.#options = options
  }

  get used(): number {
    return this.#all.ordinary + this.#all.reserved
  }

  usedBy(network: string): number {
    const held = this.#networks.get(network)
    return held ? held.ordinary + held.reserved : 0
  }

  /** Whether `acquire` would succeed now. */
  hasRoom(network: string | undefined, amount: number): boolean {
    return this.placeFor(network, amount, amount) !== undefined
  }

  /**
   * `undefined` if there is not enough left. `network` is `undefined` for clients that may use any part, such as the operator's own relay.
   */
  acquire(network: string | undefined, amount: number): BudgetLease | undefined {
    const lease = this.openLease(network)
    return lease.grow(amount) ? lease : undefined
  }

  /** A lease of nothing yet, for what grows. */
  openLease(network: string | undefined): BudgetLease {
    return new BudgetLease(this, network)
  }

  /** Which part has room for `amount` more, for a lease that then has this size. */
  placeFor(network: string | undefined, amount: number, size: number): keyof Held | undefined {
    const { total, perNetworkMax, reserve, smallMax, reservePerNetworkMax } = this.#options
    const held = network === undefined ? undefined : this.#networks.get(network)
    if (network !== undefined && (held ? held.ordinary + held.reserved : 0) + amount > perNetworkMax) return undefined
    if (this.#all.ordinary + amount <= total - reserve) return 'ordinary'
    if (size > smallMax || this.#all.reserved + amount > reserve) return undefined
    return (held?.reserved ?? 0) + amount <= reservePerNetworkMax ? 'reserved' : undefined
  }

  /** Used by `BudgetLease`. A negative `amount` gives back. */
  move(network: string | undefined, place: keyof Held, amount: number): void {
    this.#all[place] += amount
    if (network === undefined) return
    const held = this.#networks.get(network) ?? { ordinary: 0, reserved: 0 }
    held[place] += amount
    if (held.ordinary + held.reserved === 0) this.#networks.delete(network)
    else this.#networks.set(network, held)
  }
}

/** What one message, download or connection holds of a budget, until it is disposed of. Disposing of it again does nothing. */
export class BudgetLease implements Disposable {
  readonly #budget: ShareBudget
  readonly #network: string | undefined
  #ordinary = 0
  #reserved = 0

  constructor(budget: ShareBudget, network: string | undefined) {
    this.#budget = budget
    this.#network = network
  }

  get size(): number {
    return this.#ordinary + this.#reserved
  }

  /** `false` if there is not enough; then nothing is taken. */
  grow(amount: number): boolean {
    const place = this.#budget.placeFor(this.#network, amount, this.size + amount)
    if (place === undefined) return false
    this.#budget.move(this.#network, place, amount)
    if (place === 'ordinary') this.#ordinary += amount
    else this.#reserved += amount
    return true
  }

  [Symbol.dispose](): void {
    this.#budget.move(this.#network, 'ordinary', -this.#ordinary)
    this.#budget.move(this.#network, 'reserved', -this.#reserved)
    this.#ordinary = 0
    this.#reserved = 0
  }
}

/** Counts how much each key holds at the moment. A key that holds nothing takes no memory. */
export class KeyedCounter {
  readonly #held = new Map<string, number>()
  #total = 0

  /** Held by all keys together. */
  get total(): number {
    return this.#total
  }

  heldBy(key: string): number {
    return this.#held.get(key) ?? 0
  }

  /** Counts the amount until the lease is disposed of. */
  acquire(key: string, amount = 1): Disposable {
    this.#add(key, amount)
    let isReleased = false
    return {
      [Symbol.dispose]: () => {
        if (!isReleased) this.#add(key, -amount)
        isReleased = true
      },
    }
  }

  #add(key: string, amount: number): void {
    this.#total += amount
    const held = this.heldBy(key) + amount
    if (held > 0) this.#held.set(key, held)
    else this.#held.delete(key)
  }
}
