/**
 * Reads the end of a write-ahead log that SQLite ignores (https://www.sqlite.org/fileformat2.html#walformat): it stops at the
 * first frame whose checksum is wrong, and does not report the transactions after it.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** The magic number says in which byte order words are summed: its lowest bit is set for big endian. */
const MAGIC = 0x377f0682

/** Commit frames of this log that come after its first damaged frame. A log that ends in the middle of a transaction has lost none. */
export function readLogTail(path: string): { readonly lostTransactions: number } {
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
