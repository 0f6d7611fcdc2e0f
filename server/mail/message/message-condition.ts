/** Which messages a list or long poll asks for. Text matches as a case-insensitive substring. */
import type { Message, MessageSummary } from '#contract/mailbox.ts'
import { containsText } from '#contract/text-patterns.ts'

/** What the row of a message tells. */
export type RowCondition = {
  /** In the sender's name or address. */
  readonly from: string
  readonly subject: string
  /** In an address of the mailbox that the envelope named, e.g. `box+signup@`. */
  readonly envelopeTo?: string | undefined
  /** Only messages that arrived after this cursor match; 0 if none was given. */
  readonly afterCursor: number
  /** Milliseconds since the epoch. */
  readonly afterMs: number
}

/** What only the whole message tells. */
export type ContentCondition = {
  /** In a recipient of the envelope, `To` or `Cc`. */
  readonly to?: string | undefined
  /** In the text, or in the HTML, where the text may only say that there is HTML. */
  readonly body?: string | undefined
}

export type MessageCondition = RowCondition & ContentCondition

export function matchesRow({ cursor, from, subject, envelopeTo, receivedAt }: MessageSummary, condition: RowCondition): boolean {
  return (
    // Authentication results move an older message to the end of the changes; its arrival cursor stays the same.
    Number(cursor) > condition.afterCursor &&
    containsText(`${from.name} <${from.address}>`, condition.from) &&
    containsText(subject, condition.subject) &&
    (condition.envelopeTo === undefined || includesAny(envelopeTo, condition.envelopeTo)) &&
    Date.parse(receivedAt) > condition.afterMs
  )
}

export function matchesContent({ envelopeTo, to, cc, text, html }: Message, { to: wantedTo, body }: ContentCondition): boolean {
  const named = [...to, ...cc].map(({ address }) => address)
  const isTo = wantedTo === undefined || includesAny([...envelopeTo, ...named], wantedTo)
  return isTo && (body === undefined || [text, html].some(view => view !== undefined && containsText(view, body)))
}

const includesAny = (values: readonly string[], wanted: string): boolean => values.some(value => containsText(value, wanted))
