/**
 * The messages between the main thread and a worker. One message has many requests or replies, with their bytes
 * in one piece of shared memory, so that bytes are not serialised and none are lost with a killed thread.
 */
import type { AppError } from '#server/errors.ts'
import { SHARED_BYTES_MIN } from '../memory/gc-hint.ts'

/** Offset and length in the batch's memory, or in `memory`: large bytes that are shared already stay where they are. */
type Span = readonly [offset: number, length: number, memory?: SharedArrayBuffer]
type Fields<T> = Readonly<Record<string, T>>
/** Bytes by name; a field without bytes is left out. */
export type ByteFields = Fields<Uint8Array | undefined>
/** Bytes in pieces, in order. They are joined with one copy when they are packed. */
export type Pieces = readonly Uint8Array[]

/** `bytes` is the input of the task. Anything else in `args` is cloned (see `withOwnBytes`). */
export type TaskRequest = { readonly id: number; readonly task: string; readonly args: unknown; readonly bytes: readonly ByteFields[] }
export type TaskReply =
  | { readonly id: number; readonly value: unknown; readonly bytes: readonly Fields<Pieces>[] }
  | { readonly id: number; readonly failure: AppError['code']; readonly reason: string }

type Memory = SharedArrayBuffer | undefined
type PackedRequest = Omit<TaskRequest, 'bytes'> & { readonly spans: readonly Fields<Span>[] }
type PackedReply =
  | { readonly id: number; readonly value: unknown; readonly spans: readonly Fields<Span>[] }
  | Extract<TaskReply, { failure: string }>
type RequestBatch = { readonly memory: Memory; readonly requests: readonly PackedRequest[] }
export type ReplyBatch = { readonly memory: Memory; readonly replies: readonly PackedReply[] }

/** A thread first reports whether it started. `close` ends it once everything before is done. */
export type FromThread = { readonly isStarted: true } | { readonly startFailure: string } | ReplyBatch | EndedBatch
/** A batch that took long, before its replies. `slow`: the job that took most of it. `notBegun`: requests that were not begun. */
export type EndedBatch = {
  readonly notBegun: readonly number[]
  readonly slow: { readonly id: number; readonly tookMs: number } | undefined
}
export type ToThread = RequestBatch | 'close'
/** `progress`: the id of the request that the thread is working on, readable while the thread does not respond. */
export type ThreadSettings = { readonly settings: unknown; readonly progress: Int32Array }
/** The value of `progress` between requests. */
export const IDLE = 0

export function packRequests(requests: readonly TaskRequest[]): RequestBatch {
  const { memory, spans } = pack(requests.flatMap(({ bytes }) => bytes.map(toPieces)))
  const packed = requests.map(({ id, task, args, bytes }) => ({ id, task, args: withOwnBytes(args), spans: spans.splice(0, bytes.length) }))
  return { memory, requests: packed }
}

export function unpackRequests({ memory, requests }: RequestBatch): TaskRequest[] {
  return requests.map(({ id, task, args, spans }) => ({ id, task, args, bytes: unpack(memory, spans) }))
}

export function packReplies(replies: readonly TaskReply[]): ReplyBatch {
  const { memory, spans } = pack(replies.flatMap(reply => ('bytes' in reply ? reply.bytes : [])))
  const packed = replies.map(reply =>
    'bytes' in reply ? { id: reply.id, value: withOwnBytes(reply.value), spans: spans.splice(0, reply.bytes.length) } : reply,
  )
  return { memory, replies: packed }
}

function toPieces(fields: ByteFields): Fields<Pieces> {
  const present = Object.entries(fields).flatMap(([name, piece]) => (piece ? [[name, [piece]] as const] : []))
  return Object.fromEntries(present)
}

/** The bytes of the spans. */
export function unpack(memory: Memory, spans: readonly Fields<Span>[]): Fields<Buffer>[] {
  return spans.map(fields =>
    mapFields(fields, ([offset, length, own = memory]) => (own ? Buffer.from(own, offset, length) : Buffer.alloc(0))),
  )
}

function mapFields<From, To>(fields: Fields<From>, change: (value: From) => To): Fields<To> {
  const changed: Record<string, To> = {}
  for (const name in fields) changed[name] = change(fields[name] as From)
  return changed
}

/** The shared memory that bytes of a batch were left in. */
export function bytesInPlace(packed: readonly (PackedRequest | PackedReply)[]): number {
  let total = 0
  for (const item of packed)
    if ('spans' in item)
      for (const fields of item.spans) for (const [, length, memory] of Object.values(fields)) if (memory) total += length
  return total
}

/**
 * The same value, in which each byte array has a buffer of its own: with a view, its whole buffer is cloned, often Node's pool of
 * 64 KiB. Shared memory is passed by reference.
 */
export function withOwnBytes<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof SharedArrayBuffer) return value
  if (value instanceof Uint8Array) {
    const isWhole = value.byteLength === value.buffer.byteLength || value.buffer instanceof SharedArrayBuffer
    return isWhole ? value : (new Uint8Array(value) as Uint8Array & T)
  }
  if (Array.isArray(value)) {
    const own = value.map(withOwnBytes)
    return own.some((item, i) => item !== value[i]) ? (own as T) : value
  }
  let changed: T | undefined
  for (const key in value) {
    const own = withOwnBytes(value[key])
    if (own === value[key]) continue
    changed ??= { ...value }
    changed[key] = own
  }
  return changed ?? value
}

/** Packs each field as one span. Pieces that are small or not shared are joined in one new shared memory. */
function pack(all: readonly Fields<Pieces>[]): { memory: Memory; spans: Fields<Span>[] } {
  const fields = all.flatMap(one => Object.values(one))
  const bytes = totalBytes(fields.filter(pieces => !spanInPlace(pieces)).flat())
  const memory = bytes > 0 ? new SharedArrayBuffer(bytes) : undefined
  const target = memory && new Uint8Array(memory)
  let offset = 0
  const packOne = (pieces: Pieces): Span => {
    const span = spanInPlace(pieces)
    if (span) return span
    const start = offset
    for (const piece of pieces) {
      target?.set(piece, offset)
      offset += piece.byteLength
    }
    return [start, offset - start]
  }
  return { memory, spans: all.map(one => mapFields(one, packOne)) }
}

function spanInPlace([piece, ...others]: Pieces): Span | undefined {
  if (!piece || others.length > 0 || piece.byteLength < SHARED_BYTES_MIN || !(piece.buffer instanceof SharedArrayBuffer)) return undefined
  return [piece.byteOffset, piece.byteLength, piece.buffer]
}

function totalBytes(pieces: Pieces): number {
  return pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0)
}

/** The bytes of a request. */
export function requestBytes({ bytes }: Pick<TaskRequest, 'bytes'>): number {
  return totalBytes(bytes.flatMap(fields => Object.values(fields)).filter(piece => piece !== undefined))
}
