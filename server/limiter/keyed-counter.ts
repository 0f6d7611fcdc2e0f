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

  /** Call the returned function once to give the amount back. */
  hold(key: string, amount = 1): () => void {
    this.#add(key, amount)
    return () => this.#add(key, -amount)
  }

  #add(key: string, amount: number): void {
    this.#total += amount
    const held = this.heldBy(key) + amount
    if (held > 0) this.#held.set(key, held)
    else this.#held.delete(key)
  }
}
