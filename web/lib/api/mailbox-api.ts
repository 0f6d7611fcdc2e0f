/** The endpoints every visitor's page calls: one function each. Each parses its reply and throws `ProblemError`. */
import type { CreateMailbox, Mailbox, MailboxCreated, MessageList } from '#contract/mailbox.ts'
import type { BotCheckAction, Challenge, SiteConfig } from '#contract/site.ts'
import { pathTo, visitorRoutes as routes } from '#contract/visitor-routes.ts'
import { request, send } from './request.ts'
import * as replies from './response-shapes.ts'

export { isAttempt, isUnanswered, ProblemError, type ProblemErrorCode } from './request.ts'

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

export async function removeMessage(token: string, id: string): Promise<void> {
  await send(pathTo(routes.message, { id }), { method: 'DELETE', token, isKept: true })
}

/** The live event stream from `cursor` on (exclusive); its body ends only by `signal`, by expiry or by a fault. */
export function openEvents(token: string, cursor: string, signal: AbortSignal): Promise<Response> {
  return send(routes.events, { token, signal, isTimed: false, headers: { accept: 'text/event-stream', 'last-event-id': cursor } })
}

export function readConfig(signal?: AbortSignal): Promise<SiteConfig> {
  return request(routes.config, replies.siteConfig, { signal })
}

export function readChallenge(action: BotCheckAction, signal?: AbortSignal): Promise<Challenge> {
  return request(`${routes.botCheckChallenge}?action=${encodeURIComponent(action)}`, replies.challenge, { signal })
}
