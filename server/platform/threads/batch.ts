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
  const packing = new Packing()
  const packed = requests.map(({ id, task, args, bytes }) => ({ id, task, args: withOwnBytes(args), spans: packing.addAll(bytes) }))
  return { memory: packing.joined(), requests: packed }
}

export function unpackRequests({ memory, requests }: RequestBatch): TaskRequest[] {
  return requests.map(({ id, task, args, spans }) => ({ id, task, args, bytes: unpack(memory, spans) }))
}

export function packReplies(replies: readonly TaskReply[]): ReplyBatch {
  const packing = new Packing()
  const packed = replies.map(reply =>
    'bytes' in reply ? { id: reply.id, value: withOwnBytes(reply.value), spans: packing.addAll(reply.bytes) } : reply,
  )
  return { memory: packing.joined(), replies: packed }
}

/** The bytes of the spans. */
export function unpack(memory: Memory, spans: readonly Fields<Span>[]): Fields<Buffer>[] {
  return spans.map(fields => {
    const unpacked: Record<string, Buffer> = {}
    for (const name in fields) {
      const [offset, length, own = memory] = fields[name] ?? NO_BYTES
      unpacked[name] = own ? Buffer.from(own, offset, length) : Buffer.alloc(0)
    }
    return unpacked
  })
}

/** The shared memory that bytes of a batch were left in. */
export function bytesInPlace(packed: readonly (PackedRequest | PackedReply)[]): number {
  let total = 0
  for (const item of packed)
    if ('spans' in item)
      for (const fields of item.spans) for (const [, length, memory] of Object.values(fields)) if (memory) total += length
  return total
}

/** Gives each byte array its own buffer: a clone takes the whole one, often Node's pool of 64 KiB. Shared memory stays as it is. */
export function withOwnBytes<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof SharedArrayBuffer) return value
  if (value instanceof Uint8Array) {
    const isWhole = value.byteLength === value.buffer.byteLength || value.buffer instanceof SharedArrayBuffer
    return isWhole ? value : (new Uint8Array(value) as Uint8Array & T)
  }
  if (Array.isArray(value)) {
    let changed: unknown[] | undefined
    for (const [i, item] of value.entries()) {
      const own = withOwnBytes(item)
      if (own === item) continue
      changed ??= [...value]
      changed[i] = own
    }
    return (changed as T | undefined) ?? value
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

const NO_BYTES: Span = [0, 0]

/** Packs each field as one span. Pieces that are small or not shared are joined in one new shared memory. */
class Packing {
  readonly #pieces: Uint8Array[] = []
  #bytes = 0

  addAll(all: readonly Fields<Uint8Array | Pieces | undefined>[]): Fields<Span>[] {
    return all.map(fields => {
      const spans: Record<string, Span> = {}
      for (const name in fields) {
        const value = fields[name]
        if (value) spans[name] = this.#add(value instanceof Uint8Array ? [value] : value)
      }
      return spans
    })
  }

  #add(pieces: Pieces): Span {
    const span = spanInPlace(pieces)
    if (span) return span
    const start = this.#bytes
    for (const piece of pieces) {
      this.#pieces.push(piece)
      this.#bytes += piece.byteLength
    }
    return [start, this.#bytes - start]
  }

  joined(): Memory {
    if (this.#bytes === 0) return undefined
    const memory = new SharedArrayBuffer(this.#bytes)
    const target = new Uint8Array(memory)
    let offset = 0
    for (const piece of this.#pieces) {
      target.set(piece, offset)
      offset += piece.byteLength
    }
    return memory
  }
}

function spanInPlace([piece, ...others]: Pieces): Span | undefined {
  if (!piece || others.length > 0 || piece.byteLength < SHARED_BYTES_MIN || !(piece.buffer instanceof SharedArrayBuffer)) return undefined
  return [piece.byteOffset, piece.byteLength, piece.buffer]
}

/** The bytes of a request. */
export function requestBytes({ bytes }: Pick<TaskRequest, 'bytes'>): number {
  let total = 0
  for (const fields of bytes) for (const name in fields) total += fields[name]?.byteLength ?? 0
  return total
}

/**
 * What a thread can do, as a type: one function per task, from its arguments and its bytes to a `TaskResult`. The types below take one task
 * out of it, so that both sides of a thread check the same functions:
 *
 *     type Tasks = { read(args: { name: string }, bytes: readonly [{ raw: Uint8Array }]): TaskResult<number, 'summary'> }
 *     TaskArgs<Tasks, 'read'>    // { name: string }
 *     TaskBytes<Tasks, 'read'>   // readonly [{ raw: Uint8Array }]
 *     TaskOutput<Tasks, 'read'>  // { value: number; bytes: readonly { summary: Buffer }[] }
 */

/** `freeable`: bytes that are no longer needed, and that no part of the result lies in. */
export type TaskResult<Value, Field extends string = never> = {
  readonly value: Value
  readonly bytes?: readonly Readonly<Record<Field, Pieces>>[]
  readonly freeable?: Uint8Array
}
export type Task = (args: never, bytes: never) => TaskResult<unknown, string> | Promise<TaskResult<unknown, string>>

type TaskName<Tasks> = keyof Tasks & string
export type TaskArgs<Tasks, Name extends TaskName<Tasks>> = Tasks[Name] extends (args: infer Args, bytes: never) => unknown ? Args : never
/** None for a task that takes no bytes. */
export type TaskBytes<Tasks, Name extends TaskName<Tasks>> = Tasks[Name] extends (args: never, bytes: infer Bytes) => unknown
  ? Bytes extends readonly ByteFields[]
    ? Bytes
    : readonly []
  : never
type ResultOf<Tasks, Name extends TaskName<Tasks>> = Tasks[Name] extends (...args: never) => infer Returned ? Awaited<Returned> : never
type FieldsOf<Result> = Result extends { readonly bytes?: readonly (infer Each)[] } ? keyof Each & string : never
/** The bytes are in shared memory and belong to the caller. */
export type TaskOutput<Tasks, Name extends TaskName<Tasks>> = {
  readonly value: ResultOf<Tasks, Name> extends { readonly value: infer Value } ? Value : never
  readonly bytes: readonly Readonly<Record<FieldsOf<ResultOf<Tasks, Name>>, Buffer>>[]
}
