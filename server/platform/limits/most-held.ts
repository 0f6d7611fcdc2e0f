/**
 * Lets whoever holds most of a full budget give way. The shares of a budget stop one network; a hundred could still keep all of it for
 * nothing, with idle connections or messages that never end.
 */
import type { BudgetLease, Holder, ShareBudget } from './share-budget.ts'

/** Who already has something must have, with what it asks for, less than this part of what the network with most has. */
const FAR_LESS = 1 / 2

/** Part of a budget that may be taken from whoever holds it. */
export type Yielding = {
  readonly networks: Holder
  readonly lease: BudgetLease
  /** Called when the lease was given to another. */
  giveWay(): void
}

type MostHeldOptions<Held> = {
  /** A network with this much or less gives way to nobody. */
  readonly keptMax: number
  /** Whether this one may be ended now. By default always. */
  readonly mayGiveWay?: (one: Held) => boolean
  /** The order in which those of one client go. By default the one that was added first. */
  readonly goesBefore?: (one: Held, other: Held) => boolean
  /** Keys of whoever holds, of which the one with most gives way. By default the largest network. */
  readonly groupsOf?: (networks: Holder) => Holder
}

export class MostHeld<Held extends Yielding> {
  readonly #budget: ShareBudget
  readonly #options: Required<MostHeldOptions<Held>>
  /** By group, because a full budget of connections is searched for each one that arrives. */
  readonly #held = new Map<string, Set<Held>>()

  constructor(budget: ShareBudget, options: MostHeldOptions<Held>) {
    this.#budget = budget
    this.#options = { mayGiveWay: () => true, goesBefore: () => false, groupsOf: networks => networks.slice(-1), ...options }
  }

  /** It may give way until the result or its lease is disposed of. Without networks it stands for many, and gives way to nobody. */
  add(one: Held): Disposable {
    for (const group of this.#options.groupsOf(one.networks)) this.#held.set(group, (this.#held.get(group) ?? new Set()).add(one))
    return {
      [Symbol.dispose]: () => {
        this.delete(one)
        one.lease[Symbol.dispose]()
      },
    }
  }

  delete(one: Held): void {
    for (const group of this.#options.groupsOf(one.networks)) {
      const held = this.#held.get(group)
      held?.delete(one)
      if (held?.size === 0) this.#held.delete(group)
    }
  }

  /** Does what `ShareBudget.acquire` does, and takes from others if they are to give way. The caller adds what it holds. */
  acquire(networks: Holder, amount: number): BudgetLease | undefined {
    let lease = this.#budget.acquire(networks, amount)
    while (!lease && this.makeRoom(networks, amount)) lease = this.#budget.acquire(networks, amount)
    return lease
  }

  /** Ends what is to give way to `amount` more of these networks. `false` if there is nothing, and the newcomer is refused. */
  makeRoom(networks: Holder, amount: number): boolean {
    const found = this.find(networks, amount)
    if (!found) return false
    this.delete(found)
    found.lease[Symbol.dispose]()
    found.giveWay()
    return true
  }

  /** Returns what `makeRoom` would end: the first of the group that has most, for a newcomer that has nothing or far less. */
  find(networks: Holder, amount: number): Held | undefined {
    if (this.#budget.fullShare(networks, amount) !== undefined) return undefined
    const own = Math.max(0, ...this.#options.groupsOf(networks).map(group => this.#budget.heldBy(group)))
    const isFarLess = (than: number) => (own === 0 ? amount <= than : own + amount < than * FAR_LESS)
    let found: Held | undefined
    let most = this.#options.keptMax
    for (const [group, all] of this.#held) {
      const held = this.#budget.heldBy(group)
      const first = held > most && isFarLess(held) ? this.#firstOf(all) : undefined
      if (first) [found, most] = [first, held]
    }
    return found
  }

  /** One of the client that has most goes first, so that its neighbours lose nothing for it. */
  #firstOf(all: Iterable<Held>): Held | undefined {
    let first: Held | undefined
    let most = 0
    for (const one of all) {
      if (!this.#options.mayGiveWay(one)) continue
      const held = this.#budget.heldBy(one.networks[0] ?? '')
      if (!first || held > most || (held === most && this.#options.goesBefore(one, first))) [first, most] = [one, held]
    }
    return first
  }
}
