/** Plain text as it is shown: cut into blocks, with its links. */
import { textLinks } from '#reader/seen/plain-text.ts'

export type TextBlock = { readonly isQuote: boolean; readonly lines: readonly string[]; readonly at: number }

/** A piece is drawn and laid out as one; the browser skips pieces that are off the screen. */
const PIECE_LINES = 100
/** One or two quoted lines are shown; more are folded. */
export const FOLDED_LINES_MIN = 3

/** Plain text cut into blocks that can be drawn piece by piece: runs of own lines and runs of quoted ones. */
export function splitText(text: string): TextBlock[] {
  const blocks: TextBlock[] = []
  let lines: string[] = []
  let isQuote = false
  let start = 0
  const flush = () => {
    if (lines.length > 0) blocks.push({ isQuote, lines, at: start })
    start += lines.length
    lines = []
  }
  for (const line of text.split(/\r\n|\n|\r/)) {
    const isQuotedLine = /^\s{0,3}>/.test(line)
    // A quote is folded as a whole, whatever its length; own text is cut into pieces.
    if (isQuotedLine !== isQuote || (!isQuote && lines.length >= PIECE_LINES)) flush()
    isQuote = isQuotedLine
    lines.push(line)
  }
  flush()
  return blocks
}

/** A run of blanks inside a line, or lines drawn with letters. */
const COLUMN = /\S {3,}\S|\S\t+\S|(?:[-=+|]{3,} ?){2}|[\u2500-\u257f]/
/** One such line is a heading. */
const COLUMN_LINES_MIN = 3

/** Whether words stand below each other, as they do only in letters of one width. */
export function hasColumns(text: string): boolean {
  let left = COLUMN_LINES_MIN
  return text.split('\n').some(line => COLUMN.test(line) && --left === 0)
}

type TextSpan = { readonly text: string; readonly href?: string; readonly at: number }

/** Text and links in order. */
export function linkSpans(text: string): TextSpan[] {
  const spans: TextSpan[] = []
  let last = 0
  for (const { url, start, end } of textLinks(text)) {
    if (start > last) spans.push({ text: text.slice(last, start), at: last })
    spans.push({ text: text.slice(start, end), href: url, at: start })
    last = end
  }
  if (last < text.length || text === '') spans.push({ text: text.slice(last), at: last })
  return spans
}

const UNREAD = 'script, style, template, title, noscript, svg, math, object, iframe'
const LINES =
  'p, div, br, hr, tr, table, li, ul, ol, dl, dt, dd, h1, h2, h3, h4, h5, h6, blockquote, pre, center, section, article, header, footer, address'

/**
 * All words of an HTML mail, including hidden ones, for the text view of a mail without plain text. Parsed into a document without a
 * window: nothing loads and nothing runs.
 */
export function htmlText(html: string): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  // `<img name=body>` hides the document's own.
  const body = Document.prototype.querySelector.call(parsed, 'html > body') ?? Document.prototype.createElement.call(parsed, 'body')
  for (const element of body.querySelectorAll(UNREAD)) element.remove()
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  // Line breaks of the source are blanks; only elements make lines.
  while (texts.nextNode()) texts.currentNode.nodeValue = (texts.currentNode.nodeValue ?? '').replace(/\s+/g, ' ')
  for (const element of body.querySelectorAll(LINES)) element.before('\n')
  for (const element of body.querySelectorAll('p, div, li, tr, h1, h2, h3, h4, h5, h6')) element.after('\n')
  for (const cell of body.querySelectorAll('td, th')) cell.append(' ')
  return (body.textContent ?? '')
    .split('\n')
    .map(line => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
