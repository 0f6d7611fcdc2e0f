import { decodeText } from '../charsets/charset.ts'
import { hexPair } from '../encodings/transfer-encoding.ts'
import { toPrintableLine } from '../text/printable.ts'
import { decodeWords } from './encoded-words.ts'
import extensions from './file-extensions.json' with { type: 'json' }

/** A structured field such as Content-Type: its value and parameters, both still encoded. `isExtended`: some have names of RFC 2231. */
export type Structured = { readonly value: string; readonly parameters: ReadonlyMap<string, string>; readonly isExtended: boolean }

// A folded name of 255 bytes needs 5 segments; 20,000 are an attack.
const PARAMETERS_MAX = 1000
const SPACE = /\s/

/** RFC 2045 §5.1 and what is really sent: missing semicolons and quotes, spaces in values, comments, repetition (the first counts). */
export function parseStructured(field: string): Structured {
  const { value: first, end } = readFirst(field)
  const parameters = new Map<string, string>()
  let at = end
  let isExtended = false
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
    isExtended ||= name.includes('*')
    at = read.end
  }
  return { value: first.toLowerCase(), parameters, isExtended }
}

const WHOLE_FIRST = /[^;\s("/]+(?:\/[^;\s("]+)?(?=$|;|\s*;)/y
const WORD = /[^;\s("]*/y

/** The type or disposition. The slow path: comments or spaces before it or around its slash (`image/ jpeg`; RFC 2045 §5.1). */
function readFirst(field: string): { value: string; end: number } {
  WHOLE_FIRST.lastIndex = 0
  if (WHOLE_FIRST.test(field)) return { value: field.slice(0, WHOLE_FIRST.lastIndex), end: WHOLE_FIRST.lastIndex }
  const first = wordAt(field, field[0] === '(' ? skipSpace(field, 0) : 0)
  const next = skipSpace(field, first.end)
  if (first.value === '' || (first.value.endsWith('/') ? next === first.end : field[next] !== '/' || first.value.includes('/')))
    return first
  const slash = first.value.endsWith('/') ? next : skipSpace(field, next + 1)
  const second = wordAt(field, slash)
  if (second.value.includes('=')) return first
  return { value: `${first.value.replace(/\/$/, '')}/${second.value}`, end: second.end }
}

function wordAt(field: string, from: number): { value: string; end: number } {
  WORD.lastIndex = from
  const value = WORD.exec(field)?.[0] ?? ''
  return { value, end: from + value.length }
}

/** Skips white space and comments. */
function skipSpace(field: string, from: number): number {
  let at = from
  for (;;) {
    const char = field[at]
    if (char === '(') at = skipComment(field, at)
    else if (char !== undefined && SPACE.test(char)) at++
    else return at
  }
}

/** Skips semicolons, white space and comments. */
function skipBetween(field: string, from: number): number {
  let at = skipSpace(field, from)
  while (field[at] === ';') at = skipSpace(field, at + 1)
  return at
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

/** The `=` after a parameter's name, or the first character that cannot belong to a name. */
function nameEnd(field: string, from: number): number {
  let at = from
  while (at < field.length && !';="('.includes(field[at] ?? '')) at++
  return at
}

function readValue(field: string, from: number): { value: string; end: number } {
  let at = from
  while (at < field.length && SPACE.test(field[at] ?? '')) at++
  if (field[at] === '"') return readQuoted(field, at + 1)
  VALUE_END.lastIndex = at
  let end = VALUE_END.exec(field)?.index ?? field.length
  // white space in an encoded-word belongs to it
  if (field[end] !== ';' && field.slice(at, end).includes('=?')) end = indexOrEnd(field, ';', end)
  return { value: field.slice(at, end).trim(), end }
}

/** Ends at a semicolon, or before the next parameter: a file name may have spaces, but `name=a.pdf charset=utf-8` is two. */
const VALUE_END = /;|\s[a-z][\w*-]{0,40}=/gi

function indexOrEnd(field: string, text: string, from: number): number {
  const found = field.indexOf(text, from)
  return found === -1 ? field.length : found
}

/** A backslash escapes only a quote or a backslash: `"C:\new"` is a path, as old versions of Outlook write it. */
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

/** A parameter that is a token (charset, boundary, format), without comments and single quotes. */
export const tokenParameter = (field: Structured, name: string): string | undefined => asToken(field, name)?.trim()

/** Trailing spaces belong to a quoted boundary (RFC 2046 §5.1.1 forbids them, but delimiters are written with them). */
export function boundaryParameter(field: Structured): string | undefined {
  const boundary = asToken(field, 'boundary')
  return boundary?.trim() === '' ? undefined : boundary
}

function asToken(field: Structured, name: string): string | undefined {
  const value = field.parameters.get(name) ?? textParameter(field, name)
  return value && /['(]/.test(value) ? value.replace(/\s\(.*$/s, '').replace(/^'(.*)'$/, '$1') : value
}

/** A parameter that is text (file names): RFC 2231 first, then RFC 2047, which is wrong here but what most programs send. */
export function textParameter(field: Structured, name: string): string | undefined {
  const extended = field.isExtended ? field.parameters.get(`${name}*`) : undefined
  if (extended !== undefined) return toPrintableLine(decodeExtended([{ text: extended, isEncoded: true }]))
  const segments = field.isExtended ? findSegments(field, name) : []
  if (segments.length > 0) return toPrintableLine(decodeExtended(segments))
  const plain = field.parameters.get(name)
  return plain === undefined ? undefined : decodeWords(plain)
}

type Segment = { readonly text: string; readonly isEncoded: boolean }

/** `name*0*`, `name*1` … in numeric order; gaps are ignored (RFC 2231 §3). */
function findSegments(field: Structured, name: string): Segment[] {
  const found: (Segment & { number: number })[] = []
  for (const [key, text] of field.parameters) {
    if (!key.startsWith(`${name}*`)) continue
    const match = /^(\d{1,5})(\*?)$/.exec(key.slice(name.length + 1))
    if (match) found.push({ number: Number(match[1]), text, isEncoded: match[2] === '*' })
  }
  return found.sort((a, b) => a.number - b.number)
}

/** Decodes after joining, since a character may be split. Encoded-words in segments without `*` are a known mistake. */
function decodeExtended(segments: readonly Segment[]): string {
  if (!segments.some(segment => segment.isEncoded)) return decodeWords(segments.map(segment => segment.text).join(''))
  const [first, ...others] = segments
  const prefix = first?.isEncoded ? /^([^']*)'[^']*'/.exec(first.text) : null
  const start = first && prefix ? { ...first, text: first.text.slice(prefix[0].length) } : first
  const bytes = Buffer.concat([...(start ? [start] : []), ...others].map(segmentBytes))
  const charset = prefix?.[1] || undefined
  return decodeText(bytes, charset).text
}

function segmentBytes({ text, isEncoded }: Segment): Buffer {
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

// Bidi controls, zero-width characters, tags and other format characters (`evil\u202Egpj.exe`), line separators, private use, lone
// surrogates
const HIDDEN = /[\p{Cf}\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu
const SPACES = /\p{Zs}+/gu
// Characters that Windows forbids, and look-alikes of slashes
const REPLACED = /[<>:"|?*\u2044\u2215\u29f8\u29f9\uff0f\uff3c]/g
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i

const FILENAME_BYTES_MAX = 255 // what ext4, APFS and NTFS take
const EXTENSION_BYTES_MAX = 20 // anything longer is no extension and may be cut

const EXTENSIONS = new Map(Object.entries(extensions))

/**
 * A name that is safe to show and save on any system: no path, no control or hidden character, no reserved name, at most 255 bytes with the
 * real extension, which is that of the type if there is none. `attachment-N.ext` (N is `index` + 1), or `invite.ics`, if nothing is left.
 */
export function safeFilename(name: string | undefined, index: number, contentType: string): string {
  const cleaned = name === undefined ? '' : withoutReserved(clean(name))
  if (cleaned !== '') return shorten(withExtension(cleaned, contentType))
  const extension = fileExtension(contentType)
  return extension === 'ics' ? 'invite.ics' : `attachment-${index + 1}.${extension}`
}

/** The end of a name that says what the file is; `1.5` says nothing. */
const EXTENSION = /\.([a-z0-9]{0,7}[a-z][a-z0-9]{0,7})$/i

/** A plain text is often called README. The name may be the part's Content-ID, whose end is a domain: logo@example.org. */
function withExtension(name: string, contentType: string): string {
  const extension = EXTENSIONS.get(contentType)
  if (extension === undefined || contentType === 'text/plain') return name
  const own = EXTENSION.exec(name)?.[1]?.toLowerCase()
  const isOfFile = own !== undefined && (!name.includes('@') || own === 'jpeg' || [...EXTENSIONS.values()].includes(own))
  return isOfFile ? name : `${name}.${extension}`
}

export function fileExtension(contentType: string): string {
  return EXTENSIONS.get(contentType) ?? (contentType.startsWith('text/') ? 'txt' : 'bin')
}

function clean(name: string): string {
  const visible = name.normalize('NFC').replace(/\s+/g, ' ').replace(HIDDEN, '').replace(SPACES, ' ')
  const last = visible.split(/[/\\]/).findLast(segment => /[^. ]/.test(segment)) ?? ''
  return last.replace(REPLACED, '_').replace(/^[. ]+|(?<![. ])[. ]+$/g, '')
}

function withoutReserved(name: string): string {
  const stem = (name.split('.')[0] ?? '').trim()
  return RESERVED.test(stem) ? `_${name}` : name
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= FILENAME_BYTES_MAX) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 ? name.slice(dot) : ''
  const extension = Buffer.byteLength(ending) <= EXTENSION_BYTES_MAX ? ending : ''
  const stem = extension === '' ? name : name.slice(0, dot)
  const kept = Buffer.from(stem).subarray(0, FILENAME_BYTES_MAX - Buffer.byteLength(extension))
  // the last character may be cut in two
  return `${kept
    .toString('utf8')
    .replace(/\ufffd+$/, '')
    .trimEnd()}${extension}`
}
