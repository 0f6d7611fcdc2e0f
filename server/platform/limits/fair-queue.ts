/** A queue with one line per owner, usually a network, served in turn, so that a thousand items of one do not delay one of another. */
export class FairQueue<Item> {
  /** In the order of their turns; lines are never empty. */
  readonly #lines = new Map<string, Item[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  push(owner: string, item: Item): void {
    const line = this.#lines.get(owner)
    if (line) line.push(item)
    else this.#lines.set(owner, [item])
    this.#size++
  }

  /**
   * Removes the first item of the line whose turn it is, and moves that line to the end. Lines whose first item `mayGo` refuses keep their
   * turn.
   */
  shift(mayGo: (owner: string, first: Item) => boolean = () => true): Item | undefined {
    for (const [owner, line] of this.#lines) {
      if (!mayGo(owner, line[0] as Item)) continue
      const item = line.shift()
      if (line.length === 0 || this.#lines.size > 1) this.#lines.delete(owner)
      if (line.length > 0) this.#lines.set(owner, line)
      this.#size--
      return item
    }
    return undefined
  }
}
