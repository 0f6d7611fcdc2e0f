import type { Kysely } from 'kysely'
import { BackgroundWork } from '#server/background-work.ts'
import type { Clock } from '#server/clock.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import type { Log } from '#server/log.ts'

/** The limit is in days, so an hour late does not matter. */
const SWEEP_EVERY_MS = 3_600_000
const DAY_MS = 86_400_000

type MessageRetentionDeps = { db: Kysely<DatabaseSchema>; clock: Clock; log: Log; keptDays: number }

/** Deletes contact messages, reports of abuse and mail to the operator once they are older than `keptDays`, read or not. */
export class MessageRetention implements AsyncDisposable {
  readonly #deps: MessageRetentionDeps
  readonly #background: BackgroundWork
  #timer: NodeJS.Timeout | undefined

  constructor(deps: MessageRetentionDeps) {
    this.#deps = deps
    this.#background = new BackgroundWork(deps.log)
  }

  /** Also removes what became too old while no server was running. */
  start(): void {
    const sweep = () => void this.#background.run(this.sweep(), 'Old messages to the operator could not be removed')
    this.#timer = setInterval(sweep, SWEEP_EVERY_MS)
    this.#timer.unref()
    sweep()
  }

  async sweep(): Promise<void> {
    const { db, clock, keptDays } = this.#deps
    const receivedBefore = clock() - keptDays * DAY_MS
    for (const table of ['contact_messages', 'abuse_reports', 'operator_messages'] as const) {
      await db.deleteFrom(table).where('received_at', '<=', receivedBefore).execute()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#background.idle()
  }
}
