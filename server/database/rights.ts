/**
 * Who may create for an owner, and until when. Whatever is created with a session, an API key or an API token is written while its owner is
 * locked and that right exists. Whatever ends a right locks the owner too, so it finds everything that was created before it, and nothing
 * is created after it.
 */
import { sql, type Transaction } from 'kysely'
import { AppError } from '#server/errors.ts'
import type { DatabaseAccess } from './database.ts'
import type { DatabaseSchema } from './schema.ts'

export type Step = Transaction<DatabaseSchema>
type Shared = Pick<DatabaseAccess, 'db' | 'dialect'>

/** A request acts with it: the row of a session, an API key or a stored API token. A configured token has no row, and never ends. */
export type Right = {
  /** `account:ID`, or `token:NAME` for an API token. */
  readonly owner: string
  readonly sessionId?: string | undefined
  readonly apiKeyId?: string | undefined
  readonly apiTokenHash?: string | undefined
}

export const accountOwner = (userId: string) => `account:${userId}`
export const tokenOwner = (name: string) => `token:${name}`

/** One transaction, and no other of this owner meanwhile. SQLite runs one writing transaction at a time anyway. */
export function asOwner<Result>({ db, dialect }: Shared, owner: string, work: (step: Step) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async step => {
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 0))`.execute(step)
    return await work(step)
  })
}

/** The same while the right exists. AppError `sign_in_required` if the session has ended, `api_token_invalid` if the key or token has. */
export function withRight<Result>(shared: Shared, right: Right, work: (step: Step) => Promise<Result>): Promise<Result> {
  return asOwner(shared, right.owner, async step => {
    await requireRight(step, shared, right)
    return await work(step)
  })
}

/**
 * The row is locked as well: a conditional insert would see it as it was when its statement began, although it is being deleted. API keys
 * outlive a suspension, and sessions do not.
 */
async function requireRight(step: Step, { dialect }: Shared, { sessionId, apiKeyId, apiTokenHash }: Right): Promise<void> {
  const session = step.selectFrom('sessions').select('id')
  const suspended = step.selectFrom('suspensions').select('user_id')
  const key = step.selectFrom('api_keys').select('id').where('user_id', 'not in', suspended)
  const token = step.selectFrom('api_tokens').select('name')
  const held = [
    ...(sessionId === undefined ? [] : [session.where('id', '=', sessionId)]),
    ...(apiKeyId === undefined ? [] : [key.where('id', '=', apiKeyId)]),
    ...(apiTokenHash === undefined ? [] : [token.where('sha256', '=', apiTokenHash)]),
  ]
  for (const row of held) {
    const found = await (dialect === 'postgres' ? row.forKeyShare() : row).executeTakeFirst()
    if (!found) throw new AppError(sessionId === undefined ? 'api_token_invalid' : 'sign_in_required')
  }
}
