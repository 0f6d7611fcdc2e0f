import { sql, type Transaction } from 'kysely'
import type { Dialect } from './migrations.ts'
import type { DatabaseSchema } from './schema.ts'

/** Until the transaction ends, no other can count the rows of this owner. SQLite runs one writing transaction at a time anyway. */
export async function lockOwner(step: Transaction<DatabaseSchema>, dialect: Dialect, owner: string): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 0))`.execute(step)
}
