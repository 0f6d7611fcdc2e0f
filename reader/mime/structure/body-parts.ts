/** Finds the parts that a mail program shows, in order. */
import { htmlToText } from '../../seen/html.ts'
import { decodeBody, encodedBody, isUnencoded } from '../encodings/transfer-encoding.ts'
import { firstHeader } from '../headers/headers.ts'
import { isTnef, readTnef } from '../tnef/tnef.ts'
import type { BodyParts, MimePart, ParsedMessage } from '../types.ts'
import { Warnings } from '../warnings.ts'
import { parseMessage } from './parse.ts'
import { isReport } from './report.ts'
import { signedContent } from './signed-content.ts'
import { decodeTextPart, textKind } from './text-part.ts'

/** Nested messages shown one below the other; deeper ones stay attachments. */
const MESSAGE_DEPTH_MAX = 3

/**
 * Finds the body: what mail programs show of alternative, related and mixed, in order (RFC 8621 §4.1.4 describes most of it). A multipart
 * without parts is read as text, so that a wrong boundary loses nothing.
 */
export function bodyParts(raw: Uint8Array, parsed: ParsedMessage): BodyParts {
  parsed.body ??= findBody(raw, parsed.root)
  return parsed.body
}

function findBody(raw: Uint8Array, root: MimePart): BodyParts {
  const [tnef] = tnefParts(root)
  const outer = viewsOf(root, { isAllShown: false, messagesLeft: MESSAGE_DEPTH_MAX })
  const views = tnef ? withLetter(raw, outer, tnef) : outer
  // A forwarded message or a report that comes alone, or below an empty text, is what the mail says.
  if (!hasMore(root) || hasWords(raw, views)) return views
  return viewsOf(root, { isAllShown: true, messagesLeft: MESSAGE_DEPTH_MAX })
}

const tnefParts = (part: MimePart): MimePart[] => (isMultipart(part) ? part.children.flatMap(tnefParts) : isTnef(part) ? [part] : [])

/** So many words tell whether two texts are the same. */
const WORDS_COMPARED_MAX = 500
/** Programs write lists and links differently in two forms of one text. */
const SAME_SHARE_MIN = 0.8

/** Outlook sends a letter as RTF in a winmail.dat, with the same words as plain text or, behind some gateways, beside a note of theirs. */
function withLetter(raw: Uint8Array, { html, text }: BodyParts, tnef: MimePart): BodyParts {
  const letter = letterPart(raw, tnef)
  if (!letter) return { html, text }
  const shown = new Set(wordsOf(raw, [...new Set([...text, ...html])]))
  const words = wordsOf(raw, [letter]).slice(0, WORDS_COMPARED_MAX)
  if (words.filter(word => shown.has(word)).length >= words.length * SAME_SHARE_MIN) return { html, text }
  return { html: [...html, letter], text: [...text, letter] }
}

function wordsOf(raw: Uint8Array, parts: readonly MimePart[]): string[] {
  const texts = parts.filter(part => textKind(part) !== undefined).map(part => shownText(raw, part))
  return texts.join('\n').match(/[\p{L}\p{N}]+/gu) ?? []
}

function shownText(raw: Uint8Array, part: MimePart): string {
  const text = decodeTextPart(raw, part, new Warnings())
  return textKind(part) === 'html' ? htmlToText(text) : text
}

/** The letter of a winmail.dat, in its place. */
function letterPart(raw: Uint8Array, part: MimePart): MimePart | undefined {
  const letter = readTnef(decodeBody(raw, part)).letter()
  if (!letter) return undefined
  const charset = letter.charset === undefined ? '' : `; charset=${letter.charset}`
  const head = `Content-Type: text/${letter.type}${charset}\r\nContent-Transfer-Encoding: binary\r\n\r\n`
  const unpacked = Buffer.concat([Buffer.from(head), letter.bytes])
  return { ...parseMessage(unpacked).root, path: part.path, unpacked }
}

/** Whether it has what is shown only in want of a text. */
const hasMore = (part: MimePart): boolean => isEmbeddedMessage(part) || isReport(part) || part.children.some(hasMore)

/** A text of a few line breaks. */
const EMPTY_BYTES_MAX = 2
/** An empty text of Outlook has its style sheets. A longer one is no empty text. */
const EMPTY_TEXT_BYTES_MAX = 65_536

const LETTER = /[a-z]/i

/** Whether a person sees anything of the texts: words, or a picture. */
function hasWords(raw: Uint8Array, { html, text }: BodyParts): boolean {
  return [...text, ...html].some(part => {
    if (!isBodyPart(part) || part.bodyLength <= EMPTY_BYTES_MAX) return false
    if (isEmbeddedMessage(part) || part.bodyLength > EMPTY_TEXT_BYTES_MAX) return true
    // Most texts begin with a word, which need not be decoded to be seen.
    if (textKind(part) === 'plain' && isUnencoded(part) && LETTER.test(encodedBody(raw, part).toString('latin1', 0, 100))) return true
    const shown = decodeTextPart(raw, part, new Warnings())
    return textKind(part) === 'html' ? /<img\b/i.test(shown) || htmlToText(shown).trim() !== '' : shown.trim() !== ''
  })
}

/** A text, a report, or an embedded message whose own body follows in the list. */
export const isBodyPart = (part: MimePart): boolean => textKind(part) !== undefined || isEmbeddedMessage(part) || isReport(part)

/** `isAllShown`: with embedded messages and reports. */
type Place = { readonly isAllShown: boolean; readonly messagesLeft: number }

const NOTHING: BodyParts = { html: [], text: [] }

function viewsOf(part: MimePart, place: Place, parent?: MimePart, root?: MimePart): BodyParts {
  if (isMultipart(part)) {
    const first = rootOf(part)
    const views = part.children.map(child => viewsOf(child, place, part, first))
    return part.contentType === 'multipart/alternative' ? alternative(views) : inOrder(views)
  }
  if (isEmbeddedMessage(part)) return isEntered(place, parent) ? embedded(part, place) : NOTHING
  if (isReport(part)) return place.isAllShown && parent?.children.find(isReport) === part ? { html: [], text: [part] } : NOTHING
  if (isShownPicture(part) && parent?.contentType !== 'multipart/related') return { html: [part], text: [] }
  return isRead(part, parent, root) ? { html: [part], text: [part] } : NOTHING
}

/** What a multipart begins with; in multipart/related the part that it names (RFC 2387 §3.2). */
function rootOf({ contentType, start, children }: MimePart): MimePart | undefined {
  const named =
    contentType === 'multipart/related' && start !== undefined ? children.find(({ contentId }) => contentId === start) : undefined
  return named ?? children[0]
}

function inOrder(views: readonly BodyParts[]): BodyParts {
  return { html: views.flatMap(({ html }) => html), text: views.flatMap(({ text }) => text) }
}

/** The branches with HTML are the HTML view, and those without it the text view. If there is only one view, it is used for both. */
function alternative(branches: readonly BodyParts[]): BodyParts {
  const isHtml = (part: MimePart) => textKind(part) === 'html'
  const html = branches.filter(branch => branch.html.some(isHtml))
  const plain = branches.filter(branch => !html.includes(branch) && branch.text.length > 0)
  // A branch with HTML may have a text view of its own.
  const text = plain.length > 0 ? plain : html.filter(branch => !branch.text.some(isHtml)).slice(0, 1)
  return { html: inOrder(html.length > 0 ? html : text).html, text: inOrder(text.length > 0 ? text : html).text }
}

/** A forwarded message is shown below the text, as Thunderbird and Apple Mail do, but not the one that a report returns. */
function isEntered({ isAllShown, messagesLeft }: Place, parent: MimePart | undefined): boolean {
  return messagesLeft > 0 && (isAllShown || parent?.contentType !== 'multipart/report')
}

function embedded(message: MimePart, place: Place): BodyParts {
  const inner = message.children.map(child => viewsOf(child, { ...place, messagesLeft: place.messagesLeft - 1 }))
  return inOrder([{ html: [message], text: [message] }, ...inner])
}

/** Other texts repeat one of these in a form that few programs know. */
const ALTERNATIVES = new Set(['text/plain', 'text/html'])

/** Whether it is a text that stands in the body, and no file. */
function isRead(part: MimePart, parent: MimePart | undefined, root: MimePart | undefined): boolean {
  if (part.disposition === 'attachment' || textKind(part) === undefined) return false
  if (parent?.contentType === 'multipart/alternative') return ALTERNATIVES.has(part.contentType)
  if (part === root || parent === undefined) return true
  if (parent.contentType !== 'multipart/related') return part.filename === undefined
  // In a message of a telephone the root is a program that shows the texts. Otherwise a text that nothing can refer to is a notice of a
  // gateway, which adds it to whatever multipart is the outermost.
  const isNamed = part.filename !== undefined || part.contentId !== undefined || firstHeader(part, 'content-location') !== undefined
  return root?.contentType === 'application/smil' || !isNamed
}

/** An embedded message that was parsed (an encoded one is not). */
export function isEmbeddedMessage(part: MimePart): boolean {
  return (part.contentType === 'message/rfc822' || part.contentType === 'message/global') && part.children.length === 1
}

export const isMultipart = (part: MimePart): boolean => part.contentType.startsWith('multipart/') && part.children.length > 0

/** A picture that stands between the texts, and not in one of them. */
export const isShownPicture = (part: MimePart): boolean => part.contentType.startsWith('image/') && part.disposition === 'inline'

/** The bytes that the parts of `parsed` lie in. */
type ShownMessage = { readonly raw: Uint8Array; readonly parsed: ParsedMessage }

/**
 * The message whose text is shown: the given one, unless it is nothing but an encoded message (forbidden by RFC 2046 §5.2.1, and sent
 * anyway) or one signed in one block. Its parts are not in the raw bytes, so the decoded ones are parsed. Attachments are always those of
 * the given message.
 */
export function shownMessage(raw: Uint8Array, parsed: ParsedMessage): ShownMessage {
  const [encoded, ...others] = encodedMessages(parsed.root)
  if (!encoded || others.length > 0 || hasWords(raw, bodyParts(raw, parsed))) return { raw, parsed }
  const known = decoded.get(encoded)
  if (known) return known
  const inner = shownEntity(raw, encoded)
  const shown = inner ? { raw: inner.raw, parsed: { ...parsed, root: inner.root, body: undefined, pictures: undefined } } : { raw, parsed }
  decoded.set(encoded, shown)
  return shown
}

function encodedMessage(raw: Uint8Array, encoded: MimePart): { raw: Buffer; root: MimePart } | undefined {
  const inner = decodeBody(raw, encoded)
  const { root } = parseMessage(inner)
  if (root.headers.length === 0) return undefined
  return { raw: inner, root: { ...encoded, encoding: 'binary', bodyOffset: 0, bodyLength: inner.length, children: [root] } }
}

function shownEntity(raw: Uint8Array, part: MimePart): { raw: Buffer; root: MimePart } | undefined {
  return SIGNED_BLOCK.test(part.contentType) ? signedEntity(raw, part) : encodedMessage(raw, part)
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
