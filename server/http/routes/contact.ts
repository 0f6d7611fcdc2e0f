import { Hono } from 'hono'
import { describeRoute } from 'hono-openapi'
import { routes } from '#contract/routes.ts'
import { contactRequestSchema } from '#contract/site.ts'
import { passBotCheck } from '#server/bot-check/bot-check.ts'
import type { HttpEnv } from '#server/http/env.ts'
import { enforce } from '#server/limiter/limiter.ts'
import { answers, jsonRequest } from '../openapi/openapi.ts'
import { sameSiteOnly } from '../requests/cross-site.ts'
import { readJson } from '../requests/json-body.ts'
import type { SitePorts } from './site-ports.ts'

export function contactRoutes({ config, site, limiter, limits, botCheck }: SitePorts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()

  app.post(
    routes.contact,
    describeRoute({
      summary: 'Write to the operator',
      requestBody: jsonRequest(contactRequestSchema),
      responses: answers(202, undefined, 'invalid_request', 'bot_check_failed', 'forbidden', 'rate_limited'),
    }),
    sameSiteOnly(config.publicUrl),
    async c => {
      const { botCheck: token, language, ...form } = await readJson(c, contactRequestSchema)
      await enforce(limiter, limits.api, c.var.network)
      await passBotCheck({ botCheck, limiter, captcha: limits.captcha }, c.var.network, token, 'contact')
      await site.contact.receive(form, language ?? 'en')
      return c.body(null, 202)
    },
  )

  return app
}
