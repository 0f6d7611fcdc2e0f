/**
 * An amount that all networks share (bytes in memory, connections), divided so that no neighbour can starve another: one network holds at
 * most its share, and when the rest is taken a reserve is left for small work, of which one network gets only a small part.
 */
type ShareBudgetOptions = {
  /** All there is. */
  readonly total: number
  /** What one network may hold at once. */
  readonly perNetworkMax: number
  /** The part of `total` that only small holds may use, and only when the rest is taken. */
  readonly reserve: number
  /** A hold of at most this much is small. */
  readonly smallMax: number
  /** What one network may hold of the reserve. */
  readonly reservePerNetworkMax: number
}

/** What one network holds of each of the two parts. */
type Held = { ordinary: number; reserved: number }

/** An eighth of the whole for each network and an eighth in reserve, of which each network gets an eighth. */
export function equalShares(total: number, smallMax: number, largestHold = 0): ShareBudgetOptions {
  const eighth = Math.ceil(total / 8)
  return {
    total,
    // A budget that is small beside its largest hold must still take one of those.
    perNetworkMax: Math.min(total, Math.max(eighth, largestHold)),
    reserve: total - eighth >= largestHold ? eighth : 0,
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

  /** Networks that hold something now. */
  get networkCount(): number {
    return this.#networks.size
  }

  usedBy(network: string): number {
    const held = this.#networks.get(network)
    return held ? held.ordinary + held.reserved : 0
  }

  /** Would a new hold of `amount` be granted now? */
  hasRoom(network: string | undefined, amount: number): boolean {
    return this.placeFor(network, amount, amount) !== undefined
  }

  /** `network` is `undefined` for those who may take any part of the whole, such as a relay of the operator's own. */
  open(network: string | undefined): BudgetHold {
    return new BudgetHold(this, network)
  }

  /** Which part has room for `amount` more in a hold that is then `size` large. */
  placeFor(network: string | undefined, amount: number, size: number): keyof Held | undefined {
    const { total, perNetworkMax, reserve, smallMax, reservePerNetworkMax } = this.#options
    const held = network === undefined ? undefined : this.#networks.get(network)
    if (network !== undefined && (held ? held.ordinary + held.reserved : 0) + amount > perNetworkMax) return undefined
    if (this.#all.ordinary + amount <= total - reserve) return 'ordinary'
    if (size > smallMax || this.#all.reserved + amount > reserve) return undefined
    return (held?.reserved ?? 0) + amount <= reservePerNetworkMax ? 'reserved' : undefined
  }

  /** For `BudgetHold`: a negative `amount` gives back. */
  move(network: string | undefined, place: keyof Held, amount: number): void {
    this.#all[place] += amount
    if (network === undefined) return
    const held = this.#networks.get(network) ?? { ordinary: 0, reserved: 0 }
    held[place] += amount
    if (held.ordinary + held.reserved === 0) this.#networks.delete(network)
    else this.#networks.set(network, held)
  }
}

/** What one piece of work (a message, a download, a connection) holds of a budget. */
export class BudgetHold {
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

  /** `false`, and nothing taken, when there is no room. */
  grow(amount: number): boolean {
    const place = this.#budget.placeFor(this.#network, amount, this.size + amount)
    if (place === undefined) return false
    this.#budget.move(this.#network, place, amount)
    if (place === 'ordinary') this.#ordinary += amount
    else this.#reserved += amount
    return true
  }

  /** Gives everything back; a second call gives nothing. */
  release(): void {
    this.#budget.move(this.#network, 'ordinary', -this.#ordinary)
    this.#budget.move(this.#network, 'reserved', -this.#reserved)
    this.#ordinary = 0
    this.#reserved = 0
  }
}
