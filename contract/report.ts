/** Schemas of abuse reports. Kept out of site.ts, which every page loads. */
import * as z from 'zod/mini'
import { CONTACT_MESSAGE_CHARS, EMAIL_CHARS_MAX } from './limits.ts'
import { EMAIL_LOCAL_PART, MULTIPLE_LINES, ONE_LINE } from './text-patterns.ts'

export const ABUSE_KINDS = ['spam', 'phishing', 'harassment', 'illegal', 'other'] as const
const REPORT_CHARS_MAX = 5000

/** `address`: the address or domain of this service that is being abused. `email`: where to send an answer, if wanted. */
export const abuseReportSchema = z.strictObject({
  kind: z.enum(ABUSE_KINDS),
  address: z.string().check(z.trim(), z.minLength(3), z.maxLength(320), z.regex(ONE_LINE)),
  message: z.string().check(z.trim(), z.minLength(CONTACT_MESSAGE_CHARS.min), z.maxLength(REPORT_CHARS_MAX), z.regex(MULTIPLE_LINES)),
  email: z.optional(z.string().check(z.trim(), z.maxLength(EMAIL_CHARS_MAX), z.email(), z.regex(EMAIL_LOCAL_PART))),
})
export type AbuseReport = z.infer<typeof abuseReportSchema>

/** `POST /api/reports`. */
export const abuseReportRequestSchema = z.extend(abuseReportSchema, { botCheck: z.optional(z.string().check(z.maxLength(8192))) })
