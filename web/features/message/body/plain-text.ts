/** Plain text as it is shown: cut into blocks, with its links. */
import { LinkifyIt } from 'linkify-it'

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

const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: false }).add('ftp:', null).add('//', null)
/** linkify is linear on real mail. A longer line is not text with links. */
const LINKED_CHARS_MAX = 100_000

/** Text and links in order. Only http, https and mailto become links. */
export function linkSpans(text: string): TextSpan[] {
  const matches = text.length > LINKED_CHARS_MAX ? null : linkify.match(text)
  if (!matches) return [{ text, at: 0 }]
  const spans: TextSpan[] = []
  let end = 0
  for (const match of matches) {
    if (!/^(?:https?|mailto):/i.test(match.url)) continue
    if (match.index > end) spans.push({ text: text.slice(end, match.index), at: end })
    spans.push({ text: match.text, href: match.url, at: match.index })
    end = match.lastIndex
  }
  if (end < text.length) spans.push({ text: text.slice(end), at: end })
  return spans
}
