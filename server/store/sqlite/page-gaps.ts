/**
 * When SQLite moves rows between pages it leaves their old bytes in the unused middle of a page (`rebuildPage` in its btree.c), where
 * `secure_delete` does not find them when the rows are removed: about one removed value in a thousand stays readable. Here those gaps
 * are filled with zeros, in the file, in every page that was written since the last time.
 *
 * This changes nothing in the database, so a crash may interrupt it anywhere: SQLite ignores the gap of a page
 * (https://www.sqlite.org/fileformat2.html#b_tree_pages). Call it between transactions, in the thread that owns the database.
 */
import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { MIB } from '#contract/limits.ts'

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** In the first page the database header comes first. */
const FILE_HEADER_BYTES = 100
const PAGE_HEADER_BYTES = 12
/** Types of b-tree pages, and how long their headers are. */
const PAGE_TYPES = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
])
/** An overflow or free page begins with a page number. Up to this one, its first byte is 0, which is not a page type. */
const PAGES_MAX = 0x2000000
/** Up to this size the whole file is checked when it is opened, because a killed process may have left gaps: about 50 ms. */
const WHOLE_BYTES_MAX = 256 * MIB

export class PageGaps {
  readonly #path: string
  readonly #pageBytes: number
  readonly #handle: number
  readonly #zeros: Buffer
  readonly #written = new Set<number>()
  /** Pages to erase in, all of them written to the database since the log was last emptied. */
  readonly #due = new Set<number>()
  #hasUnsynced = false

  /** `path` of an open database. Close the database before this: closing a file drops the locks that this process has on it. */
  constructor(path: string, pageBytes: number) {
    this.#path = path
    this.#pageBytes = pageBytes
    this.#handle = openSync(path, 'r+')
    this.#zeros = Buffer.alloc(pageBytes)
    const { size } = fstatSync(this.#handle)
    if (size <= WHOLE_BYTES_MAX) for (let page = 1; page <= size / pageBytes; page++) this.#written.add(page)
  }

  /** Remembers which pages are in the log. Call before each checkpoint. */
  readLog(): void {
    const log = openSync(`${this.#path}-wal`, 'r')
    try {
      const header = Buffer.alloc(4)
      const frameBytes = FRAME_HEADER_BYTES + this.#pageBytes
      for (let at = LOG_HEADER_BYTES; readSync(log, header, 0, 4, at) === 4; at += frameBytes) {
        const page = header.readUInt32BE(0)
        if (page > 0 && page < PAGES_MAX) this.#written.add(page)
      }
    } finally {
      closeSync(log)
    }
  }

  /** Call when the log has just been emptied: its content is in the database now and can be erased there. */
  logEmptied(): void {
    for (const page of this.#written) this.#due.add(page)
    this.#written.clear()
  }

  get hasDue(): boolean {
    return this.#due.size > 0 || this.#hasUnsynced
  }

  /**
   * Erases in at most `pagesMax` of the pages that are due. `true` when something was erased: pages that SQLite keeps in memory may still
   * hold it. It may run while the log holds newer versions of these pages: a checkpoint replaces them whole, and they become due again.
   */
  erase(pagesMax = Number.POSITIVE_INFINITY): boolean {
    let hasErased = false
    let pages = 0
    for (const page of this.#due) {
      if (pages === pagesMax) break
      pages += 1
      hasErased = this.#eraseIn(page) || hasErased
      this.#due.delete(page)
    }
    this.#hasUnsynced ||= hasErased
    if (this.#hasUnsynced) fdatasyncSync(this.#handle)
    this.#hasUnsynced = false
    return hasErased
  }

  close(): void {
    closeSync(this.#handle)
  }

  #eraseIn(page: number): boolean {
    const pageAt = (page - 1) * this.#pageBytes
    const headerAt = page === 1 ? FILE_HEADER_BYTES : 0
    const header = Buffer.alloc(PAGE_HEADER_BYTES)
    if (readSync(this.#handle, header, 0, PAGE_HEADER_BYTES, pageAt + headerAt) < PAGE_HEADER_BYTES) return false
    const headerBytes = PAGE_TYPES.get(header.readUInt8(0))
    if (headerBytes === undefined) return false
    // Between the array of pointers to the rows and the first row.
    const from = headerAt + headerBytes + 2 * header.readUInt16BE(3)
    const to = header.readUInt16BE(5)
    if (to <= from || to > this.#pageBytes) return false
    const gap = Buffer.allocUnsafe(to - from)
    if (readSync(this.#handle, gap, 0, gap.length, pageAt + from) < gap.length) return false
    if (gap.equals(this.#zeros.subarray(0, gap.length))) return false
    writeSync(this.#handle, this.#zeros, 0, gap.length, pageAt + from)
    return true
  }
}
