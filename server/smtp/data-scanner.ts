/**
 * Finds the end of a message and removes the sender's extra dots (RFC 5321 4.5.2), in one pass over the bytes as they arrive.
 * Only CR LF is a line end, so only CR LF . CR LF ends a message. A bare CR or LF is kept like any other byte, so it cannot hide a second
 * message (SMTP smuggling).
 */
const CR = 0x0d
const LF = 0x0a
const DOT = 0x2e
const LINE_END_DOT = Buffer.from('\r\n.')

/** How the last chunk ended. A held-back dot, or dot and CR, must wait for the next byte to show what they mean. */
type Tail = 'inLine' | 'cr' | 'lineStart' | 'dot' | 'dotCr'

interface BodySink {
  append(piece: Buffer): void
}

export class DataScanner {
  readonly #sink: BodySink
  #tail: Tail = 'lineStart'

  constructor(sink: BodySink) {
    this.#sink = sink
  }

  /**
   * Reads `chunk` from index `from` and passes the message's bytes to the sink, as views of the chunk, whose bytes it may move. Returns the
   * index after the end of the message, or -1 if it has not ended.
   */
  read(chunk: Buffer, from: number): number {
    let begin = from
    let at = from
    while (this.#tail !== 'inLine') {
      const byte = chunk[at]
      if (byte === undefined) {
        this.#emit(chunk, begin, at)
        return -1
      }
      if (this.#tail === 'dotCr' && byte === LF) return at + 1
      if (this.#tail === 'lineStart' && byte === DOT) this.#emit(chunk, begin, at)
      if (this.#tail === 'dotCr') this.#sink.append(Buffer.of(CR))
      this.#tail = tailAfter(this.#tail, byte)
      if (this.#tail === 'inLine' || this.#tail === 'cr') continue
      at++
      if (this.#tail !== 'lineStart') begin = at
    }
    return this.#scan(chunk, begin, at)
  }

  /**
   * The fast path within a line: searches natively for the next dot at the start of a line, and moves bytes only after a dot was removed.
   */
  #scan(chunk: Buffer, begin: number, from: number): number {
    let kept = begin
    let unread = begin
    let searched = from
    for (let hit = chunk.indexOf(LINE_END_DOT, from); hit !== -1; hit = chunk.indexOf(LINE_END_DOT, searched)) {
      const afterDot = hit + LINE_END_DOT.length
      kept = move(chunk, unread, afterDot - 1, kept)
      unread = searched = afterDot
      const tail = tailOfDot(chunk, afterDot)
      if (tail === 'inLine') continue
      this.#emit(chunk, begin, kept)
      if (tail === 'end') return afterDot + 2
      this.#tail = tail
      return -1
    }
    // Read before the bytes are moved: the tail must be what was sent.
    this.#tail = findTail(chunk, searched)
    this.#emit(chunk, begin, move(chunk, unread, chunk.length, kept))
    return -1
  }

  #emit(chunk: Buffer, begin: number, end: number): void {
    if (end > begin) this.#sink.append(chunk.subarray(begin, end))
  }
}

/** The state after one more byte outside of a line. With `inLine` and, after a held CR, `cr`, the byte must be looked at again. */
function tailAfter(tail: Tail, byte: number): Tail {
  if (tail === 'cr' && byte === LF) return 'lineStart'
  if (tail === 'lineStart' && byte === DOT) return 'dot'
  if (tail === 'dot' && byte === CR) return 'dotCr'
  return tail === 'dotCr' ? 'cr' : 'inLine'
}

/** What a dot at the start of a line means: the end of the message, an added dot, or not known yet. */
function tailOfDot(chunk: Buffer, afterDot: number): Tail | 'end' {
  if (afterDot === chunk.length) return 'dot'
  if (chunk[afterDot] !== CR) return 'inLine'
  if (afterDot + 1 === chunk.length) return 'dotCr'
  return chunk[afterDot + 1] === LF ? 'end' : 'inLine'
}

function findTail(chunk: Buffer, from: number): Tail {
  const last = chunk.length - 1
  if (last >= from && chunk[last] === CR) return 'cr'
  return last - 1 >= from && chunk[last] === LF && chunk[last - 1] === CR ? 'lineStart' : 'inLine'
}

/** Moves the bytes of [begin, end) to `to`, which is at or before them. Returns the end of the moved bytes. */
function move(chunk: Buffer, begin: number, end: number, to: number): number {
  if (to !== begin) chunk.copyWithin(to, begin, end)
  return to + end - begin
}
