/** Signing in and out. */
import { readSession, signIn, signOut, signOutEverywhere } from '#contract/api/account-routes.ts'
import { AppError } from '#server/errors.ts'
import { type BoundRoute, defineRoute, type Guarded } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'
import { clearCache, setCookies } from './session-cookies.ts'

const tag = 'Account'

export function sessionRoutes({ config, site: { accounts } }: Pick<HttpDeps, 'config' | 'site'>, guards: Guards): BoundRoute[] {
  /** Whoever knows the password of an unconfirmed account gets a new link; all mails to the address share one limit. */
  async function refuse(request: Guarded<'rate_limited' | 'email_not_confirmed'>, error: unknown, email: string): Promise<never> {
    if (error instanceof AppError && error.code === 'email_not_confirmed') {
      await guards.mailTo(request, email)
      await accounts.mailConfirmation(email)
    }
    throw error
  }

  return [
    defineRoute(readSession, {
      tag,
      summary: 'Read who is signed in',
      description: '`session` is null when nobody is.',
      async handle({ c }) {
        const { signedIn, setCookies: cookies } = await accounts.session(c.req.raw.headers)
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
        await guards.attempt(request, 'sign-in')
        await guards.passwordAttempt(request, body.email)
        const { session, setCookies: cookies } = await accounts
          .signIn(body, c.req.raw.headers)
          .catch(error => refuse(request, error, body.email))
        setCookies(c, cookies)
        return { session }
      },
    }),
    defineRoute(signOut, {
      tag,
      summary: 'Sign out of this session',
      async handle({ c }) {
        const { setCookies: cookies } = await accounts.signOut(c.req.raw.headers)
        setCookies(c, cookies)
        clearCache(c, config.publicUrl)
        return undefined
      },
    }),
    defineRoute(signOutEverywhere, {
      tag,
      summary: 'Sign out of every session of the account',
      async handle({ c }) {
        const { setCookies: cookies } = await accounts.signOutEverywhere(c.req.raw.headers)
        setCookies(c, cookies)
        clearCache(c, config.publicUrl)
        return undefined
      },
    }),
  ]
}
