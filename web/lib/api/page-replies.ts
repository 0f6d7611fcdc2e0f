/** The replies that the reader and the other pages read, as replies.ts has those of the first page. */
import type { AccountSession, ApiKey, Session } from '#contract/account.ts'
import type { Message } from '#contract/mailbox.ts'
import type { Webhook } from '#contract/notifications.ts'
import type { BlogViews } from '#contract/site.ts'
import { flag, list, number, object, optional, orNull, type Shape, text } from '../shape.ts'
import { address, link, mailboxCreated, summaryFields } from './response-shapes.ts'

export const message = object({
  ...summaryFields,
  envelopeFrom: text,
  to: list(address),
  cc: list(address),
  replyTo: list(address),
  date: optional(text),
  html: optional(text),
  text: optional(text),
  headers: list(object({ name: text, value: text })),
  links: list(link),
  warnings: list(text),
}) satisfies Shape<Message>
export const attachmentLink = object({ url: optional(text), expiresAt: optional(text) })

export const pushKey = object({ publicKey: text })
export const pushSubscribed = object({ id: text })

const blogViewsFields = { slug: text, views: number }
export const blogViews = object(blogViewsFields) satisfies Shape<BlogViews>
export const blogViewsList = object({ posts: list(blogViews) })

export const session = object({ session: orNull(object({ email: text, expiresAt: text })) }) satisfies Shape<{ session: Session | null }>
export const proMailboxes = object({ mailboxes: list(mailboxCreated) })
const accountSession = object({
  id: text,
  device: optional(text),
  createdAt: text,
  expiresAt: text,
  isCurrent: flag,
}) satisfies Shape<AccountSession>
export const accountSessions = object({ sessions: list(accountSession) })
const webhook = object({
  id: text,
  url: text,
  createdAt: text,
  failures: number,
  lastFailure: optional(text),
  disabledReason: optional(text),
}) satisfies Shape<Webhook>
export const webhooks = object({ webhooks: list(webhook) })
const apiKeyFields = { id: text, name: text, prefix: text, createdAt: text, lastUsedAt: optional(text) }
const apiKey = object(apiKeyFields) satisfies Shape<ApiKey>
export const apiKeys = object({ keys: list(apiKey) })
export const apiKeyCreated = object({ ...apiKeyFields, key: text })

/** A newer server may know a code that this page does not: the status then decides the text. */
