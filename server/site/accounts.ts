import type { Credentials, Session } from '#contract/account.ts'
import type { Language } from '#contract/limits.ts'
import type { Clock } from '#server/clock.ts'
import { AppError } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { linkLetter } from '#server/mail-out/letters.ts'
import type { Auth, AuthParts } from './auth.ts'
import { emailKey, isAtOneOf } from './email-key.ts'
import { createLinkTokens, LINK_LIFETIME_MS, type LinkPurpose } from './link-tokens.ts'
import type { Outbox } from './outbox.ts'

/** However often it is used, a session ends this long after its sign-in (case W25). */
const SESSION_ABSOLUTE_MS = 90 * 86_400_000

/** A sign-up that was never confirmed is forgotten after this long: the link in its mail is dead by then. */
const UNCONFIRMED_MS = 7 * 86_400_000

export type Account = { readonly id: string; readonly email: string }
/** `setCookies` are whole `Set-Cookie` values for the reply. */
export type WithCookies<T> = T & { readonly setCookies: readonly string[] }
export type SignedIn = { readonly account: Account; readonly session: Session }

export interface Accounts extends AsyncDisposable {
  /** What limits per account are keyed by: tells nobody the address. */
  keyOf(email: string): string
  /** Makes the account and mails the link. AppError `account_exists` for a confirmed one, `email_not_allowed` for our own domains. */
  signUp(request: Credentials & { language: Language }): Promise<void>
  /**
   * Ends the session that the browser brings in `headers`, if any: nothing a stranger planted, or knew, outlives a sign-in (case W25).
   * AppError `credentials_wrong`; with the right password of an unconfirmed account `email_not_confirmed`, and a new link is on its way.
   */
  signIn(request: Credentials, headers?: Headers): Promise<WithCookies<SignedIn>>
  /** Who is signed in; pushes the session's end on when it is due. `undefined` for no session, an ended and a revoked one. */
  session(headers: Headers): Promise<WithCookies<{ signedIn: SignedIn | undefined }>>
  signOut(headers: Headers): Promise<WithCookies<object>>
  /** Every session of the account ends, this one too. */
  signOutEverywhere(headers: Headers): Promise<WithCookies<object>>
  /** AppError `link_expired` for a token that is used, replaced, too old or made up. */
  confirm(token: string): Promise<void>
  /** Always the same answer, at once, whether or not there is such an account (case W23). */
  forgotPassword(request: { email: string; language: Language }): Promise<void>
  /** Sets the password and ends every session. The link proves the address, so it confirms it too. AppError `link_expired`. */
  resetPassword(request: { token: string; password: string }): Promise<void>
  /** Is this the password of the account? */
  checkPassword(account: Account, password: string): Promise<boolean>
  /** Removes the account with its sessions and everything that refers to it in the site's database. */
  remove(account: Account): Promise<void>
  sweep(): Promise<void>
}

type AccountsParts = AuthParts & {
  clock: Clock
  log: Log
  outbox: Outbox
  domains: readonly string[]
  siteName: string
  /** Work that goes on after the reply; awaited when the site closes. */
  background: (work: Promise<void>) => void
}

export function createAccounts(parts: AccountsParts): Accounts {
  const { database, vault, clock, outbox, passwords } = parts
  const links = createLinkTokens(database.db, vault, clock)
  let loading: Promise<Auth> | undefined
  const load = () => {
    loading ??= import('./auth.ts').then(({ createAuth }) => createAuth(parts))
    return loading
  }
  const internals = async () => (await (await load()).$context).internalAdapter

  async function findByKey(email: string) {
    const context = await (await load()).$context
    return context.adapter.findOne<{ id: string; email: string; emailVerified: boolean }>({
      model: 'user',
      where: [{ field: 'emailKey', value: emailKey(email) }],
    })
  }

  async function mailLink(userId: string, email: string, language: Language, purpose: LinkPurpose): Promise<void> {
    const token = await links.issue(userId, purpose)
    // The token stands in the fragment, which no server, log or referrer gets to see.
    const page = purpose === 'confirm' ? '/auth/confirm' : '/auth/new-password'
    const link = `${parts.publicUrl}${page}?lang=${language}#${token}`
    await outbox.enqueue(linkLetter(purpose, { email, language }, link, parts.siteName), { givesUpAfterMs: LINK_LIFETIME_MS[purpose] })
  }

  async function signUp({ email, password, language }: Credentials & { language: Language }): Promise<void> {
    if (isAtOneOf(email, parts.domains)) throw new AppError('email_not_allowed')
    const known = await findByKey(email)
    if (known?.emailVerified) throw new AppError('account_exists')
    // Never confirmed, so nobody has proved that it is theirs: the newest sign-up stands alone, with its own password and link.
    if (known) await (await internals()).deleteUser(known.id)
    const auth = await load()
    const created = await auth.api
      .signUpEmail({ body: { name: '', email, password, language, emailKey: emailKey(email) } })
      .catch(cause => Promise.reject(failureOf(cause) ?? new AppError('account_exists', { cause })))
    const user = await findByKey(email)
    // Of two sign-ups at the same instant one made the account; only its link is mailed.
    if (user?.id !== created.user.id) throw new AppError('account_exists')
    await mailLink(user.id, user.email, language, 'confirm')
  }

  async function signIn({ email, password }: Credentials, before = new Headers()): Promise<WithCookies<SignedIn>> {
    const auth = await load()
    try {
      const { headers, response } = await auth.api.signInEmail({ body: { email, password }, returnHeaders: true })
      const setCookies = headers.getSetCookie()
      const found = await (await internals()).findSession(response.token)
      if (!found) throw new AppError('credentials_wrong')
      await signOut(before)
      return { ...signedIn(found.user, found.session.expiresAt), setCookies }
    } catch (error) {
      if (codeOf(error) === 'EMAIL_NOT_VERIFIED') {
        const user = await (await internals()).findUserByEmail(email.toLowerCase())
        if (user) await mailLink(user.user.id, user.user.email, languageOf(user.user), 'confirm')
        throw new AppError('email_not_confirmed')
      }
      throw failureOf(error) ?? new AppError('credentials_wrong', { cause: error })
    }
  }

  async function session(headers: Headers): Promise<WithCookies<{ signedIn: SignedIn | undefined }>> {
    if (!hasSessionCookie(headers)) return { signedIn: undefined, setCookies: [] }
    const auth = await load()
    const reply = await auth.api.getSession({ headers: cookieOnly(headers), returnHeaders: true })
    const setCookies = reply.headers.getSetCookie()
    const found = reply.response
    if (!found) return { signedIn: undefined, setCookies }
    if (found.session.createdAt.getTime() + SESSION_ABSOLUTE_MS <= clock()) return { signedIn: undefined, ...(await signOut(headers)) }
    return { signedIn: signedIn(found.user, found.session.expiresAt), setCookies }
  }

  async function signOut(headers: Headers): Promise<WithCookies<object>> {
    if (!hasSessionCookie(headers)) return { setCookies: [] }
    const auth = await load()
    const reply = await auth.api.signOut({ headers: cookieOnly(headers), returnHeaders: true })
    return { setCookies: reply.headers.getSetCookie() }
  }

  return {
    keyOf: email => vault.hash('limit', emailKey(email)),
    signUp,
    signIn,
    session,
    signOut,

    async signOutEverywhere(headers) {
      const { signedIn } = await session(headers)
      if (signedIn) await (await internals()).deleteUserSessions(signedIn.account.id)
      return signOut(headers)
    },

    async confirm(token) {
      const userId = await links.consume(token, 'confirm')
      if (userId === undefined) throw new AppError('link_expired')
      await (await internals()).updateUser(userId, { emailVerified: true })
    },

    async forgotPassword({ email, language }) {
      const work = async () => {
        const found = await (await internals()).findUserByEmail(email.toLowerCase())
        if (found) await mailLink(found.user.id, found.user.email, language, 'reset')
      }
      parts.background(work())
    },

    async resetPassword({ token, password }) {
      const userId = await links.consume(token, 'reset')
      if (userId === undefined) throw new AppError('link_expired')
      const adapter = await internals()
      await adapter.updatePassword(userId, await passwords.hash(password))
      await adapter.updateUser(userId, { emailVerified: true })
      await adapter.deleteUserSessions(userId)
    },

    async checkPassword(account, password) {
      const credentials = await (await internals()).findAccounts(account.id)
      const hash = credentials.find(credential => credential.providerId === 'credential')?.password
      return hash ? passwords.verify({ hash, password }) : false
    },

    async remove(account) {
      await (await internals()).deleteUser(account.id)
    },

    async sweep() {
      // better-auth keeps dates as text and flags as numbers where the engine has neither.
      const isSqlite = database.dialect === 'sqlite'
      const before = (millis: number) => (isSqlite ? new Date(millis).toISOString() : new Date(millis))
      await links.sweep()
      await database.db.deleteFrom('sessions').where('expiresAt', '<', before(clock())).execute()
      await database.db
        .deleteFrom('users')
        .where('emailVerified', '=', isSqlite ? 0 : false)
        .where('createdAt', '<', before(clock() - UNCONFIRMED_MS))
        .execute()
    },

    async [Symbol.asyncDispose]() {
      await loading
    },
  }
}

function signedIn(user: { id: string; email: string }, expiresAt: Date): SignedIn {
  return { account: { id: user.id, email: user.email }, session: { email: user.email, expiresAt: new Date(expiresAt).toISOString() } }
}

/** A cheap look before half a second of library is loaded: most visitors have no session. */
function hasSessionCookie(headers: Headers): boolean {
  return headers.get('cookie')?.includes('mayfly_session=') ?? false
}

/** better-auth sees the cookie and nothing else a stranger sent. */
function cookieOnly(headers: Headers): Headers {
  return new Headers({ cookie: headers.get('cookie') ?? '' })
}

function languageOf(user: object): Language {
  return 'language' in user && user.language === 'es' ? 'es' : 'en'
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error && 'body' in error)) return undefined
  const { body } = error
  return typeof body === 'object' && body && 'code' in body ? String(body.code) : undefined
}

/** What is a refusal of better-auth's stays one; a fault of ours or the database's must not pass as a wrong password. */
function failureOf(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  return codeOf(error) === undefined ? new AppError('unavailable', { cause: error }) : undefined
}
