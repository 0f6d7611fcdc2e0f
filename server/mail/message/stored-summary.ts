/**
 * Encodes a message's summary, and its authentication results, for the store, where they are encrypted. Every version can decode them: an
 * older summary lacks fields, a newer one may have fields in another form. Such a message is still listed with what is known.
 */
import { ROW_ATTACHMENTS_MAX } from '#contract/limits.ts'
import type { Attachment, Authentication, ConfirmationLink, MessageSummary, SenderVerdict, UnsignedPart } from '#contract/mailbox.ts'
import type { StoredMessage } from '#server/store/store.ts'
import type { SiteClaim } from '../authentication/sender-verdict.ts'

/**
 * Increase it when the meaning of a field changes. In the store, a new
 * field needs only a default in `decodeSummary` for summaries without it; in replies it is optional for one release (docs/upgrades.md).
 */
const SUMMARY_VERSION = 1

/**
 * The summary without what the store keeps next to it, and with the reverse path, which is not in the message. Without `envelopeTo`, in
 * which the copies of a mail differ, until it is encoded for one of them. Authentication results that were not known yet when the mail
 * arrived are stored next to it.
 */
export type StoredSummary = Omit<MessageSummary, 'id' | 'cursor' | 'receivedAt' | 'envelopeTo' | keyof SenderVerdict> & {
  readonly envelopeFrom: string
  readonly envelopeTo?: string[]
  readonly siteClaim?: SiteClaim
}

/** What the store keeps next to a summary. */
export type StoredRow = Pick<StoredMessage, 'messageId' | 'arrivalCursor' | 'receivedAt'>
/** What a list shows of a message, without the row. */
export type ShownSummary = Omit<MessageSummary, 'id' | 'cursor' | 'receivedAt'>

type Fields = Readonly<Record<string, unknown>>

export function withRow({ messageId, arrivalCursor, receivedAt }: StoredRow, shown: ShownSummary): MessageSummary {
  return { id: messageId, cursor: String(arrivalCursor), receivedAt: new Date(receivedAt).toISOString(), ...shown }
}

export function encodeSummary(summary: StoredSummary): Buffer {
  return Buffer.from(
    JSON.stringify({ version: SUMMARY_VERSION, ...summary, attachments: summary.attachments.slice(0, ROW_ATTACHMENTS_MAX) }),
  )
}

/** Never throws: unreadable fields get an empty value. */
export function decodeSummary(bytes: Uint8Array): StoredSummary {
  const fields = parseFields(bytes)
  const attachments = readList(fields.attachments, isAttachment)
  const from = isFields(fields.from) ? fields.from : {}
  return {
    subject: textOr(fields.subject, ''),
    from: { name: textOr(from.name, ''), address: textOr(from.address, '') },
    envelopeTo: readList(fields.envelopeTo, isText),
    preview: textOr(fields.preview, ''),
    size: countOr(fields.size, 0),
    // Without a count, all attachments are in the list.
    attachments: attachments.slice(0, ROW_ATTACHMENTS_MAX),
    attachmentCount: countOr(fields.attachmentCount, attachments.length),
    codes: readList(fields.codes, isText),
    ...(isLink(fields.link) ? { link: { url: fields.link.url, label: fields.link.label } } : {}),
    // Unknown values count as partly parsed.
    parseStatus: fields.parseStatus === 'ok' || fields.parseStatus === 'failed' ? fields.parseStatus : 'partial',
    envelopeFrom: textOr(fields.envelopeFrom, ''),
    ...(fields.siteClaim === 'name' || fields.siteClaim === 'address' ? { siteClaim: fields.siteClaim } : {}),
    ...(isFields(fields.authentication) ? { authentication: readAuthentication(fields.authentication) } : {}),
  }
}

export const encodeAuthentication = (authentication: Authentication): Buffer => Buffer.from(JSON.stringify(authentication))

const RESULTS: readonly unknown[] = [
  'pass',
  'fail',
  'softfail',
  'neutral',
  'none',
  'temperror',
  'permerror',
] satisfies Authentication['spf'][]
const UNSIGNED_PARTS: readonly unknown[] = ['body', 'from', 'subject', 'date', 'to', 'content-type'] satisfies UnsignedPart[]

export const decodeAuthentication = (bytes: Uint8Array): Authentication | undefined => readAuthentication(parseFields(bytes))

/**
 * `undefined` for results that this version cannot read: half of them would be misleading. Results of builds that did not note the policy
 * contradict nobody.
 */
function readAuthentication({
  spf,
  dkim,
  dmarc,
  arc,
  domain,
  domainBy,
  policy,
  policyDomain,
  ...fields
}: Fields): Authentication | undefined {
  if (!isResult(spf) || !isResult(dkim) || !isResult(dmarc) || !isResult(arc)) return undefined
  const unsigned = readList(fields.unsigned, isUnsignedPart)
  const listedOn = readList(fields.listedOn, isText)
  return {
    ...{ spf, dkim, dmarc, arc },
    ...(isText(domain) ? { domain } : {}),
    ...(domainBy === 'dkim' || domainBy === 'spf' ? { domainBy } : {}),
    ...(policy === 'none' || policy === 'quarantine' || policy === 'reject' ? { policy } : {}),
    ...(unsigned.length > 0 ? { unsigned } : {}),
    ...(isText(policyDomain) ? { policyDomain } : {}),
    ...(listedOn.length > 0 ? { listedOn } : {}),
  }
}

const isUnsignedPart = (value: unknown): value is UnsignedPart => UNSIGNED_PARTS.includes(value)
const isResult = (value: unknown): value is Authentication['spf'] => RESULTS.includes(value)

function parseFields(bytes: Uint8Array): Fields {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())
    return isFields(value) ? value : {}
  } catch {
    return {}
  }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const isText = (value: unknown): value is string => typeof value === 'string'
const textOr = (value: unknown, fallback: string): string => (isText(value) ? value : fallback)

function countOr(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : fallback
}

const readList = <Item>(value: unknown, isItem: (item: unknown) => item is Item): Item[] =>
  Array.isArray(value) ? value.filter(isItem) : []

function isLink(value: unknown): value is ConfirmationLink {
  return isFields(value) && isText(value.url) && /^https?:\/\//i.test(value.url) && isText(value.label)
}

function isAttachment(value: unknown): value is Attachment {
  if (!isFields(value)) return false
  const { index, filename, size, contentType, inline, contentId } = value
  const isWhole = typeof index === 'number' && typeof size === 'number' && typeof inline === 'boolean'
  return isWhole && isText(filename) && isText(contentType) && (contentId === undefined || isText(contentId))
}
