/**
 * The threads mail is parsed, sealed and opened in: the main thread never does. A message that takes too long or too much memory costs
 * its thread; the thread is replaced, the message is done again without the parser, the others in its parcel are done again whole.
 * There is a thread from the first work on, more when there is more, and none when nothing has come for a while: a thread takes 15 MB and
 * what its last message left. One that does not even start is tried again after a pause; work is refused meanwhile rather than kept waiting.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AppError } from '#server/errors.ts'
import { hintGarbage, LARGE_BYTES } from '#server/gc-hint.ts'
import type { Log } from '#server/log.ts'
import { NO_JOB, NOT_STARTED, type Parcel, type ParcelReply, pack, sizeOf, unpack, type WorkerSettings } from './batch.ts'
import type { Task, Work } from './work.ts'

/** CPU time one message may take: an honest one of 25 MiB takes a tenth of it (case G2). */
const CPU_MS_MAX = 2000
/** A thread that does not even answer how much CPU it used is stuck in native code. */
const WALL_MS_MAX = 10_000
/** JavaScript heap of one thread; message bytes are outside it (MIME bombs stay under 200 MB, issue "reading mail"). */
const HEAP_MB_MAX = 192
/** Young objects of one thread: V8 would take 48 and keep them, and what one mail makes is dead long before. */
const YOUNG_MB_MAX = 12
const LOOK_MS = 250
/** Jobs in one parcel: enough to make the messages between threads cheap, few enough that the last one does not wait long. */
const PARCEL_JOBS_MAX = 32
const PARCEL_BYTES_MAX = 1024 * 1024
/** One thread may hang for two seconds; there is always another one. */
const THREADS_MAX = Math.max(2, Math.min(availableParallelism(), 8))
/** A thread without work is ended after this long; the only one may wait longer for the next ordinary mail, unless large mail went through it. */
const IDLE_MS_MAX = 10_000
const LAST_IDLE_MS_MAX = 20_000
/** After a thread that did not start; doubled each time. An installation that cannot load the thread's code at all must not spin. */
const START_PAUSE_MS = 100
const START_PAUSE_MS_MAX = 30_000

type WorkersOptions = {
  readonly messageIdKey: Uint8Array
  readonly log: Log
  readonly cpuMsMax?: number
  readonly heapMbMax?: number
  readonly startPauseMs?: number
  readonly idleMsMax?: number
  /** The thread's code; asked for at each start. */
  readonly code?: URL
}

type Job = {
  readonly task: Task
  args: { readonly isBare?: boolean }
  readonly bytes: readonly Uint8Array[]
  readonly resolve: (done: { value: never; bytes: Uint8Array[] }) => void
  readonly reject: (error: AppError) => void
  hasCostAThread: boolean
}
type Watch = { readonly index: number; wallMs: number; cpuAtStart: NodeJS.CpuUsage | undefined; isAsked: boolean }
type Thread = {
  readonly worker: Worker
  readonly progress: Int32Array
  jobs: readonly Job[]
  watch: Watch | undefined
  idleMs: number
  hasReadLarge: boolean
}

export class MailWorkers implements AsyncDisposable {
  readonly #options: WorkersOptions
  readonly #threads = new Set<Thread>()
  #queue: Job[] = []
  #isDispatching = false
  #isClosed = false
  /** Threads in a row that ended before their first job. */
  #failedStarts = 0
  /** Set while the next try to start a thread is waited for. */
  #pausing: NodeJS.Timeout | undefined
  readonly #looking: NodeJS.Timeout

  constructor(options: WorkersOptions) {
    this.#options = options
    this.#looking = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  /**
   * Does one task of work.ts. The bytes given are copied, but large ones in shared memory are read where they are and must not change
   * meanwhile. Those returned are in shared memory and are the caller's.
   * Rejects with AppError `internal` when the task fails, `unavailable` when the threads are closed or cannot be started.
   */
  run<T extends Task>(task: T, args: Parameters<Work[T]>[0], bytes: readonly Uint8Array[]) {
    return new Promise<{ value: ReturnType<Work[T]>['value']; bytes: Uint8Array[] }>((resolve, reject) => {
      if (this.#isClosed) return reject(new AppError('unavailable'))
      this.#queue.push({ task, args: args as Job['args'], bytes, resolve: resolve as Job['resolve'], reject, hasCostAThread: false })
      if (this.#isDispatching) return
      this.#isDispatching = true
      setImmediate(() => this.#dispatch())
    })
  }

  /** How many there are now. */
  get threads(): number {
    return this.#threads.size
  }

  /** There will soon be work: starts a thread when there is none, so that the first mail does not wait for it. */
  expectWork(): void {
    if (this.#threads.size === 0 && !this.#pausing && !this.#isClosed) this.#start()
  }

  async [Symbol.asyncDispose]() {
    this.#isClosed = true
    clearInterval(this.#looking)
    clearTimeout(this.#pausing)
    const threads = [...this.#threads]
    for (const job of [...this.#queue, ...threads.flatMap(thread => thread.jobs)]) job.reject(new AppError('unavailable'))
    this.#queue = []
    await Promise.all(threads.map(thread => thread.worker.terminate()))
  }

  #start(): Thread {
    const progress = new Int32Array(new SharedArrayBuffer(4)).fill(NOT_STARTED)
    const worker = new Worker(this.#options.code ?? new URL('./mail.worker.ts', import.meta.url), {
      workerData: { messageIdKey: this.#options.messageIdKey, progress } satisfies WorkerSettings,
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMbMax ?? HEAP_MB_MAX, maxYoungGenerationSizeMb: YOUNG_MB_MAX },
    })
    const thread: Thread = { worker, progress, jobs: [], watch: undefined, idleMs: 0, hasReadLarge: false }
    this.#threads.add(thread)
    worker.on('message', (reply: ParcelReply) => this.#settle(thread, reply))
    worker.on('error', err => this.#options.log.warn({ err }, 'a mail thread failed and is replaced'))
    worker.on('exit', () => this.#replace(thread))
    return thread
  }

  #dispatch(): void {
    this.#isDispatching = false
    while (this.#queue.length > 0) {
      const idle = [...this.#threads].find(thread => thread.jobs.length === 0)
      const thread = idle ?? (this.#threads.size < THREADS_MAX && !this.#pausing ? this.#start() : undefined)
      if (!thread) break
      this.#send(thread, this.#nextJobs())
    }
    if (this.#threads.size === 0) this.#refuseAll()
  }

  /** No thread, and none can be started: a sender is asked to come again, a reader told so, instead of waiting without end. */
  #refuseAll(): void {
    for (const job of this.#queue) job.reject(new AppError('unavailable', { cause: new Error('mail threads do not start') }))
    this.#queue = []
  }

  #nextJobs(): Job[] {
    let bytes = 0
    const end = this.#queue.findIndex((job, index) => {
      bytes += sizeOf(job.bytes)
      return index > 0 && (index >= PARCEL_JOBS_MAX || bytes > PARCEL_BYTES_MAX)
    })
    return this.#queue.splice(0, end === -1 ? this.#queue.length : end)
  }

  #send(thread: Thread, jobs: readonly Job[]): void {
    const { memory, spans } = pack(jobs.flatMap(job => job.bytes.map(piece => [piece])))
    const parcelJobs = jobs.map(({ task, args, bytes }) => ({ task, args, spans: spans.splice(0, bytes.length) }))
    thread.jobs = jobs
    thread.watch = undefined
    thread.idleMs = 0
    thread.hasReadLarge ||= jobs.some(job => sizeOf(job.bytes) >= LARGE_BYTES)
    thread.worker.postMessage({ memory, jobs: parcelJobs } satisfies Parcel)
  }

  #settle(thread: Thread, { memory, results }: ParcelReply): void {
    const { jobs } = thread
    this.#failedStarts = 0
    thread.jobs = []
    thread.watch = undefined
    jobs.forEach((job, index) => {
      const result = results[index]
      if (!result || 'error' in result) job.reject(new AppError('internal', { cause: new Error(result?.error) }))
      else job.resolve({ value: result.value as never, bytes: unpack(memory, result.spans) })
      for (const piece of job.bytes) hintGarbage(piece.byteLength)
    })
    hintGarbage(memory.byteLength)
    this.#dispatch()
  }

  // The thread is gone with its parcel: the job it was in is tried once more without the parser, the others as they were.
  #replace(thread: Thread): void {
    const wasEnded = !this.#threads.delete(thread)
    if (wasEnded || this.#isClosed) return
    const at = Atomics.load(thread.progress, 0)
    const culprit = thread.jobs[at]
    const again = thread.jobs.filter(job => job !== culprit)
    if (culprit && !culprit.hasCostAThread)
      again.unshift(Object.assign(culprit, { hasCostAThread: true, args: { ...culprit.args, isBare: true } }))
    else culprit?.reject(new AppError('internal', { cause: new Error(`${culprit.task} cost two threads`) }))
    this.#queue.unshift(...again)
    if (at === NOT_STARTED) this.#pause()
    this.#dispatch()
  }

  #pause(): void {
    const pauseMs = Math.min((this.#options.startPauseMs ?? START_PAUSE_MS) * 2 ** this.#failedStarts, START_PAUSE_MS_MAX)
    this.#failedStarts += 1
    this.#options.log.error({ failedStarts: this.#failedStarts, pauseMs }, 'a mail thread does not start; it is tried again after a pause')
    if (this.#pausing) return
    this.#pausing = setTimeout(() => {
      this.#pausing = undefined
      if (this.#threads.size === 0) this.#start()
      this.#dispatch()
    }, pauseMs).unref()
  }

  #look(): void {
    for (const thread of this.#threads) {
      if (thread.jobs.length > 0) this.#lookAt(thread).catch(() => undefined)
      else this.#endIfIdle(thread)
    }
  }

  #endIfIdle(thread: Thread): void {
    thread.idleMs += LOOK_MS
    const mayWait = this.#threads.size === 1 && !thread.hasReadLarge
    if (thread.idleMs < (this.#options.idleMsMax ?? (mayWait ? LAST_IDLE_MS_MAX : IDLE_MS_MAX))) return
    this.#threads.delete(thread)
    thread.worker.terminate().catch(() => undefined)
  }

  // Wall time is counted in looks, so that a machine that slept, or starves us, accuses nobody; CPU time decides.
  async #lookAt(thread: Thread): Promise<void> {
    const index = Atomics.load(thread.progress, 0)
    if (index === NOT_STARTED || index === NO_JOB) return
    if (thread.watch?.index !== index) thread.watch = { index, wallMs: 0, cpuAtStart: undefined, isAsked: false }
    const { watch } = thread
    watch.wallMs += LOOK_MS
    if (watch.wallMs >= WALL_MS_MAX) return this.#kill(thread)
    if (watch.isAsked) return
    watch.isAsked = true
    const used = await thread.worker.cpuUsage(watch.cpuAtStart)
    watch.isAsked = false
    if (watch.cpuAtStart === undefined) watch.cpuAtStart = used
    else if (thread.watch === watch && (used.user + used.system) / 1000 >= (this.#options.cpuMsMax ?? CPU_MS_MAX)) this.#kill(thread)
  }

  #kill(thread: Thread): void {
    this.#options.log.warn('a message took too long to parse; its thread is replaced')
    thread.worker.terminate().catch(() => undefined)
  }
}
