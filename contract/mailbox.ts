/** The wire of mailboxes and messages. All times are ISO 8601 in UTC, all sizes bytes. */
import * as z from 'zod/mini'
import { API_LIFETIME_SECONDS, LOCAL_PART_CHARS, MAILBOX_BATCH_MAX, MAILBOX_PAGE, WAIT_SECONDS_MAX } from './limits.ts'
import { CHOSEN } from './local-part.ts'

const lifetimeSeconds = z.int().check(z.minimum(API_LIFETIME_SECONDS.min), z.maximum(API_LIFETIME_SECONDS.max))

/**
 * `POST /api/mailboxes`. `domain` must be one that `GET /api/config` lists; `localPart` needs a session, an API key or an API token,
 * `lifetimeSeconds` a key or token.
 */
export const createMailboxSchema = z.strictObject({
  botCheck: z.optional(z.string().check(z.maxLength(8192))),
  domain: z.optional(z.string().check(z.maxLength(255))),
  localPart: z.optional(z.string().check(z.minLength(LOCAL_PART_CHARS.min), z.maxLength(LOCAL_PART_CHARS.max), z.regex(CHOSEN))),
  lifetimeSeconds: z.optional(lifetimeSeconds),
})
export type CreateMailbox = z.infer<typeof createMailboxSchema>

/** `GET /api/mailbox`. `secondsLeft` is what a page counts down from: a wrong clock on the visitor's machine changes nothing. */
export const mailboxSchema = z.object({
  email: z.string(),
  expiresAt: z.string(),
  secondsLeft: z.number(),
  lifetimeSeconds: z.number(),
})
export type Mailbox = z.infer<typeof mailboxSchema>

/** The 201 of `POST /api/mailboxes`: the only time the token is ever shown. `id` only with an API key or API token, to destroy it by. */
export const mailboxCreatedSchema = z.extend(mailboxSchema, { token: z.string(), id: z.optional(z.string()) })
export type MailboxCreated = z.infer<typeof mailboxCreatedSchema>

/** `POST /api/mailboxes/batch`: all of them or none. */
export const createMailboxesSchema = z.strictObject({
  count: z.int().check(z.minimum(1), z.maximum(MAILBOX_BATCH_MAX)),
  domain: z.optional(z.string().check(z.maxLength(255))),
  lifetimeSeconds: z.optional(lifetimeSeconds),
})
export const mailboxesCreatedSchema = z.object({ mailboxes: z.array(mailboxCreatedSchema) })

/** The time and id of the last row of a page. */
export const PAGE_CURSOR = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** `GET /api/mailboxes`. `cursor` is the `nextCursor` of the page before. */
export const listMailboxesQuerySchema = z.strictObject({
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAILBOX_PAGE.max))),
  cursor: z.optional(z.string().check(z.regex(PAGE_CURSOR))),
})

/** A live mailbox of an API key or API token. `email` only for the one that made it: nobody else can open it, not even the server. */
export const apiMailboxSchema = z.object({
  id: z.string(),
  email: z.optional(z.string()),
  createdAt: z.string(),
  expiresAt: z.string(),
  secondsLeft: z.number(),
  lifetimeSeconds: z.number(),
})
export type ApiMailbox = z.infer<typeof apiMailboxSchema>

/** Newest first. Without `nextCursor` this was the last page. */
export const apiMailboxesSchema = z.object({ mailboxes: z.array(apiMailboxSchema), nextCursor: z.optional(z.string()) })
export type ApiMailboxes = z.infer<typeof apiMailboxesSchema>
export const mailboxesDestroyedSchema = z.object({ destroyed: z.number() })

export const mailAddressSchema = z.object({ name: z.string(), address: z.string() })

/** `index` is the attachment's stable number within its message; `contentId` is without angle brackets. */
export const attachmentSchema = z.object({
  index: z.number(),
  filename: z.string(),
  size: z.number(),
  contentType: z.string(),
  inline: z.boolean(),
  contentId: z.optional(z.string()),
})
export type Attachment = z.infer<typeof attachmentSchema>

/** How much of the message's structure could be read. Its bytes are whole in every case. */
const parseStatusSchema = z.enum(['ok', 'partial', 'failed'])
export type ParseStatus = z.infer<typeof parseStatusSchema>

const verdictSchema = z.enum(['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror'])
/** SPF, DKIM, DMARC and ARC of a message (RFC 8601 result words). `domain` is the one the verdict vouches for. */
export const authenticationSchema = z.object({
  spf: verdictSchema,
  dkim: verdictSchema,
  dmarc: verdictSchema,
  arc: verdictSchema,
  domain: z.optional(z.string()),
})
export type Authentication = z.infer<typeof authenticationSchema>

export const confirmationLinkSchema = z.object({ url: z.string(), label: z.string() })
export type ConfirmationLink = z.infer<typeof confirmationLinkSchema>

/** A row of the inbox. `codes` are one-time codes as they are to be typed, best guess first. */
export const messageSummarySchema = z.object({
  id: z.string(),
  /** Hand it to `wait` as `after` to get what arrived after this message. */
  cursor: z.string(),
  subject: z.string(),
  from: mailAddressSchema,
  receivedAt: z.string(),
  preview: z.string(),
  size: z.number(),
  /** A row lists at most `ROW_ATTACHMENTS_MAX` of them, a whole message all. */
  attachments: z.array(attachmentSchema),
  /** How many there are. */
  attachmentCount: z.number(),
  codes: z.array(z.string()),
  /** The link most likely to be followed to confirm or sign in, where the mail has no code. */
  link: z.optional(confirmationLinkSchema),
  parseStatus: parseStatusSchema,
  /** Absent until the verdict is known; it is worked out after the 250. */
  authentication: z.optional(authenticationSchema),
})
export type MessageSummary = z.infer<typeof messageSummarySchema>

/** `cursor` is opaque: hand it back as `Last-Event-ID` to get only what came later. */
export const messageListSchema = z.object({ messages: z.array(messageSummarySchema), cursor: z.string() })
export type MessageList = z.infer<typeof messageListSchema>

/** A whole message. `html` is the sender's, unsanitised: whoever shows it must sanitise it first. */
export const messageSchema = z.extend(messageSummarySchema, {
  envelopeFrom: z.string(),
  to: z.array(mailAddressSchema),
  cc: z.array(mailAddressSchema),
  replyTo: z.array(mailAddressSchema),
  /** The `Date:` header as ISO 8601 when it can be read. */
  date: z.optional(z.string()),
  html: z.optional(z.string()),
  text: z.optional(z.string()),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  links: z.array(confirmationLinkSchema),
  /** Plain English notes on what could not be read, e.g. `unknown_charset: x-foo`. */
  warnings: z.array(z.string()),
})
export type Message = z.infer<typeof messageSchema>

export const attachmentLinkSchema = z.object({ url: z.string(), expiresAt: z.string() })
export type AttachmentLink = z.infer<typeof attachmentLinkSchema>

/** Digits are a cursor; everything else is a date, or a date and a time of day. */
const CURSOR_OR_TIME =
  /^(?:\d{1,15}|\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?)$/

const contained = (charsMax: number) => z.optional(z.string().check(z.maxLength(charsMax)))
/** The cursor of a message or a list; or an ISO 8601 time, which misses messages of the same millisecond. */
const after = z.optional(z.string().check(z.regex(CURSOR_OR_TIME, 'must be a cursor or an ISO 8601 time')))

/** `GET /api/mailbox/messages`: newest first. The page after this one has the `cursor` of its last message as `before`. */
export const listMessagesQuerySchema = z.strictObject({
  from: contained(320),
  subject: contained(998),
  after,
  before: z.optional(z.string().check(z.regex(/^\d{1,15}$/, 'must be the cursor of a message'))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAILBOX_PAGE.max))),
})

/** `GET /api/mailbox/wait`. */
export const waitQuerySchema = z.strictObject({
  /** These four match as case-insensitive substrings; `to` and `body` need the whole message to be read. */
  from: contained(320),
  to: contained(320),
  subject: contained(998),
  body: contained(998),
  after,
  timeoutSeconds: z.optional(z.coerce.number().check(z.minimum(0), z.maximum(WAIT_SECONDS_MAX))),
})
export type WaitQuery = z.infer<typeof waitQuerySchema>

/** The events of `GET /api/mailbox/events`; the SSE `id` of each is the cursor after it. */
export const mailboxEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), message: messageSummarySchema }),
  z.object({ type: z.literal('removed'), id: z.string() }),
  z.object({ type: z.literal('expired') }),
])
export type MailboxEvent = z.infer<typeof mailboxEventSchema>

/**
 * What the mail port sees for this address right now: a server has announced mail, sends it, and is accepted or refused. Without content, and
 * kept nowhere: whoever does not listen has missed it. `server` is the name the sending server gives itself.
 */
export const deliverySchema = z.object({
  type: z.literal('delivery'),
  step: z.enum(['connected', 'receiving', 'accepted', 'refused']),
  server: z.string(),
  encrypted: z.boolean(),
  /** Announced while `receiving`, received once `accepted`; absent when nothing was announced. */
  bytes: z.optional(z.number()),
  /** Of `refused`. After `busy` the server tries again by itself. */
  reason: z.optional(z.enum(['too_large', 'mailbox_full', 'ended', 'busy', 'rejected'])),
})
export type Delivery = z.infer<typeof deliverySchema>

/** The last event of a stream whose server stops: connect again after `afterMs`, each stream at another moment. It changes nothing in the mailbox. */
const reconnectSchema = z.object({ type: z.literal('reconnect'), afterMs: z.number() })

/** Everything a stream can carry. */
export const streamEventSchema = z.discriminatedUnion('type', [mailboxEventSchema, deliverySchema, reconnectSchema])
export type StreamEvent = z.infer<typeof streamEventSchema>
