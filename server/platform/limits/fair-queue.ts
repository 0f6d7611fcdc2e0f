import type { Holder } from './share-budget.ts'

/**
 * A queue with one line per owner, served in turn, so that a thousand items of one do not delay one of another. An owner is named by the
 * networks around it, the smallest first: the largest take turns, and within each of them the smaller ones.
 */
export class FairQueue<Item> {
  /** In the order of their turns; lines are never empty. */
  readonly #lines = new Map<string, FairQueue<Item>>()
  readonly #items: Item[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Items of the line of this owner, and of the smaller ones within it. */
  sizeOf(owner: readonly string[]): number {
    const outermost = owner.at(-1)
    return outermost === undefined ? this.#size : (this.#lines.get(outermost)?.sizeOf(owner.slice(0, -1)) ?? 0)
  }

  push(owner: readonly string[], item: Item): void {
    this.#size++
    const outermost = owner.at(-1)
    if (outermost === undefined) {
      this.#items.push(item)
      return
    }
    const line = this.#lines.get(outermost) ?? new FairQueue<Item>()
    this.#lines.set(outermost, line)
    line.push(owner.slice(0, -1), item)
  }

  /** Removes the first item of the line whose turn it is, and moves the line to the end. Lines whose first item may not go stay. */
  shift(mayGo: (first: Item) => boolean = () => true): Item | undefined {
    const [own] = this.#items
    if (own !== undefined && mayGo(own)) {
      this.#size--
      return this.#items.shift()
    }
    for (const [owner, line] of this.#lines) {
      const item = line.shift(mayGo)
      if (item === undefined) continue
      this.#lines.delete(owner)
      if (line.size > 0) this.#lines.set(owner, line)
      this.#size--
      return item
    }
    return undefined
  }

  /** Takes back items that `shift` removed, in that order: they and their lines have the next turns again. */
  putBack(taken: readonly { readonly owner: readonly string[]; readonly item: Item }[]): void {
    this.#size += taken.length
    this.#items.unshift(...taken.filter(({ owner }) => owner.length === 0).map(({ item }) => item))
    const byLine = Map.groupBy(
      taken.filter(({ owner }) => owner.length > 0),
      ({ owner }) => owner.at(-1) ?? '',
    )
    const lines = new Map(this.#lines)
    this.#lines.clear()
    for (const [outermost, own] of byLine) {
      const line = lines.get(outermost) ?? new FairQueue<Item>()
      line.putBack(own.map(({ owner, item }) => ({ owner: owner.slice(0, -1), item })))
      this.#lines.set(outermost, line)
    }
    for (const [outermost, line] of lines) this.#lines.set(outermost, line)
  }

  /** Removes all items of one of the largest networks, in the order of their turns. */
  removeLine(outermost: string): Item[] {
    const line = this.#lines.get(outermost)
    if (!line) return []
    this.#lines.delete(outermost)
    this.#size -= line.size
    const items: Item[] = []
    for (let item = line.shift(); item !== undefined; item = line.shift()) items.push(item)
    return items
  }
}

/** Some milliseconds of the thread that serves everybody. */
const BEGUN_PER_TURN = 16
/** Line of those who have no networks because they stand for many: trusted proxies and relays. Without one they would go before all. */
const TRUSTED: Holder = ['trusted']

/**
 * Begins requests and sessions of SMTP: so many pieces of work begin in one turn of the event loop; the others wait for the next ones, in
 * turn between networks. Otherwise one client with hundreds of connections would fill each turn, and nobody else would be looked at for
 * seconds.
 */
export class Turns {
  readonly #waiting = new FairQueue<() => void>()
  #begun = 0
  #isEnding = false

  /** Calls `begin` at once if there is room in this turn. */
  push(networks: Holder, begin: () => void): void {
    this.#endTurn()
    if (this.#begun >= BEGUN_PER_TURN || this.#waiting.size > 0) {
      this.#waiting.push(networks.length > 0 ? networks : TRUSTED, begin)
      return
    }
    this.#begun++
    begin()
  }

  #endTurn(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    setImmediate(() => {
      this.#isEnding = false
      this.#begun = 0
      while (this.#begun < BEGUN_PER_TURN) {
        const begin = this.#waiting.shift()
        if (!begin) break
        this.#begun++
        begin()
      }
      if (this.#begun > 0) this.#endTurn()
    })
  }
}
