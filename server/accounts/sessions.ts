import type { Kysely } from 'kysely'
import type { Credentials, Session } from '#contract/account.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { BetterAuth, BetterAuthDeps } from './better-auth.ts'
import type { SignUps } from './sign-up.ts'

export type Account = { readonly id: string; readonly email: string }
/** `setCookies`: whole `Set-Cookie` values for the response. */
type WithCookies<T> = T & { readonly setCookies: readonly string[] }
export type SignedIn = { readonly account: Account; readonly session: Session; readonly sessionId: string }

/** A session ends this long after its sign-in, however often it is used. */
const SESSION_ABSOLUTE_MS = 90 * 86_400_000

type SessionsDeps = { db: Kysely<DatabaseSchema>; betterAuth: LazyBetterAuth; signUps: SignUps; clock: Clock }

/** Signs accounts in and out, and finds the account of a request's session cookie. */
export class Sessions {
  readonly #deps: SessionsDeps

  constructor(deps: SessionsDeps) {
    this.#deps = deps
  }

  /**
   * Ends the session in `headers`, if any, so that a session planted or known by a stranger does not survive a sign-in. AppError
   * `credentials_wrong`; with the right password `email_not_confirmed` for an unconfirmed sign-up and `account_suspended` for a suspended
   * account.
   */
  async signIn(credentials: Credentials, headers = new Headers()): Promise<WithCookies<SignedIn>> {
    const { betterAuth, signUps } = this.#deps
    // Only one of the two checks the password, so that a known, an unknown and an unconfirmed address take the same time.
    const waiting = (await this.#hasAccount(credentials.email)) ? undefined : await signUps.compare(credentials)
    if (waiting) throw new AppError(waiting === 'same_password' ? 'email_not_confirmed' : 'credentials_wrong')
    try {
      const auth = await betterAuth.load()
      const reply = await auth.api.signInEmail({ body: credentials, returnHeaders: true })
      const found = await (await auth.$context).internalAdapter.findSession(reply.response.token)
      if (!found) throw new AppError('credentials_wrong')
      await this.signOut(headers)
      if (await this.#isSuspended(found.user.id)) {
        await this.#endAll(found.user)
        throw new AppError('account_suspended')
      }
      return { ...describe(found.user, found.session), setCookies: reply.headers.getSetCookie() }
    } catch (error) {
      throw unexpectedError(error) ?? new AppError('credentials_wrong', { cause: error })
    }
  }

  async #hasAccount(email: string): Promise<boolean> {
    const known = this.#deps.db.selectFrom('users').select('id').where('email', '=', email.toLowerCase())
    return (await known.executeTakeFirst()) !== undefined
  }

  /** The signed-in account; extends its session when due. `signedIn` is `undefined` without a session, or if it ended or was revoked. */
  async current(headers: Headers): Promise<WithCookies<{ signedIn: SignedIn | undefined }>> {
    if (!hasSessionCookie(headers)) return { signedIn: undefined, setCookies: [] }
    const auth = await this.#deps.betterAuth.load()
    const reply = await auth.api.getSession({ headers: cookieOnly(headers), returnHeaders: true })
    const setCookies = reply.headers.getSetCookie()
    const found = reply.response
    if (!found) return { signedIn: undefined, setCookies }
    const isTooOld = found.session.createdAt.getTime() + SESSION_ABSOLUTE_MS <= this.#deps.clock()
    if (isTooOld) return { signedIn: undefined, ...(await this.signOut(headers)) }
    return { signedIn: describe(found.user, found.session), setCookies }
  }

  async signOut(headers: Headers): Promise<WithCookies<object>> {
    if (!hasSessionCookie(headers)) return { setCookies: [] }
    const reply = await (await this.#deps.betterAuth.load()).api.signOut({ headers: cookieOnly(headers), returnHeaders: true })
    return { setCookies: reply.headers.getSetCookie() }
  }

  /** Ends every session of the account, including this one. */
  async signOutEverywhere(headers: Headers): Promise<WithCookies<object>> {
    const { signedIn } = await this.current(headers)
    if (signedIn) await this.#endAll(signedIn.account)
    return this.signOut(headers)
  }

  async sweep(): Promise<void> {
    const { db, clock } = this.#deps
    await db.deleteFrom('sessions').where('expiresAt', '<', new Date(clock())).execute()
  }

  async #isSuspended(userId: string): Promise<boolean> {
    const row = this.#deps.db.selectFrom('suspensions').select('user_id').where('user_id', '=', userId)
    return (await row.executeTakeFirst()) !== undefined
  }

  async #endAll(account: Pick<Account, 'id'>): Promise<void> {
    await this.#deps.db.deleteFrom('sessions').where('userId', '=', account.id).execute()
  }
}

function describe(user: { id: string; email: string }, { id, expiresAt }: { id: string; expiresAt: Date }): SignedIn {
  const session = { email: user.email, expiresAt: new Date(expiresAt).toISOString() }
  return { account: { id: user.id, email: user.email }, session, sessionId: id }
}

/** A cheap check before the library is loaded, which takes half a second: most visitors have no session. */
function hasSessionCookie(headers: Headers): boolean {
  return headers.get('cookie')?.includes('mayfly_session=') ?? false
}

/** better-auth gets the cookie and nothing else of the request. */
function cookieOnly(headers: Headers): Headers {
  return new Headers({ cookie: headers.get('cookie') ?? '' })
}

/** Loads better-auth at the first request that needs it: half a second and 50 MB, which most visits never need. */
export class LazyBetterAuth {
  readonly #deps: Omit<BetterAuthDeps, 'cookieName'>
  #loading: Promise<BetterAuth> | undefined

  constructor(deps: Omit<BetterAuthDeps, 'cookieName'>) {
    this.#deps = deps
  }

  async load(): Promise<BetterAuth> {
    this.#loading ??= import('./better-auth.ts').then(({ createBetterAuth }) =>
      createBetterAuth({ ...this.#deps, cookieName: sessionCookieName(this.#deps.publicUrl) }),
    )
    return this.#loading
  }

  /** Resolves when nothing is being loaded. */
  async settled(): Promise<void> {
    await this.#loading
  }
}

/** The code of a refusal by better-auth; `undefined` for any other error. */
function refusalCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'body' in error)) return undefined
  const { body } = error
  return typeof body === 'object' && body && 'code' in body ? String(body.code) : undefined
}

/** `undefined` for a refusal by better-auth. Other errors are rethrown, so that a failing database does not look like a wrong password. */
function unexpectedError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  return refusalCode(error) === undefined ? new AppError('unavailable', { cause: error }) : undefined
}

/** `__Host-` binds the cookie to this exact host. Browsers accept it over https only. */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-mayfly_session' : 'mayfly_session'
}
