/** Reads what a person sees in a mail. */
import { type ConfirmationLink, findConfirmationLinks } from './links/confirmation-links.ts'
import { listLinks, writtenLinks } from './links/seen-links.ts'
import { decodedHeaders, readCc, readDate, readReplyTo, readSender, readSubject, readTo } from './mime/headers/headers.ts'
import { attachmentDecoder, decodeAttachment, listAttachments } from './mime/structure/attachments.ts'
import { readBody } from './mime/structure/body.ts'
import { shownMessage } from './mime/structure/body-parts.ts'
import { parseMessage } from './mime/structure/parse.ts'
import { readReport } from './mime/structure/report.ts'
import { TEXT_TRUNCATED } from './mime/structure/text-part.ts'
import type { HeaderField, MailAddress, ParseStatus, Report } from './mime/types.ts'
import { hasWords, htmlToText, joinSeen, readHtml } from './seen/html.ts'
import { containsTag, taggedText } from './seen/tagged-text.ts'
import { type Attachment, toAttachment } from './summary.ts'
import { explainWarnings, findFaults, type Warning } from './warnings/warnings.ts'

type ReadMail = {
  readonly parseStatus: ParseStatus
  readonly to: MailAddress[]
  readonly cc: MailAddress[]
  readonly replyTo: MailAddress[]
  readonly headers: HeaderField[]
  /** `sha256` hashes the decoded bytes, in hex. */
  readonly attachments: (Attachment & { readonly sha256?: string })[]
  /** The links that ask to confirm, best guess first. */
  readonly links: ConfirmationLink[]
  /** Every link that a reader sees, each URL once. */
  readonly allLinks: { url: string; text: string }[]
  readonly warnings: Warning[]
  /** The `Date:` header as ISO 8601, if it is readable. */
  readonly date?: string
  readonly html?: string
  readonly text?: string
  /** The words of the HTML that a reader sees, in a message without a text, or whose text is HTML. */
  readonly htmlText?: string
  readonly report?: Report
}

/** `sha256` hashes the bytes of attachments; without it they have no hash. */
export function readMail(raw: Uint8Array, sha256?: (bytes: Uint8Array) => string): ReadMail {
  const parsed = parseMessage(raw)
  const shown = shownMessage(raw, parsed)
  const { html, text, warnings } = readBody(shown.raw, shown.parsed)
  // As the page does it: an HTML without a tag is shown only for want of a text, and a text only for want of words in the HTML.
  const view = html !== undefined && (text === undefined || containsTag(html)) ? readHtml(html) : undefined
  const tagged = text === undefined || (view && hasWords(view.text)) ? undefined : taggedText(text)
  const seen = tagged === undefined ? view : joinSeen(view, readHtml(tagged))
  const plain = tagged === undefined ? text : undefined
  const shownText = seen && hasWords(seen.text) ? undefined : plain
  const written = writtenLinks(seen, shownText)
  const date = readDate(parsed)?.toISOString()
  const report = readReport(raw, parsed.root)
  const decode = attachmentDecoder(raw)
  return {
    parseStatus: warnings.includes(TEXT_TRUNCATED) ? 'partial' : parsed.status,
    attachments: listAttachments(raw, parsed).map(part => ({ ...toAttachment(part), ...(sha256 && { sha256: sha256(decode(part)) }) })),
    to: readTo(parsed),
    cc: readCc(parsed),
    replyTo: readReplyTo(parsed),
    headers: decodedHeaders(parsed).map(({ name, value }) => ({ name, value })),
    links: findConfirmationLinks({
      subject: readSubject(parsed),
      seen,
      text: plain,
      ...(shownText === undefined ? { bare: written } : { written }),
    }),
    allLinks: listLinks(seen, shownText, written),
    warnings: explainWarnings([...parsed.warnings, ...warnings, ...findFaults(raw, parsed)]),
    ...(date === undefined ? {} : { date }),
    ...(report && { report }),
    ...(html === undefined ? {} : { html }),
    ...(text === undefined ? {} : { text }),
    ...(seen === undefined || plain !== undefined ? {} : { htmlText: seen.text }),
  }
}

/** What a download says of an attachment. Its name and type are safe to send; the charset is the sender's word for a text. */
export type AttachmentHead = { readonly filename: string; readonly contentType: string; readonly charset: string | undefined }

export type AttachmentBytes = AttachmentHead & { readonly bytes: Uint8Array }

/** `undefined` if there is no such attachment. */
export function attachmentAt(raw: Uint8Array, index: number): AttachmentBytes | undefined {
  const found = listAttachments(raw, parseMessage(raw)).find(attachment => attachment.index === index)
  if (!found) return undefined
  const { filename, contentType, part, slice } = found
  return { filename, contentType, charset: slice ? undefined : part.charset, bytes: decodeAttachment(raw, found) }
}

const TEXT_CHARS_MAX = 100_000

/** A mail without any markup. */
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

export function unparsedText(raw: Uint8Array, envelopeFrom: string): PlainText {
  return { subject: '', text: Buffer.from(raw.subarray(0, TEXT_CHARS_MAX)).toString('utf8'), replyTo: envelopeFrom }
}
