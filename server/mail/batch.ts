/**
 * What travels between the main thread and a mail thread: many small jobs in one message, their bytes side by side in one piece of
 * shared memory, so that nothing is serialised and a killed thread takes nothing along.
 */
import type { Task } from './work.ts'

/** Offset and length in the parcel's memory, or in the memory named: large bytes that are shared already stay where they are. */
type Span = readonly [offset: number, length: number, memory?: SharedArrayBuffer]
type ParcelJob = { readonly task: Task; readonly args: unknown; readonly spans: readonly Span[] }
export type Parcel = { readonly memory: SharedArrayBuffer; readonly jobs: readonly ParcelJob[] }
type ParcelResult = { readonly value: unknown; readonly spans: readonly Span[] } | { readonly error: string }
export type ParcelReply = { readonly memory: SharedArrayBuffer; readonly results: readonly ParcelResult[] }
/** `progress`: one number, the index of the job the thread is in, which can be read when the thread no longer answers. */
export type WorkerSettings = { readonly messageIdKey: Uint8Array; readonly progress: Int32Array }

/** What `progress` says besides: the thread's code is not loaded yet, or it waits for work. */
export const NOT_STARTED = -2
export const NO_JOB = -1

/** A 25 MiB mail copied at every hand-over would take ten times its size. */
const IN_PLACE_BYTES_MIN = 1024 * 1024

/** Packs each list of pieces as one span, those that are small or not shared side by side in one new memory. */
export function pack(all: readonly (readonly Uint8Array[])[]): { memory: SharedArrayBuffer; spans: Span[] } {
  const inPlace = all.map(placeOf)
  const memory = new SharedArrayBuffer(sizeOf(all.filter((_, i) => !inPlace[i]).flat()))
  let offset = 0
  const spans = all.map((pieces, i): Span => {
    const span = inPlace[i]
    if (span) return span
    const start = offset
    offset = fill(memory, start, pieces)
    return [start, offset - start]
  })
  return { memory, spans }
}

/** What a span stands for. */
export function unpack(memory: SharedArrayBuffer, spans: readonly Span[]): Buffer[] {
  return spans.map(([offset, length, own = memory]) => Buffer.from(own, offset, length))
}

function placeOf([piece, ...others]: readonly Uint8Array[]): Span | undefined {
  if (!piece || others.length > 0 || piece.byteLength < IN_PLACE_BYTES_MIN || !(piece.buffer instanceof SharedArrayBuffer)) return undefined
  return [piece.byteOffset, piece.byteLength, piece.buffer]
}

/** Copies `pieces` one after the other to `offset`; returns where they end. */
function fill(memory: SharedArrayBuffer, offset: number, pieces: readonly Uint8Array[]): number {
  const target = new Uint8Array(memory)
  let at = offset
  for (const piece of pieces) {
    target.set(piece, at)
    at += piece.byteLength
  }
  return at
}

export function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0)
}
