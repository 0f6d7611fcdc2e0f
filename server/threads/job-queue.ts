/**
 * Jobs that wait for a thread. What somebody waits for with a connection open goes first, and within one urgency the owners are served in
 * turn, so that a thousand jobs of one do not stand before one of another.
 */
import { FairQueue } from '#server/limiter/fair-queue.ts'
import { totalBytes } from './batch.ts'
import type { Job } from './worker-thread.ts'

/**
 * `first`: short, and somebody's mail waits for it. `ordinary`: short. `long`: may take seconds, so it goes to a thread alone, and one
 * thread stays free of such jobs.
 */
export type Urgency = 'first' | 'ordinary' | 'long'
const URGENCIES = ['first', 'ordinary', 'long'] as const

/** Batches that may go before others that wait, before one of those has its turn: urgent work must not stop the rest for good. */
const PASSED_OVER_MAX = 8
/** Jobs in one batch: enough to make the messages between threads cheap, few enough that the last one does not wait long. */
const BATCH_JOBS_MAX = 32
const BATCH_BYTES_MAX = 1024 * 1024

export type QueuedJob = Job & { readonly urgency: Urgency; readonly owner: string }
type Lane = { readonly urgency: Urgency; readonly jobs: FairQueue<QueuedJob>; readonly again: QueuedJob[]; passedOver: number }

export class JobQueue {
  readonly #lanes: readonly Lane[] = URGENCIES.map(urgency => ({ urgency, jobs: new FairQueue<QueuedJob>(), again: [], passedOver: 0 }))

  push(job: QueuedJob): void {
    this.#findLane(job).jobs.push(job.owner, job)
  }

  /** Before all others of their urgency: their thread was lost. */
  pushAgain(jobs: readonly QueuedJob[]): void {
    for (const job of jobs) this.#findLane(job).again.push(job)
  }

  hasNext(mayStartLong: boolean): boolean {
    return this.#waiting(mayStartLong).length > 0
  }

  /** The next jobs for one thread; none when nothing waits, or only long jobs and none may start. */
  nextBatch(mayStartLong: boolean): QueuedJob[] {
    const lane = this.#nextLane(mayStartLong)
    if (!lane) return []
    const batch: QueuedJob[] = []
    let bytes = 0
    for (let job = shift(lane); job; job = shift(lane)) {
      batch.push(job)
      bytes += totalBytes(job.bytes)
      if (lane.urgency === 'long' || batch.length >= BATCH_JOBS_MAX || bytes > BATCH_BYTES_MAX) break
    }
    return batch
  }

  /** Removes all jobs. */
  clear(): QueuedJob[] {
    return this.#lanes.flatMap(lane => {
      const jobs: QueuedJob[] = []
      for (let job = shift(lane); job; job = shift(lane)) jobs.push(job)
      return jobs
    })
  }

  #findLane({ urgency }: QueuedJob): Lane {
    const lane = this.#lanes.find(candidate => candidate.urgency === urgency)
    if (!lane) throw new TypeError(`no such urgency: ${urgency}`)
    return lane
  }

  #waiting(mayStartLong: boolean): Lane[] {
    return this.#lanes.filter(lane => jobCount(lane) > 0 && (lane.urgency !== 'long' || mayStartLong))
  }

  #nextLane(mayStartLong: boolean): Lane | undefined {
    const waiting = this.#waiting(mayStartLong)
    const next = waiting.find(({ passedOver }) => passedOver >= PASSED_OVER_MAX) ?? waiting[0]
    for (const lane of waiting) lane.passedOver = lane === next ? 0 : lane.passedOver + 1
    return next
  }
}

function jobCount({ jobs, again }: Lane): number {
  return jobs.size + again.length
}

function shift({ jobs, again }: Lane): QueuedJob | undefined {
  return again.shift() ?? jobs.shift()
}
