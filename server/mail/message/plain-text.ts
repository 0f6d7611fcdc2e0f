/**
 * A mail as plain text, for the operator: no part of it is ever markup on the operator's page. Runs in a mail thread, because strangers
 * write to postmaster.
 */
import { readReplyTo, readSender, readSubject } from '#server/mime/headers/headers.ts'
import { readBody } from '#server/mime/structure/body.ts'
import { parseMessage } from '#server/mime/structure/parse.ts'
import { shownMessage } from '#server/mime/structure/shown-message.ts'
import { htmlToText } from '#server/mime/text/html-text.ts'

const TEXT_CHARS_MAX = 100_000

export type PlainText = {
  readonly subject: string
  readonly text: string
  /** Where a reply goes; empty if the mail names nobody. */
  readonly replyTo: string
}

/** Never throws: what cannot be parsed is shown as the text it is. */
export function readPlainText(raw: Uint8Array, envelopeFrom: string): PlainText {
  try {
    const parsed = parseMessage(raw)
    const replyTo = readReplyTo(parsed)[0]?.address || readSender(parsed).address || envelopeFrom
    const shown = shownMessage(raw, parsed)
    const { text, html } = readBody(shown.raw, shown.parsed)
    return { subject: readSubject(parsed), text: (text ?? htmlToText(html ?? '', TEXT_CHARS_MAX)).slice(0, TEXT_CHARS_MAX), replyTo }
  } catch {
    return unparsedText(raw, envelopeFrom)
  }
}

/** Without the parser. */
export function unparsedText(raw: Uint8Array, envelopeFrom: string): PlainText {
  return { subject: '', text: Buffer.from(raw.subarray(0, TEXT_CHARS_MAX)).toString('utf8'), replyTo: envelopeFrom }
}
