/** Builds a whole message, or its row in a list, for the owner. */
import { MIB } from '#contract/limits.ts'
import type { Authentication, Message, MessageSummary } from '#contract/mailbox.ts'
import { decodedHeaders, readCc, readDate, readReplyTo, readSender, readSubject, readTo } from '#server/mime/headers/headers.ts'
import { htmlToText, readHtml } from '#server/mime/html/html.ts'
import { decodeAttachment, listAttachments } from '#server/mime/structure/attachments.ts'
import { readBody, shownMessage, TEXT_TRUNCATED } from '#server/mime/structure/body.ts'
import { parseMessage } from '#server/mime/structure/parse.ts'
import { senderVerdict } from '../authentication/sender-verdict.ts'
import { findConfirmationLinks } from '../codes/confirmation-links.ts'
import { listLinks } from '../codes/seen-links.ts'
import { type ShownSummary, type StoredRow, type StoredSummary, withRow } from './stored-summary.ts'
import { toAttachment } from './summary.ts'

/** How much of an unparseable message is shown as text. The raw view shows all of it. */
const RAW_TEXT_BYTES_MAX = MIB

export function toMessageSummary(row: StoredRow, sealed: StoredSummary, authentication: Authentication | undefined): MessageSummary {
  return withRow(row, toShownSummary(sealed, authentication))
}

export function toShownSummary(sealed: StoredSummary, authentication: Authentication | undefined): ShownSummary {
  const { envelopeFrom: _, link, ...summary } = sealed
  const verdict = senderVerdict(summary.from, authentication)
  const shownLink = link && verdict.verdict !== 'contradicted' ? { link } : {}
  return { ...summary, ...shownLink, ...(authentication ? { authentication } : {}), ...verdict }
}

/** Never throws: a message that cannot be parsed is shown as text. */
export function toMessage(summary: MessageSummary, envelopeFrom: string, raw: Uint8Array): Message {
  if (summary.parseStatus === 'failed') return unparsedMessage(summary, envelopeFrom, raw)
  try {
    return parsedMessage(summary, envelopeFrom, raw)
  } catch {
    return unparsedMessage(summary, envelopeFrom, raw)
  }
}

/** A message that must not be parsed again. */
export function unparsedMessage(summary: MessageSummary, envelopeFrom: string, raw: Uint8Array): Message {
  const text = Buffer.from(raw.subarray(0, RAW_TEXT_BYTES_MAX)).toString('utf8')
  const nothing = { to: [], cc: [], replyTo: [], headers: [], links: [], allLinks: [] }
  return { ...summary, parseStatus: 'failed', envelopeFrom, ...nothing, text, warnings: ['not_parsed'] }
}

/** One attachment, with a name and type that are safe to send. */
export type AttachmentBytes = { readonly filename: string; readonly contentType: string; readonly bytes: Uint8Array }

/** `undefined` if there is no such attachment. */
export function attachmentAt(raw: Uint8Array, index: number): AttachmentBytes | undefined {
  const found = listAttachments(raw, parseMessage(raw)).find(attachment => attachment.index === index)
  return found && { filename: found.filename, contentType: found.contentType, bytes: decodeAttachment(raw, found) }
}

function parsedMessage(summary: MessageSummary, envelopeFrom: string, raw: Uint8Array): Message {
  const parsed = parseMessage(raw)
  const attachments = listAttachments(raw, parsed).map(toAttachment)
  const shown = shownMessage(raw, parsed)
  const { html, text, warnings } = readBody(shown.raw, shown.parsed)
  const seen = html === undefined ? undefined : readHtml(html)
  const date = readDate(parsed)?.toISOString()
  return {
    ...summary,
    parseStatus: warnings.includes(TEXT_TRUNCATED) ? 'partial' : summary.parseStatus,
    attachments,
    attachmentCount: attachments.length,
    envelopeFrom,
    to: readTo(parsed),
    cc: readCc(parsed),
    replyTo: readReplyTo(parsed),
    headers: decodedHeaders(parsed).map(({ name, value }) => ({ name, value })),
    links: findConfirmationLinks({ subject: readSubject(parsed), html, text }),
    allLinks: listLinks(seen, text),
    warnings: [...parsed.warnings, ...warnings],
    ...(date === undefined ? {} : { date }),
    ...(html === undefined ? {} : { html }),
    ...(text === undefined ? {} : { text }),
    ...(seen === undefined || text !== undefined ? {} : { htmlText: seen.text }),
  }
}

const TEXT_CHARS_MAX = 100_000

/**
 * A mail as plain text, for the operator: no part of it is ever markup on the operator's page. Runs in a mail thread, because strangers
 * write to postmaster.
 */
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
