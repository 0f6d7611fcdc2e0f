import type { HeaderField, MailAddress, MimePart, ParsedMessage } from '../types.ts'
import { parseAddresses, parseSender } from './addresses.ts'
import { parseDate } from './date.ts'
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
