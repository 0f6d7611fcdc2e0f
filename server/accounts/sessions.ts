import type { Credentials } from '#contract/account.ts'
import type { Language } from '#contract/limits.ts'
import type { Clock } from '#server/clock.ts'
import { AppError } from '#server/errors.ts'
import type { SignedIn, WithCookies } from './account.ts'
import type { AccountLinks } from './account-links.ts'
import { type AuthLibrary, codeOf, failureOf } from './auth-library.ts'

/** However often it is used, a session ends this long after its sign-in (case W25). */
const SESSION_ABSOLUTE_MS = 90 * 86_400_000

type Parts = { library: AuthLibrary; links: AccountLinks; clock: Clock }

/** Signing in and out, and who is signed in: see `Accounts`. */
export function createAccountSessions({ library, links, clock }: Parts) {
  async function signIn({ email, password }: Credentials, before = new Headers()): Promise<WithCookies<SignedIn>> {
    try {
      const { headers, response } = await (await library.load()).api.signInEmail({ body: { email, password }, returnHeaders: true })
      const found = await (await library.records()).findSession(response.token)
      if (!found) throw new AppError('credentials_wrong')
      await signOut(before)
      return { ...signedIn(found.user, found.session.expiresAt), setCookies: headers.getSetCookie() }
    } catch (error) {
      if (codeOf(error) === 'EMAIL_NOT_VERIFIED') throw new AppError('email_not_confirmed')
      throw failureOf(error) ?? new AppError('credentials_wrong', { cause: error })
    }
  }

  async function mailConfirmation(email: string): Promise<void> {
    const found = await (await library.records()).findUserByEmail(email.toLowerCase())
    if (found && !found.user.emailVerified) await links.mail(found.user, languageOf(found.user), 'confirm')
  }

  async function session(headers: Headers): Promise<WithCookies<{ signedIn: SignedIn | undefined }>> {
    if (!hasSessionCookie(headers)) return { signedIn: undefined, setCookies: [] }
    const reply = await (await library.load()).api.getSession({ headers: cookieOnly(headers), returnHeaders: true })
    const setCookies = reply.headers.getSetCookie()
    const found = reply.response
    if (!found) return { signedIn: undefined, setCookies }
    if (found.session.createdAt.getTime() + SESSION_ABSOLUTE_MS <= clock()) return { signedIn: undefined, ...(await signOut(headers)) }
    return { signedIn: signedIn(found.user, found.session.expiresAt), setCookies }
  }

  async function signOut(headers: Headers): Promise<WithCookies<object>> {
    if (!hasSessionCookie(headers)) return { setCookies: [] }
    const reply = await (await library.load()).api.signOut({ headers: cookieOnly(headers), returnHeaders: true })
    return { setCookies: reply.headers.getSetCookie() }
  }

  async function signOutEverywhere(headers: Headers): Promise<WithCookies<object>> {
    const { signedIn } = await session(headers)
    if (signedIn) await (await library.records()).deleteUserSessions(signedIn.account.id)
    return signOut(headers)
  }

  return { signIn, mailConfirmation, session, signOut, signOutEverywhere }
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
