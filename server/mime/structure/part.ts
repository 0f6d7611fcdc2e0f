import { parseTransferEncoding } from '../encodings/transfer-encoding.ts'
import { boundaryParameter, parseStructured, type Structured, textParameter, tokenParameter } from '../headers/parameters.ts'
import type { HeaderField, MimePart } from '../types.ts'
import type { Warnings } from '../warnings.ts'

/** A part whose end is not known yet. */
export type DraftPart = Omit<MimePart, 'bodyLength' | 'children'> & {
  bodyLength: number
  children: MimePart[]
  readonly boundary: string | undefined
  /** Fields of a first part whose delimiter is missing, so that they are in the block of the multipart. */
  readonly firstPart: readonly HeaderField[]
}

type ContentFields = { typeCount: number; type?: string; encoding?: string; disposition?: string; id?: string }

const nothing: Structured = { value: '', parameters: new Map() }

/** Reads the Content-* fields of a part. Of repeated fields the first counts, as for From. */
export function draftPart(
  headers: readonly HeaderField[],
  path: readonly number[],
  bodyOffset: number,
  defaultType: string,
  warnings: Warnings,
): DraftPart {
  const fields = contentFields(headers, warnings)
  const type = fields.type === undefined ? nothing : parseStructured(fields.type)
  const disposition = fields.disposition === undefined ? nothing : parseStructured(fields.disposition)
  const contentType = mediaType(type.value, fields.type, defaultType)
  const isText = contentType.startsWith('text/')
  return {
    path,
    headers,
    contentType,
    charset: tokenParameter(type, 'charset')?.toLowerCase() || undefined,
    encoding: parseTransferEncoding(fields.encoding),
    disposition: parseDisposition(disposition.value),
    filename: textParameter(disposition, 'filename') ?? textParameter(type, 'name'),
    contentId: parseContentId(fields.id),
    format: {
      flowed: isText && tokenParameter(type, 'format')?.toLowerCase() === 'flowed',
      delSp: tokenParameter(type, 'delsp')?.toLowerCase() === 'yes',
    },
    boundary: contentType.startsWith('multipart/') ? boundaryParameter(type) : undefined,
    firstPart: contentType.startsWith('multipart/') && fields.typeCount === 2 ? mergedPart(headers) : [],
    bodyOffset,
    bodyLength: 0,
    children: [],
  }
}

function contentFields(headers: readonly HeaderField[], warnings: Warnings): ContentFields {
  const found: ContentFields = { typeCount: 0 }
  for (const { name, value } of headers) {
    if (name.length < 10 || (name.charCodeAt(0) | 32) !== 0x63) continue
    const key = contentKeys.get(name.toLowerCase())
    if (key === undefined) continue
    if (key === 'type') found.typeCount++
    if (found[key] === undefined) found[key] = value
    else warnings.add('duplicate_header', name.toLowerCase())
  }
  return found
}

const contentKeys = new Map<string, 'type' | 'encoding' | 'disposition' | 'id'>([
  ['content-type', 'type'],
  ['content-transfer-encoding', 'encoding'],
  ['content-disposition', 'disposition'],
  ['content-id', 'id'],
])

/**
 * The fields from the second Content-Type on, if it says in full that text follows. Otherwise the first counts: a bare `text/plain` is
 * added to every mail by some gateways, and what follows is the preamble.
 */
function mergedPart(headers: readonly HeaderField[]): readonly HeaderField[] {
  const second = headers.findLastIndex(({ name }) => name.toLowerCase() === 'content-type')
  const value = headers[second]?.value ?? ''
  const isInFull = value.includes(';') || headers.length > second + 1
  return isInFull && /^text\/(plain|html)\b/i.test(value) ? headers.slice(second) : []
}

function mediaType(value: string, field: string | undefined, defaultType: string): string {
  if (field === undefined) return defaultType
  if (/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(value)) return value
  // RFC 2045 §5.2: an unreadable type is text, but a main type alone is enough not to show it as text
  if (/^(image|audio|video|application)\b/.test(value)) return 'application/octet-stream'
  if (/^multipart\b/.test(value)) return 'multipart/mixed'
  return value === 'html' ? 'text/html' : 'text/plain'
}

/** RFC 2183 §2.8: an unknown disposition means attachment. Anything that is no word is ignored. */
function parseDisposition(value: string): MimePart['disposition'] {
  if (!/^[a-z][\w-]*$/.test(value)) return undefined
  return value === 'inline' ? 'inline' : 'attachment'
}

function parseContentId(field: string | undefined): string | undefined {
  if (field === undefined) return undefined
  const id = /<([^<>]*)>/.exec(field)?.[1] ?? field
  return id.trim() || undefined
}
