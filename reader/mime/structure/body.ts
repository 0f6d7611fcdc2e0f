import { isUtf8 } from 'node:buffer'
import { htmlToText } from '../../seen/html.ts'
import { decodeText } from '../charsets/charset.ts'
import { decodeBody, decodeBytes, encodedBody, isUnencoded, textEncoding } from '../encodings/transfer-encoding.ts'
import { decodeWords } from '../headers/encoded-words.ts'
import { firstHeader } from '../headers/headers.ts'
import { TEXT_BYTES_MAX } from '../mime-limits.ts'
import { CharacterWriter, changeInBlocks, cutAnywhere, withPlainLineEnds } from '../text/blocks.ts'
import { uuencodedFiles, withoutFiles } from '../text/uuencoded-files.ts'
import type { BodyParts, MimePart, ParsedMessage, UuencodedFile } from '../types.ts'
import { Warnings } from '../warnings.ts'
import { parseMessage } from './parse.ts'
import { signedContent } from './signed-content.ts'

const [CR, LF, SPACE, QUOTE] = [13, 10, 0x20, 0x3e]

/**
 * Joins the lines of `format=flowed` text (RFC 3676 §4). Quoted lines flow within their depth; `delSp` deletes the space that marks the
 * flow. In the result, quoted lines start with `> ` per depth, as in unflowed mail. Line ends are LF or CR LF, and LF in the result.
 * Characters are copied one by one: a string for each line would cost more than the line, which may be empty.
 */
function unflow(text: string, delSp: boolean): string {
  const out = new CharacterWriter()
  let depth = 0
  let isFirst = true
  let isOpen = false
  for (let at = 0, next = 0; at <= text.length; at = next) {
    let start = at
    while (text.charCodeAt(start) === QUOTE) start++
    const marks = start - at
    // §4.4: one space after the quote marks is stuffing
    if (text.charCodeAt(start) === SPACE) start++
    let end = start
    while (end < text.length && text.charCodeAt(end) !== LF) end++
    next = end + 1
    if (end > start && end < text.length && text.charCodeAt(end - 1) === CR) end--
    const isSignature = end - start === 3 && text.startsWith('-- ', start)
    const isFlowed = end > start && text.charCodeAt(end - 1) === SPACE && !isSignature
    if (!isOpen || isSignature || marks !== depth) {
      if (!isFirst) out.write(LF)
      for (let mark = 0; mark < marks; mark++) out.write(QUOTE)
      if (marks > 0) out.write(SPACE)
    }
    const contentEnd = isFlowed && delSp ? end - 1 : end
    for (let copied = start; copied < contentEnd; copied++) out.write(text.charCodeAt(copied))
    depth = marks
    isFirst = false
    isOpen = isFlowed
  }
  return out.text()
}

/** The bytes that the parts of `parsed` lie in. */
type ShownMessage = { readonly raw: Uint8Array; readonly parsed: ParsedMessage }

/**
 * The message whose text is shown: the given one, unless it is nothing but an encoded message (forbidden by RFC 2046 §5.2.1, and sent
 * anyway) or one signed in one block. Its parts are not in the raw bytes, so the decoded ones are parsed. Attachments are always those of
 * the given message.
 */
export function shownMessage(raw: Uint8Array, parsed: ParsedMessage): ShownMessage {
  const [encoded, ...others] = hasText(parsed) ? [] : encodedMessages(parsed.root)
  if (!encoded || others.length > 0) return { raw, parsed }
  const known = decoded.get(encoded)
  if (known) return known
  const inner = SIGNED_BLOCK.test(encoded.contentType) ? signedEntity(raw, encoded) : encodedMessage(raw, encoded)
  const shown = inner ? { raw: inner.raw, parsed: { ...parsed, root: inner.root, body: undefined } } : { raw, parsed }
  decoded.set(encoded, shown)
  return shown
}

function encodedMessage(raw: Uint8Array, encoded: MimePart): { raw: Buffer; root: MimePart } | undefined {
  const inner = decodeBody(raw, encoded)
  const { root } = parseMessage(inner)
  if (root.headers.length === 0) return undefined
  return { raw: inner, root: { ...encoded, encoding: 'binary', bodyOffset: 0, bodyLength: inner.length, children: [root] } }
}

const SIGNED_BLOCK = /^application\/(?:x-)?pkcs7-mime$/

function signedEntity(raw: Uint8Array, block: MimePart): { raw: Buffer; root: MimePart } | undefined {
  const inner = signedContent(decodeBody(raw, block))
  return inner && { raw: inner, root: parseMessage(inner).root }
}

/** Cached, because preview, codes and links of a message all need it. */
const decoded = new WeakMap<MimePart, ShownMessage>()

function encodedMessages(part: MimePart): MimePart[] {
  const isMessage = part.contentType === 'message/rfc822' || part.contentType === 'message/global'
  if ((isMessage && part.children.length === 0 && !isUnencoded(part)) || SIGNED_BLOCK.test(part.contentType)) return [part]
  return part.children.flatMap(encodedMessages)
}

/** Nested messages shown one below the other; deeper ones stay attachments. */
const MESSAGE_DEPTH_MAX = 3

/** A text of one line break. */
const EMPTY_BYTES_MAX = 2

type Lists = { html: MimePart[] | undefined; text: MimePart[] | undefined }

/**
 * Finds the body: the algorithm of RFC 8621 §4.1.4 (JMAP), which describes what mail programs do with alternative, related and mixed. A
 * multipart without parts is read as text, so that a wrong boundary loses nothing.
 */
export function bodyParts(parsed: ParsedMessage): BodyParts {
  if (parsed.body) return parsed.body
  const outer = collectAll(parsed, false)
  // only a forwarded message, or one below an empty text: it is the body
  parsed.body = isAnyRead(outer) ? outer : collectAll(parsed, true)
  return parsed.body
}

/** Whether the body has more than an empty text. */
function hasText(parsed: ParsedMessage): boolean {
  return isAnyRead(bodyParts(parsed))
}

function isAnyRead({ html, text }: BodyParts): boolean {
  return [...html, ...text].some(part => isBodyPart(part) && part.bodyLength > EMPTY_BYTES_MAX)
}

function collectAll(parsed: ParsedMessage, entersMessages: boolean): BodyParts {
  const html: MimePart[] = []
  const text: MimePart[] = []
  collect([parsed.root], 'mixed', { isInAlternative: false, entersMessages, messagesLeft: MESSAGE_DEPTH_MAX }, { html, text })
  return { html, text }
}

/** A text, or an embedded message whose own body follows in the list. */
function isBodyPart(part: MimePart): boolean {
  return textKind(part) !== undefined || isEmbeddedMessage(part)
}

type Place = { readonly isInAlternative: boolean; readonly entersMessages: boolean; readonly messagesLeft: number }

function collect(parts: readonly MimePart[], parentType: string, at: Place, { html, text }: Lists): void {
  const before = { html: html?.length ?? -1, text: text?.length ?? -1 }
  const lists: Lists = { html, text }
  for (const [index, part] of parts.entries()) {
    if (isMultipart(part)) {
      const type = part.contentType.slice('multipart/'.length)
      collect(part.children, type, { ...at, isInAlternative: at.isInAlternative || type === 'alternative' }, lists)
    } else if (isEmbeddedMessage(part) && at.messagesLeft > 0 && (at.entersMessages || parentType === 'digest')) {
      lists.text?.push(part)
      lists.html?.push(part)
      collect(part.children, 'mixed', { ...at, messagesLeft: at.messagesLeft - 1 }, lists)
    } else if (isInlineBody(part, index, parentType)) place(part, parentType, at.isInAlternative, lists)
  }
  if (parentType === 'alternative' && html && text) fillOtherView(html, before.html, text, before.text)
}

function place(part: MimePart, parentType: string, isInAlternative: boolean, lists: Lists): void {
  const kind = textKind(part)
  if (parentType === 'alternative') {
    if (part.contentType === 'text/plain') lists.text?.push(part)
    if (part.contentType === 'text/html') lists.html?.push(part)
    return
  }
  // inside a branch of an alternative, a text belongs to that branch's view only
  if (isInAlternative && kind === 'plain') lists.html = undefined
  if (isInAlternative && kind === 'html') lists.text = undefined
  lists.text?.push(part)
  lists.html?.push(part)
}

/** An alternative with only one view uses it for both. */
function fillOtherView(html: MimePart[], htmlBefore: number, text: MimePart[], textBefore: number): void {
  if (text.length === textBefore && html.length !== htmlBefore) text.push(...html.slice(htmlBefore))
  else if (html.length === htmlBefore && text.length !== textBefore) html.push(...text.slice(textBefore))
}

function isInlineBody(part: MimePart, index: number, parentType: string): boolean {
  if (part.disposition === 'attachment') return false
  const isMedia = isInlineMedia(part)
  if (!isMedia && textKind(part) === undefined) return false
  return index === 0 || (parentType !== 'related' && (isMedia || part.filename === undefined))
}

/** An embedded message that was parsed (an encoded one is not). */
export function isEmbeddedMessage(part: MimePart): boolean {
  return (part.contentType === 'message/rfc822' || part.contentType === 'message/global') && part.children.length === 1
}

export function isMultipart(part: MimePart): boolean {
  return part.contentType.startsWith('multipart/') && part.children.length > 0
}

function isInlineMedia(part: MimePart): boolean {
  return /^(image|audio|video)\//.test(part.contentType)
}

/** The uuencoded files in a text. Only in an unencoded one: an encoded one comes from a program that supports attachments. */
export function filesInText(raw: Uint8Array, part: MimePart): readonly UuencodedFile[] {
  part.files ??= textKind(part) === 'plain' && isUnencoded(part) ? uuencodedFiles(encodedBody(raw, part)) : []
  return part.files
}

/** Text to be read; `undefined` for calendars, contacts, tables and the like. */
export function textKind(part: MimePart): 'plain' | 'html' | undefined {
  if (part.contentType === 'text/html') return 'html'
  if (part.contentType.startsWith('multipart/')) return 'plain'
  return READ_AS_TEXT.has(part.contentType) ? 'plain' : undefined
}

const READ_AS_TEXT = new Set([
  'text/plain',
  'text/enriched',
  'text/richtext',
  'text/markdown',
  'text/x-markdown',
  'text/text',
  'text/ascii',
])

/** A text part was too long to be shown in full. */
export const TEXT_TRUNCATED = 'text_truncated'

type MessageBody = {
  /** From the sender, untrusted. `undefined` if no part is HTML. */
  readonly html: string | undefined
  /** Lines end with LF. `undefined` if no part is plain text. */
  readonly text: string | undefined
  readonly warnings: readonly string[]
}

/** Decodes the body. Plain parts next to HTML parts (footers of mailing lists) are in both views, so nothing is lost. */
export function readBody(raw: Uint8Array, parsed: ParsedMessage): MessageBody {
  const warnings = new Warnings()
  const parts = bodyParts(parsed)
  const htmlParts = parts.html.filter(isBodyPart)
  const textParts = parts.text.filter(isBodyPart)
  const hasHtml = htmlParts.some(part => textKind(part) === 'html')
  const hasText = textParts.some(part => textKind(part) === 'plain')
  // One budget per view: a thousand parts of 4 MiB, all line breaks, would be a page of 100 MB.
  const [htmlBudget, textBudget] = [{ bytesLeft: TEXT_BYTES_MAX }, { bytesLeft: TEXT_BYTES_MAX }]
  return {
    html: hasHtml ? joinHtml(htmlParts, part => asHtml(part, decodeTextPart(raw, part, warnings, htmlBudget))) : undefined,
    text: hasText ? textParts.map(part => asPlain(part, readPart(raw, part, warnings, textBudget))).join('\n') : undefined,
    warnings: warnings.list(),
  }
}

type Budget = { bytesLeft: number }

/** A line above each embedded message, a blank one between texts. */
function joinHtml(parts: readonly MimePart[], read: (part: MimePart) => string): string {
  return parts
    .map((part, at) => {
      if (isEmbeddedMessage(part)) return `${at === 0 ? '' : '<hr>\n'}${messageHeadHtml(part)}`
      const isFollowed = at + 1 < parts.length && !isEmbeddedMessage(parts[at + 1] ?? part)
      return isFollowed ? `${read(part)}\n<br>` : read(part)
    })
    .join('\n')
}

function readPart(raw: Uint8Array, part: MimePart, warnings: Warnings, budget: Budget): string {
  return isEmbeddedMessage(part) ? messageHead(part) : decodeTextPart(raw, part, warnings, budget)
}

const HEAD_FIELDS = ['from', 'to', 'cc', 'date', 'subject']
const FIELD_CHARS_MAX = 1000

/** The heading above an embedded message, as mail programs write it above a forwarded one. */
function messageHead(part: MimePart): string {
  const lines = headFields(part).map(({ label, value }) => `${label}: ${value}`)
  return part.children[0] ? `${'-'.repeat(10)}\n${lines.join('\n')}\n` : ''
}

function messageHeadHtml(part: MimePart): string {
  const lines = headFields(part).map(({ label, value }) => `<b>${label}:</b> ${escaped(value)}`)
  return lines.length === 0 ? '' : `<p>${lines.join('<br>\n')}</p>`
}

function headFields(part: MimePart): { label: string; value: string }[] {
  const message = part.children[0]
  return HEAD_FIELDS.flatMap(name => {
    const value = message && firstHeader(message, name)
    const label = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    return value === undefined ? [] : [{ label, value: decodeWords(value.slice(0, FIELD_CHARS_MAX)) }]
  })
}

const LONE_CR = /\r(?!\n)/

/** The text of a text part, within the budget: transfer encoding, charset, line ends and flow are decoded. */
function decodeTextPart(raw: Uint8Array, part: MimePart, warnings: Warnings, budget: Budget = { bytesLeft: TEXT_BYTES_MAX }): string {
  const encoded = encodedBody(raw, part)
  const whole = decodeBytes(encoded, textEncoding(encoded, part))
  const readable = withoutFiles(whole, filesInText(raw, part))
  if (readable.length > budget.bytesLeft) warnings.add(TEXT_TRUNCATED)
  const bytes = readable.subarray(0, budget.bytesLeft)
  budget.bytesLeft -= bytes.length
  const charset = partCharset(part, bytes)
  const decoded = decodeText(bytes, charset)
  if (decoded.problem) warnings.add(decoded.problem, charset)
  if (textKind(part) === 'html') return decoded.text
  const isFlowed = part.format.flowed
  const lines = isFlowed && !LONE_CR.test(decoded.text) ? decoded.text : withPlainLineEnds(decoded.text)
  const text = lines.includes('\0') ? changeInBlocks(lines, cutAnywhere, block => block.replace(/\0/g, '')) : lines
  return isFlowed ? unflow(text, part.format.delSp) : text
}

/** The part's own declaration; else, in HTML, that of `<meta charset>`; else that of the multipart around it, which UTF-8 refutes. */
export function partCharset(part: MimePart, bytes: Buffer): string | undefined {
  const own = part.charset ?? (textKind(part) === 'html' ? declaredInHtml(bytes) : undefined)
  return own ?? (part.outerCharset === undefined || isUtf8(bytes) ? undefined : part.outerCharset)
}

function declaredInHtml(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 1024)
  return /<meta[^>]{0,200}?charset\s{0,5}=\s{0,5}["']?([\w.:-]{2,40})/i.exec(head)?.[1]
}

function asHtml(part: MimePart, text: string): string {
  if (textKind(part) === 'html') return text
  return `<div>${changeInBlocks(text, cutAnywhere, escaped)}</div>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`).replace(/\n/g, '<br>\n')
}

function asPlain(part: MimePart, text: string): string {
  return textKind(part) === 'html' ? htmlToText(text) : text
}
