/**
 * Jobs that wait for a thread. Jobs that a connection waits for go first. Jobs of equal priority are served in turn by owner, so that a
 * thousand jobs of one owner do not delay another's.
 */
import { FairQueue } from '../limits/fair-queue.ts'
import { requestBytes } from './batch.ts'
import type { Job } from './worker-thread.ts'

/**
 * `first`: short, and a sender waits for it. `soon`: short, and a reader waits for the mail that just came, so it takes turns with `first`.
 * `ordinary`: short. `long`: may take seconds, so it goes to a thread alone, and one thread never takes such jobs.
 */
export type Urgency = 'first' | 'soon' | 'ordinary' | 'long'
const URGENCIES = ['first', 'soon', 'ordinary', 'long'] as const

/** Batches of higher priority in a row before lower ones get a turn. */
const SKIPPED_MAX = { first: 8, soon: 1, ordinary: 8, long: 8 } as const satisfies Record<Urgency, number>
/** Jobs per batch: enough to make messages between threads cheap, few enough that the last job does not wait long. */
const BATCH_JOBS_MAX = 32
const BATCH_BYTES_MAX = 1024 * 1024

export type QueuedJob = Job & { readonly urgency: Urgency; readonly owner: readonly string[] }
type Lane = { readonly urgency: Urgency; readonly jobs: FairQueue<QueuedJob>; readonly again: QueuedJob[]; skipped: number }

export class JobQueue {
  readonly #lanes: readonly Lane[] = URGENCIES.map(urgency => ({ urgency, jobs: new FairQueue<QueuedJob>(), again: [], skipped: 0 }))

  push(job: QueuedJob): void {
    this.#findLane(job).jobs.push(job.owner, job)
  }

  /** Ahead of other jobs with the same priority, because the thread of these was lost. */
  pushAgain(jobs: readonly QueuedJob[]): void {
    for (const job of jobs) this.#findLane(job).again.push(job)
  }

  hasNext(mayStartLong: boolean): boolean {
    return this.#waiting(mayStartLong).length > 0
  }

  /** Whether at most `max` jobs wait, and none of them is long. */
  hasFewShort(max: number): boolean {
    let waiting = 0
    for (const lane of this.#lanes) {
      const count = jobCount(lane)
      if (lane.urgency === 'long' && count > 0) return false
      waiting += count
    }
    return waiting <= max
  }

  /** The next jobs for one thread. Empty if nothing waits, or if only long jobs wait and none may start. */
  nextBatch(mayStartLong: boolean): QueuedJob[] {
    const lane = this.#nextLane(mayStartLong)
    if (!lane) return []
    const batch: QueuedJob[] = []
    let bytes = 0
    for (let job = shift(lane); job; job = shift(lane)) {
      batch.push(job)
      bytes += requestBytes(job)
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
    const next = waiting.find(({ urgency, skipped }) => skipped >= SKIPPED_MAX[urgency]) ?? waiting[0]
    for (const lane of waiting) lane.skipped = lane === next ? 0 : lane.skipped + 1
    return next
  }
}

function jobCount({ jobs, again }: Lane): number {
  return jobs.size + again.length
}

function shift({ jobs, again }: Lane): QueuedJob | undefined {
  return again.shift() ?? jobs.shift()
}
