/** Waits for mail with long polls until a matching message has arrived. */
import { listMessages, type MessageSummary, readMessage, type Message as WireMessage, waitForMessage } from '../contract/mailbox.ts'
import { containsText } from '../contract/text-patterns.ts'
import { type Api, Deadline } from './api.ts'
import { describeMessage, hasCode, MailboxExpiredError, MailTimeoutError, MayflyError } from './errors.ts'
import type { MessageFilter, WaitOptions } from './options.ts'

const WAIT_MS_DEFAULT = 30_000
/** Shorter than the server allows, so that a connection that died silently leaves time for another. */
const POLL_SECONDS_MAX = 20
/** How much longer than its own time-out a long poll may take before its connection counts as dead. */
const ANSWER_MS = 5000

export type WaitScope = {
  readonly api: Api
  readonly token: string
  readonly address: string
  readonly expiresAt: Date
  /** By `performance.now()`, for which a wrong clock does not matter. */
  readonly endsAt: number
}

/** The words of an error: what is searched for, and why a message that meets the conditions does not count. */
type Search = { readonly what: string; readonly missing?: string }

/** The first message that matches; one that is already there counts. */
export function waitForFirst(scope: WaitScope, options: WaitOptions): Promise<WireMessage> {
  return untilExpired(scope, async () => {
    const deadline = deadlineOf(options)
    return (await poll(scope, options, deadline)) ?? (await timeOut(scope, options, { what: 'message' }))
  })
}

/**
 * The result of `pick` for the first message that matches and has one. The list is read before each wait, because a message may arrive
 * between two waits, and authentication results move an older message behind a newer one.
 */
export function waitForPick<T>(
  scope: WaitScope,
  options: WaitOptions,
  search: Search,
  pick: (message: WireMessage) => T | undefined,
): Promise<T> {
  return untilExpired(scope, async () => {
    const { api, token } = scope
    const deadline = deadlineOf(options)
    const seen = new Set<string>()
    for (;;) {
      const list = await deadline.retry(() => api.call(listMessages, { token, ...deadline.attempt }))
      for (const { id } of list.messages.filter(({ id }) => !seen.has(id)).reverse()) {
        const message = await deadline.retry(() => readUnlessRemoved(scope, id, deadline.attempt))
        seen.add(id)
        const found = message && matches(message, options) ? pick(message) : undefined
        if (found !== undefined) return found
      }
      const next = await poll(scope, { after: list.cursor, signal: options.signal }, deadline)
      if (!next) return timeOut(scope, options, search)
    }
  })
}

/** `undefined` if it was removed after it was listed. */
export async function readUnlessRemoved(
  { api, token }: WaitScope,
  id: string,
  options: { readonly signal?: AbortSignal | undefined; readonly timeoutMs?: number },
): Promise<WireMessage | undefined> {
  try {
    return await api.call(readMessage, { token, params: { id }, ...options })
  } catch (error) {
    if (hasCode(error, 'message_not_found')) return undefined
    throw error
  }
}

async function untilExpired<T>({ address, expiresAt }: WaitScope, wait: () => Promise<T>): Promise<T> {
  try {
    return await wait()
  } catch (error) {
    if (!hasCode(error, 'mailbox_not_found')) throw error
    const hasExpired = Date.now() >= expiresAt.getTime() - 1000
    const reason = hasExpired ? `expired at ${expiresAt.toISOString()}; create it with a longer lifetimeSeconds` : 'was deleted'
    throw new MailboxExpiredError(`The mailbox ${address} ${reason}. ${error.message}`, error)
  }
}

/** The same conditions as on the server. */
function matches(message: WireMessage, options: MessageFilter): boolean {
  const { to, body } = options
  return (
    summaryMismatch(message, options) === undefined &&
    (to === undefined ||
      [...message.envelopeTo, ...addressesOf(message.to), ...addressesOf(message.cc)].some(each => contains(each, to))) &&
    contains(message.text ?? message.html ?? '', body)
  )
}

/** Which condition a message does not meet, as far as its row in the list tells. */
function summaryMismatch(message: MessageSummary, { from, envelopeTo, subject, after }: MessageFilter): string | undefined {
  if (!isAfter(message, after)) return 'before `after`'
  if (!contains(`${message.from.name} <${message.from.address}>`, from)) return 'other `from`'
  if (!contains(message.subject, subject)) return 'other `subject`'
  if (envelopeTo !== undefined && !message.envelopeTo.some(each => contains(each, envelopeTo))) return 'other `envelopeTo`'
  return undefined
}

const addressesOf = (recipients: WireMessage['to']) => recipients.map(({ address }) => address)
const contains = (text: string, wanted = ''): boolean => containsText(text, wanted)

/** By arrival: later authentication results do not make a message newer. */
export function isAfter(message: MessageSummary, after: MessageFilter['after']): boolean {
  const limit = cursorOf(after)
  if (limit === undefined) return true
  return /^\d{1,15}$/.test(limit) ? Number(message.cursor) > Number(limit) : Date.parse(message.receivedAt) > Date.parse(limit)
}

function cursorOf(after: MessageFilter['after']): string | undefined {
  if (after === undefined || typeof after === 'string') return after
  return after instanceof Date ? after.toISOString() : after.cursor
}

const deadlineOf = ({ timeoutMs = WAIT_MS_DEFAULT, signal }: WaitOptions) => new Deadline(timeoutMs, signal)

async function poll({ api, token }: WaitScope, options: WaitOptions, deadline: Deadline): Promise<WireMessage | undefined> {
  const { from, envelopeTo, to, subject, body, signal } = options
  for (;;) {
    const message = await deadline.retry(() => {
      const timeoutSeconds = Math.min(POLL_SECONDS_MAX, Math.ceil(deadline.leftMs) / 1000)
      const query = { from, envelopeTo, to, subject, body, after: cursorOf(options.after), timeoutSeconds }
      return api.call(waitForMessage, { token, query, signal, timeoutMs: timeoutSeconds * 1000 + ANSWER_MS })
    })
    if (message || deadline.leftMs === 0) return message
  }
}

async function timeOut(scope: WaitScope, options: WaitOptions, { what, missing }: Search): Promise<never> {
  const seconds = (options.timeoutMs ?? WAIT_MS_DEFAULT) / 1000
  const conditions = (['from', 'envelopeTo', 'to', 'subject', 'body'] as const).flatMap(name =>
    options[name] === undefined ? [] : [`${name} containing ${JSON.stringify(options[name])}`],
  )
  const wanted = conditions.length > 0 ? ` with ${conditions.join(' and ')}` : ''
  const failure = `No ${what}${wanted} came to ${scope.address} within ${seconds} s.`
  const listed = await listFor(scope, options.signal)
  if (listed instanceof MayflyError) throw new MailTimeoutError(`${failure} What did arrive is not known: ${listed.message}`, [])
  const other = missing ?? (options.to === undefined && options.body === undefined ? 'arrived too late' : 'other `to` or `body`')
  const ignored = listed.map(message => ({ message, reason: summaryMismatch(message, options) ?? other }))
  const arrived = listed.filter(message => isAfter(message, options.after))
  const lines = ignored.map(({ message, reason }) => `${describeMessage(message)}  (${reason})`).join('\n')
  const story =
    listed.length === 0 ? 'No mail arrived at all.' : arrived.length === 0 ? `Nothing arrived since:\n${lines}` : `What arrived:\n${lines}`
  throw new MailTimeoutError(`${failure} ${story}`, arrived, ignored)
}

/** Everything in the mailbox, oldest first. A mailbox that cannot be read must not hide the time-out. */
async function listFor({ api, token }: WaitScope, signal: AbortSignal | undefined): Promise<MessageSummary[] | MayflyError> {
  try {
    return (await api.call(listMessages, { token, signal, timeoutMs: ANSWER_MS })).messages.reverse()
  } catch (error) {
    if (error instanceof MayflyError && error.isTransient) return error
    throw error
  }
}
