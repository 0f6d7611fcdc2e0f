/** `MayflyError`: every way a call can fail, with a stable code. */
import type { MessageSummary } from '../contract/mailbox.ts'
import type { Problem } from '../contract/problem-document.ts'
import type { ProblemCode } from '../contract/problems.ts'

/**
 * The server's problem codes, and five of the client. `network`: no response came. `unreadable_reply`: the response is not from a Mayfly.
 * `timeout`: no matching mail arrived in time. `not_started`: `start()` could not start a server. `bot_check_unsolvable`: the server needs
 * a check that programs cannot pass.
 */
export type MayflyErrorCode = ProblemCode | 'network' | 'unreadable_reply' | 'timeout' | 'not_started' | 'bot_check_unsolvable'

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
}

/** No matching mail arrived in time. `arrived` lists what is in the mailbox, oldest first. */
export class MailTimeoutError extends MayflyError {
  readonly arrived: readonly MessageSummary[]

  constructor(message: string, arrived: readonly MessageSummary[]) {
    super('timeout', message)
    this.name = 'MailTimeoutError'
    this.arrived = arrived
  }
}

/** One line per message, for errors and reports. */
export function describeArrived(arrived: readonly MessageSummary[]): string {
  if (arrived.length === 0) return 'No mail arrived at all.'
  const lines = arrived.map(({ subject, from, receivedAt, codes }) => {
    const code = codes[0] === undefined ? '' : `, code ${codes[0]}`
    return `  ${receivedAt}  ${from.address || '(no sender)'}  ${JSON.stringify(subject)}${code}`
  })
  return `What arrived:\n${lines.join('\n')}`
}
