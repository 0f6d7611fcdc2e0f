/** Limits the bytes of encrypted copies in memory: one mail of 24 MiB to 50 recipients took 1.2 GB when all copies were encrypted together. */

/** Copies up to this size never wait. */
const SMALL_BYTES = 256 * 1024

export class CopyBudget {
  readonly #bytesMax: number
  readonly #waiting: { readonly bytes: number; readonly start: () => void }[] = []
  #taken = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /**
   * Resolves when there is room, in order; a mail larger than the whole budget is let through alone. Dispose of the result to release the
   * bytes.
   */
  async take(bytes: number): Promise<Disposable> {
    const held = new DisposableStack()
    if (bytes <= SMALL_BYTES) return held
    if (this.#waiting.length > 0 || !this.#hasRoom(bytes)) await new Promise<void>(start => this.#waiting.push({ bytes, start }))
    else this.#taken += bytes
    held.defer(() => {
      this.#taken -= bytes
      this.#startNext()
    })
    return held
  }

  #hasRoom(bytes: number): boolean {
    return this.#taken === 0 || this.#taken + bytes <= this.#bytesMax
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next && this.#hasRoom(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#taken += next.bytes
      next.start()
    }
  }
}
