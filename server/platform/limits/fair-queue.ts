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
