/** Compares with what stalwart's mail-parser expects of single header fields, each in its own message. */
import * as z from 'zod/mini'
import { decodedHeaders, firstHeader, readDate, readSubject, readTo } from '#reader/mime/headers/headers.ts'
import { parseStructured, textParameter, tokenParameter } from '#reader/mime/headers/parameters.ts'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import type { ParsedMessage } from '#reader/mime/types.ts'
import { type Agreement, readCorpus } from './agreement.ts'
import { addressesSchema, dateSchema, expectedAddresses, expectedDate } from './stalwart-values.ts'

const casesSchema = z.array(z.object({ header: z.string(), expected: z.unknown() }))
const typeSchema = z.object({
  c_type: z.string(),
  c_subtype: z.nullable(z.string()),
  attributes: z.optional(z.nullable(z.array(z.tuple([z.string(), z.string()])))),
})

export function compareAddresses(agreement: Agreement): void {
  eachCase('address', (where, { header, expected }) => {
    // the end of a group may leave an entry without a name and address
    const wanted = expectedAddresses(addressesSchema.parse(expected)).filter(({ name, address }) => name !== '' || address !== '')
    agreement.expect(where, readTo(messageWith('To', header)), wanted)
  })
}

export function compareDates(agreement: Agreement): void {
  eachCase('date', (where, { header, expected }) => {
    const wanted = expected === null ? undefined : expectedDate(dateSchema.parse(expected))
    agreement.expect(where, readDate(messageWith('Date', header))?.toISOString(), wanted)
  })
}

/**
 * The type and each parameter. A field without a type is text/plain for us (RFC 2045 §5.2). Languages (`title-language`) are skipped,
 * because we do not use them.
 */
export function compareContentTypes(agreement: Agreement): void {
  eachCase('content_type', (where, { header, expected }) => {
    const { root } = messageWith('Content-Type', header)
    const field = parseStructured(firstHeader(root, 'content-type') ?? '')
    const wanted = expected === null ? undefined : typeSchema.parse(expected)
    if (wanted === undefined) agreement.expect(where, root.contentType, 'text/plain')
    else agreement.expect(where, field.value.replace(/\/$/, ''), [wanted.c_type, wanted.c_subtype].filter(Boolean).join('/'))
    for (const [name, value] of wanted?.attributes ?? []) {
      if (name.endsWith('-language')) continue
      agreement.expect(`${where} ${name}`, TOKENS.has(name) ? tokenParameter(field, name) : textParameter(field, name), value)
    }
  })
}
const TOKENS = new Set(['boundary', 'charset', 'format'])

/** Received is shown unchanged, so only its date can be compared. */
export function compareReceived(agreement: Agreement): void {
  eachCase('received', (where, { header, expected }) => {
    const date = z.object({ date: z.optional(z.nullable(dateSchema)) }).parse(expected).date
    if (!date) return
    const field = firstHeader(messageWith('Received', header).root, 'received') ?? ''
    const received = readDate(messageWith('Date', field.slice(field.lastIndexOf(';') + 1)))
    agreement.expect(where, received?.toISOString(), expectedDate(date))
  })
}

/** Keywords are shown as one line, whose words must be the expected ones. */
export function compareLists(agreement: Agreement): void {
  eachCase('list', (where, { header, expected }) => {
    const line = decodedHeaders(messageWith('Keywords', header)).find(({ name }) => name === 'Keywords')?.value ?? ''
    const words = line.split(',').map(word => word.trim())
    agreement.expect(
      where,
      words.filter(word => word !== ''),
      expected,
    )
  })
}

/** A part has one Content-ID: the first. */
export function compareIds(agreement: Agreement): void {
  eachCase('id', (where, { header, expected }) => {
    const ids = z.nullable(z.array(z.string())).parse(expected)
    agreement.expect(where, messageWith('Content-ID', header).root.contentId, ids?.[0])
  })
}

export function compareUnstructured(agreement: Agreement): void {
  eachCase('unstructured', (where, { header, expected }) => {
    agreement.expect(where, readSubject(messageWith('Subject', header)), expected ?? '')
  })
}

function eachCase(file: string, compare: (where: string, entry: { readonly header: string; readonly expected: unknown }) => void): void {
  const cases = casesSchema.parse(JSON.parse(readCorpus('stalwart-headers', `${file}.json`).toString('utf8')))
  for (const [index, entry] of cases.entries()) compare(`${file} ${index + 1}`, entry)
}

/** The field as stalwart has it: with its line end, or with further lines. */
function messageWith(name: string, header: string): ParsedMessage {
  return parseMessage(Buffer.from(`${name}:${header}`))
}
