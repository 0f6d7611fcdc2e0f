/** Mail to the operator as plain text: nothing of it is ever markup on the operator's page. */
import type { OperatorMail } from '#server/mail/context.ts'
import { readReplyTo, readSender, readSubject } from '#server/mime/headers/headers.ts'
import { readBody } from '#server/mime/structure/body.ts'
import { parseMessage } from '#server/mime/structure/parse.ts'
import { htmlToText } from '#server/mime/text/html-text.ts'

const TEXT_CHARS_MAX = 100_000

type MailText = {
  readonly subject: string
  readonly text: string
  /** Where an answer goes; empty when the mail names nobody. */
  readonly replyTo: string
}

/** Never throws: what cannot be parsed is shown as the text it is. */
export function readMailText({ raw, envelopeFrom }: OperatorMail): MailText {
  try {
    const parsed = parseMessage(raw)
    const replyTo = readReplyTo(parsed)[0]?.address || readSender(parsed).address || envelopeFrom
    const { text, html } = readBody(raw, parsed)
    return { subject: readSubject(parsed), text: (text ?? htmlToText(html ?? '', TEXT_CHARS_MAX)).slice(0, TEXT_CHARS_MAX), replyTo }
  } catch {
    return { subject: '', text: Buffer.from(raw.subarray(0, TEXT_CHARS_MAX)).toString('utf8'), replyTo: envelopeFrom }
  }
}
