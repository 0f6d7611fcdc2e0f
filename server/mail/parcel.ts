/**
 * What travels between the main thread and a mail thread: many small jobs in one message, their bytes side by side in one piece of
 * shared memory, so that nothing is serialised and a killed thread takes nothing along.
 */
import type { Task } from './work.ts'

/** Offset and length in the parcel's memory. */
export type Span = readonly [offset: number, length: number]
export type ParcelJob = { readonly task: Task; readonly args: unknown; readonly spans: readonly Span[] }
export type Parcel = { readonly memory: SharedArrayBuffer; readonly jobs: readonly ParcelJob[] }
export type ParcelResult = { readonly value: unknown; readonly spans: readonly Span[] } | { readonly error: string }
export type ParcelReply = { readonly memory: SharedArrayBuffer; readonly results: readonly ParcelResult[] }
export type WorkerSettings = { readonly messageIdKey: Uint8Array; readonly progress: Int32Array }

/** Copies `pieces` one after the other to `offset`; returns where they end. */
export function fill(memory: SharedArrayBuffer, offset: number, pieces: readonly Uint8Array[]): number {
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
