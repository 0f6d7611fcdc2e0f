/** Bytes of all messages in flight, so that memory stays flat whatever arrives (decision 11, case F19). */
export class ByteBudget {
  readonly #bytesMax: number
  #used = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get used(): number {
    return this.#used
  }

  hasRoom(bytes: number): boolean {
    return this.#used + bytes <= this.#bytesMax
  }

  /** `false`, and nothing taken, when there is no room. */
  take(bytes: number): boolean {
    if (!this.hasRoom(bytes)) return false
    this.#used += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#used -= bytes
  }
}
