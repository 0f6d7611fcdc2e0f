/** A queue with one line per network, served in turn, so that a thousand items of one network do not delay one item of another. */
export class FairQueue<Item> {
  /** In the order of their turns; lines are never empty. */
  readonly #lines = new Map<string, Item[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  push(network: string, item: Item): void {
    const line = this.#lines.get(network)
    if (line) line.push(item)
    else this.#lines.set(network, [item])
    this.#size++
  }

  /**
   * Removes the first item of the line whose turn it is, and moves that line to the end. Lines of networks that `mayGo` refuses keep their
   * turn.
   */
  shift(mayGo: (network: string) => boolean = () => true): Item | undefined {
    for (const [network, line] of this.#lines) {
      if (!mayGo(network)) continue
      const item = line.shift()
      if (line.length === 0 || this.#lines.size > 1) this.#lines.delete(network)
      if (line.length > 0) this.#lines.set(network, line)
      this.#size--
      return item
    }
    return undefined
  }
}
