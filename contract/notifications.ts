/** How others learn of new mail: webhooks and web push. Schemas first, then routes. Times are ISO 8601 in UTC. */
import * as z from 'zod/mini'
import { PUSH_ENDPOINT_CHARS_MAX } from './limits.ts'
import { del, get, post } from './route.ts'
import { routes } from './routes.ts'

const WEBHOOK_URL_CHARS_MAX = 2000

/** `POST /api/webhooks` and `POST /api/mailbox/webhooks`. */
export const createWebhookSchema = z.strictObject({
  url: z.string().check(z.regex(/^https?:\/\/[!-~]+$/), z.maxLength(WEBHOOK_URL_CHARS_MAX), z.refine(URL.canParse, 'is not a URL')),
})
export type CreateWebhook = z.infer<typeof createWebhookSchema>

/** `failures`: failed attempts in a row. With a `disabledReason` a webhook sends nothing until its secret is rotated. */
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

/** `POST /api/mailbox/push`. Keys in base64url, as `PushSubscription.toJSON()` gives them: `p256dh` has 65 bytes, `auth` 16. */
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
const creation = { body: createWebhookSchema, status: 201, response: webhookCreatedSchema } as const
const creationProblems = ['webhook_target_refused', 'webhooks_max', 'rate_limited'] as const
const listing = { response: webhooksSchema } as const
const removal = { problems: ['not_found', 'rate_limited'] } as const
const trial = { response: webhookTestedSchema, problems: ['not_found', 'rate_limited'] } as const
const rotation = { response: webhookCreatedSchema, problems: ['not_found', 'rate_limited'] } as const

export const createWebhook = post(routes.webhooks, { ...creation, auth: 'api', problems: creationProblems })
export const listWebhooks = get(routes.webhooks, { ...listing, auth: 'api' })
export const removeWebhook = del(routes.webhook, { ...removal, auth: 'api' })
export const testWebhook = post(routes.webhookTest, { ...trial, auth: 'api' })
export const rotateWebhook = post(routes.webhookRotate, { ...rotation, auth: 'api' })

/** The same webhooks for the account that owns the API keys, on its page. */
export const listAccountWebhooks = get(routes.accountWebhooks, { ...listing, auth: 'session' })
export const removeAccountWebhook = del(routes.accountWebhook, { ...removal, auth: 'session', ownPagesOnly: true })
export const createMailboxWebhook = post(routes.mailboxWebhooks, { ...creation, auth: 'mailbox', problems: creationProblems })
export const listMailboxWebhooks = get(routes.mailboxWebhooks, { ...listing, auth: 'mailbox' })
export const removeMailboxWebhook = del(routes.mailboxWebhook, { ...removal, auth: 'mailbox' })
export const testMailboxWebhook = post(routes.mailboxWebhookTest, { ...trial, auth: 'mailbox' })
export const rotateMailboxWebhook = post(routes.mailboxWebhookRotate, { ...rotation, auth: 'mailbox' })
export const readPushKey = get(routes.pushKey, { response: pushKeySchema, problems: ['push_refused'] })

export const subscribeToPush = post(routes.mailboxPush, {
  auth: 'mailbox',
  body: pushSubscriptionSchema,
  status: 201,
  response: pushSubscribedSchema,
  problems: ['push_refused', 'push_subscriptions_max'],
})

export const unsubscribeFromPush = del(routes.mailboxPushSubscription, { auth: 'mailbox', problems: ['not_found', 'push_refused'] })
