import { statfsSync } from 'node:fs'
import type { Ballast } from './ballast.ts'

/** How long a measurement of the disk is used. It takes about 3 µs; mail in flight limits what is written in between. */
const CHECK_MS = 100
const ROOMY_BYTES = 1024 * 1024

/**
 * Refuses mail before the disk is full, so that deleting still works. The database file keeps its size when mail is removed, so free space
 * inside it counts; only the log needs space on the disk.
 */
export class DiskReserve {
  readonly #folder: string
  readonly #reserveBytes: number
  readonly #freeInFile: () => number
  readonly #ballast: Pick<Ballast, 'heldBytes'>
  #freeBytes = Number.POSITIVE_INFINITY
  #freeOnDiskBytes = Number.POSITIVE_INFINITY
  #checkedAtMs = Number.NEGATIVE_INFINITY

  /** `freeInFile`: free bytes inside the database file. The ballast is part of the reserve. */
  constructor(folder: string, reserveBytes: number, freeInFile: () => number, ballast: Pick<Ballast, 'heldBytes'>) {
    this.#ballast = ballast
    this.#folder = folder
    this.#reserveBytes = reserveBytes
    this.#freeInFile = freeInFile
  }

  /** Reserves space for a write. `bytes` count twice: they go to the log and then to the database. */
  takeRoomFor(bytes: number): boolean {
    this.#check()
    if (this.#freeBytes - 2 * bytes < this.#reserveBytes || this.#freeOnDiskBytes - bytes < this.#reserveBytes / 2) return false
    this.#freeBytes -= 2 * bytes
    this.#freeOnDiskBytes -= bytes
    return true
  }

  /** Whether there is space for ordinary mail, not only for one more small one. */
  isRoomy(): boolean {
    this.#check()
    return this.#freeBytes >= this.#reserveBytes + ROOMY_BYTES && this.#freeOnDiskBytes >= this.#reserveBytes / 2 + ROOMY_BYTES
  }

  /** Bytes of mail for which `takeRoomFor` would still find space, one after the other. */
  get roomBytes(): number {
    this.#check()
    return Math.max(0, Math.min((this.#freeBytes - this.#reserveBytes) / 2, this.#freeOnDiskBytes - this.#reserveBytes / 2))
  }

  #check(): void {
    const nowMs = performance.now()
    if (nowMs - this.#checkedAtMs < CHECK_MS) return
    const { bavail, bsize } = statfsSync(this.#folder)
    this.#freeOnDiskBytes = bavail * bsize + this.#ballast.heldBytes
    this.#freeBytes = this.#freeOnDiskBytes + this.#freeInFile()
    this.#checkedAtMs = nowMs
  }
}
