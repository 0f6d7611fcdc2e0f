/** Decodes one part of text: its transfer encoding, charset, line ends and flow. */
import { isUtf8 } from 'node:buffer'
import { decodeText } from '../charsets/charset.ts'
import { decodeBytes, encodedBody, isUnencoded, textEncoding } from '../encodings/transfer-encoding.ts'
import { TEXT_BYTES_MAX } from '../mime-limits.ts'
import { CharacterWriter, changeInBlocks, cutAnywhere, withPlainLineEnds } from '../text/blocks.ts'
import { uuencodedFiles, withoutFiles } from '../text/uuencoded-files.ts'
import type { MimePart, UuencodedFile } from '../types.ts'
import type { Warnings } from '../warnings.ts'

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

/** The uuencoded files in a text. Only in an unencoded one: an encoded one comes from a program that supports attachments. */
export function filesInText(raw: Uint8Array, part: MimePart): readonly UuencodedFile[] {
  part.files ??= textKind(part) === 'plain' && isUnencoded(part) ? uuencodedFiles(encodedBody(raw, part)) : []
  return part.files
}

/** A text part was too long to be shown in full. */
export const TEXT_TRUNCATED = 'text_truncated'

type Budget = { bytesLeft: number }

const LONE_CR = /\r(?!\n)/

/** The text of a text part, within the budget: transfer encoding, charset, line ends and flow are decoded. */
export function decodeTextPart(
  raw: Uint8Array,
  part: MimePart,
  warnings: Warnings,
  budget: Budget = { bytesLeft: TEXT_BYTES_MAX },
): string {
  const encoded = encodedBody(raw, part)
  const whole = decodeBytes(encoded, textEncoding(encoded, part))
  const readable = withoutFiles(whole, filesInText(raw, part))
  if (readable.length > budget.bytesLeft) warnings.add(TEXT_TRUNCATED)
  const bytes = readable.subarray(0, budget.bytesLeft)
  budget.bytesLeft -= bytes.length
  const charset = partCharset(part, bytes)
  const decoded = decodeText(bytes, charset)
  if (decoded.problem) warnings.add(decoded.problem, charset)
  if (textKind(part) === 'html') return withPlainLineEnds(decoded.text)
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
