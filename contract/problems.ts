/**
 * Every way a request can fail, as the stable `code` of an RFC 9457 problem document and its HTTP status.
 * The server's failure table (server/errors.ts) and the browser's texts are both typed by this list.
 */
import * as z from 'zod/mini'

export const problems = {
  invalid_request: 400,
  sign_in_required: 401,
  token_required: 401,
  api_token_required: 401,
  api_token_invalid: 401,
  credentials_wrong: 401,
  bot_check_failed: 403,
  forbidden: 403,
  email_not_confirmed: 403,
  account_suspended: 403,
  registration_closed: 403,
  network_blocked: 403,
  second_factor_required: 403,
  second_factor_wrong: 403,
  not_found: 404,
  mailbox_not_found: 404,
  message_not_found: 404,
  attachment_not_found: 404,
  link_expired: 404,
  method_not_allowed: 405,
  local_part_taken: 409,
  mailboxes_max: 409,
  api_mailboxes_max: 409,
  idempotency_key_in_use: 409,
  account_exists: 409,
  api_keys_max: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  local_part_reserved: 422,
  domain_not_served: 422,
  email_not_allowed: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  streams_max: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
} as const

export type ProblemCode = keyof typeof problems

export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
  detail: z.optional(z.string()),
  /** Whole seconds until a retry makes sense; the same number as the `Retry-After` header. */
  retryAfterSeconds: z.optional(z.number()),
  /** For `invalid_request`: which field, and why, in plain English. */
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
})
export type Problem = z.infer<typeof problemSchema>
