// RFC 2046 §5.1.1 allows 70; senders use more. Longer ones are an attack
const BOUNDARY_CHARS_MAX = 998
/** Ten times as many as a message may have parts: lines that end a multipart again and again are no structure. */
const DELIMITERS_MAX = 10_000
/** Looked at one by one, because a call of a search costs as much. */
const NEAR_BYTES = 128
/** The headers of nearly every message. */
const HEADER_BYTES_USUAL = 16_384

type Delimiter = {
  /** Depth of its multipart. */
  readonly depth: number
  /** `--boundary--`. */
  readonly isLast: boolean
  /** End of the body before it, without the line break that belongs to the delimiter. */
  readonly bodyEnd: number
  /** First byte after the delimiter line. */
  readonly nextLine: number
}

type Watched = { readonly depth: number; isEnded: boolean }

/**
 * Finds the delimiter lines of all open multiparts with one table look-up per line that starts with two hyphens, so depth costs nothing. A
 * line must match the whole boundary, so `ab` is never taken for `a`. Positions only move forward.
 */
export class BoundaryScanner {
  readonly #bytes: Buffer
  readonly #newline: '\n' | '\r'
  readonly #dashes: Search
  readonly #emptyLines: readonly Search[]
  readonly #watched = new Map<string, Watched[]>()
  /** Every boundary seen so far, with and without the two hyphens of its end. */
  readonly #hashes = new Set<number>()
  #longest = 0
  #count = 0
  #found = 0
  #at = 0

  constructor(bytes: Buffer, newline: '\n' | '\r') {
    this.#bytes = bytes
    this.#newline = newline
    this.#dashes = searchForDashes(bytes, newline.charCodeAt(0))
    this.#emptyLines = EMPTY_LINES[newline].map(line => searchFor(bytes, line))
  }

  /** `boundary` as written: trailing spaces are in the last delimiter (`--a --`), and may be lost anywhere else. */
  push(boundary: string, depth: number): void {
    const key = boundaryKey(boundary)
    const watched = this.#watched.get(key)
    if (watched) watched.push({ depth, isEnded: false })
    else this.#watched.set(key, [{ depth, isEnded: false }])
    this.#hashes
      .add(hashLine(key))
      .add(hashLine(`${key}--`))
      .add(hashLine(`${boundary.slice(0, BOUNDARY_CHARS_MAX)}--`))
    this.#longest = Math.max(this.#longest, Math.min(boundary.length, BOUNDARY_CHARS_MAX))
    this.#count++
  }

  /** Closes the innermost multipart with this boundary. Returns whether its end was found. */
  pop(boundary: string): boolean {
    const key = boundaryKey(boundary)
    const watched = this.#watched.get(key)
    const last = watched?.pop()
    if (watched?.length === 0) this.#watched.delete(key)
    this.#count--
    return last?.isEnded ?? false
  }

  continueAt(offset: number): void {
    this.#at = Math.max(this.#at, offset)
  }

  next(): Delimiter | undefined {
    if (this.#count === 0) return undefined
    for (;;) {
      const lineStart = this.#nextDashes()
      if (lineStart === -1) return undefined
      const delimiter = this.#readLine(lineStart)
      if (delimiter) return this.#found++ < DELIMITERS_MAX ? delimiter : undefined
    }
  }

  /** Start of the next line that starts with two hyphens, or -1. `#at` is a line start or the line break before one. */
  #nextDashes(): number {
    const from = this.#at
    if (this.#isDashes(from) && (from === 0 || this.#isNewline(from - 1))) return from
    const found = this.#dashes.find(from, this.#bytes.length)
    return found === -1 ? -1 : found + 1
  }

  #isDashes(at: number): boolean {
    return this.#bytes[at] === 0x2d && this.#bytes[at + 1] === 0x2d
  }

  #isNewline(at: number): boolean {
    return this.#bytes[at] === this.#newline.charCodeAt(0)
  }

  /**
   * Moves to the end of the line of hyphens at `lineStart`; returns a delimiter if it is one. Hashes byte by byte, so that a mail of 8
   * million such lines does not need a call and a string for each.
   */
  #readLine(lineStart: number): Delimiter | undefined {
    const bytes = this.#bytes
    const end = bytes.length
    const newline = this.#newline.charCodeAt(0)
    const start = lineStart + 2
    const longest = start + this.#longest + 2
    let hash = 0
    let textEnd = start
    let textHash = 0
    let at = start
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (byte === newline) break
      hash = (Math.imul(hash, 31) + byte) | 0
      if (byte === 32 || byte === 9 || byte === 13) continue
      if (at >= longest) return this.#skipLine(at)
      textEnd = at + 1
      textHash = hash
    }
    this.#at = at
    if (textEnd === start || !this.#hashes.has(textHash)) return undefined
    return this.#match(lineStart, textEnd, at)
  }

  #skipLine(from: number): undefined {
    const newline = this.#newline.charCodeAt(0)
    const near = Math.min(from + NEAR_BYTES, this.#bytes.length)
    let at = from
    while (at < near && this.#bytes[at] !== newline) at++
    const found = at < near ? at : this.#bytes.indexOf(newline, at)
    this.#at = found === -1 ? this.#bytes.length : found
  }

  #match(lineStart: number, textEnd: number, lineEnd: number): Delimiter | undefined {
    const text = this.#bytes.toString('latin1', lineStart + 2, textEnd)
    const plain = this.#innermost(text)
    const end = text.endsWith('--') ? this.#innermost(text.slice(0, -2).trimEnd()) : undefined
    // `--a----` may open a part of `a----` or end `a--`: whichever is still open
    const last = plain === undefined || (plain.isEnded && end?.isEnded === false) ? end : undefined
    const watched = last ?? plain
    if (!watched) return undefined
    if (last) last.isEnded = true
    this.#at = Math.min(lineEnd + 1, this.#bytes.length)
    return { depth: watched.depth, isLast: last !== undefined, bodyEnd: this.#beforeBreak(lineStart), nextLine: this.#at }
  }

  /** The innermost open multipart with this boundary; if all are closed, the innermost one. */
  #innermost(boundary: string): Watched | undefined {
    const watched = this.#watched.get(boundary)
    return watched?.findLast(entry => !entry.isEnded) ?? watched?.at(-1)
  }

  #beforeBreak(lineStart: number): number {
    const before = lineStart - 1
    if (this.#newline === '\r') return before
    return before > 0 && this.#bytes[before - 1] === 13 ? before - 1 : before
  }

  /** Where the header block at `offset` must have ended: after its empty line, or at a line of hyphens inside a multipart. */
  headerEnd(offset: number): number {
    const startsEmpty = this.#isNewline(offset) ? offset + 1 : this.#bytes[offset] === 13 && this.#isNewline(offset + 1) ? offset + 2 : -1
    if (startsEmpty !== -1) return startsEmpty
    const end = this.#emptyLineEnd(offset)
    if (this.#count === 0) return end
    if (this.#isDashes(offset)) return offset
    const dashes = this.#dashes.find(offset, end)
    return dashes === -1 ? end : dashes + 1
  }

  /** No form of the empty line is searched for far beyond where another one is. */
  #emptyLineEnd(offset: number): number {
    for (let bytes = HEADER_BYTES_USUAL; ; bytes *= 4) {
      let end = Math.min(offset + bytes, this.#bytes.length)
      const isWhole = end === this.#bytes.length
      let isFound = false
      for (const line of this.#emptyLines) {
        const found = line.find(offset, end)
        if (found === -1) continue
        end = found + line.length
        isFound = true
      }
      if (isFound || isWhole) return end
    }
  }

  /** For a multipart without a boundary: the first line of two hyphens and more text. */
  guessBoundary(offset: number): string | undefined {
    const start = this.#isDashes(offset) ? offset : this.#dashes.find(offset, this.#bytes.length) + 1
    if (start <= 0 && !this.#isDashes(offset)) return undefined
    const line = this.#bytes.toString('latin1', start + 2, start + 2 + 200)
    return /^[^\r\n]{1,70}(?=[\r\n])/.exec(line)?.[0].trimEnd() || undefined
  }
}

/** The first position at or after `from` of what is searched for, if it ends before `limit`; else -1. */
type FindFirst = (from: number, limit: number) => number

/** Remembers how far it looked, so that all searches together read the message once. `length`: of what is searched for. */
class Search {
  readonly #findFirst: FindFirst
  readonly length: number
  #searchedFrom = 0
  #found = -1

  constructor(length: number, findFirst: FindFirst) {
    this.length = length
    this.#findFirst = findFirst
  }

  find(offset: number, limit: number): number {
    if (this.#found < offset) {
      const from = Math.max(offset, this.#searchedFrom)
      this.#found = this.#findFirst(from, limit)
      if (this.#found === -1) this.#searchedFrom = Math.max(from, limit - this.length + 1)
    }
    return this.#found < offset || this.#found + this.length > limit ? -1 : this.#found
  }
}

const EMPTY_LINES = { '\n': [Buffer.from('\n\r\n'), Buffer.from('\n\n')], '\r': [Buffer.from('\r\r')] }

function searchFor(bytes: Buffer, wanted: Buffer): Search {
  return new Search(wanted.length, (from, limit) => bytes.subarray(0, limit).indexOf(wanted, from))
}

const HYPHENS = Buffer.from('--', 'latin1')

/**
 * For the newline before two hyphens. Not for all three together: where most bytes are newlines, that takes five times as long.
 */
function searchForDashes(bytes: Buffer, newline: number): Search {
  return new Search(3, (from, limit) => {
    const last = limit - 3
    for (let at = from; at <= last; ) {
      const near = Math.min(at + NEAR_BYTES, last + 1)
      for (; at < near; at++) if (bytes[at] === newline && bytes[at + 1] === 0x2d && bytes[at + 2] === 0x2d) return at
      const hyphens = at > last ? -1 : bytes.subarray(0, limit).indexOf(HYPHENS, at + 1)
      if (hyphens === -1) return -1
      if (bytes[hyphens - 1] === newline) return hyphens - 1
      at = hyphens + 2
    }
    return -1
  })
}

const boundaryKey = (boundary: string): string => boundary.slice(0, BOUNDARY_CHARS_MAX).trimEnd()

function hashLine(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return hash
}
