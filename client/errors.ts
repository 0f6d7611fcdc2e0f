/** Every way a call can fail. */
import type { MessageSummary } from '../contract/mailbox.ts'
import type { ProblemCode } from '../contract/problems.ts'
import type { Problem } from '../contract/route.ts'

/**
 * The server's problem codes, and seven of the client. `network`: no whole response came. `unreadable_reply`: the response is not from a
 * Mayfly. `timeout`: no matching mail arrived in time. `unexpected_mail`: `expectNoMail` saw one. `not_started`: `start()` could not start
 * a server. `bot_check_unsolvable`: the server needs a check that programs cannot pass. `webhook_invalid`: a request that no webhook
 * signed.
 */
export type MayflyErrorCode =
  | ProblemCode
  | 'network'
  | 'unreadable_reply'
  | 'timeout'
  | 'unexpected_mail'
  | 'not_started'
  | 'bot_check_unsolvable'
  | 'webhook_invalid'

type MayflyErrorDetails = {
  status?: number | undefined
  retryAfterSeconds?: number | undefined
  errors?: Problem['errors']
  cause?: unknown
}

export class MayflyError extends Error {
  /** A newer server may send a code that is not in the list. */
  readonly code: MayflyErrorCode
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** Whole seconds until a retry makes sense. */
  readonly retryAfterSeconds: number | undefined
  /** With `invalid_request`: which field is wrong, and why. */
  readonly errors: Problem['errors']

  constructor(code: MayflyErrorCode, message: string, { status = 0, retryAfterSeconds, errors, cause }: MayflyErrorDetails = {}) {
    super(message, { cause })
    this.name = 'MayflyError'
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
    this.errors = errors
  }

  /** Whether the same request may succeed later: no response, or a status that says so. Other 4xx are final. */
  get isTransient(): boolean {
    return this.code === 'network' || this.status >= 500 || [408, 425, 429].includes(this.status)
  }
}

/** A message that did not end the wait. */
export type IgnoredMessage = { readonly message: MessageSummary; readonly reason: string }

/** No matching mail arrived in time. */
export class MailTimeoutError extends MayflyError {
  /** The messages that arrived, without those older than `after`; oldest first. */
  readonly arrived: readonly MessageSummary[]
  /** Everything in the mailbox, and why it did not count; oldest first. */
  readonly ignored: readonly IgnoredMessage[]

  constructor(message: string, arrived: readonly MessageSummary[], ignored: readonly IgnoredMessage[] = []) {
    super('timeout', message)
    this.name = 'MailTimeoutError'
    this.arrived = arrived
    this.ignored = ignored
  }
}

/** The mailbox ended while a call waited for its mail. Its code is that of every call after the end. */
export class MailboxExpiredError extends MayflyError {
  constructor(message: string, cause: unknown) {
    super('mailbox_not_found', message, { status: 404, cause })
    this.name = 'MailboxExpiredError'
  }
}

/** `expectNoMail` saw a message that matches. */
export class UnexpectedMailError extends MayflyError {
  /** The messages that arrived, oldest first. */
  readonly arrived: readonly MessageSummary[]

  constructor(message: string, arrived: readonly MessageSummary[]) {
    super('unexpected_mail', message)
    this.name = 'UnexpectedMailError'
    this.arrived = arrived
  }
}

/** One line per message, for errors and reports. */
export function describeArrived(arrived: readonly MessageSummary[]): string {
  if (arrived.length === 0) return 'No mail arrived at all.'
  return `What arrived:\n${arrived.map(describeMessage).join('\n')}`
}

export function describeMessage({ subject, from, receivedAt, codes }: MessageSummary): string {
  const code = codes[0] === undefined ? '' : `, code ${codes[0]}`
  return `  ${receivedAt}  ${from.address || '(no sender)'}  ${JSON.stringify(subject)}${code}`
}

export const hasCode = (error: unknown, code: MayflyErrorCode): error is MayflyError => error instanceof MayflyError && error.code === code

/** For the end of a block, whose own error must not be hidden by one of the moment. */
export async function ignoringTransient(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof MayflyError && error.isTransient)) throw error
  }
}

/** Resolves too if the call fails with `code`, e.g. because what it deletes is already gone. */
export async function ignoring(code: MayflyErrorCode, call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!hasCode(error, code)) throw error
  }
}
