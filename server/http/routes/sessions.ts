/** Signing in and out. */
import { Hono } from 'hono'
import { describeRoute } from 'hono-openapi'
import { sessionSchema, signInSchema } from '#contract/account.ts'
import { routes } from '#contract/routes.ts'
import { AppError } from '#server/errors.ts'
import type { HttpEnv } from '#server/http/env.ts'
import { answers, jsonRequest, SESSION } from '../openapi/openapi.ts'
import { readJson } from '../requests/json-body.ts'
import type { AuthGuards } from './auth-guards.ts'
import { clearCache, requireSession, type SitePorts, setCookies } from './site-ports.ts'

export function sessionRoutes({ config, site }: SitePorts, guards: AuthGuards): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const { accounts } = site

  /** Whoever knows the password of an unconfirmed account may have a new link; how many, all mails to the address decide together. */
  async function refuse(error: unknown, email: string): Promise<never> {
    if (error instanceof AppError && error.code === 'email_not_confirmed') {
      await guards.mailTo(email)
      await accounts.mailConfirmation(email)
    }
    throw error
  }

  app.get(
    routes.authSession,
    describeRoute({ summary: 'Who is signed in; null for nobody', responses: answers(200, sessionSchema) }),
    async c => {
      const { signedIn, setCookies: cookies } = await accounts.session(c.req.raw.headers)
      setCookies(c, cookies)
      return c.json({ session: signedIn?.session ?? null })
    },
  )

  app.post(
    routes.authSignIn,
    describeRoute({
      summary: 'Sign in; the session is a cookie',
      requestBody: jsonRequest(signInSchema),
      responses: answers(200, sessionSchema, 'invalid_request', 'credentials_wrong', 'email_not_confirmed', 'forbidden', 'rate_limited'),
    }),
    guards.sameSite,
    async c => {
      const request = await readJson(c, signInSchema)
      await guards.attempt('sign-in', c.var.network)
      await guards.attemptOn(request.email)
      const { session, setCookies: cookies } = await accounts
        .signIn(request, c.req.raw.headers)
        .catch(error => refuse(error, request.email))
      setCookies(c, cookies)
      return c.json({ session })
    },
  )

  app.post(
    routes.authSignOut,
    describeRoute({ summary: 'Sign out here', security: SESSION, responses: answers(204, undefined, 'forbidden') }),
    guards.sameSite,
    async c => {
      const { setCookies: cookies } = await accounts.signOut(c.req.raw.headers)
      setCookies(c, cookies)
      clearCache(c, config.publicUrl)
      return c.body(null, 204)
    },
  )

  app.post(
    routes.authSignOutEverywhere,
    describeRoute({
      summary: 'End every session of the account',
      security: SESSION,
      responses: answers(204, undefined, 'sign_in_required', 'forbidden'),
    }),
    guards.sameSite,
    async c => {
      await requireSession(c, site)
      const { setCookies: cookies } = await accounts.signOutEverywhere(c.req.raw.headers)
      setCookies(c, cookies)
      clearCache(c, config.publicUrl)
      return c.body(null, 204)
    },
  )

  return app
}
