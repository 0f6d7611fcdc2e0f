/** Builds the summary of a message for its row in the inbox. */
import { findCodes } from './codes/codes.ts'
import { type ConfirmationLink, findConfirmationLinks } from './links/confirmation-links.ts'
import { readSubject } from './mime/headers/headers.ts'
import { listAttachments } from './mime/structure/attachments.ts'
import { shownMessage } from './mime/structure/body-parts.ts'
import { parseMessage } from './mime/structure/parse.ts'
import type { AttachmentPart, MailAddress, ParsedMessage, ParseStatus } from './mime/types.ts'
import { joinSeen, readHtml, type SeenHtml } from './seen/html.ts'
import { type HtmlSample, htmlSample, textPrefix, textSample } from './seen/preview.ts'
import { taggedText } from './seen/tagged-text.ts'
import { shownSender, truncate } from './shown-sender.ts'

/** Two lines of a wide row. */
const PREVIEW_CHARS_MAX = 200
/** Characters of a subject in a row; the whole text is in the message's headers. */
const SUBJECT_CHARS_MAX = 1000
const CONTENT_TYPE_CHARS_MAX = 127 // RFC 6838 section 4.2: twice 63 and a slash
const CONTENT_ID_CHARS_MAX = 200
/** Encoded bytes of the plain text that are searched for one-time codes. */
const TEXT_SAMPLE_BYTES = 16 * 1024
/** How far an unparseable message is searched for a subject. */
const SUBJECT_SEARCH_BYTES = 64 * 1024

/** An attachment without the place of its bytes. */
export type Attachment = Pick<AttachmentPart, 'index' | 'filename' | 'size' | 'contentType' | 'inline'> & {
  readonly contentId?: string
  /** Missing in a row. */
  readonly references?: string[]
}

type MailSummary = {
  readonly subject: string
  readonly from: MailAddress
  readonly preview: string
  readonly size: number
  readonly attachments: Attachment[]
  readonly attachmentCount: number
  readonly codes: string[]
  readonly link?: ConfirmationLink
  readonly parseStatus: ParseStatus
  /** The reverse path (RFC 5321 section 3.3), which is not in the message. */
  readonly envelopeFrom: string
}

/** Never throws: a message that breaks the parser gets `unparsedSummary`. `parsed`: if it was parsed already. */
export function summarise(raw: Uint8Array, envelopeFrom: string, parsed?: ParsedMessage): MailSummary {
  try {
    return buildSummary(raw, parsed ?? parseMessage(raw), envelopeFrom)
  } catch {
    return unparsedSummary(raw, envelopeFrom)
  }
}

function buildSummary(raw: Uint8Array, parsed: ParsedMessage, envelopeFrom: string): MailSummary {
  const attachments = listAttachments(raw, parsed)
  const subject = readSubject(parsed)
  const shown = shownMessage(raw, parsed)
  const sample = textSample(shown.raw, shown.parsed, TEXT_SAMPLE_BYTES)
  const tagged = taggedText(sample)
  const seenText = tagged === undefined ? undefined : readHtml(tagged)
  const text = seenText?.text ?? sample
  const preview = truncate(textPrefix(shown.raw, shown.parsed, PREVIEW_CHARS_MAX), PREVIEW_CHARS_MAX)
  const html = htmlSample(shown.raw, shown.parsed)
  const codes = readCodes(subject, text, html)
  const link = codes.length === 0 ? readLink(subject, seenText ?? sample, html) : undefined
  return {
    subject: truncate(subject, SUBJECT_CHARS_MAX),
    from: shownSender(parsed),
    preview,
    size: raw.byteLength,
    attachments: attachments.map(rowAttachment),
    attachmentCount: attachments.length,
    codes,
    ...(link && { link }),
    parseStatus: parsed.status,
    envelopeFrom,
  }
}

/** Clipped, because the sender chooses these texts and a list has a hundred rows. */
function rowAttachment(part: AttachmentPart): Attachment {
  const { contentType, contentId, references: _, ...attachment } = toAttachment(part)
  const truncated = { ...attachment, contentType: truncate(contentType, CONTENT_TYPE_CHARS_MAX) }
  return contentId === undefined ? truncated : { ...truncated, contentId: truncate(contentId, CONTENT_ID_CHARS_MAX) }
}

/** A picture whose words may have a code. */
const NUMBERED_PICTURE = /\balt\s*=\s*["'][^"']*\d{3}/i

/**
 * HTML with words is what the page shows, and of the text beside it only what it repeats, however far down. Without words the text counts,
 * and then the words that stand for pictures.
 */
function readCodes(subject: string, text: string, html: HtmlSample | undefined): string[] {
  // Signs alone are all that is shown where there is no text.
  const shown = html?.hasWords || text.trim() === '' ? (html?.seen.text ?? '') : ''
  const find = (words: string) => (words.trim() === '' ? [] : findCodes({ subject, text: words }))
  const inHtml = find(shown)
  if (inHtml.length > 0) return inHtml
  const inText = find(text)
  if (inText.length > 0 && html?.whole) return readCodes(subject, text, html.whole())
  const letters = inText.length === 0 ? '' : plain(`${subject} ${shown}`)
  const found = shown === '' ? inText : inText.filter(code => letters.includes(plain(code)))
  if (found.length > 0) return found
  if (html && NUMBERED_PICTURE.test(html.html)) return findCodes({ subject, text: html.textWithPictures() })
  // Pictures alone, or nothing: all the words are in the subject.
  return `${shown}${text}`.trim() === '' ? findCodes({ subject, text: '' }) : []
}

function plain(words: string): string {
  return words.replace(/[^\p{L}\p{N}]/gu, '')
}

/** A mail without a code may ask to follow a link instead. Most have no link. A text with tags stands below an HTML without words. */
function readLink(subject: string, written: string | SeenHtml, html: HtmlSample | undefined): ConfirmationLink | undefined {
  if (!html && typeof written === 'string' && !/https?:/i.test(written)) return undefined
  const [text, tagged] = typeof written === 'string' ? [written] : [undefined, written]
  const find = (seen: SeenHtml | undefined) => findConfirmationLinks({ subject, seen, text })[0]
  const found = find(tagged && !html?.hasWords ? joinSeen(html?.seen, tagged) : html?.seen)
  // The text has one that the start of a long HTML has not.
  return !found && html?.whole && find(tagged) ? find(html.whole().seen) : found
}

/**
 * Summary of a message that must not be parsed again because it ran out of time or memory: the first subject line as it is, and the size.
 */
export function unparsedSummary(raw: Uint8Array, envelopeFrom: string): MailSummary {
  const head = Buffer.from(raw.subarray(0, SUBJECT_SEARCH_BYTES)).toString('latin1')
  const subject = /^subject:[ \t]*([^\r\n]*)/im.exec(head)?.[1] ?? ''
  return {
    subject: truncate(subject.replace(/[^\x20-\x7e]/g, ''), SUBJECT_CHARS_MAX),
    from: { name: '', address: '' },
    preview: '',
    size: raw.byteLength,
    attachments: [],
    attachmentCount: 0,
    codes: [],
    parseStatus: 'failed',
    envelopeFrom,
  }
}

export function toAttachment({ index, filename, size, contentType, inline, contentId, references }: AttachmentPart): Attachment {
  const named = references.length === 0 ? {} : { references: [...references] }
  return { index, filename, size, contentType, inline, ...(contentId === undefined ? {} : { contentId }), ...named }
}
