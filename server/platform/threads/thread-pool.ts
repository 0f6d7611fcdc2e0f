/**
 * Worker threads that start and end with the work. The first job starts a thread, and more jobs start more. Idle threads end, because each
 * takes 15 MB and what its last job left behind; for the same reason, and for larger batches, a few short jobs wait a moment for a busy
 * thread before another takes them. A job over its deadline, or one that takes too much memory, ends its thread, which is
 * replaced. After a thread that fails to start, the pool waits a growing time and refuses jobs meanwhile.
 */
import { AppError } from '#server/errors.ts'
import type { Log } from '../log.ts'
import type { TaskArgs, TaskBytes, TaskOutput } from './batch.ts'
import { requestBytes } from './batch.ts'
import { Deadlines, type JobLimits } from './deadlines.ts'
import { JobQueue, type QueuedJob, type Urgency } from './job-queue.ts'
import { createJob, type Job, type ThreadCode, WorkerThread } from './worker-thread.ts'

/** How often threads are checked for jobs over their deadline, and for idleness. */
const CHECK_MS = 100
/** An idle thread ends after this long. The last one stays longer for the next ordinary job, unless it handled large bytes. */
const IDLE_MS_MAX = 10_000
const LAST_IDLE_MS_MAX = 20_000
/** Pause after a thread that did not start, doubled each time: an installation that cannot load the thread's code must not spin. */
const START_PAUSE_MS = 100
const START_PAUSE_MS_MAX = 30_000

/** Jobs that may wait for a busy thread, four batches, and how long while another one is free. */
const WAITING_MAX = 128
const WAIT_MS_MAX = 10
/**
 * They wait so many times as long before another thread is started: starting one and compiling its code takes as long as hundreds of mails.
 */
const START_WAITS = 10
/** Nobody waits for a thread that has a larger job. */
const SMALL_BYTES_MAX = 256 * 1024

export type ThreadMetrics = {
  /** A thread ended that nobody ended: it crashed, took too much memory or time, or did not start. */
  threadDied(pool: string): void
  /** So many jobs of a thread that died go to another one. */
  jobsRetried(pool: string, jobs: number): void
}

export type PoolOptions = ThreadCode & {
  /** For the log and metrics. */
  readonly name: string
  readonly log: Log
  readonly metrics?: ThreadMetrics | undefined
  readonly threadsMax: number
  readonly limits: JobLimits
  /** Its tasks mostly wait: a busy thread takes more jobs, and its deadline is that of its oldest job. */
  readonly isConcurrent?: boolean
  /** Arguments for the one retry of a job that cost its thread. Without it, all jobs of a lost thread are rejected. */
  readonly retryArgs?: (args: unknown, task: string) => unknown
  /** Default: `'ordinary'`. */
  readonly urgency?: (task: string) => Urgency
  readonly startPauseMs?: number
  readonly idleMsMax?: number
  /** How long a few short jobs wait for a busy thread. */
  readonly waitMsMax?: number
}

/** Tells of its last batch: `isBrief` if it has only small short jobs, `isLong` if it has a long one. */
type ThreadState = { idleMs: number; isBrief: boolean; isLong: boolean }

export class ThreadPool<Tasks> implements AsyncDisposable {
  readonly #options: PoolOptions
  readonly #threads = new Map<WorkerThread<Tasks>, ThreadState>()
  readonly #deadlines: Deadlines
  /** Set while there are threads to check: a pool without any wakes nobody. */
  #checkTimer: NodeJS.Timeout | undefined
  /** Jobs that ended a thread and are tried once more, but not again. */
  readonly #retried = new WeakSet<Job>()
  readonly #queue = new JobQueue()
  #isDispatching = false
  /** Since when jobs wait for a busy thread, and what fires when they have waited long enough. */
  #waitingSinceMs: number | undefined
  #waitTimer: NodeJS.Timeout | undefined
  #isClosed = false
  /** Threads in a row that failed to start. */
  #failedStarts = 0
  /** Set while the pool waits before it starts another thread. */
  #pauseTimer: NodeJS.Timeout | undefined

  constructor(options: PoolOptions) {
    this.#options = options
    this.#deadlines = new Deadlines(options.limits, CHECK_MS)
  }

  /**
   * Runs one task. Its bytes are copied, but large ones in shared memory are read in place and must not change meanwhile. Returned bytes
   * are in shared memory and belong to the caller. Jobs of each `owner` form a line, and lines take turns. `urgency`: instead of the
   * task's. Rejects with AppError `internal` if the task fails, `unavailable` if the pool is closed or no thread can be started.
   */
  run<Name extends keyof Tasks & string>(
    task: Name,
    args: TaskArgs<Tasks, Name>,
    bytes: TaskBytes<Tasks, Name>,
    owner: readonly string[] = [],
    urgency: Urgency = this.#options.urgency?.(task) ?? 'ordinary',
  ): Promise<TaskOutput<Tasks, Name>> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new AppError('unavailable'))
      this.#queue.push({ ...createJob(task, args, bytes, { resolve: resolve as Job['resolve'], reject }), urgency, owner })
      if (this.#isDispatching) return
      this.#isDispatching = true
      setImmediate(() => this.#dispatch())
    })
  }

  get threads(): number {
    return this.#threads.size
  }

  /** Work is expected: starts a thread if there is none, so that the first job does not wait for it. */
  expectWork(): void {
    if (this.#threads.size === 0 && !this.#pauseTimer && !this.#isClosed) this.#start()
  }

  async [Symbol.asyncDispose]() {
    this.#isClosed = true
    clearInterval(this.#checkTimer)
    clearTimeout(this.#pauseTimer)
    clearTimeout(this.#waitTimer)
    const threads = [...this.#threads.keys()]
    for (const job of [...this.#queue.clear(), ...threads.flatMap(thread => thread.jobs)]) job.reject(new AppError('unavailable'))
    await Promise.all(threads.map(thread => thread.terminate()))
  }

  #start(): void {
    const thread = this.#create()
    if (!thread) return
    this.#checkTimer ??= setInterval(() => this.#checkThreads(), CHECK_MS).unref()
    this.#threads.set(thread, { idleMs: 0, isBrief: true, isLong: false })
    thread.started.then(
      () => this.#dispatch(),
      () => undefined,
    )
    thread.onEndedBatch((notBegun, slow) => {
      if (slow) this.#queue.noteSlow(slow.job as QueuedJob, slow.tookMs)
      this.#queue.putBack(notBegun as QueuedJob[])
      this.#dispatch()
    })
    thread.onReplies(() => {
      this.#failedStarts = 0
      this.#dispatch()
    })
    thread.onError(err => this.#options.log.warn({ err }, `A thread of ${this.#options.name} failed and is replaced`))
    void thread.ended.then(() => this.#replace(thread))
  }

  /** `undefined` if the system allows no more threads: then the pool waits, as after any other thread that does not start. */
  #create(): WorkerThread<Tasks> | undefined {
    try {
      return new WorkerThread<Tasks>(this.#options)
    } catch (err) {
      this.#options.metrics?.threadDied(this.#options.name)
      this.#pause(err)
      return undefined
    }
  }

  #dispatch(): void {
    this.#isDispatching = false
    for (;;) {
      const mayStartLong = this.#mayStartLong()
      if (!this.#queue.hasNext(mayStartLong)) break
      const thread = this.#freeThreadOrStart()
      if (!thread) break
      this.#send(thread, this.#queue.nextBatch(mayStartLong))
    }
    if (this.#threads.size === 0) this.#rejectQueue()
  }

  #send(thread: WorkerThread<Tasks>, jobs: readonly QueuedJob[]): void {
    clearTimeout(this.#waitTimer)
    this.#waitTimer = undefined
    this.#waitingSinceMs = undefined
    const isLong = jobs.some(job => job.urgency === 'long')
    const isBrief = !isLong && jobs.every(job => requestBytes(job) <= SMALL_BYTES_MAX)
    // A thread with a short job now and then may be free at every check, and is not idle.
    this.#threads.set(thread, { idleMs: 0, isBrief, isLong })
    thread.send(jobs)
  }

  /** One thread stays free for short jobs. */
  #mayStartLong(): boolean {
    let busy = 0
    for (const [thread, { isLong }] of this.#threads) if (isLong && thread.jobs.length > 0) busy += 1
    return busy < Math.max(1, this.#options.threadsMax - 1)
  }

  /**
   * A thread for the next jobs. If there is none, one may be started, or a timer set for jobs that wait for a busy thread. Jobs are not
   * assigned to a thread that is still starting: a working one may be free long before.
   */
  #freeThreadOrStart(): WorkerThread<Tasks> | undefined {
    let isOneStarting = false
    let isOneBusy = false
    let free: WorkerThread<Tasks> | undefined
    for (const [thread, { isBrief }] of this.#threads) {
      if (!thread.isStarted) isOneStarting = true
      else if (thread.isFree || this.#options.isConcurrent) free ??= thread
      else isOneBusy ||= isBrief
    }
    if (isOneBusy && this.#queue.hasFewShort(WAITING_MAX) && this.#mayWait(free ? 1 : START_WAITS)) return undefined
    if (free) return free
    if (!isOneStarting && this.#threads.size < this.#options.threadsMax && !this.#pauseTimer) this.#start()
    return undefined
  }

  /** Whether the jobs have waited for less than so many times the usual; if so, they are dispatched again when that time is over. */
  #mayWait(times: number): boolean {
    const nowMs = performance.now()
    this.#waitingSinceMs ??= nowMs
    const leftMs = this.#waitingSinceMs + times * (this.#options.waitMsMax ?? WAIT_MS_MAX) - nowMs
    if (leftMs <= 0) return false
    clearTimeout(this.#waitTimer)
    this.#waitTimer = setTimeout(() => this.#dispatch(), Math.ceil(leftMs)).unref()
    return true
  }

  /** No thread can be started: rejects the waiting jobs instead of leaving them pending. */
  #rejectQueue(): void {
    for (const job of this.#queue.clear()) {
      job.reject(new AppError('unavailable', { cause: new Error(`threads of ${this.#options.name} do not start`) }))
    }
  }

  #replace(thread: WorkerThread<Tasks>): void {
    const wasRetired = !this.#threads.delete(thread)
    if (wasRetired || this.#isClosed) return
    const { metrics, name } = this.#options
    const { retry, others } = this.#jobsToRepeat(thread)
    metrics?.threadDied(name)
    metrics?.jobsRetried(name, others.length + (retry ? 1 : 0))
    this.#queue.putBack(others)
    if (retry) this.#queue.push(retry)
    if (!thread.isStarted) this.#pause()
    this.#dispatch()
  }

  /**
   * The thread is gone with its batch: the job it was in is retried once with `retryArgs`, behind all others, and these keep their turns.
   */
  #jobsToRepeat(thread: WorkerThread<Tasks>): { retry?: QueuedJob; others: QueuedJob[] } {
    const { retryArgs, name, limits } = this.#options
    const { isStarted } = thread
    const jobs = thread.jobs as QueuedJob[]
    const current = thread.current as QueuedJob | undefined
    if (!isStarted) return { others: jobs }
    if (current) this.#queue.noteSlow(current, limits.cpuMsMax?.(current) ?? limits.wallMsMax)
    const lost = retryArgs ? jobs.filter(job => job === current && this.#retried.has(job)) : jobs
    for (const job of lost) job.reject(new AppError('internal', { cause: new Error(`${job.task} was lost with a thread of ${name}`) }))
    const others = jobs.filter(job => job !== current && !lost.includes(job))
    if (!retryArgs || !current || lost.includes(current)) return { others }
    const retry = { ...current, args: retryArgs(current.args, current.task) }
    this.#retried.add(retry)
    return { retry, others }
  }

  #pause(err?: unknown): void {
    const pauseMs = Math.min((this.#options.startPauseMs ?? START_PAUSE_MS) * 2 ** this.#failedStarts, START_PAUSE_MS_MAX)
    this.#failedStarts += 1
    const { log, name } = this.#options
    log.error({ failedStarts: this.#failedStarts, pauseMs, err }, `A thread of ${name} does not start; it is tried again after a pause`)
    if (this.#pauseTimer) return
    this.#pauseTimer = setTimeout(() => {
      this.#pauseTimer = undefined
      if (this.#threads.size === 0) this.#start()
      this.#dispatch()
    }, pauseMs).unref()
  }

  #checkThreads(): void {
    for (const [thread, state] of this.#threads) {
      if (!thread.isStarted) continue
      if (thread.isFree) this.#endIfIdle(thread, state)
      else this.#checkDeadline(thread, state).catch(() => undefined)
    }
    if (this.#threads.size > 0) return
    clearInterval(this.#checkTimer)
    this.#checkTimer = undefined
  }

  #endIfIdle(thread: WorkerThread<Tasks>, state: ThreadState): void {
    state.idleMs += CHECK_MS
    const mayWait = this.#threads.size === 1 && !thread.hasCarriedLarge
    if (state.idleMs < (this.#options.idleMsMax ?? (mayWait ? LAST_IDLE_MS_MAX : IDLE_MS_MAX))) return
    this.#threads.delete(thread)
    thread.terminate().catch(() => undefined)
  }

  async #checkDeadline(thread: WorkerThread<Tasks>, state: ThreadState): Promise<void> {
    state.idleMs = 0
    const job = this.#options.isConcurrent ? thread.jobs[0] : thread.current
    if (!thread.isStarted || !job || !(await this.#deadlines.checkOverdue(thread, job))) return
    this.#options.log.warn(`A job took too long; its thread of ${this.#options.name} is replaced`)
    await thread.terminate()
  }
}
