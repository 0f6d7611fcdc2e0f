/** Making an address, looking at it, destroying it. */
import { type Context, Hono } from 'hono'
import { describeRoute, resolver } from 'hono-openapi'
import { createMailboxSchema, type Mailbox, mailboxCreatedSchema, mailboxSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { passBotCheck } from '#server/bot-check/bot-check.ts'
import { AppError } from '#server/errors.ts'
import { enforce, refuseWhenSpent } from '#server/limiter/limiter.ts'
import type { HttpEnv } from '../env.ts'
import type { Accounts, MailPorts } from '../mail-ports.ts'
import { answers, BEARER } from '../openapi/openapi.ts'
import { isCrossSite } from '../requests/cross-site.ts'
import { readJson } from '../requests/json-body.ts'
import { requireMailbox } from '../requests/mailbox-token.ts'

export function mailboxRoutes(ports: MailPorts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const { mail } = ports

  app.post(
    routes.mailboxes,
    describeRoute({
      summary: 'Make an address',
      description: 'The token is shown only here. `localPart` needs a Pro session or API key. With an API key no `botCheck` is needed.',
      requestBody: { required: true, content: { 'application/json': { schema: resolver(createMailboxSchema) } } },
      responses: answers(
        201,
        mailboxCreatedSchema,
        'invalid_request',
        'sign_in_required',
        'bot_check_failed',
        'domain_not_served',
        'rate_limited',
      ),
    }),
    async c => {
      c.header('cache-control', 'no-store')
      const request = await readJson(c, createMailboxSchema)
      const account = await accountOf(c, ports)
      if (account) return c.json(await createForAccount(ports, c.var.network, account, request), 201)
      if (request.localPart !== undefined) throw new AppError('sign_in_required')
      return c.json(await createForVisitor(ports, c.var.network, request), 201)
    },
  )

  app.get(
    routes.mailbox,
    describeRoute({
      summary: 'The mailbox the token opens',
      security: BEARER,
      responses: answers(200, mailboxSchema, 'mailbox_not_found'),
    }),
    async c => {
      return c.json(mailboxJson(ports, await requireMailbox(c, ports)))
    },
  )

  app.delete(
    routes.mailbox,
    describeRoute({
      summary: 'Destroy the mailbox and its mail',
      security: BEARER,
      responses: answers(204, undefined, 'mailbox_not_found'),
    }),
    async c => {
      if (!(await mail.destroyMailbox(await requireMailbox(c, ports)))) throw new AppError('mailbox_not_found')
      return c.body(null, 204)
    },
  )

  return app
}

/** A cookie counts only when our own page sends it; asking costs a database read, so requests without credentials are not asked about. */
async function accountOf(c: Context<HttpEnv>, { accounts, config }: MailPorts) {
  const hasKey = c.req.header('authorization') !== undefined
  const hasCookie = c.req.header('cookie') !== undefined && !isCrossSite(c, config.publicUrl)
  return accounts && (hasKey || hasCookie) ? accounts.accountOf(c.req.raw.headers) : undefined
}

type Account = NonNullable<Awaited<ReturnType<Accounts['accountOf']>>>
type Asked = { domain?: string | undefined; localPart?: string | undefined; botCheck?: string | undefined }

/** A page needs the check for every address (spec 5.04), signed in or not; an API key is there for programs, and needs none. */
async function createForAccount(ports: MailPorts, network: string, { id, by }: Account, { domain, localPart, botCheck: token }: Asked) {
  const { accounts, limiter, limits, botCheck } = ports
  if (!accounts) throw new AppError('sign_in_required')
  await refuseWhenSpent(limiter, limits.generationPro, id)
  if (by === 'session') await passBotCheck({ botCheck, limiter, captcha: limits.captcha }, network, token, 'generate_email')
  await enforce(limiter, limits.generationPro, id)
  return accounts.createMailbox(id, { domain, localPart })
}

/** The limit is looked at before the check, so that nobody's solved check is used up in vain, and taken after it. */
async function createForVisitor(ports: MailPorts, network: string, { domain, botCheck: token }: Asked) {
  const { mail, limiter, limits, botCheck, config } = ports
  await refuseWhenSpent(limiter, limits.generation, network)
  await passBotCheck({ botCheck, limiter, captcha: limits.captcha }, network, token, 'generate_email')
  await enforce(limiter, limits.generation, network)
  const created = await mail.createAddress({ domain, lifetimeSeconds: config.lifetimeSeconds })
  return { ...mailboxJson(ports, created), token: created.token }
}

function mailboxJson(
  { clock }: MailPorts,
  { email, createdAt, expiresAt }: { email: string; createdAt: number; expiresAt: number },
): Mailbox {
  const secondsLeft = Math.max(0, (expiresAt - clock()) / 1000)
  return { email, expiresAt: new Date(expiresAt).toISOString(), secondsLeft, lifetimeSeconds: (expiresAt - createdAt) / 1000 }
}
