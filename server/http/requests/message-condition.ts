/** Which messages a list or long poll asks for. */
import type { MessageSummary, WaitQuery } from '#contract/mailbox.ts'
import { InvalidRequest } from './invalid-request.ts'

const CURSOR = /^\d{1,15}$/

export type MessageCondition = {
  /** Only messages after this cursor match; 0 if a time or nothing was given. */
  readonly after: number
  readonly matches: (message: MessageSummary) => boolean
}

/** Text matches as a case-insensitive substring. @throws InvalidRequest if `after` is not a valid date. */
export function messageCondition({ from = '', subject = '', after = '' }: Pick<WaitQuery, 'from' | 'subject' | 'after'>): MessageCondition {
  const isCursor = CURSOR.test(after)
  const afterMs = after === '' || isCursor ? Number.NEGATIVE_INFINITY : Date.parse(after)
  if (Number.isNaN(afterMs)) throw new InvalidRequest([{ path: 'after', message: 'must be a cursor or an ISO 8601 time' }])
  const afterCursor = isCursor ? Number(after) : 0
  const [wantedFrom, wantedSubject] = [from.toLowerCase(), subject.toLowerCase()]
  return {
    after: afterCursor,
    matches: message =>
      // A verdict on the sender moves an older message to the end of the changes; its arrival cursor stays the same.
      Number(message.cursor) > afterCursor &&
      `${message.from.name} <${message.from.address}>`.toLowerCase().includes(wantedFrom) &&
      message.subject.toLowerCase().includes(wantedSubject) &&
      Date.parse(message.receivedAt) > afterMs,
  }
}

/** An unknown cursor counts as none: everything is sent again. */
export function parseCursor(text: string | undefined): number {
  return CURSOR.test(text ?? '') ? Number(text) : 0
}
