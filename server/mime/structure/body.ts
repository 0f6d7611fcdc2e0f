import { decodeText } from '../charsets/charset.ts'
import { decodeBytes, encodedBody, isUnencoded, textEncoding } from '../encodings/transfer-encoding.ts'
import { decodeWords } from '../headers/encoded-words.ts'
import { firstHeader } from '../headers/headers.ts'
import { TEXT_BYTES_MAX } from '../mime-limits.ts'
import { changeInBlocks, cutAnywhere } from '../text/blocks.ts'
import { withoutFilesInText } from '../text/files-in-text.ts'
import { unflow } from '../text/flowed.ts'
import { htmlToText } from '../text/html-text.ts'
import { withPlainLineEnds } from '../text/line-ends.ts'
import type { MimePart, ParsedMessage } from '../types.ts'
import { Warnings } from '../warnings.ts'
import { bodyParts, isBodyPart, isEmbeddedMessage, textKind } from './body-parts.ts'

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

/** The text of a text part, within the budget: transfer encoding, charset, line ends and flow are decoded. */
export function decodeTextPart(
  raw: Uint8Array,
  part: MimePart,
  warnings: Warnings,
  budget: Budget = { bytesLeft: TEXT_BYTES_MAX },
): string {
  const encoded = encodedBody(raw, part)
  const whole = decodeBytes(encoded, textEncoding(encoded, part))
  const readable = textKind(part) === 'plain' && isUnencoded(part) ? withoutFilesInText(whole) : whole
  if (readable.length > budget.bytesLeft) warnings.add(TEXT_TRUNCATED)
  const bytes = readable.subarray(0, budget.bytesLeft)
  budget.bytesLeft -= bytes.length
  const charset = part.charset ?? (textKind(part) === 'html' ? declaredInHtml(bytes) : undefined)
  const decoded = decodeText(bytes, charset)
  if (decoded.problem) warnings.add(decoded.problem, charset)
  if (textKind(part) === 'html') return decoded.text
  const text = changeInBlocks(withPlainLineEnds(decoded.text), cutAnywhere, block => block.replace(/\0/g, ''))
  return part.format.flowed ? unflow(text, part.format.delSp) : text
}

/** `<meta charset>` counts only if the mail declares no charset. */
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
