/**
 * Jobs that wait for a thread. Jobs that a connection waits for go first. Jobs of equal priority are served in turn by owner, so that a
 * thousand jobs of one owner do not delay another's. After a slow job, all jobs of its owner count as long for a while.
 */
import { BoundedMap } from '../bounded-map.ts'
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
/** After a slow job, its owner's jobs count as long for so many times as long as it took. */
const SLOW_TIMES = 10
const SLOW_OWNERS_MAX = 10_000

/** `owner`: the networks around it, the smallest first. */
export type QueuedJob = Job & { urgency: Urgency; readonly owner: readonly string[] }
type Lane = { readonly urgency: Urgency; readonly jobs: FairQueue<QueuedJob>; skipped: number }

export class JobQueue {
  readonly #lanes: readonly Lane[] = URGENCIES.map(urgency => ({ urgency, jobs: new FairQueue<QueuedJob>(), skipped: 0 }))
  /** Until when the jobs of a largest network count as long. */
  readonly #slowUntilMs = new BoundedMap<string, number>(SLOW_OWNERS_MAX)
  readonly #nowMs: () => number

  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs
  }

  push(job: QueuedJob): void {
    this.#findLane(job).jobs.push(job.owner, job)
  }

  /** Jobs of a batch that were not begun: their owners have not had their turn. */
  putBack(jobs: readonly QueuedJob[]): void {
    for (const [lane, own] of Map.groupBy(jobs, job => this.#findLane(job)))
      lane.jobs.putBack(own.map(job => ({ owner: job.owner, item: job })))
  }

  noteSlow({ owner }: QueuedJob, tookMs: number): void {
    const network = owner.at(-1)
    if (network === undefined) return
    const untilMs = this.#nowMs() + SLOW_TIMES * tookMs
    this.#slowUntilMs.set(network, Math.max(untilMs, this.#slowUntilMs.get(network) ?? 0))
    for (const lane of this.#lanes) if (lane.urgency !== 'long') for (const job of lane.jobs.removeLine(network)) this.push(job)
  }

  hasNext(mayStartLong: boolean): boolean {
    return this.#waiting(mayStartLong).length > 0
  }

  /** Whether at most `max` jobs wait, and none of them is long. */
  hasFewShort(max: number): boolean {
    let waiting = 0
    for (const lane of this.#lanes) {
      const count = lane.jobs.size
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
    for (let job = lane.jobs.shift(); job; job = lane.jobs.shift()) {
      batch.push(job)
      bytes += requestBytes(job)
      if (lane.urgency === 'long' || batch.length >= BATCH_JOBS_MAX || bytes > BATCH_BYTES_MAX) break
    }
    return batch
  }

  clear(): QueuedJob[] {
    return this.#lanes.flatMap(lane => {
      const jobs: QueuedJob[] = []
      for (let job = lane.jobs.shift(); job; job = lane.jobs.shift()) jobs.push(job)
      return jobs
    })
  }

  #findLane(job: QueuedJob): Lane {
    if ((this.#slowUntilMs.get(job.owner.at(-1) ?? '') ?? 0) > this.#nowMs()) job.urgency = 'long'
    const lane = this.#lanes.find(candidate => candidate.urgency === job.urgency)
    if (!lane) throw new TypeError(`no such urgency: ${job.urgency}`)
    return lane
  }

  #waiting(mayStartLong: boolean): Lane[] {
    return this.#lanes.filter(lane => lane.jobs.size > 0 && (lane.urgency !== 'long' || mayStartLong))
  }

  #nextLane(mayStartLong: boolean): Lane | undefined {
    const waiting = this.#waiting(mayStartLong)
    const next = waiting.find(({ urgency, skipped }) => skipped >= SKIPPED_MAX[urgency]) ?? waiting[0]
    for (const lane of waiting) lane.skipped = lane === next ? 0 : lane.skipped + 1
    return next
  }
}
