import { randomUUID } from 'node:crypto'
import type { Database, DatabaseAccess } from '#server/database/database.ts'
import { Sweep } from '#server/database/sweep.ts'
import { createSecretBox } from '#server/platform/cryptography.ts'
import { createLog } from '#server/platform/log.ts'

export const SECRET = 'a secret of a test, which is known to all'

/** What classes with rows in this database take: the real time, and a silent log, unless told otherwise. */
export function testDatabaseAccess(
  { db, dialect }: Database,
  { clock = Date.now, log = createLog('silent') }: Partial<DatabaseAccess> = {},
): DatabaseAccess {
  return { db, dialect, secretBox: createSecretBox(SECRET), clock, log }
}

/** Removes at once what has ended. */
export async function sweepAll(access: DatabaseAccess, contactDays = 365): Promise<void> {
  await using sweep = new Sweep({ ...access, contactDays, limitNames: async () => undefined, destroyEnding: async () => 0 })
  await sweep.run()
}

/** A session of the account, with which it may create. */
export async function newSession({ db }: Pick<Database, 'db'>, accountId: string): Promise<{ accountId: string; sessionId: string }> {
  const sessionId = randomUUID()
  const row = { id: sessionId, token_hash: sessionId, user_id: accountId, device: null, created_at: 0, expires_at: Number.MAX_SAFE_INTEGER }
  await db.insertInto('sessions').values(row).execute()
  return { accountId, sessionId }
}
