/** Mailboxes and messages: schemas first, then routes. All times are ISO 8601 in UTC, all sizes in bytes. */
import * as z from 'zod/mini'
import { API_LIFETIME_SECONDS, LOCAL_PART_CHARS, MAILBOX_BATCH_MAX, MAILBOX_PAGE, PLANNED_FAILURE_MAX, WAIT_SECONDS_MAX } from './limits.ts'
import { del, get, post } from './route.ts'
import { routes } from './routes.ts'
import { CHOSEN_LOCAL_PART, MAILBOX_ADDRESS, PLANNED_REPLY } from './text-patterns.ts'

const lifetimeSeconds = z.int().check(z.minimum(API_LIFETIME_SECONDS.min), z.maximum(API_LIFETIME_SECONDS.max))

/**
 * How an address fails on purpose, so that a test can see what its application does then: `reply` at a stage of SMTP, for the first
 * `attempts`. `cut` ends the connection instead. Without `reply` it is only slow.
 */
export const plannedFailureSchema = z.strictObject({
  stage: z.enum(['rcpt', 'data', 'message']),
  reply: z.optional(
    z.string().check(z.regex(PLANNED_REPLY, 'must be cut, or a code such as 450, with or without an enhanced one: 450 4.2.1')),
  ),
  delaySeconds: z.optional(z.int().check(z.minimum(1), z.maximum(PLANNED_FAILURE_MAX.delaySeconds))),
  attempts: z.optional(z.int().check(z.minimum(1), z.maximum(PLANNED_FAILURE_MAX.attempts))),
})
export type PlannedFailure = z.infer<typeof plannedFailureSchema>

/**
 * `POST /api/mailboxes`. `domain` must be listed by `GET /api/config`. `localPart` needs a session, an API key or an API token,
 * `lifetimeSeconds` and `failure` a key or token.
 */
export const createMailboxSchema = z.strictObject({
  botCheck: z.optional(z.string().check(z.maxLength(8192))),
  domain: z.optional(z.string().check(z.maxLength(255))),
  insteadOf: z.optional(z.string().check(z.maxLength(255))),
  localPart: z.optional(z.string().check(z.minLength(LOCAL_PART_CHARS.min), z.maxLength(LOCAL_PART_CHARS.max), z.regex(CHOSEN_LOCAL_PART))),
  lifetimeSeconds: z.optional(lifetimeSeconds),
  failure: z.optional(plannedFailureSchema),
})
export type CreateMailbox = z.infer<typeof createMailboxSchema>

const address = z.string().check(z.regex(MAILBOX_ADDRESS))

/** `GET /api/mailbox`. The page counts down from `secondsLeft`, so a wrong clock in the browser does not matter. */
export const mailboxSchema = z.object({ email: address, expiresAt: z.string(), secondsLeft: z.number(), lifetimeSeconds: z.number() })
export type Mailbox = z.infer<typeof mailboxSchema>

/** How a response describes the life of a mailbox. Arguments in milliseconds of the server's clock. */
export function mailboxTimes({ createdAt, expiresAt }: { createdAt: number; expiresAt: number }, now: number): Omit<Mailbox, 'email'> {
  const lifetimeSeconds = (expiresAt - createdAt) / 1000
  return withTimeLeft({ expiresAt: new Date(expiresAt).toISOString(), lifetimeSeconds }, now)
}

/** A response with the time left `now`: a repeated one has that of its first time. */
export function withTimeLeft<Times extends Pick<Mailbox, 'expiresAt'>>(times: Times, now: number): Times & { secondsLeft: number } {
  return { ...times, secondsLeft: Math.max(0, (Date.parse(times.expiresAt) - now) / 1000) }
}

/**
 * Response of `POST /api/mailboxes`, the only one that contains the token. Only an API key or API token gets `id`, to destroy the mailbox
 * by. `kept`: the account lists it, so it stays when a page replaces it by a new one.
 */
export const mailboxCreatedSchema = z.extend(mailboxSchema, {
  token: z.string(),
  id: z.optional(z.string()),
  kept: z.optional(z.boolean()),
})
export type MailboxCreated = z.infer<typeof mailboxCreatedSchema>

/** `POST /api/mailboxes/batch`: creates all of them or none. */
export const createMailboxesSchema = z.strictObject({
  count: z.int().check(z.minimum(1), z.maximum(MAILBOX_BATCH_MAX)),
  domain: z.optional(z.string().check(z.maxLength(255))),
  lifetimeSeconds: z.optional(lifetimeSeconds),
  failure: z.optional(plannedFailureSchema),
})
export const mailboxesCreatedSchema = z.object({ mailboxes: z.array(mailboxCreatedSchema) })

/** Time and id of the last row of a page. */
export const PAGE_CURSOR = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** `GET /api/mailboxes`. `cursor` is the `nextCursor` of the previous page. */
const listMailboxesQuerySchema = z.strictObject({
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAILBOX_PAGE.max))),
  cursor: z.optional(z.string().check(z.regex(PAGE_CURSOR))),
})

/** A live mailbox of an API key or token. Only its creator gets `email`: nobody else, not even the server, can decrypt it. */
export const apiMailboxSchema = z.object({
  id: z.string(),
  email: z.optional(address),
  createdAt: z.string(),
  expiresAt: z.string(),
  secondsLeft: z.number(),
  lifetimeSeconds: z.number(),
})
export type ApiMailbox = z.infer<typeof apiMailboxSchema>

/** Newest first. The last page has no `nextCursor`. */
export const apiMailboxesSchema = z.object({ mailboxes: z.array(apiMailboxSchema), nextCursor: z.optional(z.string()) })
export type ApiMailboxPage = z.infer<typeof apiMailboxesSchema>
export const mailboxesDestroyedSchema = z.object({ destroyed: z.number() })

export const mailAddressSchema = z.object({ name: z.string(), address: z.string() })

/**
 * `index` identifies the attachment within its message and never changes. `contentId` has no angle brackets. `references`, in a whole
 * message: what the HTML writes as the sources of this picture.
 */
export const attachmentSchema = z.object({
  index: z.number(),
  filename: z.string(),
  size: z.number(),
  contentType: z.string(),
  inline: z.boolean(),
  contentId: z.optional(z.string()),
  references: z.optional(z.array(z.string())),
  /** Hash of the decoded bytes, in hex. Only in a whole message. */
  sha256: z.optional(z.string()),
})
export type Attachment = z.infer<typeof attachmentSchema>

/** How much of the message's structure could be parsed. The raw message is complete in any case. */
const parseStatusSchema = z.enum(['ok', 'partial', 'failed'])

const authenticationResultSchema = z.enum(['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror'])
/** A part of a mail that its reader sees: the body, or a field. */
const unsignedPartSchema = z.enum(['body', 'from', 'subject', 'date', 'to', 'content-type'])
export type UnsignedPart = z.infer<typeof unsignedPartSchema>

/** Results of SPF, DKIM, DMARC and ARC (RFC 8601). `domain` is the domain that they vouch for, `policy` the DMARC policy in force. */
export const authenticationSchema = z.object({
  spf: authenticationResultSchema,
  dkim: authenticationResultSchema,
  dmarc: authenticationResultSchema,
  arc: authenticationResultSchema,
  domain: z.optional(z.string()),
  domainBy: z.optional(z.enum(['dkim', 'spf'])),
  /** What the signature of `domain` does not cover. Missing when it covers all that a reader sees. */
  unsigned: z.optional(z.array(unsignedPartSchema)),
  policy: z.optional(z.enum(['none', 'quarantine', 'reject'])),
  /** The domain whose DMARC record says so: that of the sender, or one above it. */
  policyDomain: z.optional(z.string()),
  /** The operator's DNS blocklists that name the sending server. Missing when none does. */
  listedOn: z.optional(z.array(z.string())),
})
export type Authentication = z.infer<typeof authenticationSchema>

/** The verdict on the shown sender, and its reason. Only a `contradicted` one loses anything: nothing of its mail is offered outside it. */
const senderVerdict = {
  verdict: z.enum(['vouched', 'unknown', 'contradicted']),
  /** The first two vouch, the last two contradict. The `other` domain is `authentication.domain`. */
  verdictReason: z.enum([
    'signed',
    'server',
    'signed_in_part',
    'signed_by_other',
    'server_of_other',
    'several_senders',
    'unverified',
    'unchecked',
    'policy',
    'imitation',
  ]),
}
export const confirmationLinkSchema = z.object({ url: z.string(), label: z.string() })
export type ConfirmationLink = z.infer<typeof confirmationLinkSchema>

/** A row of the inbox. `codes` are one-time codes as the reader types them, most likely first. */
export const messageSummarySchema = z.object({
  id: z.string(),
  /** Pass it to `wait` as `after` to get only messages that arrived later. */
  cursor: z.string(),
  subject: z.string(),
  from: mailAddressSchema,
  /** The addresses of this mailbox that the envelope named, each with its tag. Empty in mail that an older build received. */
  envelopeTo: z.array(z.string()),
  receivedAt: z.string(),
  preview: z.string(),
  size: z.number(),
  /** At most `ROW_ATTACHMENTS_MAX` in a row; all of them in a whole message. */
  attachments: z.array(attachmentSchema),
  attachmentCount: z.number(),
  codes: z.array(z.string()),
  /** The link that most likely confirms or signs in, in a message without a code. Missing if the sender is contradicted. */
  link: z.optional(confirmationLinkSchema),
  parseStatus: parseStatusSchema,
  /** Missing until the check is done, which starts after the 250. */
  authentication: z.optional(authenticationSchema),
  ...senderVerdict,
})
export type MessageSummary = z.infer<typeof messageSummarySchema>
export type SenderVerdict = Pick<MessageSummary, 'verdict' | 'verdictReason'>

/** `cursor` is opaque. Pass it as `Last-Event-ID` to get only what came later. */
export const messageListSchema = z.object({ messages: z.array(messageSummarySchema), cursor: z.string() })
export type MessageList = z.infer<typeof messageListSchema>

/** What a program reports on another mail, with the fields of RFC 3464, 8098 or 5965. */
const reportSchema = z.object({
  kind: z.enum(['failed', 'delayed', 'delivered', 'read', 'deleted', 'processed', 'complaint']),
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  /** All of it in English. The text of a message without an explanation has it. */
  text: z.string(),
})
export type Report = z.infer<typeof reportSchema>

/** A fault that other programs refuse or misread, for whoever sends the mail: `rule` is where it stands, `remedy` what to do. */
export const mailWarningSchema = z.object({ kind: z.string(), detail: z.string(), rule: z.string(), remedy: z.string() })

/** A whole message. `html` comes from the sender unsanitised: sanitise it before showing it. */
export const messageSchema = z.extend(messageSummarySchema, {
  envelopeFrom: z.string(),
  to: z.array(mailAddressSchema),
  cc: z.array(mailAddressSchema),
  replyTo: z.array(mailAddressSchema),
  /** The `Date:` header as ISO 8601, if it is readable. */
  date: z.optional(z.string()),
  html: z.optional(z.string()),
  text: z.optional(z.string()),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  links: z.array(confirmationLinkSchema),
  /** Every link that a reader sees, each URL once: those of the HTML, then those of the text. `text` is what is shown for it. */
  allLinks: z.array(z.object({ url: z.string(), text: z.string() })),
  /** The words of the HTML that a reader sees, in a message without a text, or whose text is HTML. */
  htmlText: z.optional(z.string()),
  report: z.optional(reportSchema),
  warnings: z.array(mailWarningSchema),
})
export type Message = z.infer<typeof messageSchema>

export const attachmentLinkSchema = z.object({ url: z.string(), expiresAt: z.string() })
export type AttachmentLink = z.infer<typeof attachmentLinkSchema>
/** `view=1` shows a PDF in the browser's own viewer. Everything else is saved, as without it. */
const attachmentViewSchema = z.strictObject({ view: z.optional(z.literal('1')) })

/** Digits are a cursor; anything else must be a date, or a date and time. */
const CURSOR_OR_TIME =
  /^(?:\d{1,15}|\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?)$/

/** An empty condition, e.g. of a variable that a script has not set, would match any mail. */
const contained = (charsMax: number) => z.optional(z.string().check(z.minLength(1), z.maxLength(charsMax)))
/** The cursor of a message or list, or an ISO 8601 time. No two messages of a mailbox have the same `receivedAt`. */
const after = z.optional(z.string().check(z.regex(CURSOR_OR_TIME, 'must be a cursor or an ISO 8601 time')))

/** `GET /api/mailbox/messages`: newest first. To get the next page, pass the `cursor` of the last message as `before`. */
const listMessagesQuerySchema = z.strictObject({
  from: contained(320),
  envelopeTo: contained(320),
  subject: contained(998),
  after,
  before: z.optional(z.string().check(z.regex(/^\d{1,15}$/, 'must be the cursor of a message'))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAILBOX_PAGE.max))),
})

const waitQuerySchema = z.strictObject({
  /** These five match as case-insensitive substrings. `to` and `body` need the whole message to be decrypted. */
  from: contained(320),
  envelopeTo: contained(320),
  to: contained(320),
  subject: contained(998),
  body: contained(998),
  after,
  timeoutSeconds: z.optional(z.coerce.number().check(z.minimum(0), z.maximum(WAIT_SECONDS_MAX))),
})
export type WaitQuery = z.infer<typeof waitQuerySchema>

/** Events of `GET /api/mailbox/events`. The SSE `id` of each is the cursor after it. */
export const mailboxEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), message: messageSummarySchema }),
  z.object({ type: z.literal('removed'), id: z.string() }),
  z.object({ type: z.literal('extended'), expiresAt: z.string() }),
  z.object({ type: z.literal('expired') }),
])
export type MailboxEvent = z.infer<typeof mailboxEventSchema>

/**
 * What the SMTP server is doing for this address right now: a sending server has connected, is sending, was accepted or refused, or has
 * disconnected before its message was complete. `tls_failed`: a program did not get as far as naming an address, so readers on this machine
 * or in a private network see it too if it is there itself. It has no content and is not stored, so a reader who is not connected misses
 * it. `server` is the name that the sending server gave; empty if it gave none.
 */
export const deliveryProgressSchema = z.object({
  type: z.literal('delivery'),
  step: z.enum(['connected', 'receiving', 'accepted', 'refused', 'disconnected', 'tls_failed']),
  server: z.string(),
  encrypted: z.boolean(),
  /** The announced size while `receiving`, the real one once `accepted`; missing if the sender announced none. */
  bytes: z.optional(z.number()),
  /**
   * Set when `step` is `refused`, where after `busy` the sending server tries again by itself, or `tls_failed`: the last three.
   * `certificate`: the program did not trust it; `plain_only`: it wants TLS where there is none.
   */
  reason: z.optional(z.enum(['too_large', 'mailbox_full', 'ended', 'busy', 'rejected', 'certificate', 'plain_only', 'handshake'])),
})
export type DeliveryProgress = z.infer<typeof deliveryProgressSchema>

/**
 * The last event before the server stops: connect again after `afterMs`. Each stream gets another delay. Nothing in the mailbox changes.
 */
const reconnectSchema = z.object({ type: z.literal('reconnect'), afterMs: z.number() })

/** Something changed in a further mailbox of the stream, or it is gone. `position`: which one, from 0. */
const changedSchema = z.object({ type: z.literal('changed'), position: z.number() })

export const streamEventSchema = z.discriminatedUnion('type', [
  ...mailboxEventSchema.def.options,
  deliveryProgressSchema,
  changedSchema,
  reconnectSchema,
])
export type StreamEvent = z.infer<typeof streamEventSchema>

export const createMailbox = post(routes.mailboxes, {
  auth: 'optional',
  idempotent: true,
  body: createMailboxSchema,
  status: 201,
  response: mailboxCreatedSchema,
  problems: ['bot_check_failed', 'domain_not_served', 'local_part_reserved', 'local_part_taken', 'mailboxes_max', 'api_mailboxes_max'],
})

export const createMailboxes = post(routes.mailboxBatch, {
  auth: 'api',
  idempotent: true,
  body: createMailboxesSchema,
  status: 201,
  response: mailboxesCreatedSchema,
  problems: ['domain_not_served', 'api_mailboxes_max'],
})

export const listMailboxes = get(routes.mailboxes, { auth: 'api', query: listMailboxesQuerySchema, response: apiMailboxesSchema })
export const destroyMailboxes = del(routes.mailboxes, { auth: 'api', response: mailboxesDestroyedSchema })
export const destroyMailboxById = del(routes.mailboxById, { auth: 'api', problems: ['mailbox_not_found'] })
export const readMailbox = get(routes.mailbox, { auth: 'mailbox', response: mailboxSchema })
export const destroyMailbox = del(routes.mailbox, { auth: 'mailbox' })
export const listMessages = get(routes.messages, { auth: 'mailbox', query: listMessagesQuerySchema, response: messageListSchema })
export const readMessage = get(routes.message, { auth: 'mailbox', response: messageSchema, problems: ['message_not_found'] })
export const deleteMessage = del(routes.message, { auth: 'mailbox', problems: ['message_not_found'] })
export const readRawMessage = get(routes.raw, { auth: 'mailbox', response: 'message', problems: ['message_not_found'] })
export const readAttachment = get(routes.attachment, { auth: 'mailbox', response: 'bytes', problems: ['attachment_not_found'] })

export const createAttachmentLink = post(routes.attachmentLink, {
  auth: 'mailbox',
  response: attachmentLinkSchema,
  problems: ['attachment_not_found'],
})

export const downloadAttachment = get(routes.download, {
  query: attachmentViewSchema,
  response: 'bytes',
  problems: ['link_expired', 'rate_limited'],
})

export const streamEvents = get(routes.events, { auth: 'mailbox', response: 'events', problems: ['streams_max'] })

/** 204 when no message matched before the time-out. */
export const waitForMessage = get(routes.wait, {
  auth: 'mailbox',
  query: waitQuerySchema,
  response: messageSchema,
  mayTimeOut: true,
  problems: ['streams_max'],
})
