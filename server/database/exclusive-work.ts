/** Runs periodic work on a database that several processes share. */
import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Any number that no other lock of ours uses. */
const LOCKS = { sweep: 7_201, sweepExpired: 7_202 } as const

/** Runs the work unless another process is doing it: deleting the same rows twice only makes each wait for the other. */
export async function runExclusively({ db, dialect }: Database, name: keyof typeof LOCKS, work: () => Promise<void>): Promise<void> {
  if (dialect === 'sqlite') return await work()
  await db.transaction().execute(async step => {
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${LOCKS[name]}) as locked`.execute(step)
    if (rows[0]?.locked) await work()
  })
}
