/** From the form to the confirmed account, and its end. */
import { Hono } from 'hono'
import { describeRoute } from 'hono-openapi'
import { confirmSchema, deleteAccountSchema, signUpSchema } from '#contract/account.ts'
import { routes } from '#contract/routes.ts'
import { passBotCheck } from '#server/bot-check/bot-check.ts'
import type { HttpEnv } from '#server/http/env.ts'
import { answers, jsonRequest, SESSION } from '../openapi/openapi.ts'
import { readJson } from '../requests/json-body.ts'
import type { AuthGuards } from './auth-guards.ts'
import { clearCache, requireSession, type SitePorts, setCookies } from './site-ports.ts'

export function signUpRoutes({ config, site, limiter, limits, botCheck }: SitePorts, guards: AuthGuards): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const { accounts } = site

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
    guards.sameSite,
    async c => {
      const { botCheck: token, ...request } = await readJson(c, signUpSchema)
      await guards.attempt('sign-up', c.var.network)
      await passBotCheck({ botCheck, limiter, captcha: limits.captcha }, c.var.network, token, 'signup')
      await guards.mailTo(request.email)
      await accounts.signUp(request)
      return c.body(null, 202)
    },
  )

  app.post(
    routes.authConfirm,
    describeRoute({
      summary: 'Use up the token of a confirmation link',
      requestBody: jsonRequest(confirmSchema),
      responses: answers(204, undefined, 'invalid_request', 'link_expired', 'forbidden', 'rate_limited'),
    }),
    guards.sameSite,
    async c => {
      const { token } = await readJson(c, confirmSchema)
      await guards.attempt('link', c.var.network)
      await accounts.confirm(token)
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
    guards.sameSite,
    async c => {
      const { password } = await readJson(c, deleteAccountSchema)
      const { account } = await requireSession(c, site)
      await guards.attempt('delete', c.var.network)
      await site.deleteAccount(account, password)
      const { setCookies: cookies } = await accounts.signOut(c.req.raw.headers)
      setCookies(c, cookies)
      clearCache(c, config.publicUrl)
      return c.body(null, 204)
    },
  )

  return app
}
