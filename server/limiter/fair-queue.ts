/** A queue in which each network has a line of its own, and the lines are served in turn: a thousand of one do not stand before one of another. */
export class FairQueue<Item> {
  /** In the order of their turns; never empty. */
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

  /** The first of the line whose turn it is, which then goes to the end. Lines of networks that `mayGo` refuses keep their turn. */
  shift(mayGo: (network: string) => boolean = () => true): Item | undefined {
    for (const [network, line] of this.#lines) {
      if (!mayGo(network)) continue
      const item = line.shift()
      this.#lines.delete(network)
      if (line.length > 0) this.#lines.set(network, line)
      this.#size--
      return item
    }
    return undefined
  }
}
