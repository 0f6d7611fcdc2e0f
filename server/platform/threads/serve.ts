/** The worker side of a thread: reads requests, runs the tasks, sends the replies. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { AppError } from '#server/errors.ts'
import { collectWhenIdle, hintGarbage, SHARED_BYTES_MIN } from '../memory/gc-hint.ts'
import {
  bytesInPlace,
  type EndedBatch,
  type FromThread,
  IDLE,
  packReplies,
  type Task,
  type TaskReply,
  type TaskRequest,
  type TaskResult,
  type ThreadSettings,
  type ToThread,
  unpackRequests,
} from './batch.ts'

type Reply = (replies: readonly TaskReply[]) => void
/** Handles everything that waits at once. It may reply at any time and in any groups, to each request once. */
type BatchHandler<Request> = { handle(requests: readonly Request[], reply: Reply): void; close?(reply: Reply): void }

/** Serves this thread's requests: what arrived during one batch is the next. If `start` throws, the thread ends with its message. */
export function serveBatches<Settings, Request extends Pick<TaskRequest, 'id' | 'task'> = TaskRequest>(
  start: (settings: Settings) => BatchHandler<Request>,
): void {
  const { settings, progress } = workerData as ThreadSettings
  try {
    const handler = start(settings as Settings)
    Atomics.store(progress, 0, IDLE)
    post({ isStarted: true })
    // The calling side checks the types of requests.
    listen(handler as BatchHandler<never>)
    collectWhenIdle()
  } catch (error) {
    post({ startFailure: errorText(error) })
    parentPort?.close()
  }
}

/** A batch that has run for so long ends: its replies leave, and what was not begun goes back to the queue. */
const BATCH_MS_MAX = 50
/** CPU time of a job that its owner's next ones are judged by. An ordinary mail takes a tenth of it. */
const SLOW_MS_MIN = 100

/** Serves each request by the task with its name. Replies of synchronous tasks are sent together, others when they resolve. */
export function serveTasks<Settings>(start: (settings: Settings) => Readonly<Record<string, Task>>): void {
  const { progress } = workerData as ThreadSettings
  serveBatches((settings: Settings) => {
    const tasks = start(settings)
    return { handle: (requests, reply) => runAll({ tasks, progress }, requests, reply) }
  })
}

export function failureReply(id: number, error: unknown): TaskReply {
  if (error instanceof AppError) return { id, failure: error.code, reason: errorText(error.cause ?? error) }
  return { id, failure: 'internal', reason: errorText(error) }
}

type TaskThread = { readonly tasks: Readonly<Record<string, Task>>; readonly progress: Int32Array }

function runAll({ tasks, progress }: TaskThread, requests: readonly TaskRequest[], reply: Reply): void {
  const replies: TaskReply[] = []
  const freeable: Uint8Array[] = []
  const cpuAtStart = process.threadCpuUsage()
  const startMs = performance.now()
  let nowMs = startMs
  for (const [at, request] of requests.entries()) {
    // The main thread reads here which request a thread is stuck in or died of.
    Atomics.store(progress, 0, request.id)
    try {
      const result = run(tasks, request)
      if (result instanceof Promise) replyLater(request.id, result, reply)
      else {
        replies.push({ id: request.id, value: result.value, bytes: result.bytes ?? [] })
        freeable.push(...allPieces(result.bytes), ...(result.freeable ? [result.freeable] : []))
      }
    } catch (error) {
      replies.push(failureReply(request.id, error))
    }
    const tookMs = performance.now() - nowMs
    nowMs += tookMs
    if (nowMs - startMs < BATCH_MS_MAX) continue
    // A busy machine makes jobs slow that are not.
    const { user, system } = process.threadCpuUsage(cpuAtStart)
    const slow = { id: request.id, tookMs: Math.min(tookMs, (user + system) / 1000) }
    post({ notBegun: requests.slice(at + 1).map(({ id }) => id), slow: slow.tookMs >= SLOW_MS_MIN ? slow : undefined } satisfies EndedBatch)
    break
  }
  // Packing may be what a thread dies of, so the last request is done only after it.
  reply(replies)
  Atomics.store(progress, 0, IDLE)
  for (const bytes of freeable) free(bytes)
}

const allPieces = (bytes: TaskResult<unknown, string>['bytes'] = []): Uint8Array[] => bytes.flatMap(fields => Object.values(fields).flat())

function run(
  tasks: Readonly<Record<string, Task>>,
  { task, args, bytes }: TaskRequest,
): TaskResult<unknown, string> | Promise<TaskResult<unknown, string>> {
  const found = tasks[task]
  if (!found) throw new Error(`no such task: ${task}`)
  // The calling side checks these types.
  return found(args as never, bytes as never)
}

function replyLater(id: number, result: Promise<TaskResult<unknown, string>>, reply: Reply): void {
  result.then(
    ({ value, bytes }) => reply([{ id, value, bytes: bytes ?? [] }]),
    (error: unknown) => reply([failureReply(id, error)]),
  )
}

function listen(handler: BatchHandler<never>): void {
  let isClosed = false
  parentPort?.on('message', (first: ToThread) => {
    const messages = [first, ...waiting()]
    const batches = messages.filter(message => message !== 'close')
    if (batches.length > 0 && !isClosed) handler.handle(batches.flatMap(unpackRequests) as never[], sendReplies)
    for (const { requests } of batches) hintGarbage(bytesInPlace(requests))
    if (!messages.includes('close')) return
    isClosed = true
    handler.close?.(sendReplies)
    parentPort?.close()
  })
}

/** What arrived while the last batch was handled. */
function waiting(): ToThread[] {
  const messages: ToThread[] = []
  if (!parentPort) return messages
  for (let next = receiveMessageOnPort(parentPort); next; next = receiveMessageOnPort(parentPort)) messages.push(next.message)
  return messages
}

function sendReplies(replies: readonly TaskReply[]): void {
  if (replies.length === 0) return
  const batch = packReplies(replies)
  post(batch)
  hintGarbage(bytesInPlace(batch.replies))
}

/**
 * Frees what was read and copied into the reply: the garbage collector would let 64 MB of it pile up. A slice shares its buffer with
 * others, often with Node's own pool, whose buffers cannot be detached (64 KiB each in Node 24.21): it is left to the collector.
 */
function free({ buffer, byteLength }: Uint8Array): void {
  const ownsBuffer = byteLength === buffer.byteLength
  if (byteLength >= SHARED_BYTES_MIN && ownsBuffer && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
}

function post(message: FromThread): void {
  parentPort?.postMessage(message)
}

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))
