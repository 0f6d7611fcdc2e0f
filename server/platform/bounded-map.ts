/** A map with a limit: when it is full, the oldest entry is removed. To keep an entry that is in use, set it again. */
export class BoundedMap<Key, Value> {
  readonly #entriesMax: number
  readonly #entries = new Map<Key, Value>()

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#entriesMax) return
    for (const oldest of this.#entries.keys().take(1)) this.#entries.delete(oldest)
  }

  entries(): Iterable<[Key, Value]> {
    return this.#entries.entries()
  }

  values(): Iterable<Value> {
    return this.#entries.values()
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}
