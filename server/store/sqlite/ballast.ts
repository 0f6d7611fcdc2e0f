/**
 * A file that only takes room. When others have filled the disk to its last byte, a removal has nowhere to write its log: the ballast is
 * thrown off, the removal is done, and the ballast is taken on again when there is room.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, statfsSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Random, because a file system that compresses stores zeros in no room at all. */
const BLOCK_BYTES = 1024 * 1024

export class Ballast {
  readonly #folder: string
  readonly #path: string
  readonly #bytes: number
  #heldBytes: number

  constructor(folder: string, bytes: number) {
    this.#folder = folder
    this.#path = join(folder, 'ballast')
    this.#bytes = bytes
    this.#heldBytes = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0
  }

  /** Bytes of the disk that can be had at any time. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Takes it on when it is not whole and there is room for so many times as much; else the next call tries again. */
  fill(margin = 2): void {
    if (this.#heldBytes === this.#bytes) return
    try {
      const { bavail, bsize } = statfsSync(this.#folder)
      if (bavail * bsize < margin * (this.#bytes - this.#heldBytes)) return
      this.#write()
    } catch {
      this.release()
    }
  }

  /** `true` when there is more room now. */
  release(): boolean {
    if (this.#heldBytes === 0) return false
    try {
      truncateSync(this.#path, 0)
      this.#heldBytes = 0
      return true
    } catch {
      return false
    }
  }

  #write(): void {
    const block = randomBytes(BLOCK_BYTES)
    const handle = openSync(this.#path, 'w', 0o600)
    this.#heldBytes = 0
    try {
      while (this.#heldBytes < this.#bytes) {
        this.#heldBytes += writeSync(handle, block, 0, Math.min(BLOCK_BYTES, this.#bytes - this.#heldBytes))
      }
    } finally {
      closeSync(handle)
    }
  }
}
