import type { WaitQuery } from '#contract/mailbox.ts'
import type { RowCondition } from '#server/mail/message/message-condition.ts'
import { InvalidRequest } from './invalid-request.ts'

const CURSOR = /^\d{1,15}$/

/** The condition of a query. @throws InvalidRequest if `after` is neither a cursor nor a valid date. */
export function readCondition({ from = '', subject = '', after = '' }: Pick<WaitQuery, 'from' | 'subject' | 'after'>): RowCondition {
  const isCursor = CURSOR.test(after)
  const afterMs = after === '' || isCursor ? Number.NEGATIVE_INFINITY : Date.parse(after)
  if (Number.isNaN(afterMs)) throw new InvalidRequest([{ path: 'after', message: 'must be a cursor or an ISO 8601 time' }])
  return { from, subject, afterCursor: isCursor ? Number(after) : 0, afterMs }
}

/** An unknown cursor counts as none: everything is sent again. */
export function parseCursor(text: string | undefined): number {
  return CURSOR.test(text ?? '') ? Number(text) : 0
}
