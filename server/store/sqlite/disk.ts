import { statfsSync } from 'node:fs'

/** How long one look at the disk is believed; a look costs about 3 µs, a burst between two looks is bounded by mail in flight. */
const LOOK_MS = 100

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

  /** `bytes` are counted twice: they go to the log and then to the database. */
  hasRoomFor(bytes: number): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#lookedAtMs >= LOOK_MS) {
      const { bavail, bsize } = statfsSync(this.#folder)
      this.#freeBytes = bavail * bsize
      this.#lookedAtMs = nowMs
    }
    if (this.#freeBytes - 2 * bytes < this.#reserveBytes) return false
    this.#freeBytes -= 2 * bytes
    return true
  }
}
