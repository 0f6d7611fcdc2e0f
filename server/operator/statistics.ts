/** Statistics of the operator's page: counted per minute, kept for a day in the site database. */
import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import { type Counts, type CurrentStatistics, statisticsSchema } from '#contract/operator.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import type { Outbox } from '#server/outbound/outbox.ts'
import { noCounts, noDomainCounts, type StatisticsCounter } from '#server/platform/telemetry/telemetry.ts'
import type { StoreHealth } from '#server/store/store.ts'

const MINUTE_MS = 60_000
const KEPT_MINUTES = 1440
/** Minutes per point of a graph: a screen shows about 288 points. */
const BUCKET_MINUTES = 5

type MinuteStatistics = z.infer<typeof statisticsSchema>
type StatisticsPoint = MinuteStatistics & { readonly at: number }

type StatisticsDeps = DatabaseAccess & {
  readonly counter: StatisticsCounter
  /** What is measured, not counted. */
  readonly current: () => Promise<CurrentStatistics>
}

export class Statistics implements AsyncDisposable {
  readonly #deps: StatisticsDeps
  readonly #timer: NodeJS.Timeout
  readonly #process = randomUUID()
  #writing: Promise<void> = Promise.resolve()

  constructor(deps: StatisticsDeps) {
    this.#deps = deps
    this.#timer = setInterval(() => void this.write(), MINUTE_MS)
    this.#timer.unref()
  }

  /** Writes the counts since the last call, added to those of a minute that has a row already. */
  write(): Promise<void> {
    this.#writing = this.#writing
      .then(() => this.#write())
      .catch(error => this.#deps.log.warn({ err: error }, 'Statistics could not be kept'))
    return this.#writing
  }

  /**
   * The last 24 hours of all processes together, oldest first; `at` in milliseconds since the epoch. Intervals without data are missing.
   */
  lastDay(): Promise<StatisticsPoint[]> {
    return readLastDay(this.#deps.db, this.#deps.clock())
  }

  /** The current values in this process. */
  async live(): Promise<MinuteStatistics> {
    return { ...this.#deps.counter.current, ...(await this.#deps.current()) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.write()
  }

  async #write(): Promise<void> {
    const { db, clock, counter, current } = this.#deps
    const minute = Math.floor(clock() / MINUTE_MS)
    const statistics: MinuteStatistics = { ...counter.take(), ...(await current()) }
    const key = { minute, process: this.#process }
    const known = await db
      .selectFrom('minute_figures')
      .select('figures')
      .where('minute', '=', minute)
      .where('process', '=', this.#process)
      .executeTakeFirst()
    const earlier = known && statisticsSchema.safeParse(JSON.parse(known.figures)).data
    const text = JSON.stringify(earlier ? { ...statistics, ...addCounts([earlier, statistics]) } : statistics)
    await db
      .insertInto('minute_figures')
      .values({ ...key, figures: text })
      .onConflict(conflict => conflict.columns(['minute', 'process']).doUpdateSet({ figures: text }))
      .execute()
    await db
      .deleteFrom('minute_figures')
      .where('minute', '<=', minute - KEPT_MINUTES)
      .execute()
  }
}

/** See `Statistics.lastDay`. `now`: milliseconds since the epoch. */
export async function readLastDay(db: Kysely<DatabaseSchema>, now: number): Promise<StatisticsPoint[]> {
  const since = Math.floor(now / MINUTE_MS) - KEPT_MINUTES
  const rows = await db.selectFrom('minute_figures').select(['minute', 'process', 'figures']).where('minute', '>', since).execute()
  const buckets = new Map<number, Map<string, MinuteStatistics[]>>()
  for (const { minute, process, figures } of rows) {
    const parsed = statisticsSchema.safeParse(JSON.parse(figures))
    if (!parsed.success) continue
    const at = Math.floor(minute / BUCKET_MINUTES) * BUCKET_MINUTES * MINUTE_MS
    const bucket = buckets.get(at) ?? new Map<string, MinuteStatistics[]>()
    bucket.set(process, [...(bucket.get(process) ?? []), parsed.data])
    buckets.set(at, bucket)
  }
  return [...buckets].toSorted(([one], [other]) => one - other).map(([at, processes]) => ({ at, ...merge([...processes.values()]) }))
}

/** `processes`: the minutes of each. Streams are added up; for values that all processes share, the worst counts. */
function merge(processes: readonly MinuteStatistics[][]): MinuteStatistics {
  const all = processes.flat()
  const most = (name: keyof CurrentStatistics) => Math.max(...all.map(statistics => statistics[name]))
  return {
    ...addCounts(all),
    streams: processes.reduce((sum, minutes) => sum + Math.max(...minutes.map(({ streams }) => streams)), 0),
    mailboxes: most('mailboxes'),
    memoryBytes: most('memoryBytes'),
    loopDelayMs: most('loopDelayMs'),
    diskFreeBytes: Math.min(...all.map(({ diskFreeBytes }) => diskFreeBytes)),
    queue: most('queue'),
  }
}

export function addCounts(all: readonly Counts[]): Counts {
  const sum = noCounts()
  for (const counts of all) {
    for (const name of ['delivered', 'bytes', 'addresses', 'botCheckFailures'] as const) sum[name] += counts[name]
    for (const name of ['refused', 'listed'] as const) {
      for (const [word, count] of Object.entries(counts[name])) sum[name][word] = (sum[name][word] ?? 0) + count
    }
    for (const [domain, { addresses, mails, refusals, unwelcome }] of Object.entries(counts.domains)) {
      const before = sum.domains[domain] ?? noDomainCounts()
      sum.domains[domain] = {
        addresses: before.addresses + addresses,
        mails: before.mails + mails,
        refusals: before.refusals + refusals,
        unwelcome: before.unwelcome + unwelcome,
      }
    }
  }
  return sum
}

/** Shorter delays are not noticed, and each step wakes an idle process. */
const RESOLUTION_MS = 100
/** The delay shown is that of the last one or two minutes. */
const FRESH_MS = 60_000

type StatisticsSources = {
  readonly dataDir: string
  readonly outbox: Outbox
  readonly health: () => StoreHealth
  readonly streams: () => number
  readonly isDatabaseAway: () => boolean
}

/** Bytes free for the server's user; 0 if the folder cannot be read. */
async function diskFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize
}

/** Values that are measured, not counted: memory, event loop, disk. */
export function openCurrentStatistics({
  dataDir,
  outbox,
  health,
  streams,
  isDatabaseAway,
}: StatisticsSources): Disposable & { read(): Promise<CurrentStatistics> } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let since = performance.now()
  let queue = 0
  return {
    async read() {
      const loopDelayMs = Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS)
      if (performance.now() - since > FRESH_MS) {
        delay.reset()
        since = performance.now()
      }
      // The last one known, while it cannot be asked: the metrics must tell of that.
      if (!isDatabaseAway()) queue = await outbox.waiting().catch(() => queue)
      return {
        streams: streams(),
        mailboxes: health().mailboxes,
        memoryBytes: process.memoryUsage.rss(),
        loopDelayMs: Math.round(loopDelayMs * 10) / 10,
        diskFreeBytes: await diskFreeBytes(dataDir),
        queue,
      }
    },
    [Symbol.dispose]: () => void delay.disable(),
  }
}
