/**
 * Faults that other mail servers refuse, or other programs misread, although this reader copes with them: for whoever sends the mail. Each
 * kind has the rule that the mail breaks and what to do (rules.json). Other servers are named only where they say so: Gmail's replies name
 * https://support.google.com/mail/?p=RfcMessageNonCompliant.
 */
import type { MimePart, ParsedMessage } from '../mime/types.ts'
import { Warnings } from '../mime/warnings.ts'
import rules from './rules.json' with { type: 'json' }

export type WarningKind = keyof typeof rules
export type Warning = { readonly kind: WarningKind; readonly detail: string; readonly rule: string; readonly remedy: string }

/** Adds rule and remedy to words such as `unknown_charset: x-foo`. */
export function explainWarnings(words: readonly string[]): Warning[] {
  return words.flatMap(word => {
    const [, kind = '', detail = ''] = /^(\w+)(?:: ([\s\S]*))?$/.exec(word) ?? []
    if (!isKind(kind)) return []
    return [{ kind, detail, ...rules[kind] }]
  })
}

const isKind = (word: string): word is WarningKind => Object.hasOwn(rules, word)

/** The rules that the mail breaks, in words like those that the parser notes. */
export function findFaults(raw: Uint8Array, { root }: ParsedMessage): string[] {
  const found = new Warnings()
  checkLines(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), root.bodyOffset, found)
  checkHeader(root, found)
  for (const part of partsOf(root)) checkPart(part, found)
  return found.list()
}

const LINE_OCTETS_MAX = 998
const LF = 0x0a
const CR = 0x0d

function checkLines(bytes: Buffer, bodyOffset: number, found: Warnings): void {
  let bareLineFeeds = 0
  let longLines = 0
  let bareReturns = 0
  let field = ''
  let nextReturn = bytes.indexOf(CR)
  for (let start = 0; start < bytes.length; ) {
    const lineFeed = bytes.indexOf(LF, start)
    const end = lineFeed === -1 ? bytes.length : lineFeed
    // Searched only when it was passed, so that a mail without any costs one search.
    if (nextReturn !== -1 && nextReturn < start) nextReturn = bytes.indexOf(CR, start)
    const hasReturn = end > start && bytes[end - 1] === CR
    if (lineFeed !== -1 && !hasReturn) bareLineFeeds++
    if (nextReturn !== -1 && nextReturn < end - 1) bareReturns++
    const isHeader = start < bodyOffset
    if (isHeader) field = /^[!-9;-~]{1,100}(?=:)/.exec(bytes.toString('latin1', start, Math.min(end, start + 101)))?.[0] ?? field
    const isLong = end - start - (hasReturn ? 1 : 0) > LINE_OCTETS_MAX
    if (isLong && isHeader) found.add('header_line_too_long', field)
    else if (isLong) longLines++
    start = end + 1
  }
  if (bareLineFeeds > 0) found.add('bare_line_feed', String(bareLineFeeds))
  if (bareReturns > 0) found.add('bare_carriage_return', String(bareReturns))
  if (longLines > 0) found.add('line_too_long', String(longLines))
}

/** Fields that a mail has at most once (RFC 5322 3.6). The parser notes those of MIME. */
const ONCE = ['from', 'sender', 'reply-to', 'to', 'cc', 'bcc', 'message-id', 'in-reply-to', 'references', 'subject', 'date']

function checkHeader(root: MimePart, found: Warnings): void {
  const values = Map.groupBy(root.headers, ({ name }) => name.toLowerCase())
  for (const name of ONCE) if ((values.get(name)?.length ?? 0) > 1) found.add('duplicate_header', name)
  if (values.get('bcc')?.some(({ value }) => value.trim() !== '')) found.add('bcc_visible')
  if (!values.has('from')) found.add('from_missing')
  if (!values.has('date')) found.add('date_missing')
  if (!values.has('message-id')) found.add('message_id_missing')
  const isMime = [...values.keys()].some(name => name.startsWith('content-'))
  if (isMime && !values.has('mime-version')) found.add('mime_version_missing')
}

/** The parts that the sender wrote: what is in an attached mail was written by somebody else. */
const partsOf = (part: MimePart): MimePart[] => [part, ...(part.contentType.startsWith('message/') ? [] : part.children.flatMap(partsOf))]

const ENCODED_WORD = /=\?([^?\s]{1,60})\?([bq])\?([^?\s]*)\?=/gi
const ENCODED_WORD_CHARS_MAX = 75

function checkPart(part: MimePart, found: Warnings): void {
  for (const { name, value } of part.headers) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: every character beyond ASCII is meant
    if (/[^\x00-\x7f]/.test(name) || /[^\x00-\x7f]/.test(value)) found.add('raw_8bit_header', name)
    if (!value.includes('=?')) continue
    for (const [word, charset = '', encoding = '', text = ''] of value.matchAll(ENCODED_WORD)) {
      if (word.length > ENCODED_WORD_CHARS_MAX) found.add('encoded_word_too_long', name)
      if (/^utf-?8(?:\*|$)/i.test(charset) && !isWholeUtf8(encoding, text)) found.add('encoded_word_cut', name)
    }
  }
  const [encoding = '', type = '', disposition = ''] = ['content-transfer-encoding', 'content-type', 'content-disposition'].map(
    wanted => part.headers.find(({ name }) => name.toLowerCase() === wanted)?.value,
  )
  const isContainer = /^(?:multipart\/|message\/rfc822)/.test(part.contentType)
  if (isContainer && /^\s*(?:base64|quoted-printable)/i.test(encoding)) found.add('multipart_encoded', part.contentType)
  const [hasName, hasFilename] = [/;\s*name\*?\d*\*?\s*=/i.test(type), /;\s*filename\*?\d*\*?\s*=/i.test(disposition)]
  if (hasName && !hasFilename) found.add('filename_only_in_type', part.contentType)
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

function isWholeUtf8(encoding: string, text: string): boolean {
  const quoted = text.replaceAll('_', ' ').replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  try {
    strictUtf8.decode(encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : Buffer.from(quoted, 'latin1'))
    return true
  } catch {
    return false
  }
}
