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

  /**
   * Removes the first item of the line whose turn it is, and moves that line to the end. Lines whose first item may not go keep their
   * turn.
   */
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
}
