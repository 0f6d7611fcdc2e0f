/** Waits for mail with long polls until a matching message has arrived. */
import { listMessages, readMessage, waitForMessage } from '../contract/api/mailbox-routes.ts'
import { WAIT_SECONDS_MAX } from '../contract/limits.ts'
import type { MessageSummary, Message as WireMessage } from '../contract/mailbox.ts'
import type { Api } from './api.ts'
import { describeArrived, MailTimeoutError } from './errors.ts'
import type { MessageFilter, WaitOptions } from './options.ts'
import { isTransient, pause } from './retry.ts'

const WAIT_MS_DEFAULT = 30_000
/** How much longer than its own time-out a long poll may take before its connection counts as dead. */
const ANSWER_MS = 10_000

export type WaitScope = { readonly api: Api; readonly token: string; readonly address: string }

/** The first message that matches; one that is already there counts. */
export async function waitForFirst(scope: WaitScope, options: WaitOptions): Promise<WireMessage> {
  const deadline = deadlineOf(options)
  const message = await poll(scope, options, deadline)
  return message ?? (await timeOut(scope, options, 'message'))
}

/**
 * The result of `pick` for the first message that matches and has one. The list is read before each wait, because a message may arrive
 * between two waits, and authentication results move an older message behind a newer one.
 */
export async function waitForPick<T>(
  scope: WaitScope,
  options: WaitOptions,
  what: string,
  pick: (message: WireMessage) => T | undefined,
): Promise<T> {
  const { api, token } = scope
  const { signal } = options
  const deadline = deadlineOf(options)
  const seen = new Set<string>()
  const look = (message: WireMessage): T | undefined => {
    seen.add(message.id)
    return matches(message, options) ? pick(message) : undefined
  }
  for (;;) {
    const list = await retried(deadline, signal, () => api.call(listMessages, { token, signal }))
    for (const { id } of list.messages.filter(({ id }) => !seen.has(id)).reverse()) {
      const found = look(await retried(deadline, signal, () => api.call(readMessage, { token, params: { id }, signal })))
      if (found !== undefined) return found
    }
    const next = await poll(scope, { after: list.cursor, signal }, deadline)
    if (!next) return timeOut(scope, options, what)
    const found = look(next)
    if (found !== undefined) return found
  }
}

/** The same conditions as on the server: `from` searches name and address, `to` only addresses. */
function matches(message: WireMessage, { from, to, subject, body, after }: MessageFilter): boolean {
  const contains = (text: string, wanted: string | undefined) => text.toLowerCase().includes((wanted ?? '').toLowerCase())
  return (
    isAfter(message, after) &&
    contains(`${message.from.name} <${message.from.address}>`, from) &&
    (to === undefined || [...message.to, ...message.cc].some(({ address }) => contains(address, to))) &&
    contains(message.subject, subject) &&
    contains(message.text ?? message.html ?? '', body)
  )
}

/** By arrival: later authentication results do not make a message newer. */
export function isAfter(message: Pick<MessageSummary, 'cursor' | 'receivedAt'>, after: MessageFilter['after']): boolean {
  const limit = cursorOf(after)
  if (limit === undefined) return true
  return /^\d{1,15}$/.test(limit) ? Number(message.cursor) > Number(limit) : Date.parse(message.receivedAt) > Date.parse(limit)
}

function cursorOf(after: MessageFilter['after']): string | undefined {
  if (after === undefined || typeof after === 'string') return after
  return after instanceof Date ? after.toISOString() : after.cursor
}

const deadlineOf = ({ timeoutMs = WAIT_MS_DEFAULT }: WaitOptions) => performance.now() + timeoutMs

async function poll({ api, token }: WaitScope, options: WaitOptions, deadline: number): Promise<WireMessage | undefined> {
  const { from, to, subject, body, signal } = options
  for (;;) {
    const leftMs = Math.max(0, deadline - performance.now())
    const timeoutSeconds = Math.min(WAIT_SECONDS_MAX, Math.ceil(leftMs) / 1000)
    const query = { from, to, subject, body, after: cursorOf(options.after), timeoutSeconds }
    const message = await retried(deadline, signal, () =>
      api.call(waitForMessage, { token, query, signal, timeoutMs: timeoutSeconds * 1000 + ANSWER_MS }),
    )
    if (message || performance.now() >= deadline) return message
  }
}

/** A lost connection or a restarting server does not end a wait that has time left. */
async function retried<T>(deadline: number, signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      const waitMs = isTransient(error) ? Math.max((error.retryAfterSeconds ?? 0) * 1000, 200 * 2 ** Math.min(failures, 4)) : Infinity
      if (performance.now() + waitMs >= deadline) throw error
      await pause(waitMs, signal)
    }
  }
}

async function timeOut(scope: WaitScope, options: WaitOptions, what: string): Promise<never> {
  const { messages } = await scope.api.call(listMessages, { token: scope.token, signal: options.signal })
  const arrived = messages.filter(message => isAfter(message, options.after)).reverse()
  const conditions = (['from', 'to', 'subject', 'body'] as const).flatMap(name =>
    options[name] === undefined ? [] : [`${name} containing ${JSON.stringify(options[name])}`],
  )
  const wanted = conditions.length > 0 ? ` with ${conditions.join(' and ')}` : ''
  const seconds = (options.timeoutMs ?? WAIT_MS_DEFAULT) / 1000
  throw new MailTimeoutError(`No ${what}${wanted} came to ${scope.address} within ${seconds} s. ${describeArrived(arrived)}`, arrived)
}
