/** The words of a message: its body parts, decoded and joined. */
import { htmlToText } from '../../seen/html.ts'
import { decodeWords } from '../headers/encoded-words.ts'
import { firstHeader } from '../headers/headers.ts'
import { TEXT_BYTES_MAX } from '../mime-limits.ts'
import { changeInBlocks, cutAnywhere } from '../text/blocks.ts'
import type { MimePart, ParsedMessage, Pictures } from '../types.ts'
import { Warnings } from '../warnings.ts'
import { bodyParts, isBodyPart, isEmbeddedMessage } from './body-parts.ts'
import { bodyPictures } from './pictures.ts'
import { isReport, reportText } from './report.ts'
import { decodeTextPart, textKind } from './text-part.ts'

type MessageBody = {
  /** From the sender, untrusted. Lines end with LF. `undefined` if no part is HTML. */
  readonly html: string | undefined
  /** Lines end with LF. `undefined` if no part is plain text. */
  readonly text: string | undefined
  readonly warnings: readonly string[]
}

/** Decodes the body. Plain parts next to HTML parts (footers of mailing lists) are in both views, so nothing is lost. */
export function readBody(raw: Uint8Array, parsed: ParsedMessage): MessageBody {
  const warnings = new Warnings()
  const parts = bodyParts(raw, parsed)
  const hasHtml = parts.html.some(part => textKind(part) === 'html')
  const hasText = parts.text.some(part => textKind(part) === 'plain' || isReport(part))
  // One budget per view: a thousand parts of 4 MiB, all line breaks, would be a page of 100 MB.
  const [htmlBudget, textBudget] = [{ bytesLeft: TEXT_BYTES_MAX }, { bytesLeft: TEXT_BYTES_MAX }]
  const asText = (part: MimePart) => textOf(part, decodeTextPart(raw, part, warnings, textBudget))
  return {
    html: hasHtml ? joinHtml(parts.html, bodyPictures(raw, parsed), part => decodeTextPart(raw, part, warnings, htmlBudget)) : undefined,
    text: hasText ? parts.text.map(part => wordsOf(raw, parsed, part) ?? asText(part)).join('\n') : undefined,
    warnings: warnings.list(),
  }
}

/** The parts as one HTML: a line above each embedded message, a blank one between texts. */
export function joinHtml(parts: readonly MimePart[], { standing }: Pictures, read: (part: MimePart) => string): string {
  const shown = parts.filter(part => isBodyPart(part) || standing.has(part))
  return shown
    .map((part, at) => {
      if (isEmbeddedMessage(part)) return `${at === 0 ? '' : '<hr>\n'}${messageHeadHtml(part)}`
      const name = standing.get(part)
      const html = name === undefined ? htmlOf(part, read(part)) : `<img src="${escaped(name)}" alt="${escaped(part.filename ?? '')}">`
      const isFollowed = at + 1 < shown.length && !isEmbeddedMessage(shown[at + 1] ?? part)
      return isFollowed ? `${html}\n<br>` : html
    })
    .join('\n')
}

/** What stands for a part that is no text itself. */
function wordsOf(raw: Uint8Array, { root }: ParsedMessage, part: MimePart): string | undefined {
  if (isReport(part)) return reportText(raw, root, part)
  return isEmbeddedMessage(part) ? messageHead(part) : undefined
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

function htmlOf(part: MimePart, text: string): string {
  if (textKind(part) === 'html') return text
  return `<div>${changeInBlocks(text, cutAnywhere, escaped)}</div>`
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`).replace(/\n/g, '<br>\n')
const textOf = (part: MimePart, text: string): string => (textKind(part) === 'html' ? htmlToText(text) : text)
