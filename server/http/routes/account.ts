/** What belongs to a signed-in account: its live addresses and its API keys (decision 6). By cookie only: an API key cannot read or make keys. */
import { Hono } from 'hono'
import { describeRoute } from 'hono-openapi'
import { apiKeyCreatedSchema, apiKeysSchema, createApiKeySchema, proMailboxesSchema } from '#contract/account.ts'
import { routes } from '#contract/routes.ts'
import { AppError } from '#server/errors.ts'
import type { HttpEnv } from '#server/http/env.ts'
import { answers, jsonRequest, SESSION } from '../openapi/openapi.ts'
import { sameSiteOnly } from '../requests/cross-site.ts'
import { readJson } from '../requests/json-body.ts'
import { requireSession, type SitePorts } from './site-ports.ts'

export function accountRoutes({ config, site }: SitePorts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const sameSite = sameSiteOnly(config.publicUrl)

  app.get(
    routes.accountMailboxes,
    describeRoute({
      summary: 'The live addresses of the account, with their tokens',
      security: SESSION,
      responses: answers(200, proMailboxesSchema, 'sign_in_required'),
    }),
    async c => {
      const { account } = await requireSession(c, site)
      return c.json({ mailboxes: await site.proMailboxes.list(account.id) })
    },
  )

  app.get(
    routes.accountApiKeys,
    describeRoute({
      summary: 'The API keys of the account, without the keys themselves',
      security: SESSION,
      responses: answers(200, apiKeysSchema, 'sign_in_required'),
    }),
    async c => {
      const { account } = await requireSession(c, site)
      return c.json({ keys: await site.apiKeys.list(account.id) })
    },
  )

  app.post(
    routes.accountApiKeys,
    describeRoute({
      summary: 'Make an API key; it is shown only here',
      requestBody: jsonRequest(createApiKeySchema),
      security: SESSION,
      responses: answers(201, apiKeyCreatedSchema, 'invalid_request', 'sign_in_required', 'forbidden', 'api_keys_max'),
    }),
    sameSite,
    async c => {
      const { account } = await requireSession(c, site)
      const { name } = await readJson(c, createApiKeySchema)
      return c.json(await site.apiKeys.create(account.id, name), 201)
    },
  )

  app.delete(
    routes.accountApiKey,
    describeRoute({
      summary: 'Revoke an API key',
      security: SESSION,
      responses: answers(204, undefined, 'sign_in_required', 'forbidden', 'not_found'),
    }),
    sameSite,
    async c => {
      const { account } = await requireSession(c, site)
      if (!(await site.apiKeys.revoke(account.id, c.req.param('id')))) throw new AppError('not_found')
      return c.body(null, 204)
    },
  )

  return app
}
