/** Forgotten and new passwords. */
import { Hono } from 'hono'
import { describeRoute } from 'hono-openapi'
import { forgotPasswordSchema, resetPasswordSchema } from '#contract/account.ts'
import { routes } from '#contract/routes.ts'
import type { HttpEnv } from '#server/http/env.ts'
import { answers, jsonRequest } from '../openapi/openapi.ts'
import { readJson } from '../requests/json-body.ts'
import type { AuthGuards } from './auth-guards.ts'
import type { SitePorts } from './site-ports.ts'

export function passwordRoutes({ site }: SitePorts, guards: AuthGuards): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const { accounts } = site

  app.post(
    routes.authForgotPassword,
    describeRoute({
      summary: 'Ask for a link to set a new password',
      requestBody: jsonRequest(forgotPasswordSchema),
      responses: answers(202, undefined, 'invalid_request', 'forbidden', 'rate_limited'),
    }),
    guards.sameSite,
    async c => {
      const request = await readJson(c, forgotPasswordSchema)
      await guards.attempt('forgot', c.var.network)
      await guards.mailTo(request.email)
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
    guards.sameSite,
    async c => {
      const request = await readJson(c, resetPasswordSchema)
      await guards.attempt('link', c.var.network)
      await accounts.resetPassword(request)
      return c.body(null, 204)
    },
  )

  return app
}
