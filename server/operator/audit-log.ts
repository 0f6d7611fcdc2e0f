import type { Kysely, Transaction } from 'kysely'
import type { AuditAction } from '#contract/operator.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import type { Clock } from '#server/platform/clock.ts'

/** Entries kept; about 2 MB. */
const ENTRIES_MAX = 10_000

type AuditEntry = {
  readonly id: number
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly subject: string
}

/** Who acts: an operator's e-mail address, or the command on the server's own machine. */
export type OperatorActor = string
export const COMMAND_ACTOR = 'command'

/** Records what operators did. Never the content of mails and messages; destroyed addresses only as keyed hashes. */
export class AuditLog {
  readonly #db: Kysely<DatabaseSchema>
  readonly #clock: Clock

  constructor(db: Kysely<DatabaseSchema>, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async add(actor: OperatorActor, action: AuditAction, subject = '', within?: Transaction<DatabaseSchema>): Promise<void> {
    const row = { at: this.#clock(), actor, action, subject }
    const { id } = await (within ?? this.#db).insertInto('audit_log').values(row).returning('id').executeTakeFirstOrThrow()
    await (within ?? this.#db)
      .deleteFrom('audit_log')
      .where('id', '<=', id - ENTRIES_MAX)
      .execute()
  }

  /** Newest first. */
  list(limit: number): Promise<AuditEntry[]> {
    return this.#db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(limit).execute()
  }
}
