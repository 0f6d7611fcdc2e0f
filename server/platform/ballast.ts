import { randomBytes } from 'node:crypto'
import { closeSync, openSync, statfsSync, statSync, truncateSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { MIB } from '#contract/limits.ts'

/** Random, because a compressing file system stores zeros without using space. */
const BLOCK_BYTES = MIB

/**
 * A file that only reserves space. When other programs have filled the disk completely, even a removal cannot write its log. Then the
 * ballast is deleted, the write is done, and the ballast is created again when there is space.
 */
export class Ballast {
  readonly #path: string
  readonly #bytes: number
  #heldBytes: number

  constructor(path: string, bytes: number) {
    this.#path = path
    this.#bytes = bytes
    this.#heldBytes = this.#measure()
  }

  /** Bytes of the disk that can be used at any time. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Creates it if it is incomplete and there is several times its space; otherwise the next call tries again. */
  fill(margin = 2): void {
    this.#heldBytes = this.#measure()
    if (this.#heldBytes === this.#bytes) return
    try {
      const { bavail, bsize } = statfsSync(dirname(this.#path))
      if (bavail * bsize < margin * (this.#bytes - this.#heldBytes)) return
      this.#write()
    } catch {
      this.release()
    }
  }

  /** `true` if there is more space now. */
  release(): boolean {
    this.#heldBytes = this.#measure()
    if (this.#heldBytes === 0) return false
    try {
      truncateSync(this.#path, 0)
      this.#heldBytes = 0
      return true
    } catch {
      return false
    }
  }

  /** Another process, such as a command, may have used it. */
  #measure(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0
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
