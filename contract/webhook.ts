/** Schemas of webhooks. Times are ISO 8601 in UTC. */
import * as z from 'zod/mini'

const WEBHOOK_URL_CHARS_MAX = 2000

/** `POST /api/webhooks` and `POST /api/mailbox/webhooks`. */
export const createWebhookSchema = z.strictObject({
  url: z.string().check(z.regex(/^https?:\/\/[!-~]+$/), z.maxLength(WEBHOOK_URL_CHARS_MAX), z.refine(URL.canParse, 'is not a URL')),
})

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

/** The result of a test. `reason` is the status, or why no response came. */
export const webhookTestedSchema = z.object({ delivered: z.boolean(), status: z.optional(z.number()), reason: z.string() })
