/** Limits how long a job may take. Wall time is counted in checks, so that a job is not blamed when the machine slept or was busy. */
import type { TaskRequest } from './batch.ts'

export type JobLimits = {
  /** CPU time of the thread while it is in the job, which may depend on how much there is to read. Without it only wall time counts. */
  readonly cpuMsMax?: (job: Pick<TaskRequest, 'bytes'>) => number
  /** A thread that does not even report its CPU time is stuck in native code. */
  readonly wallMsMax: number
}

type Watch = { readonly jobId: number; wallMs: number; cpuAtStart: NodeJS.CpuUsage | undefined; isAsked: boolean }
type Watched = { cpuUsage(since?: NodeJS.CpuUsage): Promise<NodeJS.CpuUsage> }

export class Deadlines {
  readonly #limits: JobLimits
  readonly #checkMs: number
  readonly #watches = new WeakMap<Watched, Watch>()

  constructor(limits: JobLimits, checkMs: number) {
    this.#limits = limits
    this.#checkMs = checkMs
  }

  /** Counts a check of the job that a thread is in. Resolves to whether the job is over its deadline. */
  async checkOverdue(thread: Watched, job: Pick<TaskRequest, 'id' | 'bytes'>): Promise<boolean> {
    const watch = this.#findWatch(thread, job.id)
    watch.wallMs += this.#checkMs
    if (watch.wallMs >= this.#limits.wallMsMax) return true
    if (this.#limits.cpuMsMax === undefined || watch.isAsked) return false
    watch.isAsked = true
    const used = await thread.cpuUsage(watch.cpuAtStart)
    watch.isAsked = false
    const isFirst = watch.cpuAtStart === undefined
    watch.cpuAtStart ??= used
    return !isFirst && this.#watches.get(thread) === watch && (used.user + used.system) / 1000 >= this.#limits.cpuMsMax(job)
  }

  #findWatch(thread: Watched, jobId: number): Watch {
    const watch = this.#watches.get(thread)
    if (watch?.jobId === jobId) return watch
    const fresh = { jobId, wallMs: 0, cpuAtStart: undefined, isAsked: false }
    this.#watches.set(thread, fresh)
    return fresh
  }
}
