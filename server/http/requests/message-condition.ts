/** Which messages a list or a long poll asks for. */
import type { MessageSummary, WaitQuery } from '#contract/mailbox.ts'
import { InvalidRequest } from './invalid-request.ts'

const CURSOR = /^\d{1,15}$/

export type MessageCondition = {
  /** The cursor after which messages count; 0 when a time was given, or nothing. */
  readonly after: number
  readonly matches: (message: MessageSummary) => boolean
}

/** Text matches as a case-insensitive substring. @throws InvalidRequest for an `after` that is no date of the calendar. */
export function messageCondition({ from = '', subject = '', after = '' }: Pick<WaitQuery, 'from' | 'subject' | 'after'>): MessageCondition {
  const isCursor = CURSOR.test(after)
  const afterMs = after === '' || isCursor ? Number.NEGATIVE_INFINITY : Date.parse(after)
  if (Number.isNaN(afterMs)) throw new InvalidRequest([{ path: 'after', message: 'must be a cursor or an ISO 8601 time' }])
  const afterCursor = isCursor ? Number(after) : 0
  const [wantedFrom, wantedSubject] = [from.toLowerCase(), subject.toLowerCase()]
  return {
    after: afterCursor,
    matches: message =>
      // A verdict on the sender brings an older message back into the changes, with the cursor of its arrival.
      Number(message.cursor) > afterCursor &&
      `${message.from.name} <${message.from.address}>`.toLowerCase().includes(wantedFrom) &&
      message.subject.toLowerCase().includes(wantedSubject) &&
      Date.parse(message.receivedAt) > afterMs,
  }
}

/** An unknown cursor counts as none: everything that is there is sent again. */
export function parseCursor(text: string | undefined): number {
  return CURSOR.test(text ?? '') ? Number(text) : 0
}
