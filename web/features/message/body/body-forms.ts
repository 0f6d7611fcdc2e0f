/** In which forms the body of a mail can be shown, in which pieces, and how much of it at first. */
import type { Message } from '#contract/mailbox.ts'
import { containsTag, taggedText } from '#reader/seen/tagged-text.ts'
import { cutBefore, splitDirections } from './directions.ts'

const ENCRYPTED = /^\s*(?:multipart\/encrypted\b|application\/(?:x-)?pkcs7-mime\b(?!.*signed-data))/i

/** OpenPGP and S/MIME. The text of what is only signed is shown like any other. */
export function isEncrypted(headers: Message['headers']): boolean {
  return ENCRYPTED.test(headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '')
}

type BodyForms = {
  /** Sanitised and shown as HTML; missing if the body has no tag. */
  readonly html?: string
  readonly text: string
}

/**
 * A body with a tag is HTML, whatever its content type; otherwise it is plain text with line breaks. Without a body the preview is used.
 */
export function bodyForms({
  html,
  text,
  htmlText,
  preview,
}: Pick<Message, 'preview'> & Partial<Record<'html' | 'text' | 'htmlText', string | undefined>>): BodyForms {
  const marked = html === undefined ? text && taggedText(text) : containsTag(html) && html
  const plain = htmlText ?? text ?? preview
  return marked ? { html: marked, text: plain } : { text: plain }
}

/** `at`: how many lines are before it, `charsBefore` how many characters, and `linksBefore` how many words that may be links. */
export type TextBlock = {
  readonly isQuote: boolean
  readonly lines: readonly string[]
  readonly at: number
  readonly charsBefore: number
  readonly linksBefore: number
}

/** A piece is drawn and laid out as one; the browser skips pieces that are off the screen. */
const PIECE_LINES = 100
const PIECE_CHARS = 4000
/** A longer line is parted: as links, 60,000 characters of it are 17,000 elements. Of the mails of the corpora none has one. */
const LINE_CHARS_MAX = 8000
/** Runs of own and of quoted lines; what is behind them is one run, as it is written. No reply has as many. */
const RUNS_MAX = 200
/** One or two quoted lines are shown; more are folded. */
export const FOLDED_LINES_MIN = 3

/** Plain text cut into blocks that can be drawn piece by piece: runs of own lines and runs of quoted ones. */
export function splitText(text: string): TextBlock[] {
  const runs: TextBlock[] = []
  let run: (TextBlock & { readonly lines: string[] }) | undefined
  let at = 0
  let charsBefore = 0
  let linksBefore = 0
  for (const line of text.split(/\r\n|\n|\r/)) {
    const isQuote = (runs.length < RUNS_MAX || run?.isQuote === true) && /^\s{0,3}>/.test(line)
    if (run?.isQuote !== isQuote) {
      run = { isQuote, lines: [], at, charsBefore, linksBefore }
      runs.push(run)
    }
    for (const part of splitLine(line)) {
      run.lines.push(part)
      at += 1
      charsBefore += part.length
      linksBefore += countLinks(part)
    }
  }
  // A quote is folded as a whole, whatever its length; own text is cut into pieces.
  return runs.flatMap(each => (each.isQuote ? each : cutPieces(each)))
}

/** The pieces of a block in which it is drawn. */
export function cutPieces({ isQuote, lines, at, charsBefore, linksBefore }: TextBlock): TextBlock[] {
  const pieces: TextBlock[] = []
  let start = 0
  let chars = 0
  let links = 0
  const before = { charsBefore, linksBefore }
  for (const [index, line] of lines.entries()) {
    chars += line.length
    links += countLinks(line)
    if (index + 1 < lines.length && index + 1 - start < PIECE_LINES && chars < PIECE_CHARS) continue
    pieces.push({ isQuote, lines: lines.slice(start, index + 1), at: at + start, ...before })
    before.charsBefore += chars
    before.linksBefore += links
    start = index + 1
    chars = 0
    links = 0
  }
  return pieces
}

const MAY_LINK = /:\/\/|@|[\p{L}\d]\.\p{L}{2}/iu

function countLinks(line: string): number {
  return MAY_LINK.test(line) ? line.split(/[\s,;"'()<>|]+/).filter(word => MAY_LINK.test(word)).length : 0
}

function splitLine(line: string): string[] {
  if (line.length <= LINE_CHARS_MAX) return splitDirections(line)
  const parts: string[] = []
  for (let start = 0; start < line.length; ) {
    const end = line.length - start <= PIECE_CHARS ? line.length : cutBefore(line, start, start + PIECE_CHARS)
    parts.push(...splitDirections(line.slice(start, end)))
    start = end
  }
  return parts
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

/**
 * 128 Ki characters: more than Gmail shows. A mail of 4 MiB takes the page seconds, so the reader is asked first. Comments and style
 * sheets, which nobody reads, do not count: a mail that begins with a long one would begin with nothing.
 */
const FIRST_CHARS_MAX = 131_072
const UNREAD_CHARS_MAX = 262_144
/** Four times as many as in the largest newsletters. Elements cost more than letters: as cells or line breaks 128 Ki are 30,000. */
const FIRST_TAGS_MAX = 3000
/** A table is laid out more than once for each that it stands in; newsletters nest a dozen. Deeper than this, each element counts more. */
const TABLES_DEEP = 16
/** A browser takes up to twelve times as long for a line of Chinese, Arabic or Hindi as for one in Latin letters. */
const DEAR_LETTER = /[\u0590-\u1dff\u2e80-\uffff]/g
const DEAR_SHARE = 8
/** A mail that is only a little longer is shown completely. */
const SPARED_CHARS_MIN = 32_768

/** The beginning up to a tag, or the whole mail if it is short. The parser closes elements that are cut. */
export function firstPart(html: string): string {
  const end = firstEnd(html)
  return html.length < end + SPARED_CHARS_MIN ? html : html.slice(0, end)
}

function firstEnd(html: string): number {
  const dear = html.slice(0, FIRST_CHARS_MAX).match(DEAR_LETTER)?.length ?? 0
  const charsMax = Math.ceil(FIRST_CHARS_MAX / (1 + (dear / FIRST_CHARS_MAX) * (DEAR_SHARE - 1)))
  const tags = /<(?:(!--)|(style)(?=[\s>])|(\/?)(table)(?=[\s>])|[a-z]|(\/))/gi
  let tables = 0
  let unread = 0
  let last = 0
  let left = FIRST_TAGS_MAX
  for (let tag = tags.exec(html); tag && left > 0; tag = tags.exec(html)) {
    const { index, 1: comment, 2: style, 3: tableEnd, 4: table, 5: end } = tag
    if (index > charsMax + unread) break
    last = index
    if (table) tables = Math.max(0, tables + (tableEnd ? -1 : 1))
    if (!end && !tableEnd) left -= 1 + Math.floor(tables / TABLES_DEEP)
    if (comment === undefined && style === undefined) continue
    const close = html.slice(index, index + UNREAD_CHARS_MAX - unread).search(comment ? /-->/ : /<\/style/i)
    if (close < 0) break
    unread += close
    tags.lastIndex = index + close
  }
  const endMax = charsMax + unread
  return left <= 0 || last > endMax - charsMax / 2 ? last : endMax
}
