import { sql } from 'kysely'
import type { DatabaseAccess } from './database.ts'

/** Any number that no other lock of ours uses. */
const SWEEP_LOCK = 7_201

/** Runs the work unless another process is doing it: deleting the same rows twice only makes each wait for the other. */
export async function sweepAlone({ db, dialect }: Pick<DatabaseAccess, 'db' | 'dialect'>, work: () => Promise<void>): Promise<void> {
  if (dialect === 'sqlite') return await work()
  await db.transaction().execute(async step => {
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${SWEEP_LOCK}) as locked`.execute(step)
    if (rows[0]?.locked) await work()
  })
}
