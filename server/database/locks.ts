/** What keeps several processes, or several requests, from doing the same on one database. */
import { sql, type Transaction } from 'kysely'
import { AppError } from '#server/errors.ts'
import type { DatabaseAccess } from './database.ts'
import type { Dialect } from './migrations.ts'
import type { DatabaseSchema } from './schema.ts'

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

/** Until the transaction ends, no other can count the rows of this owner. SQLite runs one writing transaction at a time anyway. */
export async function lockOwner(step: Transaction<DatabaseSchema>, dialect: Dialect, owner: string): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 0))`.execute(step)
}

/** The row of an API key, or of a stored API token, with which a request was made; neither for a session or a configured token. */
export type StoredCredential = { readonly apiKeyId: string | undefined; readonly apiTokenHash: string | undefined }

/**
 * Until the transaction ends, the credential cannot be revoked, so its revocation finds what the transaction writes. A revocation under way
 * is waited for. AppError `api_token_invalid` if it is revoked.
 */
export async function lockCredential(step: Transaction<DatabaseSchema>, dialect: Dialect, credential: StoredCredential): Promise<void> {
  const { apiKeyId, apiTokenHash } = credential
  const key = step
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', apiKeyId ?? '')
  const token = step
    .selectFrom('api_tokens')
    .select('name')
    .where('sha256', '=', apiTokenHash ?? '')
  const isPostgres = dialect === 'postgres'
  if (apiKeyId !== undefined && !(await (isPostgres ? key.forKeyShare() : key).executeTakeFirst())) throw new AppError('api_token_invalid')
  if (apiTokenHash !== undefined && !(await (isPostgres ? token.forKeyShare() : token).executeTakeFirst()))
    throw new AppError('api_token_invalid')
}

/**
 * Enforces "at most N per account" under concurrency without a transaction: each row takes a number below the limit, and the table's unique
 * key gives each number to one taker. Resolves to the number, or `undefined` if all are taken.
 */
export async function takeSlot(slotsMax: number, tryInsert: (slot: number) => Promise<boolean>): Promise<number | undefined> {
  for (let slot = 0; slot < slotsMax; slot++) {
    if (await tryInsert(slot)) return slot
  }
  return undefined
}
