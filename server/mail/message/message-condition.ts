/** Which messages a list or long poll asks for. Text matches as a case-insensitive substring. */
import type { Message, MessageSummary } from '#contract/mailbox.ts'

/** What the row of a message tells. */
export type RowCondition = {
  /** In the sender's name or address. */
  readonly from: string
  readonly subject: string
  /** Only messages that arrived after this cursor match; 0 if none was given. */
  readonly afterCursor: number
  /** Milliseconds since the epoch. */
  readonly afterMs: number
}

/** What only the whole message tells. */
export type ContentCondition = {
  /** A recipient of `To` or `Cc`, e.g. `box+signup@`. */
  readonly to?: string | undefined
  /** In the text, or in the HTML, where the text may only say that there is HTML. */
  readonly body?: string | undefined
}

export type MessageCondition = RowCondition & ContentCondition

export function matchesRow({ cursor, from, subject, receivedAt }: MessageSummary, condition: RowCondition): boolean {
  return (
    // Authentication results move an older message to the end of the changes; its arrival cursor stays the same.
    Number(cursor) > condition.afterCursor &&
    includes(`${from.name} <${from.address}>`, condition.from) &&
    includes(subject, condition.subject) &&
    Date.parse(receivedAt) > condition.afterMs
  )
}

export function matchesContent({ to, cc, text, html }: Message, { to: wantedTo, body }: ContentCondition): boolean {
  const isTo = wantedTo === undefined || [...to, ...cc].some(({ address }) => includes(address, wantedTo))
  return isTo && (body === undefined || [text, html].some(view => view !== undefined && includes(view, body)))
}

function includes(value: string, wanted: string): boolean {
  return value.toLowerCase().includes(wanted.toLowerCase())
}
