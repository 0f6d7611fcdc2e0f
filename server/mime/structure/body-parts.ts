import type { MimePart, ParsedMessage } from '../types.ts'

/** The parts that a mail program shows as the body, in order, and all others. A part may be in both views. */
type BodyParts = { readonly html: readonly MimePart[]; readonly text: readonly MimePart[] }

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
  const known = collected.get(parsed)
  if (known) return known
  const outer = collectAll(parsed, false)
  // only a forwarded message, or one below an empty text: it is the body
  const parts = isAnyRead(outer) ? outer : collectAll(parsed, true)
  collected.set(parsed, parts)
  return parts
}

/** Whether the body has more than an empty text. */
export function hasText(parsed: ParsedMessage): boolean {
  return isAnyRead(bodyParts(parsed))
}

function isAnyRead({ html, text }: BodyParts): boolean {
  return [...html, ...text].some(part => isBodyPart(part) && part.bodyLength > EMPTY_BYTES_MAX)
}

/** Cached, because list, codes, body and attachments of a message all need it. */
const collected = new WeakMap<ParsedMessage, BodyParts>()

function collectAll(parsed: ParsedMessage, entersMessages: boolean): BodyParts {
  const html: MimePart[] = []
  const text: MimePart[] = []
  collect([parsed.root], 'mixed', { isInAlternative: false, entersMessages, messagesLeft: MESSAGE_DEPTH_MAX }, { html, text })
  return { html, text }
}

/** A text, or an embedded message whose own body follows in the list. */
export function isBodyPart(part: MimePart): boolean {
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
