/** Sign-up, sign-in, links and sign-out (decision 22). The credential is an HttpOnly cookie, so every write is for our own pages only. */
import { Hono } from 'hono'
import { describeRoute } from 'hono-openapi'
import {
  confirmSchema,
  deleteAccountSchema,
  forgotPasswordSchema,
  resetPasswordSchema,
  sessionSchema,
  signInSchema,
  signUpSchema,
} from '#contract/account.ts'
import { AUTH_LIMIT } from '#contract/limits.ts'
import { routes } from '#contract/routes.ts'
import { passBotCheck } from '#server/bot-check/bot-check.ts'
import { sameSiteOnly } from '#server/http/cross-site.ts'
import type { HttpEnv } from '#server/http/env.ts'
import { readJson } from '#server/http/json-body.ts'
import { answers, jsonRequest, SESSION } from '#server/http/openapi.ts'
import { enforce } from '#server/limiter/limiter.ts'
import { clearCache, requireSession, type SitePorts, setCookies } from './site-ports.ts'

/**
 * Passwords tried on one account from everywhere: many networks together get no further than this.
 * Wide enough that a stranger cannot easily keep its owner out, and over after the window (case W24).
 */
const ACCOUNT_ATTEMPTS = { name: 'auth-account', attempts: 30, windowSeconds: AUTH_LIMIT.windowSeconds } as const

/** Mails one address is sent because somebody asked for them, from everywhere: nobody's inbox is flooded in our name (case W24). */
const ACCOUNT_MAILS = { name: 'auth-mails', attempts: 10, windowSeconds: AUTH_LIMIT.windowSeconds } as const

export function authRoutes({ config, site, limiter, limits, botCheck }: SitePorts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const { accounts } = site
  const sameSite = sameSiteOnly(config.publicUrl)
  /** Five in 900 s for each thing one can do here (spec 5.06): a forgotten password must not use up the sign-ins after it. */
  const attempt = (what: string, network: string) => enforce(limiter, { ...limits.auth, name: `auth-${what}` }, network)

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
    routes.authSignUp,
    describeRoute({
      summary: 'Make an account; a link to confirm it is sent',
      requestBody: jsonRequest(signUpSchema),
      responses: answers(
        202,
        undefined,
        'invalid_request',
        'bot_check_failed',
        'forbidden',
        'account_exists',
        'email_not_allowed',
        'rate_limited',
      ),
    }),
    sameSite,
    async c => {
      const { botCheck: token, ...request } = await readJson(c, signUpSchema)
      await attempt('sign-up', c.var.network)
      await passBotCheck({ botCheck, limiter, captcha: limits.captcha }, c.var.network, token, 'signup')
      await enforce(limiter, ACCOUNT_MAILS, accounts.keyOf(request.email))
      await accounts.signUp(request)
      return c.body(null, 202)
    },
  )

  app.post(
    routes.authSignIn,
    describeRoute({
      summary: 'Sign in; the session is a cookie',
      requestBody: jsonRequest(signInSchema),
      responses: answers(200, sessionSchema, 'invalid_request', 'credentials_wrong', 'email_not_confirmed', 'forbidden', 'rate_limited'),
    }),
    sameSite,
    async c => {
      const request = await readJson(c, signInSchema)
      await attempt('sign-in', c.var.network)
      await enforce(limiter, ACCOUNT_ATTEMPTS, accounts.keyOf(request.email))
      const { session, setCookies: cookies } = await accounts.signIn(request, c.req.raw.headers)
      setCookies(c, cookies)
      return c.json({ session })
    },
  )

  app.post(
    routes.authSignOut,
    describeRoute({ summary: 'Sign out here', security: SESSION, responses: answers(204, undefined, 'forbidden') }),
    sameSite,
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
    sameSite,
    async c => {
      await requireSession(c, site)
      const { setCookies: cookies } = await accounts.signOutEverywhere(c.req.raw.headers)
      setCookies(c, cookies)
      clearCache(c, config.publicUrl)
      return c.body(null, 204)
    },
  )

  app.post(
    routes.authConfirm,
    describeRoute({
      summary: 'Use up the token of a confirmation link',
      requestBody: jsonRequest(confirmSchema),
      responses: answers(204, undefined, 'invalid_request', 'link_expired', 'forbidden', 'rate_limited'),
    }),
    sameSite,
    async c => {
      const { token } = await readJson(c, confirmSchema)
      await attempt('link', c.var.network)
      await accounts.confirm(token)
      return c.body(null, 204)
    },
  )

  app.post(
    routes.authForgotPassword,
    describeRoute({
      summary: 'Ask for a link to set a new password',
      requestBody: jsonRequest(forgotPasswordSchema),
      responses: answers(202, undefined, 'invalid_request', 'forbidden', 'rate_limited'),
    }),
    sameSite,
    async c => {
      const request = await readJson(c, forgotPasswordSchema)
      await attempt('forgot', c.var.network)
      await enforce(limiter, ACCOUNT_MAILS, accounts.keyOf(request.email))
      await accounts.forgotPassword(request)
      return c.body(null, 202)
    },
  )

  app.post(
    routes.authResetPassword,
    describeRoute({
      summary: 'Set a new password with the token of such a link',
      requestBody: jsonRequest(resetPasswordSchema),
      responses: answers(204, undefined, 'invalid_request', 'link_expired', 'forbidden', 'rate_limited'),
    }),
    sameSite,
    async c => {
      const request = await readJson(c, resetPasswordSchema)
      await attempt('link', c.var.network)
      await accounts.resetPassword(request)
      return c.body(null, 204)
    },
  )

  app.post(
    routes.authDeleteAccount,
    describeRoute({
      summary: 'Delete the account and its addresses',
      requestBody: jsonRequest(deleteAccountSchema),
      security: SESSION,
      responses: answers(204, undefined, 'invalid_request', 'sign_in_required', 'credentials_wrong', 'forbidden', 'rate_limited'),
    }),
    sameSite,
    async c => {
      const { password } = await readJson(c, deleteAccountSchema)
      const { account } = await requireSession(c, site)
      await attempt('delete', c.var.network)
      await site.deleteAccount(account, password)
      const { setCookies: cookies } = await accounts.signOut(c.req.raw.headers)
      setCookies(c, cookies)
      clearCache(c, config.publicUrl)
      return c.body(null, 204)
    },
  )

  return app
}
