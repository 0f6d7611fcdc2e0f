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
