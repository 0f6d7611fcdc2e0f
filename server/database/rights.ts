/**
 * Who may create for an owner, and until when. Whatever is created with a session, an API key or an API token is written while its owner is
 * locked and that right exists. Whatever ends a right locks the owner too, so it finds everything that was created before it, and nothing
 * is created after it.
 */
import { sql, type Transaction } from 'kysely'
import { AppError } from '#server/errors.ts'
import { FairQueue } from '#server/platform/limits/fair-queue.ts'
import type { DatabaseAccess } from './database.ts'
import type { DatabaseSchema } from './schema.ts'

export type Step = Transaction<DatabaseSchema>
type Shared = Pick<DatabaseAccess, 'db' | 'dialect'>

/** A request acts with the row of a session, a sign-up, an API key or a stored API token. A configured token has no row, and never ends. */
export type Right = {
  /** `account:ID`, or `token:NAME` for an API token. */
  readonly owner: string
  readonly sessionId?: string | undefined
  readonly signUpId?: string | undefined
  readonly apiKeyId?: string | undefined
  readonly apiTokenHash?: string | undefined
}

export const accountOwner = (userId: string) => `account:${userId}`
export const sessionRight = (userId: string, sessionId: string): Right => ({ owner: accountOwner(userId), sessionId })
export const tokenOwner = (name: string) => `token:${name}`
const SIGN_UPS = 'sign-ups:'
/** Owns what waits for the confirmation of this address, by its canonical spelling. */
export const signUpsOwner = (emailKey: string) => `${SIGN_UPS}${emailKey}`

const accountOfUser = sql<string>`${accountOwner('')} || user_id`

/** Accounts for which this server sends nothing. */
export const suspendedOwners = (db: Shared['db']) => db.selectFrom('suspensions').select(accountOfUser.as('owner'))

export async function suspendedAmong(db: Shared['db'], owners: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await suspendedOwners(db).where(accountOfUser, 'in', owners).execute()
  return new Set(found.map(({ owner }) => owner))
}

/** Steps that may wait in one line of one process. They take some milliseconds each. */
const WAITING_MAX = 100
const RETRY_SECONDS = 1
const turns = new WeakMap<Shared['db'], OwnerTurns>()

/** Steps that end rights, that a sign-in or a link writes, and that use rights take turns, so that none waits for a flood of the others. */
type Lane = 'ending' | 'entry' | 'making'

/**
 * One transaction, and no other of this owner meanwhile. SQLite runs one writing transaction at a time anyway. It waits with the steps of
 * nobody's right: a sign-in, a link. AppError `rate_limited` if too many of them wait.
 */
export function asOwner<Result>(shared: Shared, owner: string, work: (step: Step) => Promise<Result>): Promise<Result> {
  return inTurn(shared, { owner }, 'entry', work)
}

/** The same for a step that ends a right of the owner. It is refused only to a session of which too many wait. */
export function asEnding<Result>(shared: Shared, by: Right, work: (step: Step) => Promise<Result>): Promise<Result> {
  return inTurn(shared, by, 'ending', work)
}

async function inTurn<Result>({ db, dialect }: Shared, by: Right, lane: Lane, work: (step: Step) => Promise<Result>): Promise<Result> {
  const ofDatabase = turns.get(db) ?? new OwnerTurns()
  turns.set(db, ofDatabase)
  using _turn = await ofDatabase.take(by, lane)
  return await db.transaction().execute(async step => {
    await lockOwner(step, dialect, by.owner)
    return await work(step)
  })
}

/** Locks a second owner whom a step concerns, until it ends. The account is locked before the address of its sign-ups. */
export async function lockOwner(step: Step, dialect: Shared['dialect'], owner: string): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 0))`.execute(step)
}

/**
 * Steps of an owner wait here and not with a connection to the database, which all visitors share: one owner holds at most one connection
 * of this process. The lanes take turns, and in each of them the sessions, keys and tokens, so that an intruder who has one of them keeps
 * neither the owner from signing in nor another session from ending theirs.
 */
class OwnerTurns {
  /** By owner: those that wait. An owner without an entry has no step under way. */
  readonly #waiting = new Map<string, FairQueue<() => void>>()

  async take({ owner, sessionId, apiKeyId, apiTokenHash }: Right, lane: Lane): Promise<Disposable> {
    const holder = sessionId ?? apiKeyId ?? apiTokenHash
    const line = [...(holder === undefined ? [] : [holder]), lane]
    const waiting = this.#waiting.get(owner)
    if (!waiting) this.#waiting.set(owner, new FairQueue())
    else {
      // A link ends what an intruder has, and the operator ends an abuser's: neither is asked for often.
      const isRefusable = lane !== 'ending' || holder !== undefined
      if (isRefusable && waiting.sizeOf(line) >= WAITING_MAX) {
        // Who signs up has no account yet.
        const detail = `Too many ${owner.startsWith(SIGN_UPS) ? 'sign-ups of this address' : 'requests of this account or API token'} wait.`
        throw new AppError('rate_limited', { retryAfterSeconds: RETRY_SECONDS, detail })
      }
      await new Promise<void>(resolve => waiting.push(line, resolve))
    }
    return { [Symbol.dispose]: () => this.#next(owner) }
  }

  #next(owner: string): void {
    const next = this.#waiting.get(owner)?.shift()
    if (next) next()
    else this.#waiting.delete(owner)
  }
}

/** `asOwner` while the right exists, in turn with the owner's others. AppError `sign_in_required`, `api_token_invalid` if it ended. */
export function withRight<Result>(shared: Shared, right: Right, work: (step: Step) => Promise<Result>): Promise<Result> {
  return inTurn(shared, right, 'making', async step => {
    await requireRight(step, shared, right)
    return await work(step)
  })
}

/** Locks the row: a conditional insert would see it as it was. API keys outlive a suspension, and sessions do not. */
export async function requireRight(step: Step, { dialect }: Shared, right: Right): Promise<void> {
  const { sessionId, signUpId, apiKeyId, apiTokenHash } = right
  const session = step.selectFrom('sessions').select('id')
  const signUp = step.selectFrom('sign_ups').select('id')
  const suspended = step.selectFrom('suspensions').select('user_id')
  const key = step.selectFrom('api_keys').select('id').where('user_id', 'not in', suspended)
  const token = step.selectFrom('api_tokens').select('name')
  const held = [
    ...(sessionId === undefined ? [] : [session.where('id', '=', sessionId)]),
    ...(signUpId === undefined ? [] : [signUp.where('id', '=', signUpId)]),
    ...(apiKeyId === undefined ? [] : [key.where('id', '=', apiKeyId)]),
    ...(apiTokenHash === undefined ? [] : [token.where('sha256', '=', apiTokenHash)]),
  ]
  for (const row of held) {
    const found = await (dialect === 'postgres' ? row.forKeyShare() : row).executeTakeFirst()
    if (!found) throw new AppError((sessionId ?? signUpId) === undefined ? 'api_token_invalid' : 'sign_in_required')
  }
}
