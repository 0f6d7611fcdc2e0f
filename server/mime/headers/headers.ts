import type { HeaderField, MailAddress, MimePart, ParsedMessage } from '../types.ts'
import { parseAddresses, parseSender } from './addresses.ts'
import { decodeWords } from './encoded-words.ts'

/** The first field with that name (lower case), still encoded. Of repeated fields the first counts, as for authentication. */
export function firstHeader(part: MimePart, name: string): string | undefined {
  for (const field of part.headers) if (field.name.length === name.length && field.name.toLowerCase() === name) return field.value
  return undefined
}

/** One line of text, empty if the field is missing. */
export function readSubject(parsed: ParsedMessage): string {
  return decodeWords(firstHeader(parsed.root, 'subject') ?? '')
}

/** The sender in the first From; both strings empty when there is none. */
export function readSender(parsed: ParsedMessage): MailAddress {
  return parseSender(firstHeader(parsed.root, 'from') ?? '')
}

export function readTo(parsed: ParsedMessage): MailAddress[] {
  return readAddresses(parsed, 'to')
}

export function readCc(parsed: ParsedMessage): MailAddress[] {
  return readAddresses(parsed, 'cc')
}

export function readReplyTo(parsed: ParsedMessage): MailAddress[] {
  return readAddresses(parsed, 'reply-to')
}

/** `undefined` if the Date field is missing or invalid. */
export function readDate(parsed: ParsedMessage): Date | undefined {
  const field = firstHeader(parsed.root, 'date')
  return field === undefined ? undefined : parseDate(field)
}

/** All fields of the message in order, decoded, one line each. */
export function decodedHeaders(parsed: ParsedMessage): HeaderField[] {
  return parsed.root.headers.map(({ name, value }) => ({ name, value: decodeWords(value) }))
}

function readAddresses(parsed: ParsedMessage, name: string): MailAddress[] {
  return parseAddresses(firstHeader(parsed.root, name) ?? '')
}

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
export function parseDate(field: string): Date | undefined {
  const text = field
    .slice(0, FIELD_CHARS_MAX)
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
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
