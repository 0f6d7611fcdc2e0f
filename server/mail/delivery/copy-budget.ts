/**
 * Limits the bytes of encrypted copies in memory: one mail of 24 MiB to 50 recipients took 1.2 GB when all copies were encrypted together.
 */

/** Copies up to this size never wait. */
const SMALL_BYTES = 256 * 1024

export class CopyBudget {
  readonly #bytesMax: number
  readonly #waiting: { readonly bytes: number; readonly start: () => void }[] = []
  #held = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /**
   * Resolves to a lease when there is room, in order; a mail larger than the whole budget is let through alone.
   */
  async acquire(bytes: number): Promise<Disposable> {
    const lease = new DisposableStack()
    if (bytes <= SMALL_BYTES) return lease
    if (this.#waiting.length > 0 || !this.#hasRoom(bytes)) await new Promise<void>(start => this.#waiting.push({ bytes, start }))
    else this.#held += bytes
    lease.defer(() => {
      this.#held -= bytes
      this.#startNext()
    })
    return lease
  }

  #hasRoom(bytes: number): boolean {
    return this.#held === 0 || this.#held + bytes <= this.#bytesMax
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next && this.#hasRoom(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#held += next.bytes
      next.start()
    }
  }
}
