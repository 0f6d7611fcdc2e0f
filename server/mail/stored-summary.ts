/**
 * How the row of a message, and the verdict on its sender, are written before they are sealed, and read again by every version:
 * an older row lacks fields, a newer one has fields in another shape. Such a row is still listed, with what is known of it.
 */
import { ROW_ATTACHMENTS_MAX } from '#contract/limits.ts'
import type { Attachment, Authentication, ConfirmationLink, MessageSummary } from '#contract/mailbox.ts'

/** Raise it when the meaning of a field changes; a new field needs only a value for rows without it, in `decodeSummary`. */
const SUMMARY_VERSION = 1

/** The row without what the store keeps beside it, and the reverse path, which stands nowhere in the message. */
export type StoredSummary = Omit<MessageSummary, 'id' | 'cursor' | 'receivedAt' | 'authentication'> & { readonly envelopeFrom: string }

type Fields = Readonly<Record<string, unknown>>

export function encodeSummary(summary: StoredSummary): Buffer {
  return Buffer.from(JSON.stringify({ version: SUMMARY_VERSION, ...summary }))
}

/** Never throws: what cannot be read has an empty value. */
export function decodeSummary(bytes: Uint8Array): StoredSummary {
  const fields = parseFields(bytes)
  const attachments = readList(fields.attachments, isAttachment)
  const from = isFields(fields.from) ? fields.from : {}
  return {
    subject: textOr(fields.subject, ''),
    from: { name: textOr(from.name, ''), address: textOr(from.address, '') },
    preview: textOr(fields.preview, ''),
    size: countOr(fields.size, 0),
    // Rows of older versions have all attachments and no count.
    attachments: attachments.slice(0, ROW_ATTACHMENTS_MAX),
    attachmentCount: countOr(fields.attachmentCount, attachments.length),
    codes: readList(fields.codes, isText),
    ...(isLink(fields.link) ? { link: { url: fields.link.url, label: fields.link.label } } : {}),
    // Only what is surely whole is called so.
    parseStatus: fields.parseStatus === 'ok' || fields.parseStatus === 'failed' ? fields.parseStatus : 'partial',
    envelopeFrom: textOr(fields.envelopeFrom, ''),
  }
}

export function encodeVerdict(verdict: Authentication): Buffer {
  return Buffer.from(JSON.stringify(verdict))
}

const VERDICTS: readonly unknown[] = [
  'pass',
  'fail',
  'softfail',
  'neutral',
  'none',
  'temperror',
  'permerror',
] satisfies Authentication['spf'][]

/** `undefined` for one that this version cannot read: half a verdict would say more than is known. */
export function decodeVerdict(bytes: Uint8Array): Authentication | undefined {
  const { spf, dkim, dmarc, arc, domain } = parseFields(bytes)
  if (!isVerdict(spf) || !isVerdict(dkim) || !isVerdict(dmarc) || !isVerdict(arc)) return undefined
  return { spf, dkim, dmarc, arc, ...(isText(domain) ? { domain } : {}) }
}

function isVerdict(value: unknown): value is Authentication['spf'] {
  return VERDICTS.includes(value)
}

function parseFields(bytes: Uint8Array): Fields {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())
    return isFields(value) ? value : {}
  } catch {
    return {}
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function textOr(value: unknown, fallback: string): string {
  return isText(value) ? value : fallback
}

function countOr(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : fallback
}

function readList<Item>(value: unknown, isItem: (item: unknown) => item is Item): Item[] {
  return Array.isArray(value) ? value.filter(isItem) : []
}

function isLink(value: unknown): value is ConfirmationLink {
  return isFields(value) && isText(value.url) && /^https?:\/\//i.test(value.url) && isText(value.label)
}

function isAttachment(value: unknown): value is Attachment {
  if (!isFields(value)) return false
  const { index, filename, size, contentType, inline, contentId } = value
  const isWhole = typeof index === 'number' && typeof size === 'number' && typeof inline === 'boolean'
  return isWhole && isText(filename) && isText(contentType) && (contentId === undefined || isText(contentId))
}
