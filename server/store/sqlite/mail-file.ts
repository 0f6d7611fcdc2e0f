/**
 * The open database file and its log: makes acknowledged writes durable, and erases what was removed.
 *
 * After a failed sync the kernel may have dropped pages it could not write, although they still read well: a later successful sync does not
 * report that. So a file that is opened, at the start or after an I/O error, is trusted only once a checkpoint has written everything
 * in its log to the database again, synced it and emptied the log.
 */

import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { MIB } from '#contract/limits.ts'
import { DATABASE_FILES } from '#server/platform/formats.ts'
import { PageGaps } from './page-gaps.ts'
import { createQueries, type Queries } from './queries.ts'
import { openMailDatabase, PAGE_BYTES } from './schema.ts'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** The magic number says in which byte order words are summed: its lowest bit is set for big endian. */
const MAGIC = 0x377f0682

/**
 * Reads the end of a write-ahead log that SQLite ignores (https://www.sqlite.org/fileformat2.html#walformat): it stops at the first frame
 * whose checksum is wrong, and does not report the transactions after it. Commit frames of this log that come after its first damaged
 * frame. A log that ends in the middle of a transaction has lost none.
 */
function readLogTail(path: string): { readonly lostTransactions: number } {
  let handle: number
  try {
    handle = openSync(path, 'r')
  } catch {
    return { lostTransactions: 0 }
  }
  try {
    return { lostTransactions: countLost(handle) }
  } finally {
    closeSync(handle)
  }
}

function countLost(handle: number): number {
  const header = Buffer.alloc(HEADER_BYTES)
  if (readSync(handle, header, 0, HEADER_BYTES, 0) < HEADER_BYTES || (header.readUInt32BE(0) & ~1) >>> 0 !== MAGIC) return 0
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + header.readUInt32BE(8))
  const sum = new Checksum(isBigEndian)
  sum.add(header.subarray(0, 24))
  const end = fstatSync(handle).size - frame.length
  let isBroken = !sum.equals(header, 24)
  let lost = 0
  for (let at = HEADER_BYTES; at <= end; at += frame.length) {
    readSync(handle, frame, 0, frame.length, at)
    // Frames of an earlier use of the log have other salts.
    if (frame.compare(header, 16, 24, 8, 16) !== 0) break
    if (!isBroken) {
      sum.add(frame.subarray(0, 8))
      sum.add(frame.subarray(FRAME_HEADER_BYTES))
      isBroken = !sum.equals(frame, 16)
    }
    const isCommit = frame.readUInt32BE(4) !== 0
    if (isBroken && isCommit) lost++
  }
  return lost
}

class Checksum {
  readonly #isBigEndian: boolean
  #first = 0
  #second = 0

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian
  }

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += 8) {
      this.#first = (this.#first + this.#word(bytes, at) + this.#second) >>> 0
      this.#second = (this.#second + this.#word(bytes, at + 4) + this.#first) >>> 0
    }
  }

  equals(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#first && bytes.readUInt32BE(at + 4) === this.#second
  }

  #word(bytes: Buffer, at: number): number {
    return this.#isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)
  }
}

/** The log is copied into the database once it has this much: larger costs longer pauses, smaller more fsyncs. */
const CHECKPOINT_BYTES = 16 * MIB
/** While expired mail is removed, which writes many pages: deliveries wait for one short step at a time. */
const CLEANING_CHECKPOINT_BYTES = 512 * 1024
/** Removed mail stays in the log for at most this long, even under load. */
const ERASE_MS = 2000
/** Pages in whose gaps one step looks for removed mail: some 3 ms of work. */
const ERASE_PAGES = 64
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13

type Open = {
  readonly db: DatabaseSync
  readonly queries: Queries
  readonly gaps: PageGaps
  readonly inodes: readonly (number | undefined)[]
}

export class MailFile {
  readonly #folder: string
  readonly #keyCheck: string | undefined
  #open: Open | undefined
  /** Why the file is not trusted yet; `undefined` once it is. */
  #distrust: unknown
  #unsavedBytes = 0
  #isLogEmpty = false
  /** Monotonic milliseconds. */
  #eraseAtMs = Number.POSITIVE_INFINITY
  /** Whole transactions at the end of the log that the first opening could not read. */
  readonly lostTransactions: number

  /** @throws Error in plain words if the file cannot be opened, or its disk cannot be written. */
  constructor(folder: string, keyCheck: string | undefined) {
    this.#folder = folder
    this.#keyCheck = keyCheck
    this.lostTransactions = readLogTail(join(folder, `${DATABASE_FILES.mail}-wal`)).lostTransactions
    this.open()
    // On a full disk reading and removing must work; writes that make the file larger wait until the file is trusted.
    if (this.#distrust !== undefined && resultCode(this.#distrust) !== SQLITE_FULL) {
      this.close()
      throw new Error(`${join(folder, DATABASE_FILES.mail)} cannot be written: ${String(this.#distrust)}.`, { cause: this.#distrust })
    }
  }

  /** Reopens it after an error. */
  open(): Open {
    if (!this.#open) {
      const db = openMailDatabase(this.#folder, { keyCheck: this.#keyCheck })
      const gaps = openGaps(db, join(this.#folder, DATABASE_FILES.mail))
      this.#open = { db, queries: createQueries(db), gaps, inodes: this.#inodes() }
      this.#distrust = new Error('the log has not been written to the database yet')
      this.#isLogEmpty = false
      this.#checkpoint('TRUNCATE')
    }
    return this.#open
  }

  /**
   * Call before each transaction: what is acknowledged after it must be in the file that the next start opens.
   * @throws when the file was deleted or replaced, or does not take what is in its log.
   */
  requireTrust(): void {
    this.open()
    if (!this.isInPlace) throw new Error('mail.db or its log was deleted or replaced while running')
    if (this.#distrust !== undefined) this.#checkpoint('TRUNCATE')
    if (this.#distrust !== undefined && resultCode(this.#distrust) !== SQLITE_FULL) throw this.#distrust
  }

  /** Checks that the open files are those that the next start will find. */
  get isInPlace(): boolean {
    const { inodes } = this.open()
    return this.#inodes().every((inode, i) => inodes[i] === undefined || inode === inodes[i])
  }

  /** Writes that enlarge the file must wait until everything before them is safe. */
  get isTrusted(): boolean {
    return this.#distrust === undefined
  }

  /** After a commit. `hasRemoved`: something in it must soon be erased from the disk. */
  committed(bytes: number, hasRemoved: boolean): void {
    this.#unsavedBytes += bytes
    this.#isLogEmpty = false
    if (hasRemoved) this.#eraseAtMs = Math.min(this.#eraseAtMs, performance.now() + ERASE_MS)
  }

  /** Between commits: at most one of the things that take a while. `isCleaning`: the last commit removed expired or destroyed mailboxes. */
  tidy(isCleaning: boolean): void {
    if (performance.now() >= this.#eraseAtMs) this.#checkpoint('TRUNCATE')
    else if (this.#unsavedBytes >= (isCleaning ? CLEANING_CHECKPOINT_BYTES : CHECKPOINT_BYTES)) this.#checkpoint('PASSIVE')
    else this.#erase(ERASE_PAGES)
  }

  /** Called when no work is waiting: empties the log and frees memory. */
  idle(): void {
    if (!this.#isLogEmpty) this.#checkpoint('TRUNCATE')
    this.#erase()
    this.#open?.db.exec('PRAGMA shrink_memory')
  }

  /** `false` when the log could not be emptied. */
  emptyLog(): boolean {
    const isEmpty = this.#checkpoint('TRUNCATE')
    this.#erase()
    return isEmpty
  }

  /** `true` when the error is one after which the file must not be used any further as it is open now. */
  closeIfDamaged(error: unknown): boolean {
    const code = resultCode(error)
    const isDamaged = code === SQLITE_IOERR || code === SQLITE_CORRUPT
    if (isDamaged) this.close()
    return isDamaged
  }

  close(): void {
    this.#erase()
    const { db, gaps } = this.#open ?? {}
    this.#open = undefined
    db?.close()
    gaps?.close()
  }

  // A checkpoint that fails (no room for the database to grow) loses nothing: the log still has it all, and the next one tries again.
  #checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): boolean {
    if (mode === 'TRUNCATE') this.#erase()
    this.#attempt(gaps => gaps.readLog())
    try {
      const { busy } = this.#open?.db.prepare(`PRAGMA wal_checkpoint(${mode})`).get() ?? {}
      if (busy !== 0) throw new Error('the database is busy')
    } catch (error) {
      if (this.#distrust !== undefined || resultCode(error) === SQLITE_IOERR) this.#distrust = error
      return false
    }
    this.#unsavedBytes = 0
    if (mode === 'PASSIVE') return true
    this.#distrust = undefined
    this.#isLogEmpty = true
    this.#eraseAtMs = Number.POSITIVE_INFINITY
    this.#attempt(gaps => gaps.logEmptied())
    return true
  }

  #erase(pagesMax?: number): void {
    this.#attempt(gaps => {
      if (gaps.hasDue && gaps.erase(pagesMax) && !gaps.hasDue) this.#open?.db.exec('PRAGMA shrink_memory')
    })
  }

  // What cannot be erased now is not lost: a page that is written again is checked again. Mail continues.
  #attempt(work: (gaps: PageGaps) => void): void {
    try {
      if (this.#open) work(this.#open.gaps)
    } catch {
      // a full or broken disk is reported by the next write
    }
  }

  #inodes(): (number | undefined)[] {
    return [DATABASE_FILES.mail, `${DATABASE_FILES.mail}-wal`].map(
      name => statSync(join(this.#folder, name), { throwIfNoEntry: false })?.ino,
    )
  }
}

function openGaps(db: DatabaseSync, path: string): PageGaps {
  try {
    return new PageGaps(path, PAGE_BYTES)
  } catch (error) {
    db.close()
    throw error
  }
}

export function isDiskFull(error: unknown): boolean {
  return resultCode(error) === SQLITE_FULL
}

/** SQLite's primary result code; `undefined` when the error is not SQLite's. */
function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}
