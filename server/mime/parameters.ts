import { decodeText } from './charset.ts'
import { decodeWords } from './encoded-words.ts'
import { hexPair } from './hex.ts'
import { printable } from './printable.ts'

/** A structured field such as Content-Type: its first word and its parameters, both still as sent. */
export type Structured = { readonly value: string; readonly parameters: ReadonlyMap<string, string> }

// A folded name of 255 bytes needs 5 segments; 20,000 are an attack (M07).
const PARAMETERS_MAX = 1000
const SPACE = /\s/

/** RFC 2045 §5.1 with what is sent in its place: missing semicolons and quotes, spaces in unquoted values, comments, doubled parameters (the first counts, M29). */
export function parseStructured(field: string): Structured {
  const first = /^[^;\s("]*/.exec(field)?.[0] ?? ''
  const parameters = new Map<string, string>()
  let at = first.length
  while (at < field.length && parameters.size < PARAMETERS_MAX) {
    const start = skipBetween(field, at)
    const equals = nameEnd(field, start)
    if (field[equals] !== '=') {
      at = Math.max(equals, start + 1)
      continue
    }
    const name = field.slice(start, equals).trim().toLowerCase()
    const read = readValue(field, equals + 1)
    if (!parameters.has(name)) parameters.set(name, read.value)
    at = read.end
  }
  return { value: first.toLowerCase(), parameters }
}

/** Past semicolons, white space and comments. */
function skipBetween(field: string, from: number): number {
  let at = from
  for (;;) {
    const char = field[at]
    if (char === undefined) return at
    if (char === '(') at = skipComment(field, at)
    else if (char === ';' || SPACE.test(char)) at++
    else return at
  }
}

function skipComment(field: string, from: number): number {
  let depth = 0
  for (let at = from; at < field.length; at++) {
    const char = field[at]
    if (char === '\\') at++
    else if (char === '(') depth++
    else if (char === ')' && --depth === 0) return at + 1
  }
  return field.length
}

/** The `=` after a parameter's name, or the first character that cannot belong to one. */
function nameEnd(field: string, from: number): number {
  let at = from
  while (at < field.length && !';="('.includes(field[at] ?? '')) at++
  return at
}

function readValue(field: string, from: number): { value: string; end: number } {
  let at = from
  while (at < field.length && SPACE.test(field[at] ?? '')) at++
  if (field[at] === '"') return readQuoted(field, at + 1)
  const semicolon = field.indexOf(';', at)
  const end = semicolon === -1 ? field.length : semicolon
  return { value: field.slice(at, end).trim(), end }
}

/** A backslash counts before a quote or a backslash only: `"C:\new"` is a path, as old Outlooks write it. */
function readQuoted(field: string, from: number): { value: string; end: number } {
  let value = ''
  let plain = from
  for (let at = from; at < field.length; at++) {
    const char = field[at]
    if (char === '"') return { value: value + field.slice(plain, at), end: at + 1 }
    const next = field[at + 1]
    if (char === '\\' && (next === '"' || next === '\\')) {
      value += field.slice(plain, at)
      plain = at + 1
      at++
    }
  }
  return { value: value + field.slice(plain), end: field.length }
}

/** A parameter that is a token (charset, boundary, format): without comment and without single quotes. */
export function tokenParameter(field: Structured, name: string): string | undefined {
  const value = field.parameters.get(name) ?? textParameter(field, name)
  if (value === undefined) return undefined
  return value
    .replace(/\s\(.*$/, '')
    .replace(/^'(.*)'$/, '$1')
    .trim()
}

/** A parameter that is text (file names): RFC 2231 first (M07), then RFC 2047, which does not belong here and is what most programs send. */
export function textParameter(field: Structured, name: string): string | undefined {
  const extended = field.parameters.get(`${name}*`)
  if (extended !== undefined) return printable(decodeExtended([{ text: extended, isEncoded: true }]))
  const segments = segmentsOf(field, name)
  if (segments.length > 0) return printable(decodeExtended(segments))
  const plain = field.parameters.get(name)
  return plain === undefined ? undefined : decodeWords(plain)
}

type Segment = { readonly text: string; readonly isEncoded: boolean }

/** `name*0*`, `name*1` … in the order of their numbers; gaps are passed over (RFC 2231 §3). */
function segmentsOf(field: Structured, name: string): Segment[] {
  const found: (Segment & { number: number })[] = []
  for (const [key, text] of field.parameters) {
    if (!key.startsWith(`${name}*`)) continue
    const match = /^(\d{1,5})(\*?)$/.exec(key.slice(name.length + 1))
    if (match) found.push({ number: Number(match[1]), text, isEncoded: match[2] === '*' })
  }
  return found.sort((a, b) => a.number - b.number)
}

/** Decodes after joining: a character may be split between segments. Segments without `*` that hold encoded-words are a known mistake. */
function decodeExtended(segments: readonly Segment[]): string {
  if (!segments.some(segment => segment.isEncoded)) return decodeWords(segments.map(segment => segment.text).join(''))
  const [first, ...others] = segments
  const prefix = first?.isEncoded ? /^([^']*)'[^']*'/.exec(first.text) : null
  const start = first && prefix ? { ...first, text: first.text.slice(prefix[0].length) } : first
  const bytes = Buffer.concat([...(start ? [start] : []), ...others].map(bytesOf))
  const charset = prefix?.[1] || undefined
  return decodeText(bytes, charset).text
}

function bytesOf({ text, isEncoded }: Segment): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  if (!isEncoded || !text.includes('%')) return bytes
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const value = byte === 0x25 ? hexPair(bytes[at + 1], bytes[at + 2]) : -1
    if (value !== -1) at += 2
    bytes[length++] = value === -1 ? byte : value
  }
  return bytes.subarray(0, length)
}
