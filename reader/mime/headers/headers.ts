import { isAscii, isUtf8 } from 'node:buffer'
import { decodeGuessed, decodeText } from '../charsets/charset.ts'
import { toPrintableLine } from '../text/printable.ts'
import type { HeaderField, MailAddress, MimePart, ParsedMessage } from '../types.ts'
import type { Warnings } from '../warnings.ts'
import { parseAddresses, parseSender } from './addresses.ts'
import { decodeWords } from './encoded-words.ts'
import { parseStructured, tokenParameter } from './parameters.ts'

/** The first field with that name (lower case), still encoded. Of repeated fields the first counts, as for authentication. */
export function firstHeader(part: MimePart, name: string): string | undefined {
  for (const field of part.headers) if (field.name.length === name.length && field.name.toLowerCase() === name) return field.value
  return undefined
}

/** One line of text, empty if the field is missing. */
export const readSubject = (parsed: ParsedMessage): string => decodeWords(firstHeader(parsed.root, 'subject') ?? '')

/** The sender in the first From; both strings empty when there is none. */
export const readSender = (parsed: ParsedMessage): MailAddress => parseSender(firstHeader(parsed.root, 'from') ?? '')

/** Everybody whom the From names (RFC 5322 §3.6.2). */
export const readAuthors = (parsed: ParsedMessage): MailAddress[] => readAddresses(parsed, 'from')
export const readTo = (parsed: ParsedMessage): MailAddress[] => readAddresses(parsed, 'to')
export const readCc = (parsed: ParsedMessage): MailAddress[] => readAddresses(parsed, 'cc')
export const readReplyTo = (parsed: ParsedMessage): MailAddress[] => readAddresses(parsed, 'reply-to')

/** `undefined` if the Date field is missing or invalid. */
export function readDate(parsed: ParsedMessage): Date | undefined {
  const field = firstHeader(parsed.root, 'date')
  return field === undefined ? undefined : parseDate(field)
}

const FIELDS_DECODED_MAX = 2000

/** All fields of the message in order, one line each. The first are decoded: only an attack has more than a few hundred. */
export function decodedHeaders(parsed: ParsedMessage): HeaderField[] {
  return parsed.root.headers.map(({ name, value }, i) => ({
    name,
    value: i < FIELDS_DECODED_MAX ? decodeWords(value) : toPrintableLine(value),
  }))
}

const readAddresses = (parsed: ParsedMessage, name: string): MailAddress[] => parseAddresses(firstHeader(parsed.root, name) ?? '')

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Hours from UTC, RFC 5322 §4.3. Other zone names count as UTC. */
const ZONE_HOURS = new Map(
  Object.entries({ edt: -4, est: -5, cdt: -5, cst: -6, mdt: -6, mst: -7, pdt: -7, pst: -8, cet: 1, cest: 2, bst: 1, jst: 9 }),
)
/** Earlier dates are wrong: there was no mail. */
const YEARS = { min: 1971, max: 2199 }

const DAY_FIRST = /(?<day>\d{1,2})(?:st|nd|rd|th)?[\s-]+(?<month>[a-z]{3})[a-z]*[\s,.-]+(?<year>\d{2,4})\b(?<rest>.*)/i
const MONTH_FIRST = /(?<month>[a-z]{3})[a-z]*\.?\s+(?<day>\d{1,2}),?\s+(?<year>\d{4})\b(?<rest>.*)/i
const ASCTIME =
  /(?<month>[a-z]{3})\s+(?<day>\d{1,2})\s+(?<rest>\d{1,2}:\d{2}(?::\d{2})?)\s+(?<zone>[a-z]{1,5}\s+)?(?<year>\d{4})(?<after>.*)/i
const ISO = /(?<year>\d{4})[-/](?<digits>\d{1,2})[-/](?<day>\d{1,2})(?<rest>.*)/
const TIME = /(\d{1,2})[:.](\d{1,2})(?:[:.](\d{1,2})(?:[.,]\d+)?)?\s*([ap]m)?/i
const FIELD_CHARS_MAX = 200

/** The time in a Date field, in RFC 5322 form or a common misspelling; `undefined` if it is not certain. */
function parseDate(field: string): Date | undefined {
  const text = field
    .slice(0, FIELD_CHARS_MAX)
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    // RFC 5322 §4.3: blanks around the colons of a clock are obsolete, and must be read.
    .replace(/ ?: ?/g, ':')
  const found = (ASCTIME.exec(text) ?? DAY_FIRST.exec(text) ?? MONTH_FIRST.exec(text) ?? ISO.exec(text))?.groups
  if (!found) return undefined
  const month = found.digits === undefined ? MONTHS.indexOf(found.month?.toLowerCase() ?? '') : Number(found.digits) - 1
  const time = parseTime(found.rest ?? '')
  if (!time) return undefined
  return moment(fullYear(found.year ?? ''), month, Number(found.day), time, zoneMinutes(found.zone ?? found.after ?? time.after))
}

type Time = { readonly hour: number; readonly minute: number; readonly second: number; readonly after: string }

function parseTime(text: string): Time | undefined {
  const match = TIME.exec(text)
  if (!match) return text.trim() === '' ? { hour: 0, minute: 0, second: 0, after: '' } : undefined
  const half = match[4]?.toLowerCase()
  const hour = Number(match[1])
  return {
    hour: half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0),
    minute: Number(match[2]),
    second: Math.min(59, Number(match[3] ?? 0)), // mail has leap seconds, Date has none
    after: text.slice(match.index + match[0].length),
  }
}

/** RFC 5322 §4.3: two digits under 50 are 20xx, other two or three digits count from 1900. */
function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length >= 4) return year
  return digits.length === 2 && year < 50 ? 2000 + year : 1900 + year
}

function zoneMinutes(text: string): number {
  const numeric = /([+-])\s?(\d{1,2}):?(\d{2})?\b/.exec(text)
  if (numeric) {
    const minutes = Number(numeric[2]) * 60 + Number(numeric[3] ?? 0)
    // no zone is beyond ±14 h; such a field counts as UTC
    return minutes > 14 * 60 ? 0 : numeric[1] === '-' ? -minutes : minutes
  }
  return (ZONE_HOURS.get(/[a-z]+/i.exec(text)?.[0].toLowerCase() ?? '') ?? 0) * 60
}

function moment(year: number, month: number, day: number, time: Time, zone: number): Date | undefined {
  const isDay = month >= 0 && month < 12 && day >= 1 && day <= new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  if (!isDay || year < YEARS.min || year > YEARS.max || time.hour > 23 || time.minute > 59) return undefined
  return new Date(Date.UTC(year, month, day, time.hour, time.minute - zone, time.second))
}

const COLON = 0x3a

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
      fields.push(new Field(text.slice(at, colon).trimEnd(), value, end > lineEnd))
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

/**
 * Where the field's name ends, or -1 if the line is no field. RFC 5322 §2.2: printable ASCII but colon. White space before the colon is
 * obsolete (§4.5) but still sent.
 */
function fieldColon(text: string, from: number, to: number): number {
  let at = from
  for (let code = text.charCodeAt(at); code > 0x20 && code < 0x7f && code !== COLON; code = text.charCodeAt(at)) at++
  if (at === from) return -1
  while (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 9) at++
  return at < to && text.charCodeAt(at) === COLON ? at : -1
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

/** Unfolds its value when it is asked for, as few are. */
class Field implements HeaderField {
  readonly name: string
  readonly #written: string
  readonly #isFolded: boolean

  constructor(name: string, written: string, isFolded: boolean) {
    this.name = name
    this.#written = written
    this.#isFolded = isFolded
  }

  get value(): string {
    return unfold(this.#written, this.#isFolded)
  }
}

/** From the last of a line to the first of the next. The look-behind lets each run of blanks be read once. */
const FOLD = /(?<!\s)\s*[\r\n][ \t]*/g

/** One space per fold, however many were around it: RFC 5322 §2.2.3 would keep them all, which is hard to read. */
const unfold = (value: string, isFolded: boolean): string => (isFolded ? value.replace(FOLD, ' ') : value).trim()
