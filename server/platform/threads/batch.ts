/**
 * The messages between the main thread and a worker thread. One message has many requests or replies, with their bytes in one piece of
 * shared memory, so that bytes are not serialised and none are lost with a killed thread.
 */
import type { MessagePort } from 'node:worker_threads'
import type { FailureCode } from '#server/errors.ts'
import { SHARED_BYTES_MIN } from '../memory/gc-hint.ts'

/** Offset and length in the batch's memory, or in `memory`: large bytes that are shared already stay where they are. */
type Span = readonly [offset: number, length: number, memory?: SharedArrayBuffer]
/** Bytes in pieces, in order. They are joined with one copy when they are packed. */
export type Pieces = readonly Uint8Array[]

/** `bytes` is the input of the task. Anything else in `args` is cloned, except shared memory, which is passed by reference. */
export type TaskRequest = { readonly id: number; readonly task: string; readonly args: unknown; readonly bytes: readonly Uint8Array[] }
/** One end of a connection between two worker threads. */
export type PeerConnection = MessagePort
/** A request that one worker thread sends to another, which replies to the main thread: see `ExpectedRequest`. */
export type PeerRequest = Omit<TaskRequest, 'bytes'> & { readonly bytes: readonly Pieces[] }
/**
 * The first part of such a request, for the thread that is to send it: it adds the arguments and bytes that only it knows. The main thread
 * already waits for the reply to this id.
 */
export type ExpectedRequest = Pick<TaskRequest, 'id' | 'task'> & { readonly args: object }
export type TaskReply =
  | { readonly id: number; readonly value: unknown; readonly bytes: readonly Pieces[] }
  | { readonly id: number; readonly failure: FailureCode; readonly reason: string }

type Memory = SharedArrayBuffer | undefined
type PackedRequest = Omit<TaskRequest, 'bytes'> & { readonly spans: readonly Span[] }
type PackedReply =
  | { readonly id: number; readonly value: unknown; readonly spans: readonly Span[] }
  | Extract<TaskReply, { failure: string }>
export type RequestBatch = { readonly memory: Memory; readonly requests: readonly PackedRequest[] }
export type ReplyBatch = { readonly memory: Memory; readonly replies: readonly PackedReply[] }

/**
 * A thread first reports whether it started. `close` ends it once everything before is done. Requests of another thread come through
 * `peer`.
 */
export type FromThread = { readonly isStarted: true } | { readonly startFailure: string } | ReplyBatch
export type ToThread = RequestBatch | 'close' | { readonly peer: PeerConnection }
/**
 * `progress`: the id of the request that the thread is working on, readable while the thread does not respond. `peer`: leads to the thread
 * that its tasks may send requests to.
 */
export type ThreadSettings = { readonly settings: unknown; readonly progress: Int32Array; readonly peer: PeerConnection | undefined }
/** The value of `progress` between requests. */
export const IDLE = 0

export function packRequests(requests: readonly TaskRequest[]): RequestBatch {
  return packPeerRequests(requests.map(({ id, task, args, bytes }) => ({ id, task, args, bytes: bytes.map(piece => [piece]) })))
}

export function packPeerRequests(requests: readonly PeerRequest[]): RequestBatch {
  const { memory, spans } = pack(requests.flatMap(({ bytes }) => bytes))
  return { memory, requests: requests.map(({ id, task, args, bytes }) => ({ id, task, args, spans: spans.splice(0, bytes.length) })) }
}

export function unpackRequests({ memory, requests }: RequestBatch): TaskRequest[] {
  return requests.map(({ id, task, args, spans }) => ({ id, task, args, bytes: unpack(memory, spans) }))
}

export function packReplies(replies: readonly TaskReply[]): ReplyBatch {
  const { memory, spans } = pack(replies.flatMap(reply => ('bytes' in reply ? reply.bytes : [])))
  const packed = replies.map(reply =>
    'bytes' in reply ? { id: reply.id, value: reply.value, spans: spans.splice(0, reply.bytes.length) } : reply,
  )
  return { memory, replies: packed }
}

/** The bytes of the spans. */
export function unpack(memory: Memory, spans: readonly Span[]): Buffer[] {
  return spans.map(([offset, length, own = memory]) => (own ? Buffer.from(own, offset, length) : Buffer.alloc(0)))
}

/** The shared memory that bytes of a batch were left in. */
export function bytesInPlace(packed: readonly (PackedRequest | PackedReply)[]): number {
  let total = 0
  for (const item of packed) if ('spans' in item) for (const [, length, memory] of item.spans) if (memory) total += length
  return total
}

/** Packs each list of pieces as one span. Pieces that are small or not shared are joined in one new shared memory. */
function pack(all: readonly Pieces[]): { memory: Memory; spans: Span[] } {
  const inPlace = all.map(spanInPlace)
  const bytes = totalBytes(all.filter((_, i) => !inPlace[i]).flat())
  const memory = bytes > 0 ? new SharedArrayBuffer(bytes) : undefined
  const target = memory && new Uint8Array(memory)
  let offset = 0
  const spans = all.map((pieces, i): Span => {
    const span = inPlace[i]
    if (span) return span
    const start = offset
    for (const piece of pieces) {
      target?.set(piece, offset)
      offset += piece.byteLength
    }
    return [start, offset - start]
  })
  return { memory, spans }
}

function spanInPlace([piece, ...others]: Pieces): Span | undefined {
  if (!piece || others.length > 0 || piece.byteLength < SHARED_BYTES_MIN || !(piece.buffer instanceof SharedArrayBuffer)) return undefined
  return [piece.byteOffset, piece.byteLength, piece.buffer]
}

export function totalBytes(pieces: Pieces): number {
  return pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0)
}

/**
 * `freeable`: bytes that are no longer needed, and that no part of the result lies in. `forward`: what the peer of this thread is to do.
 */
export type TaskResult<Value> = {
  readonly value: Value
  readonly bytes?: readonly Pieces[]
  readonly freeable?: Uint8Array
  readonly forward?: readonly PeerRequest[]
}
export type Task = (args: never, bytes: never) => TaskResult<unknown> | Promise<TaskResult<unknown>>

type TaskName<Tasks> = keyof Tasks & string
export type TaskArgs<Tasks, Name extends TaskName<Tasks>> = Tasks[Name] extends (args: infer Args, bytes: never) => unknown ? Args : never
type TaskValue<Tasks, Name extends TaskName<Tasks>> = Tasks[Name] extends (...args: never) => infer Result
  ? Awaited<Result> extends TaskResult<infer Value>
    ? Value
    : never
  : never
/** The bytes are in shared memory and belong to the caller. */
export type TaskOutput<Tasks, Name extends TaskName<Tasks>> = { readonly value: TaskValue<Tasks, Name>; readonly bytes: readonly Buffer[] }
