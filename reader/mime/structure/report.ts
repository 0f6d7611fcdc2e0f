/**
 * Reads what a program reports on a mail: whether it was delivered (RFC 3464), read (RFC 8098) or complained about (RFC 5965). It is
 * written for programs, below an explanation for people, which may be empty.
 */
import { decodeBody } from '../encodings/transfer-encoding.ts'
import { decodeWords } from '../headers/encoded-words.ts'
import { readHeaderBlock } from '../headers/headers.ts'
import { withPlainLineEnds } from '../text/blocks.ts'
import type { HeaderField, MimePart, Report } from '../types.ts'
import { Warnings } from '../warnings.ts'

const REPORT = /^message\/(?:(?:global-)?(?:delivery-status|disposition-notification)|feedback-report)$/
/** The types of a report that returns only the header of the mail. */
const RETURNED_HEADER = /^(?:text\/rfc822-headers|message\/global-headers)$/

export const isReport = (part: MimePart): boolean => REPORT.test(part.contentType)

/** The fields that tell a reader something, of more than a hundred that are in use. */
const FIELDS = new Map(
  [
    ...['Subject', 'Date', 'Original-Recipient', 'Final-Recipient', 'Status', 'Diagnostic-Code', 'Remote-MTA', 'Reporting-MTA'],
    ...['Arrival-Date', 'Last-Attempt-Date', 'Will-Retry-Until', 'Disposition', 'Reporting-UA', 'Error', 'Failure', 'Warning'],
    ...[
      'Feedback-Type',
      'User-Agent',
      'Original-Mail-From',
      'Original-Rcpt-To',
      'Source-IP',
      'Reported-Domain',
      'Reported-URI',
      'Incidents',
    ],
  ].map(name => [name.toLowerCase(), name]),
)
/** A list of recipients may be long; a report on some of them says what there is to know. */
const REPORT_BYTES_MAX = 65_536
const FIELDS_MAX = 100
const VALUE_CHARS_MAX = 1000
const BLOCK_LIMITS = { fieldsMax: FIELDS_MAX, fieldBytesMax: 4 * VALUE_CHARS_MAX }

/** The report of a message, which is not looked for in embedded ones. */
export function readReport(raw: Uint8Array, root: MimePart): Report | undefined {
  if (root.children.some(isReport)) return reportIn(raw, root)
  for (const child of root.children) {
    const report = child.contentType.startsWith('multipart/') ? readReport(raw, child) : undefined
    if (report) return report
  }
  return undefined
}

/** The words of the report that this part begins, wherever it stands. */
export function reportText(raw: Uint8Array, root: MimePart, part: MimePart): string {
  const parent = part.path.slice(0, -1).reduce<MimePart | undefined>((outer, index) => outer?.children[index], root)
  return reportIn(raw, parent ?? root).text
}

function reportIn(raw: Uint8Array, { children }: MimePart): Report {
  const parts = children.filter(isReport)
  const told = parts.flatMap(part => readFields(decodeBody(raw, part).subarray(0, REPORT_BYTES_MAX))).slice(0, FIELDS_MAX)
  const recipients = told.filter(({ name }) => /^final-recipient$/i.test(name))
  const returned = children.map(child => returnedHeader(raw, child)).find(fields => fields !== undefined) ?? []
  const about = (wanted: string) =>
    returned.filter(({ name }) => name.toLowerCase() === wanted).map(({ name, value }) => ({ name, value: decodeWords(value) }))
  const fields = [...about('subject'), ...told, ...about('date')].flatMap(({ name, value }) => {
    const known = FIELDS.get(name.toLowerCase())
    // Most servers name a recipient twice.
    const isRepeated = known === 'Original-Recipient' && recipients.some(recipient => recipient.value === value)
    return known && !isRepeated && value !== '' ? [{ name: known, value: value.slice(0, VALUE_CHARS_MAX) }] : []
  })
  const kind = kindOf(parts[0]?.contentType ?? '', told)
  return { kind, fields, text: [TITLES[kind], ...fields.map(({ name, value }) => `${name}: ${value}`), ''].join('\n') }
}

const TITLES: Readonly<Record<Report['kind'], string>> = {
  failed: 'A mail could not be delivered.',
  delayed: 'A mail is not delivered yet.',
  delivered: 'A mail was delivered.',
  read: 'A mail was shown to its recipient.',
  deleted: 'A mail was deleted before it was shown.',
  processed: 'A mail was processed.',
  complaint: 'Somebody complained about a mail.',
}

const LF = 10

/** All groups of fields: those of each recipient, then those of the message, which come first in a report. */
function readFields(bytes: Buffer): HeaderField[] {
  const body = Buffer.from(withPlainLineEnds(bytes.toString('latin1')), 'latin1')
  const groups: (readonly HeaderField[])[] = []
  for (let at = 0; groups.length < FIELDS_MAX; ) {
    while (body[at] === LF) at++
    const block = readHeaderBlock(body.subarray(at), BLOCK_LIMITS, '\n', new Warnings())
    if (block.length === 0) break
    groups.push(block.fields)
    at += block.length
  }
  const [ofMessage = [], ...ofRecipients] = groups
  return [...ofRecipients.flat(), ...ofMessage].map(({ name, value }) => ({ name, value: plainValue(value) }))
}

/** Without the type of the value (`rfc822; ann@x.test`), and with characters beyond ASCII as themselves (RFC 6533 §3). */
function plainValue(value: string): string {
  const plain = value.replace(/^(?:rfc822|utf-8|smtp|dns|unknown|x-[\w-]{1,40})\s*;\s*/i, '').replace(/^<([^<>]*)>$/, '$1')
  return decodeWords(plain).replace(/\\x\{([0-9a-f]{2,6})\}/gi, (coded, hex) => {
    const code = Number.parseInt(hex, 16)
    return code > 0xa0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : coded
  })
}

function returnedHeader(raw: Uint8Array, part: MimePart): readonly HeaderField[] | undefined {
  if (RETURNED_HEADER.test(part.contentType)) return readHeaderBlock(decodeBody(raw, part), BLOCK_LIMITS, '\n', new Warnings()).fields
  return part.contentType.startsWith('message/') ? part.children[0]?.headers : undefined
}

/** The worst of what happened to its recipients. */
function kindOf(contentType: string, fields: readonly HeaderField[]): Report['kind'] {
  const values = (wanted: string) => fields.flatMap(({ name, value }) => (name.toLowerCase() === wanted ? [value.toLowerCase()] : []))
  if (contentType === 'message/feedback-report') return 'complaint'
  if (contentType.endsWith('disposition-notification')) {
    const type = /;\s*([\w-]+)/.exec(values('disposition')[0] ?? '')?.[1]
    return type === 'displayed' ? 'read' : type === 'deleted' ? 'deleted' : 'processed'
  }
  const actions = [...values('action'), ...values('status')]
  if (actions.some(action => /^(?:failed|5)/.test(action))) return 'failed'
  if (actions.some(action => /^(?:delayed|4)/.test(action))) return 'delayed'
  return actions.some(action => /^(?:delivered|relayed|expanded|2)/.test(action)) ? 'delivered' : 'failed'
}
