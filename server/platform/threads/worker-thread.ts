/** One worker thread, seen from the main thread, and its open jobs. What one turn of the event loop requests is one batch. */
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { AppError } from '#server/errors.ts'
import { hintGarbage, LARGE_BYTES, noteThreadEnded } from '../memory/gc-hint.ts'
import {
  type ByteFields,
  type EndedBatch,
  type FromThread,
  IDLE,
  packRequests,
  type ReplyBatch,
  requestBytes,
  type TaskArgs,
  type TaskOutput,
  type TaskRequest,
  type ThreadSettings,
  unpack,
  withOwnBytes,
} from './batch.ts'

export type ThreadCode = {
  /** A module that calls `serveTasks` or `serveBatches`. */
  readonly code: URL
  /** Passed to it at its start. */
  readonly settings: unknown
  readonly resourceLimits: ResourceLimits
}

type Output = { readonly value: unknown; readonly bytes: ReturnType<typeof unpack> }
type SlowJob = { readonly job: Job; readonly tookMs: number }
export type Job = TaskRequest & { readonly resolve: (output: Output) => void; readonly reject: (error: AppError) => void }

let lastJobId = 0

/** Ids are positive and fit the `progress` of a thread: 31 bits. */
export function createJob(
  task: string,
  args: unknown,
  bytes: readonly ByteFields[],
  { resolve, reject }: Pick<Job, 'resolve' | 'reject'>,
): Job {
  lastJobId = (lastJobId % 0x7fffffff) + 1
  return { id: lastJobId, task, args, bytes, resolve, reject }
}

export class WorkerThread<Tasks> {
  readonly #worker: Worker
  readonly #progress = new Int32Array(new SharedArrayBuffer(4))
  /**
   * Oldest first, and usually finished in this order. No map: V8 links each table of a map to the next, so once one of them is old, the
   * jobs of all later ones, with whatever they refer to, stay until the old generation is collected.
   */
  readonly #jobs: Job[] = []
  readonly #outbox: Job[] = []
  readonly #started = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  #notifyReplies: () => void = () => undefined
  #notifyEndedBatch: (notBegun: Job[], slow: SlowJob | undefined) => void = () => undefined
  #isStarted = false
  #hasEnded = false
  #isClosing = false
  /** It handled large bytes, so its memory should be given back soon. */
  hasCarriedLarge = false

  constructor({ code, settings, resourceLimits }: ThreadCode) {
    const workerData: ThreadSettings = { settings: withOwnBytes(settings), progress: this.#progress }
    this.#worker = new Worker(code, { workerData, resourceLimits })
    this.#started.promise.catch(() => undefined)
    this.#worker.on('message', (message: FromThread) => this.#receive(message))
    this.#worker.on('exit', () => this.#end())
  }

  /** Rejects with the reason if the thread cannot start. */
  get started(): Promise<void> {
    return this.#started.promise
  }

  get isStarted(): boolean {
    return this.#isStarted
  }

  /** Resolves when the thread has ended for any reason. The caller then takes over its jobs. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /** Unfinished jobs, oldest first. */
  get jobs(): Job[] {
    return [...this.#jobs]
  }

  get isFree(): boolean {
    return this.#jobs.length === 0
  }

  /** The job it is in, read from memory, so also for a thread that is stuck or dead. */
  get current(): Job | undefined {
    const id = Atomics.load(this.#progress, 0)
    return id === IDLE ? undefined : this.#jobs.find(job => job.id === id)
  }

  /** For one listener, called after each batch of replies. */
  onReplies(listener: () => void): void {
    this.#notifyReplies = listener
  }

  /** For one listener, called before the last replies of a batch that took long. Jobs that were not begun are no longer this thread's. */
  onEndedBatch(listener: (notBegun: Job[], slow: SlowJob | undefined) => void): void {
    this.#notifyEndedBatch = listener
  }

  onError(listener: (error: unknown) => void): void {
    this.#worker.on('error', listener)
  }

  /** AppError `unavailable` after it was closed or ended. */
  run<Name extends keyof Tasks & string>(task: Name, args: TaskArgs<Tasks, Name>): Promise<TaskOutput<Tasks, Name>> {
    return new Promise((resolve, reject) => {
      if (this.#hasEnded || this.#isClosing) return reject(new AppError('unavailable', { cause: new Error('the thread has ended') }))
      if (this.#outbox.push(createJob(task, args, [], { resolve: resolve as Job['resolve'], reject })) === 1)
        setImmediate(() => this.#flush())
    })
  }

  send(jobs: readonly Job[]): void {
    for (const job of jobs) {
      this.#jobs.push(job)
      this.hasCarriedLarge ||= requestBytes(job) >= LARGE_BYTES
    }
    this.#worker.postMessage(packRequests(jobs))
  }

  cpuUsage(since?: NodeJS.CpuUsage): Promise<NodeJS.CpuUsage> {
    return this.#worker.cpuUsage(since)
  }

  /** Ends it once everything requested before is done. */
  async close(): Promise<void> {
    if (!this.#isClosing && !this.#hasEnded) {
      this.#flush()
      this.#isClosing = true
      this.#worker.postMessage('close')
    }
    await this.ended
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #flush(): void {
    if (this.#outbox.length > 0) this.send(this.#outbox.splice(0))
  }

  #receive(message: FromThread): void {
    if ('replies' in message) this.#settle(message)
    else if ('notBegun' in message) this.#endBatch(message)
    else if ('startFailure' in message) this.#started.reject(new Error(message.startFailure))
    else {
      this.#isStarted = true
      this.#started.resolve()
    }
  }

  #endBatch({ notBegun, slow }: EndedBatch): void {
    const job = slow && this.#jobs.find(({ id }) => id === slow.id)
    const jobs = notBegun.map(id => this.#takeJob(id)).filter(taken => taken !== undefined)
    this.#notifyEndedBatch(jobs, job && { job, tookMs: slow.tookMs })
  }

  #settle({ memory, replies }: ReplyBatch): void {
    for (const reply of replies) {
      const job = this.#takeJob(reply.id)
      if ('failure' in reply) job?.reject(new AppError(reply.failure, { cause: new Error(reply.reason) }))
      else job?.resolve({ value: reply.value, bytes: unpack(memory, reply.spans) })
      for (const fields of job?.bytes ?? []) for (const piece of Object.values(fields)) hintGarbage(piece?.byteLength ?? 0)
    }
    hintGarbage(memory?.byteLength ?? 0)
    this.#notifyReplies()
  }

  #takeJob(id: number): Job | undefined {
    const at = this.#jobs.findIndex(job => job.id === id)
    return at === -1 ? undefined : this.#jobs.splice(at, 1)[0]
  }

  #end(): void {
    this.#hasEnded = true
    noteThreadEnded()
    this.#jobs.push(...this.#outbox.splice(0))
    this.#started.reject(new Error('the thread ended before it had started'))
    this.#ended.resolve()
  }
}
