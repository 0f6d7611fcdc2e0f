/** Raw messages on disk, in pieces. */
import { RAW_PIECES_MAX } from './schema.ts'
import type { Statements } from './statements.ts'

/** Bytes of one piece: SQLite holds a copy of each value that it writes or reads. */
const PIECE_BYTES = 1024 * 1024

type RawRow = { readonly piece: Uint8Array<ArrayBuffer> }

export function addRaw(statements: Statements, seq: number, sealedRaw: Uint8Array): void {
  const [first] = pieceRange(seq)
  const pieces = Math.max(1, Math.ceil(sealedRaw.byteLength / PIECE_BYTES))
  if (pieces > RAW_PIECES_MAX) throw new RangeError('a message of more pieces than it may have')
  for (let i = 0; i < pieces; i++) statements.addRaw.run(first + i, sealedRaw.subarray(i * PIECE_BYTES, (i + 1) * PIECE_BYTES))
}

/** A large one comes in shared memory, so that the thread that opens it reads it where it is. */
export function readRaw(statements: Statements, seq: number, bytes: number): Uint8Array | undefined {
  const [first, last] = pieceRange(seq)
  if (bytes <= PIECE_BYTES) return (statements.readRaw.get(first, last) as RawRow | undefined)?.piece
  const whole = new Uint8Array(new SharedArrayBuffer(bytes))
  let at = 0
  for (const { piece } of statements.readRaw.iterate(first, last) as NodeJS.Iterator<RawRow>) {
    whole.set(piece, at)
    at += piece.byteLength
    // Frees its memory now: the garbage collector would let 64 MB pile up.
    piece.buffer.transfer(0)
  }
  return at === bytes ? whole : undefined
}

/** The first and the last `no` that pieces of a message may have. */
export function pieceRange(seq: number): [number, number] {
  return [seq * RAW_PIECES_MAX, (seq + 1) * RAW_PIECES_MAX - 1]
}
