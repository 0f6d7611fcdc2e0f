/** Compares with the JSON that stalwart's mail-parser (Rust) expects of its own test mails: fields, bodies of both views, attachments. */
import * as z from 'zod/mini'
import { readCc, readDate, readReplyTo, readSender, readSubject, readTo } from '#reader/mime/headers/headers.ts'
import { decodeAttachment, listAttachments } from '#reader/mime/structure/attachments.ts'
import { bodyParts } from '#reader/mime/structure/body-parts.ts'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import { textKind } from '#reader/mime/structure/text-part.ts'
import type { MimePart } from '#reader/mime/types.ts'
import { type Agreement, corpusFiles, readCorpus } from './agreement.ts'
import { partText } from './shown.ts'
import { addressesSchema, dateSchema, expectedAddresses, expectedDate } from './stalwart-values.ts'

const contentTypeSchema = z.object({
  attributes: z.optional(z.nullable(z.array(z.object({ name: z.string(), value: z.string() })))),
})
const headerSchema = z.object({ name: z.unknown(), value: z.unknown() })
const partSchema = z.object({
  headers: z.array(headerSchema),
  body: z.record(z.string(), z.unknown()),
  offset_body: z.number(),
  offset_end: z.number(),
})
const messageSchema = z.object({
  html_body: z.array(z.number()),
  text_body: z.array(z.number()),
  attachments: z.array(z.number()),
  parts: z.array(partSchema),
})
type Expected = z.infer<typeof messageSchema>
type ExpectedPart = z.infer<typeof partSchema>

export function compareStalwart(agreement: Agreement): void {
  for (const path of corpusFiles('stalwart', name => name.endsWith('.json'))) {
    const isCrlf = path.endsWith('.crlf.json')
    const expected = messageSchema.parse(JSON.parse(readCorpus('stalwart', path).toString('utf8')))
    const file = readCorpus('stalwart', path.replace(/(\.crlf)?\.json$/, '.eml'))
    compareMessage(agreement, path, isCrlf ? withCrlf(file) : file, expected)
  }
}

function withCrlf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
}

function compareMessage(agreement: Agreement, path: string, raw: Buffer, expected: Expected): void {
  const parsed = parseMessage(raw)
  const headers = expected.parts[0]?.headers ?? []
  const fields = { from: [readSender(parsed)], to: readTo(parsed), cc: readCc(parsed), reply_to: readReplyTo(parsed) }
  for (const [name, actual] of Object.entries(fields)) {
    const list = firstValue(headers, name, 'Address')
    if (list === undefined) continue
    const wanted = expectedAddresses(addressesSchema.parse(list))
    agreement.expect(`${path} ${name}`, actual, name === 'from' ? wanted.slice(0, 1) : wanted)
  }
  const subject = firstValue(headers, 'subject', 'Text')
  if (subject !== undefined) agreement.expect(`${path} subject`, readSubject(parsed), subject)
  const date = firstValue(headers, 'date', 'DateTime')
  if (date !== undefined) agreement.expect(`${path} date`, readDate(parsed)?.toISOString(), expectedDate(dateSchema.parse(date)))
  const views = bodyParts(raw, parsed)
  agreement.expect(`${path} text view`, decodeTexts(raw, views.text), expectedTexts(expected, expected.text_body))
  agreement.expect(`${path} html view`, decodeTexts(raw, views.html), expectedTexts(expected, expected.html_body))
  const attachments = listAttachments(raw, parsed)
  const shown = [...expected.html_body, ...expected.text_body].filter(
    id => !('Text' in (expected.parts[id]?.body ?? {}) || 'Html' in (expected.parts[id]?.body ?? {})),
  )
  const ids = [...new Set([...expected.attachments, ...shown])].sort((a, b) => a - b)
  agreement.expect(
    `${path} attachment names`,
    attachments.map(({ part }) => part.filename ?? ''),
    ids.map(id => expectedName(expected.parts[id])),
  )
  agreement.expect(
    `${path} attachment contents`,
    attachments.map(attachment => Buffer.from(decodeAttachment(raw, attachment)).toString('latin1')),
    ids.map(id => expectedContent(expected.parts[id], attachments.find((_, index) => ids[index] === id)?.part, raw)),
  )
}

function firstValue(headers: ExpectedPart['headers'], name: string, kind: string): unknown {
  const value = headers.find(header => header.name === name)?.value
  return typeof value === 'object' && value !== null && kind in value ? (value as Record<string, unknown>)[kind] : undefined
}

function decodeTexts(raw: Buffer, parts: readonly MimePart[]): string[] {
  return parts.filter(part => textKind(part) !== undefined).map(part => normal(partText(raw, part)))
}

function expectedTexts(expected: Expected, ids: readonly number[]): string[] {
  return ids.flatMap(id => {
    const body = expected.parts[id]?.body ?? {}
    const text = body.Text ?? body.Html
    return typeof text === 'string' ? [normal(text)] : []
  })
}

function normal(text: string): string {
  return text.replace(/\r+\n|\r/g, '\n').replaceAll('\0', '')
}

function expectedName(part: ExpectedPart | undefined): string {
  for (const [field, attribute] of [
    ['content_disposition', 'filename'],
    ['content_type', 'name'],
  ] as const) {
    const value = firstValue(part?.headers ?? [], field, 'ContentType')
    const found = value === undefined ? undefined : contentTypeSchema.parse(value).attributes?.find(entry => entry.name === attribute)
    if (found) return found.value
  }
  return ''
}

function expectedContent(part: ExpectedPart | undefined, ours: MimePart | undefined, raw: Buffer): string {
  const body = part?.body ?? {}
  if (Array.isArray(body.Binary)) return Buffer.from(body.Binary).toString('latin1')
  if (Array.isArray(body.InlineBinary)) return Buffer.from(body.InlineBinary).toString('latin1')
  const text = body.Text ?? body.Html
  if (typeof text === 'string') {
    // the corpus has decoded text, so text is compared and our bytes are returned
    const decoded = ours ? partText(raw, ours) : ''
    const bytes = ours ? decodeAttachment(raw, { part: ours } as never) : undefined
    return normal(decoded) === normal(text) && bytes ? Buffer.from(bytes).toString('latin1') : text
  }
  return part ? raw.toString('latin1', part.offset_body, part.offset_end) : ''
}
