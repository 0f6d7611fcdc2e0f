import type { Transaction } from 'kysely'
import type { AuditAction } from '#contract/operator.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'

/** Entries kept; about 2 MB. */
const ENTRIES_MAX = 10_000

type AuditEntry = { readonly id: number; readonly at: number; readonly actor: string; readonly action: string; readonly subject: string }

/** Who acts: an operator's e-mail address, or the command on the server's own machine. */
export type AuditedBy = string
export const COMMAND_ACTOR = 'command'

/** Records what operators did. Never the content of mails and messages; destroyed addresses only as keyed hashes. */
export class AuditLog {
  readonly #access: DatabaseAccess

  constructor(access: DatabaseAccess) {
    this.#access = access
  }

  async add(actor: AuditedBy, action: AuditAction, subject = '', within?: Transaction<DatabaseSchema>): Promise<void> {
    const db = within ?? this.#access.db
    const row = { at: this.#access.clock(), actor, action, subject }
    const { id } = await db.insertInto('audit_log').values(row).returning('id').executeTakeFirstOrThrow()
    await db
      .deleteFrom('audit_log')
      .where('id', '<=', id - ENTRIES_MAX)
      .execute()
  }

  /** Newest first. */
  list(limit: number): Promise<AuditEntry[]> {
    return this.#access.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(limit).execute()
  }
}
