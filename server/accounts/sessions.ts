import { randomBytes, randomUUID } from 'node:crypto'
import { parse, serialize } from 'hono/utils/cookie'
import type { AccountSession, Credentials, Session } from '#contract/account.ts'
import { DAY_MS } from '#contract/limits.ts'
import type { UsedPasskey } from '#contract/passkeys.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { accountOwner, asEnding, asOwner, type Step, sessionRight } from '#server/database/rights.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import { toIso } from '#server/platform/clock.ts'
import { endOne } from './account-endings.ts'
import type { Passkeys } from './passkeys.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { type ConfirmedAccount, NO_PASSWORD, type SignUps } from './sign-up.ts'

export type Account = { readonly id: string; readonly email: string }
/** `setCookies`: whole `Set-Cookie` values for the response. */
type WithCookies<T> = T & { readonly setCookies: readonly string[] }
export type SignedIn = { readonly account: Account; readonly session: Session; readonly sessionId: string; readonly signedInAt: number }

/** A session ends after this long without use. Use after its first day extends it. */
const UNUSED_MS = 7 * DAY_MS
const EXTENDED_AFTER_MS = DAY_MS
/** A session ends this long after its sign-in, however often it is used. */
const ABSOLUTE_MS = 90 * DAY_MS

const TOKEN_BYTES = 32
const TOKEN = /^[\w-]{43}$/

type SessionsDeps = DatabaseAccess & {
  readonly hasher: PasswordHasher
  readonly signUps: SignUps
  readonly passkeys: Passkeys
  readonly publicUrl: string
}

/**
 * Signs accounts in and out, and finds the account of a request's session cookie: 256 random bits, of which only a keyed hash is stored.
 * Nothing says which address signed in; of the browser only its name and its system's are stored.
 */
export class Sessions {
  readonly #deps: SessionsDeps

  constructor(deps: SessionsDeps) {
    this.#deps = deps
  }

  /**
   * Ends the session in `headers`, if any, so that a session planted or known by a stranger does not survive a sign-in. AppError
   * `credentials_wrong`; with the right password `email_not_confirmed` for an unconfirmed sign-up and `account_suspended` for a suspended
   * account; `refusal`, if there is one, instead of anything else.
   */
  async signIn({ email, password }: Credentials, headers = new Headers(), refusal?: AppError): Promise<WithCookies<SignedIn>> {
    const { db, hasher, signUps } = this.#deps
    const users = db.selectFrom('users').leftJoin('suspensions', 'suspensions.user_id', 'users.id')
    const user = await users
      .select(['users.id', 'users.email', 'users.password_hash', 'suspensions.since'])
      .where('users.email', '=', email.toLowerCase())
      .executeTakeFirst()
    const waiting = await signUps.hashesOf(email)
    // Each way computes one hash, so that a known, an unknown, an unconfirmed and a refused address take the same time.
    const hashes = user ? [user.password_hash] : waiting.length > 0 ? waiting : [NO_PASSWORD]
    const isRight = (await hasher.indexOf(password, hashes)) !== -1
    if (refusal) throw refusal
    if (!isRight) throw new AppError('credentials_wrong')
    if (!user) throw new AppError('email_not_confirmed')
    return this.#begin(user, headers, async step => {
      const same = step.selectFrom('users').select('id').where('id', '=', user.id).where('password_hash', '=', user.password_hash)
      if (!(await same.executeTakeFirst())) throw new AppError('credentials_wrong')
    })
  }

  /** The same with a passkey. AppError `passkey_refused`, `account_suspended`. */
  async signInWithPasskey(passkey: UsedPasskey, headers: Headers): Promise<WithCookies<SignedIn>> {
    const { db, passkeys } = this.#deps
    const verified = await passkeys.verify(passkey)
    const users = db.selectFrom('users').leftJoin('suspensions', 'suspensions.user_id', 'users.id')
    const user = users.select(['users.id', 'users.email', 'suspensions.since']).where('users.id', '=', verified.userId)
    const found = await user.executeTakeFirst()
    if (!found) throw new AppError('passkey_refused')
    return this.#begin(found, headers, async step => {
      if (!(await passkeys.count(step, verified))) throw new AppError('passkey_refused')
    })
  }

  /** For who has just confirmed their sign-up. AppError `credentials_wrong` if a new password was set meanwhile. */
  beginConfirmed({ passwordHash, ...account }: ConfirmedAccount, headers: Headers): Promise<WithCookies<SignedIn>> {
    return this.#begin({ ...account, since: null }, headers, async step => {
      const same = step.selectFrom('users').select('id').where('id', '=', account.id).where('password_hash', '=', passwordHash)
      if (!(await same.executeTakeFirst())) throw new AppError('credentials_wrong')
    })
  }

  /** `requireRight` rejects if the account, password or passkey went during the check: it runs in the step that writes the session. */
  async #begin(
    user: Account & { readonly since: number | null },
    headers: Headers,
    requireRight: (step: Step) => Promise<void>,
  ): Promise<WithCookies<SignedIn>> {
    await this.signOut(headers)
    if (user.since !== null) {
      await this.#endAll(user)
      throw new AppError('account_suspended')
    }
    const { secretBox, clock } = this.#deps
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const [id, now] = [randomUUID(), clock()]
    const times = { created_at: now, expires_at: now + UNUSED_MS }
    const device = describeDevice(headers) ?? null
    const row = { id, token_hash: secretBox.hash('session', token), user_id: user.id, device, ...times }
    await asOwner(this.#deps, accountOwner(user.id), async step => {
      await requireRight(step)
      const suspended = await step.selectFrom('suspensions').select('since').where('user_id', '=', user.id).executeTakeFirst()
      if (suspended) throw new AppError('account_suspended')
      await step.insertInto('sessions').values(row).execute()
    })
    return { ...describe(user, row), setCookies: [this.#cookie(token, UNUSED_MS)] }
  }

  /** The signed-in account; extends its session when due. `signedIn` is `undefined` without a session, or if it ended or was revoked. */
  async current(headers: Headers): Promise<WithCookies<{ signedIn: SignedIn | undefined }>> {
    const token = this.#tokenIn(headers)
    if (token === undefined) return { signedIn: undefined, setCookies: [] }
    const { db, secretBox, clock } = this.#deps
    const sessions = db.selectFrom('sessions').innerJoin('users', 'users.id', 'sessions.user_id')
    const found = await sessions
      .leftJoin('suspensions', 'suspensions.user_id', 'sessions.user_id')
      .select(['sessions.id', 'sessions.user_id', 'sessions.created_at', 'sessions.expires_at', 'users.email', 'suspensions.since'])
      .where('sessions.token_hash', '=', secretBox.hash('session', token))
      .executeTakeFirst()
    const now = clock()
    if (!found || found.expires_at <= now || found.since !== null) return { signedIn: undefined, ...(await this.signOut(headers)) }
    const account = { id: found.user_id, email: found.email }
    const expiresAt = Math.min(now + UNUSED_MS, found.created_at + ABSOLUTE_MS)
    if (found.expires_at > Math.min(now + UNUSED_MS - EXTENDED_AFTER_MS, expiresAt - 1)) {
      return { signedIn: describe(account, found), setCookies: [] }
    }
    await db.updateTable('sessions').set({ expires_at: expiresAt }).where('id', '=', found.id).execute()
    return { signedIn: describe(account, { ...found, expires_at: expiresAt }), setCookies: [this.#cookie(token, expiresAt - now)] }
  }

  async signOut(headers: Headers): Promise<WithCookies<object>> {
    const token = this.#tokenIn(headers)
    if (token === undefined) return { setCookies: [] }
    const { db, secretBox } = this.#deps
    const session = db.selectFrom('sessions').select(['id', 'user_id']).where('token_hash', '=', secretBox.hash('session', token))
    const found = await session.executeTakeFirst()
    // By no right, so that it is never refused: a session ends once, also one that has expired and is still asked with.
    const by = found && { owner: accountOwner(found.user_id) }
    if (by) await endOne(this.#deps, by, { table: 'sessions', userId: found.user_id, id: found.id })
    return { setCookies: [this.#cookie('', 0)] }
  }

  /** The sessions of the account that are not over, newest first. `currentId`: the one that asks. */
  async list({ id }: Account, currentId: string): Promise<AccountSession[]> {
    const { db, clock } = this.#deps
    const live = db.selectFrom('sessions').select(['id', 'device', 'created_at', 'expires_at']).where('user_id', '=', id)
    const rows = await live.where('expires_at', '>', clock()).orderBy('created_at', 'desc').orderBy('id').execute()
    return rows.map(row => ({
      id: row.id,
      ...(row.device && { device: row.device }),
      createdAt: toIso(row.created_at),
      expiresAt: toIso(row.expires_at),
      isCurrent: row.id === currentId,
    }))
  }

  /** `by`: the session that asks. `false` if the account has no such session. */
  end({ id: userId }: Pick<Account, 'id'>, by: string, sessionId: string): Promise<boolean> {
    return endOne(this.#deps, sessionRight(userId, by), { table: 'sessions', userId, id: sessionId })
  }

  /** Gives the session another token, so that a copy of its cookie ends. */
  async renew(step: Step, sessionId: string): Promise<WithCookies<object>> {
    const { secretBox, clock } = this.#deps
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const session = step
      .updateTable('sessions')
      .set({ token_hash: secretBox.hash('session', token) })
      .where('id', '=', sessionId)
    const renewed = await session.returning('expires_at').executeTakeFirst()
    return { setCookies: renewed ? [this.#cookie(token, renewed.expires_at - clock())] : [] }
  }

  /** Ends every session of the account, including this one. */
  async signOutEverywhere(headers: Headers): Promise<WithCookies<object>> {
    const { signedIn } = await this.current(headers)
    if (signedIn) await this.#endAll(signedIn.account, signedIn.sessionId)
    return this.signOut(headers)
  }

  /** `by`: a session of the account, which ends none if it has ended itself meanwhile. */
  async #endAll({ id }: Account, by?: string): Promise<void> {
    await asEnding(this.#deps, { owner: accountOwner(id), sessionId: by }, async step => {
      if (by !== undefined && !(await step.selectFrom('sessions').select('id').where('id', '=', by).executeTakeFirst())) return
      await step.deleteFrom('sessions').where('user_id', '=', id).execute()
    })
  }

  /** `undefined` without a value that could be a token. */
  #tokenIn(headers: Headers): string | undefined {
    const name = sessionCookieName(this.#deps.publicUrl)
    const value = parse(headers.get('cookie') ?? '', name)[name]
    return value !== undefined && TOKEN.test(value) ? value : undefined
  }

  #cookie(token: string, lifetimeMs: number): string {
    const { publicUrl } = this.#deps
    const secure = publicUrl.startsWith('https:')
    return serialize(sessionCookieName(publicUrl), token, {
      maxAge: Math.floor(lifetimeMs / 1000),
      path: '/',
      httpOnly: true,
      secure,
      sameSite: 'Lax',
    })
  }
}

/** The first that matches. Others call themselves Chrome and Safari too, and Android calls itself Linux. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** Browser and system by their names, e.g. `Firefox · Linux`: enough to recognise a device, and nothing by which it differs from others. */
export function describeDevice(headers: Headers): string | undefined {
  const userAgent = headers.get('user-agent') ?? ''
  const names = [BROWSERS, SYSTEMS].flatMap(known => known.find(([pattern]) => pattern.test(userAgent))?.[1] ?? [])
  return names.length === 0 ? undefined : names.join(' · ')
}

function describe({ id, email }: Account, session: Pick<DatabaseSchema['sessions'], 'id' | 'created_at' | 'expires_at'>): SignedIn {
  const { id: sessionId, created_at: signedInAt, expires_at: expiresAt } = session
  return { account: { id, email }, session: { email, expiresAt: toIso(expiresAt) }, sessionId, signedInAt }
}

/** `__Host-` binds the cookie to this exact host. Browsers accept it over https only. */
export const sessionCookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-mayfly_session' : 'mayfly_session'
