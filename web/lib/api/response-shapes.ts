/**
 * The browser's schemas of the server's responses and events. replies.test.ts compares them with those of contract/. A new field is
 * optional for one release, because an older process may reply during a restart (docs/upgrades.md).
 */
import type { MailboxCreated, MessageSummary, StreamEvent } from '#contract/mailbox.ts'
import type { ProblemCode } from '#contract/problems.ts'
import type { Problem } from '#contract/route.ts'
import type { Challenge, SiteConfig } from '#contract/site.ts'
import { either, flag, list, number, object, oneOf, optional, type Shape, text } from '../shape.ts'

const mailboxFields = { email: text, expiresAt: text, secondsLeft: number, lifetimeSeconds: number }
export const mailbox = object(mailboxFields)
export const mailboxCreated = object({ ...mailboxFields, token: text, id: optional(text) }) satisfies Shape<MailboxCreated>

export const address = object({ name: text, address: text })
const attachment = object({
  index: number,
  filename: text,
  size: number,
  contentType: text,
  inline: flag,
  contentId: optional(text),
})
const verdict = oneOf('pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror')
export const link = object({ url: text, label: text })
export const summaryFields = {
  id: text,
  cursor: text,
  subject: text,
  from: address,
  receivedAt: text,
  preview: text,
  size: number,
  attachments: list(attachment),
  attachmentCount: number,
  codes: list(text),
  link: optional(link),
  parseStatus: oneOf('ok', 'partial', 'failed'),
  authentication: optional(
    object({ spf: verdict, dkim: verdict, dmarc: verdict, arc: verdict, domain: optional(text), listedOn: optional(list(text)) }),
  ),
  doubtful: optional(flag),
}
const messageSummary = object(summaryFields) satisfies Shape<MessageSummary>
export const messageList = object({ messages: list(messageSummary), cursor: text })
export const mailboxEvent = either(
  object({ type: oneOf('message'), message: messageSummary }),
  object({ type: oneOf('removed'), id: text }),
  object({ type: oneOf('expired') }),
)
export const delivery = object({
  type: oneOf('delivery'),
  step: oneOf('connected', 'receiving', 'accepted', 'refused', 'disconnected'),
  server: text,
  encrypted: flag,
  bytes: optional(number),
  reason: optional(oneOf('too_large', 'mailbox_full', 'ended', 'busy', 'rejected')),
})
export const streamEvent = either(
  mailboxEvent,
  delivery,
  object({ type: oneOf('reconnect'), afterMs: number }),
) satisfies Shape<StreamEvent>

export const siteConfig = object({
  siteName: text,
  domains: list(text),
  lifetimeSeconds: number,
  messageBytesMax: number,
  supportEmail: text,
  contactDays: number,
  partnerUrl: text,
  operatorName: text,
  sourceUrl: optional(text),
  authenticatesMail: flag,
  botCheck: either(object({ provider: oneOf('off', 'pow') }), object({ provider: oneOf('recaptcha'), siteKey: text, scriptUrl: text })),
}) as Shape<SiteConfig>

/** A proof of work is signed, so it is sent back with all its fields. */
export const challenge = object({
  parameters: object({ algorithm: text, nonce: text, salt: text, cost: number, keyLength: number, keyPrefix: text }),
  signature: text,
}) as Shape<Challenge>

export const problem = object({
  type: text,
  title: text,
  status: number,
  code: text as Shape<ProblemCode>,
  detail: optional(text),
  retryAfterSeconds: optional(number),
  errors: optional(list(object({ path: text, message: text }))),
}) satisfies Shape<Problem>
