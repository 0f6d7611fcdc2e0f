/** How others learn of new mail: webhooks and web push. Schemas first, then routes. Times are ISO 8601 in UTC. */
import * as z from 'zod/mini'
import { PUSH_ENDPOINT_CHARS_MAX } from './limits.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

const WEBHOOK_URL_CHARS_MAX = 2000

/** `POST /api/webhooks` and `POST /api/mailbox/webhooks`. */
export const createWebhookSchema = z.strictObject({
  url: z.string().check(z.regex(/^https?:\/\/[!-~]+$/), z.maxLength(WEBHOOK_URL_CHARS_MAX), z.refine(URL.canParse, 'is not a URL')),
})
export type CreateWebhook = z.infer<typeof createWebhookSchema>

/**
 * `failures`: failed attempts in a row. `lastFailure`: why the last one failed. A webhook with a `disabledReason` sends nothing until its
 * secret is rotated.
 */
export const webhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  createdAt: z.string(),
  failures: z.number(),
  lastFailure: z.optional(z.string()),
  disabledReason: z.optional(z.string()),
})
export type Webhook = z.infer<typeof webhookSchema>
export const webhooksSchema = z.object({ webhooks: z.array(webhookSchema) })

/** `secret` (`whsec_…`) verifies the signature. Only this response contains it. */
export const webhookCreatedSchema = z.extend(webhookSchema, { secret: z.string() })
export type WebhookCreated = z.infer<typeof webhookCreatedSchema>

const text = z.optional(z.string())
/** `message.received` has the first three of `data`, `webhook.test` the last. A newer server may send other types. */
export const webhookEventSchema = z.object({
  type: z.string(),
  timestamp: z.string(),
  data: z.object({ mailboxId: text, messageId: text, receivedAt: text, envelopeTo: z.optional(z.array(z.string())), webhookId: text }),
})
export type WebhookEventBody = z.infer<typeof webhookEventSchema>

/** The result of a test. `reason` is the status, or why no response came. */
export const webhookTestedSchema = z.object({ delivered: z.boolean(), status: z.optional(z.number()), reason: z.string() })
export type WebhookTested = z.infer<typeof webhookTestedSchema>

/**
 * `POST /api/mailbox/push`. Keys are in base64url, as `PushSubscription.toJSON()` gives them: `p256dh` is an uncompressed point of P-256
 * (65 bytes), `auth` has 16 bytes.
 */
export const pushSubscriptionSchema = z.strictObject({
  endpoint: z.string().check(z.regex(/^https?:\/\/[!-~]+$/), z.maxLength(PUSH_ENDPOINT_CHARS_MAX)),
  p256dh: z.string().check(z.regex(/^[\w-]{87}=?$/)),
  auth: z.string().check(z.regex(/^[\w-]{22}(?:==)?$/)),
})
export type PushSubscription = z.infer<typeof pushSubscriptionSchema>

/** `{ "id": "…" }`: a push message contains only the `id`. */
export const pushSubscribedSchema = z.object({ id: z.string() })
/** `GET /api/push/key`: the `applicationServerKey` of this deployment (RFC 8292). */
export const pushKeySchema = z.object({ publicKey: z.string() })

/** The same for all mailboxes of an API key or API token, and for one of its mailboxes. */
const creation = { method: 'POST', body: createWebhookSchema, status: 201, response: webhookCreatedSchema } as const
const creationProblems = ['webhook_target_refused', 'webhooks_max', 'rate_limited'] as const
const listing = { method: 'GET', response: webhooksSchema } as const
const removal = { method: 'DELETE', problems: ['not_found', 'rate_limited'] } as const
const trial = { method: 'POST', response: webhookTestedSchema, problems: ['not_found', 'rate_limited'] } as const
const rotation = { method: 'POST', response: webhookCreatedSchema, problems: ['not_found', 'rate_limited'] } as const

export const createWebhook = { ...creation, path: routes.webhooks, auth: 'api', problems: creationProblems } as const satisfies Route
export const listWebhooks = { ...listing, path: routes.webhooks, auth: 'api' } as const satisfies Route
export const removeWebhook = { ...removal, path: routes.webhook, auth: 'api' } as const satisfies Route
export const testWebhook = { ...trial, path: routes.webhookTest, auth: 'api' } as const satisfies Route
export const rotateWebhook = { ...rotation, path: routes.webhookRotate, auth: 'api' } as const satisfies Route

/** The same webhooks for the account that owns the API keys, on its page. */
export const listAccountWebhooks = { ...listing, path: routes.accountWebhooks, auth: 'session' } as const satisfies Route
export const removeAccountWebhook = {
  ...removal,
  path: routes.accountWebhook,
  auth: 'session',
  ownPagesOnly: true,
} as const satisfies Route

export const createMailboxWebhook = {
  ...creation,
  path: routes.mailboxWebhooks,
  auth: 'mailbox',
  problems: creationProblems,
} as const satisfies Route
export const listMailboxWebhooks = { ...listing, path: routes.mailboxWebhooks, auth: 'mailbox' } as const satisfies Route
export const removeMailboxWebhook = { ...removal, path: routes.mailboxWebhook, auth: 'mailbox' } as const satisfies Route
export const testMailboxWebhook = { ...trial, path: routes.mailboxWebhookTest, auth: 'mailbox' } as const satisfies Route
export const rotateMailboxWebhook = { ...rotation, path: routes.mailboxWebhookRotate, auth: 'mailbox' } as const satisfies Route

export const readPushKey = {
  method: 'GET',
  path: routes.pushKey,
  response: pushKeySchema,
  problems: ['push_refused'],
} as const satisfies Route

export const subscribeToPush = {
  method: 'POST',
  path: routes.mailboxPush,
  auth: 'mailbox',
  body: pushSubscriptionSchema,
  status: 201,
  response: pushSubscribedSchema,
  problems: ['push_refused', 'push_subscriptions_max'],
} as const satisfies Route

export const unsubscribeFromPush = {
  method: 'DELETE',
  path: routes.mailboxPushSubscription,
  auth: 'mailbox',
  problems: ['not_found', 'push_refused'],
} as const satisfies Route
