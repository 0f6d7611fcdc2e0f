import { statfsSync } from 'node:fs'

/** How long one look at the disk is believed; a look costs about 3 µs, a burst between two looks is bounded by mail in flight. */
const LOOK_MS = 100
const ROOMY_BYTES = 1024 * 1024

/** Tells whether the disk still has `reserveBytes` to spare: mail is refused before the disk is full, so that deleting still works (F04). */
export class DiskReserve {
  readonly #folder: string
  readonly #reserveBytes: number
  #freeBytes = Number.POSITIVE_INFINITY
  #lookedAtMs = Number.NEGATIVE_INFINITY

  constructor(folder: string, reserveBytes: number) {
    this.#folder = folder
    this.#reserveBytes = reserveBytes
  }

  /** Takes the room for a write. `bytes` are counted twice: they go to the log and then to the database. */
  takeRoomFor(bytes: number): boolean {
    if (this.#look() - 2 * bytes < this.#reserveBytes) return false
    this.#freeBytes -= 2 * bytes
    return true
  }

  /** Is there room for ordinary mail, and not only for the next small one? */
  isRoomy(): boolean {
    return this.#look() >= this.#reserveBytes + ROOMY_BYTES
  }

  #look(): number {
    const nowMs = performance.now()
    if (nowMs - this.#lookedAtMs >= LOOK_MS) {
      const { bavail, bsize } = statfsSync(this.#folder)
      this.#freeBytes = bavail * bsize
      this.#lookedAtMs = nowMs
    }
    return this.#freeBytes
  }
}
