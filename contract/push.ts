/** Schemas of web push. Keys are in base64url, as `PushSubscription.toJSON()` gives them. */
import * as z from 'zod/mini'
import { PUSH_ENDPOINT_CHARS_MAX } from './limits.ts'

/** `POST /api/mailbox/push`. `p256dh` is an uncompressed point of P-256 (65 bytes), `auth` has 16 bytes. */
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
