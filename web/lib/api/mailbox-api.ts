/** Mailbox endpoints: one function each. Each parses the response and throws `ProblemError`. */
import type { Language } from '#contract/languages.ts'
import type { AttachmentLink, CreateMailbox, Mailbox, MailboxCreated, Message, MessageList } from '#contract/mailbox.ts'
import { pathTo, routes } from '#contract/routes.ts'
import type { BlogViews, BotCheckAction, Challenge, ContactForm, SiteConfig } from '#contract/site.ts'
import * as replies from './replies.ts'
import { request, send } from './request.ts'

export { ProblemError, type ProblemErrorCode } from './request.ts'

/** Creates an address. `rate_limited` has the seconds to wait; after `bot_check_failed` solve a new challenge. */
export function createMailbox(body: CreateMailbox): Promise<MailboxCreated> {
  return request(routes.mailboxes, replies.mailboxCreated, { method: 'POST', json: body })
}

/** `mailbox_not_found` for a token that is wrong, expired or was never issued. */
export function readMailbox(token: string, signal?: AbortSignal): Promise<Mailbox> {
  return request(routes.mailbox, replies.mailbox, { token, signal })
}

export async function destroyMailbox(token: string): Promise<void> {
  await send(routes.mailbox, { method: 'DELETE', token, isKept: true })
}

/** Newest first, with the cursor from which `openEvents` continues. */
export function listMessages(token: string, signal?: AbortSignal): Promise<MessageList> {
  return request(routes.messages, replies.messageList, { token, signal })
}

/** The whole message. Its `html` is untrusted until sanitised. */
export function readMessage(token: string, id: string, signal?: AbortSignal): Promise<Message> {
  return request(pathTo(routes.message, { id }), replies.message, { token, signal })
}

export async function removeMessage(token: string, id: string): Promise<void> {
  await send(pathTo(routes.message, { id }), { method: 'DELETE', token, isKept: true })
}

/** The raw message, byte for byte as it arrived. */
export async function readRaw(token: string, id: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  const response = await send(pathTo(routes.raw, { id }), { token, signal, isTimed: false })
  return response.arrayBuffer()
}

/** The bytes of one attachment, for images that the mail itself contains. */
export async function readAttachment(token: string, id: string, index: number, signal?: AbortSignal): Promise<ArrayBuffer> {
  const response = await send(pathTo(routes.attachment, { id, index }), { token, signal, isTimed: false })
  return response.arrayBuffer()
}

/** A URL that downloads this attachment for 60 s and contains no token. */
export async function createAttachmentLink(token: string, id: string, index: number): Promise<AttachmentLink['url']> {
  const { url } = await request(pathTo(routes.attachmentLink, { id, index }), replies.attachmentLink, { method: 'POST', token })
  if (!url) throw new Error('No download URL received')
  return url
}

/** The event stream after `cursor`. Its body ends when `signal` aborts, the mailbox expires or the connection fails. */
export function openEvents(token: string, cursor: string, signal: AbortSignal): Promise<Response> {
  return send(routes.events, { token, signal, isTimed: false, headers: { accept: 'text/event-stream', 'last-event-id': cursor } })
}

export function readConfig(signal?: AbortSignal): Promise<SiteConfig> {
  return request(routes.config, replies.siteConfig, { signal })
}

export function readChallenge(action: BotCheckAction, signal?: AbortSignal): Promise<Challenge> {
  return request(`${routes.botCheckChallenge}?action=${encodeURIComponent(action)}`, replies.challenge, { signal })
}

export async function sendContact(form: ContactForm & { language: Language; botCheck?: string }): Promise<void> {
  await send(routes.contact, { method: 'POST', json: form })
}

export async function readAllBlogViews(signal?: AbortSignal): Promise<BlogViews[]> {
  const list = await request(routes.blogViews, replies.blogViewsList, { signal })
  return list.posts
}

export function readBlogViews(slug: string, signal?: AbortSignal): Promise<BlogViews> {
  return request(pathTo(routes.blogViewsOf, { slug }), replies.blogViews, { signal })
}

/** Counts this visitor once per article and day, and returns the new count. */
export function countBlogView(slug: string): Promise<BlogViews> {
  return request(pathTo(routes.blogViewsOf, { slug }), replies.blogViews, { method: 'POST' })
}
