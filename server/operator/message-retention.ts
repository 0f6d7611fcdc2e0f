import type { Kysely } from 'kysely'
import { DAY_MS } from '#contract/limits.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { BackgroundWork } from '#server/platform/background-work.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'

/** The limit is in days, so an hour late does not matter. */
const SWEEP_EVERY_MS = 3_600_000

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

  /** Logs how many it deleted: with a wrong clock or a new limit that can be everything, and nothing else would say where it went. */
  async sweep(): Promise<void> {
    const { db, clock, log, keptDays } = this.#deps
    const receivedBefore = clock() - keptDays * DAY_MS
    const deleted = {
      contactMessages: await deleteContactMessages(db, receivedBefore),
      abuseReports: await deleteFrom(db, 'abuse_reports', receivedBefore),
      operatorMessages: await deleteFrom(db, 'operator_messages', receivedBefore),
    }
    if (Object.values(deleted).some(count => count > 0)) log.info({ ...deleted, keptDays }, 'Old messages to the operator were deleted')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#background.idle()
  }
}

/** Also deletes their copies that still wait to be forwarded. */
function deleteContactMessages(db: Kysely<DatabaseSchema>, receivedBefore: number): Promise<number> {
  return db.transaction().execute(async step => {
    const old = step.selectFrom('contact_messages').select('id').where('received_at', '<=', receivedBefore)
    await step.deleteFrom('outbox').where('contact_message_id', 'in', old).execute()
    return deleteFrom(step, 'contact_messages', receivedBefore)
  })
}

type Table = 'contact_messages' | 'abuse_reports' | 'operator_messages'

async function deleteFrom(db: Kysely<DatabaseSchema>, table: Table, receivedBefore: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom(table).where('received_at', '<=', receivedBefore).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
