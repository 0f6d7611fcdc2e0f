import { isAscii, isUtf8 } from 'node:buffer'
import { decodeGuessed, decodeText } from '../charsets/charset.ts'
import type { HeaderField } from '../types.ts'
import type { Warnings } from '../warnings.ts'
import { parseStructured, tokenParameter } from './parameters.ts'

// RFC 5322 §2.2: printable ASCII but colon. White space before the colon is obsolete (§4.5) but still sent.
const FIELD_NAME = /^[!-9;-~]+[ \t]*$/
const FOLD = /[\r\n]+[ \t]*/

type HeaderBlock = {
  readonly fields: readonly HeaderField[]
  /** Bytes from the start of the block to the start of the body. */
  readonly length: number
}

type FieldLimits = { readonly fieldsMax: number; readonly fieldBytesMax: number }

/**
 * Reads the fields of one header block. `bytes` starts with the block, which ends after an empty line or where `bytes` ends. A line that is
 * no field ends it too, and the body starts with that line, unless the line was meant as a field.
 */
export function readHeaderBlock(bytes: Buffer, limits: FieldLimits, newline: '\n' | '\r', warnings: Warnings): HeaderBlock {
  const text = bytes.toString('latin1')
  const ascii = isAscii(bytes)
  const charset = ascii ? undefined : declaredCharset(text)
  const fields: HeaderField[] = []
  let at = 0
  while (at < text.length) {
    const lineEnd = endOfLine(text, at, newline)
    if (isEmptyLine(text, at, lineEnd)) return { fields, length: Math.min(lineEnd + 1, text.length) }
    const colon = fieldColon(text, at, lineEnd)
    if (colon === -1) {
      if (!isSkipped(text, at, lineEnd, newline, fields.length)) {
        warnings.add('header_without_end')
        return { fields, length: at }
      }
      warnings.add('header_garbage')
      at = endOfField(text, lineEnd, newline) + 1
      continue
    }
    const end = endOfField(text, lineEnd, newline)
    if (fields.length < limits.fieldsMax) {
      const valueEnd = Math.min(end, colon + 1 + limits.fieldBytesMax)
      if (valueEnd < end) warnings.add('field_bytes_max', String(limits.fieldBytesMax))
      const value = ascii ? text.slice(colon + 1, valueEnd) : decodeField(bytes.subarray(colon + 1, valueEnd), charset)
      fields.push({ name: text.slice(at, colon).trimEnd(), value: unfold(value, end > lineEnd) })
    } else warnings.add('header_fields_max')
    at = end + 1
  }
  return { fields, length: Math.min(at, text.length) }
}

const ASCII_PROBE = Buffer.from('a+ADw-~{', 'latin1')
const CONTENT_TYPE = /^content-type:(?:[^\n]|\n[ \t]){0,2000}/im

/** The charset of the body: programs that send 8-bit header fields use the same. */
function declaredCharset(block: string): string | undefined {
  const field = CONTENT_TYPE.exec(block)?.[0]
  return field === undefined
    ? undefined
    : tokenParameter(parseStructured(unfold(field.slice('content-type:'.length), true)), 'charset')?.toLowerCase()
}

/** UTF-8 if valid (RFC 6532), else the body's charset if valid, else guessed. */
function decodeField(bytes: Buffer, charset: string | undefined): string {
  if (charset === undefined || isAscii(bytes) || isUtf8(bytes)) return decodeGuessed(bytes)
  // UTF-16, EBCDIC, UTF-7 and HZ give ASCII another meaning, so no header field uses them
  if (decodeText(ASCII_PROBE, charset).text !== ASCII_PROBE.toString('latin1')) return decodeGuessed(bytes)
  const { text, problem } = decodeText(bytes, charset)
  return problem || text.includes('\ufffd') ? decodeGuessed(bytes) : text
}

function endOfLine(text: string, from: number, newline: string): number {
  const found = text.indexOf(newline, from)
  return found === -1 ? text.length : found
}

/** The end of the last continuation line (RFC 5322 §2.2.3). */
function endOfField(text: string, lineEnd: number, newline: string): number {
  let end = lineEnd
  for (;;) {
    const next = text.charCodeAt(end + 1)
    if (next !== 32 && next !== 9) return end
    end = endOfLine(text, end + 1, newline)
  }
}

/** Some gateways write CR CR LF: an empty line is one of nothing but CR. */
function isEmptyLine(text: string, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (text.charCodeAt(index) !== 13) return false
  return true
}

/** Where the field's name ends, or -1 if the line is no field. */
function fieldColon(text: string, from: number, to: number): number {
  const line = text.slice(from, to)
  const colon = line.indexOf(':')
  return colon > 0 && FIELD_NAME.test(line.slice(0, colon)) ? from + colon : -1
}

/** The longest field name in use, with some room. */
const BAD_NAME_CHARS_MAX = 100
const EMPTY_LAST_LINE = /(?:\n\r?|\r)[\n\r]$/

/**
 * Whether to skip a line that is not a field: an mbox "From " line before the first field, a line followed by a valid field, and, if the
 * block ends with an empty line, a line that was meant as one because it has a colon (`Content Type: text/html`) or continuation lines.
 */
function isSkipped(text: string, from: number, to: number, newline: string, fieldsBefore: number): boolean {
  const end = endOfField(text, to, newline)
  const isFollowed = end + 1 < text.length && fieldColon(text, end + 1, endOfLine(text, end + 1, newline)) !== -1
  const hasColon = text.slice(from, Math.min(to, from + BAD_NAME_CHARS_MAX)).includes(':')
  if (fieldsBefore === 0) return /^>?From /.test(text.slice(from, Math.min(to, from + 6))) || (hasColon && isFollowed)
  return isFollowed || ((hasColon || end > to) && EMPTY_LAST_LINE.test(text.slice(-4)))
}

/** One space per fold, however many were around it: RFC 5322 §2.2.3 would keep them all, which is hard to read. */
function unfold(value: string, isFolded: boolean): string {
  if (!isFolded) return value.trim()
  const lines = value.split(FOLD).map(line => line.trimEnd())
  return lines
    .filter(line => line !== '')
    .join(' ')
    .trim()
}
