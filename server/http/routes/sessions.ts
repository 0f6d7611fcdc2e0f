/** Signing in and out. */

import { type Credentials, readSession, signIn, signOut, signOutEverywhere } from '#contract/account.ts'
import { AppError } from '#server/errors.ts'
import { type BoundRoute, defineRoute, type GuardedRequest } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'
import { clearCache, setCookies } from './session-cookies.ts'

const tag = 'Account'

export function sessionRoutes({ config, accounts }: Pick<HttpDeps, 'config' | 'accounts'>, guards: Guards): BoundRoute[] {
  const { sessions, signUps, knownNetworks } = accounts

  /** The right password of an unconfirmed sign-up mails a new link, within the limit of mails to that address. */
  async function refuse(
    request: GuardedRequest<'rate_limited' | 'email_not_confirmed'>,
    error: unknown,
    credentials: Credentials,
  ): Promise<never> {
    if (error instanceof AppError && error.code === 'email_not_confirmed') {
      await guards.limitMailsTo(request, credentials.email)
      await signUps.sendNewLink(credentials)
    }
    throw error
  }

  return [
    defineRoute(readSession, {
      tag,
      summary: 'Read who is signed in',
      description: '`session` is null if nobody is signed in.',
      async handle({ c }) {
        const { signedIn, setCookies: cookies } = await sessions.current(c.req.raw.headers)
        setCookies(c, cookies)
        return { session: signedIn?.session ?? null }
      },
    }),
    defineRoute(signIn, {
      tag,
      summary: 'Sign in',
      description: 'The session is a cookie.',
      async handle(request) {
        const { c, body } = request
        await guards.limitForm(request, 'sign-in')
        await guards.limitPasswordAttempts(request, body.email)
        const {
          account,
          session,
          setCookies: cookies,
        } = await sessions.signIn(body, c.req.raw.headers).catch(error => refuse(request, error, body))
        await knownNetworks.remember(account, c.var.network)
        setCookies(c, cookies)
        return { session }
      },
    }),
    defineRoute(signOut, {
      tag,
      summary: 'Sign out of this session',
      async handle({ c }) {
        const { setCookies: cookies } = await sessions.signOut(c.req.raw.headers)
        setCookies(c, cookies)
        clearCache(c, config.publicUrl)
        return undefined
      },
    }),
    defineRoute(signOutEverywhere, {
      tag,
      summary: 'Sign out of every session of the account',
      async handle({ c }) {
        const { setCookies: cookies } = await sessions.signOutEverywhere(c.req.raw.headers)
        setCookies(c, cookies)
        clearCache(c, config.publicUrl)
        return undefined
      },
    }),
  ]
}
