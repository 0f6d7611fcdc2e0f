/** Finds the links of a plain text, as a person would: the page, the API and the clients all take them from here. */
import { LinkifyIt, REBuilder } from 'linkify-it'

/** It stands at `start` to `end` of the text. `url` differs from what stands there if that is `www.shop.example`, or has line breaks. */
export type TextLink = { readonly url: string; readonly start: number; readonly end: number }

/**
 * Scripts that have no blanks between words, or endings that follow a word of another script: Thai and Lao, Burmese, Hangul, Khmer, Chinese
 * and Japanese. As ranges, because the library's patterns know no properties.
 */
const UNSPACED =
  /[\u0e01-\u0eff\u1000-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u30fa\u30fc-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9d]/

/** Differs from the library's patterns where mail does. */
class MailPatterns extends REBuilder {
  /** Chinese and Japanese have no blanks before a link, and `_` emphasises one. */
  override get_schema_search(): RegExp {
    return new RegExp(`(^|[^a-z\\d])(${this.get_schema_names().source})`, 'ig')
  }

  /** A program that makes a link encodes these letters, so they are the sentence's own: `https://shop.example/aをご覧ください`. */
  override get_path_terminator(): RegExp {
    return new RegExp(`${super.get_path_terminator().source}|${UNSPACED.source}`)
  }

  /** No URL contains these (RFC 3986 appendix A). Programs write code and tables with them. */
  override get_text_separators(): RegExp {
    return /[><\uff5c|`]/
  }

  /** Names of machines have `_`, though no registered name may (RFC 952). */
  override get_domain(): RegExp {
    const letter = this.get_pseudo_letter().source
    return new RegExp(`(?:${this.get_xn().source}|${letter}(?:(?:[-_]|${letter}){0,61}${letter})?)`)
  }

  /** The dot of the root ends a host as well: `https://shop.example./confirm`. */
  override get_url_host_port(): RegExp {
    const domain = this.get_domain().source
    const host = `(?:${this.get_ipv6_url_host().source}|(?:${domain}\\.){0,10}${domain}(?:\\.(?=[/?#:]))?)`
    return new RegExp(`${host}${this.get_port().source}${this.get_host_terminator().source}`)
  }
}

const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, urlAuth: true, rebuilder: new MailPatterns() })
  .add('ftp:', null)
  .add('//', null)

/** What may be a link. Most lines of a text are not searched. */
const HINT = /:\/\/|@|[\p{L}\d]\.\p{L}{2}/iu
/** A longer line is no text with links, and the library's time is not linear on every one. */
const LINE_CHARS_MAX = 100_000

/** Links in order: http, https and mailto. */
export function textLinks(text: string, linksMax = Number.POSITIVE_INFINITY): TextLink[] {
  const found: TextLink[] = []
  const brackets = bracketedLinks(text.includes('<') ? text : '')
  let next = brackets.next()
  for (let at = 0; at < text.length && found.length < linksMax; ) {
    if (!next.done && next.value.start <= at) {
      if (next.value.start === at) found.push(next.value)
      at = Math.max(at, next.value.end)
      next = brackets.next()
      continue
    }
    const lineEnd = text.indexOf('\n', at)
    const end = Math.min(lineEnd === -1 ? text.length : lineEnd + 1, next.done ? text.length : next.value.start)
    const line = text.slice(at, end)
    if (line.length <= LINE_CHARS_MAX && HINT.test(line)) for (const link of linksOfLine(line)) found.push(shift(link, at))
    at = end
  }
  return found.length > linksMax ? found.slice(0, linksMax) : found
}

/** A stretch of text that is one link, or has none. */
type TextRun = { readonly text: string; readonly at: number; readonly url?: string }

export function textRuns(text: string): TextRun[] {
  const runs: TextRun[] = []
  let last = 0
  for (const { url, start, end } of textLinks(text)) {
    if (start > last) runs.push({ text: text.slice(last, start), at: last })
    runs.push({ text: text.slice(start, end), at: start, url })
    last = end
  }
  if (last < text.length) runs.push({ text: text.slice(last), at: last })
  return runs
}

const shift = ({ url, start, end }: TextLink, by: number): TextLink => ({ url, start: start + by, end: end + by })

/** Brackets say where a URL ends, so its line breaks are none of its own, nor the blanks at their sides (RFC 3986 appendix C). */
const BRACKETED = /<(?:URL:)?[ \t]*((?:https?:\/\/|mailto:)[^\s<>"]{1,2000}(?:[ \t]*\r?\n[ \t]*[^\s<>"]{1,2000}){0,20})\s{0,20}>/gi

function* bracketedLinks(text: string): Generator<TextLink, undefined> {
  for (const match of text.matchAll(BRACKETED)) {
    const written = match[1] ?? ''
    const url = written.replace(/\s+/g, '')
    const start = match.index + match[0].indexOf(written)
    if (URL.canParse(url)) yield { url, start, end: start + written.length }
  }
  return undefined
}

/** How often a link is parted that contains others. So every character is read a fixed number of times at most. */
const PARTED_MAX = 3

function linksOfLine(line: string, before = '', depth = 0): TextLink[] {
  return (linkify.match(line) ?? []).flatMap(({ index, raw, url }) => {
    const shown = ownPart(raw, before + line.slice(Math.max(0, index - MARK_CHARS_MAX), index))
    const own = { url: url.slice(0, url.length - (raw.length - shown.length)), start: index, end: index + shown.length }
    const rest = depth < PARTED_MAX ? raw.slice(shown.length) : ''
    const others = rest === '' ? [] : linksOfLine(rest, raw.slice(shown.length - 1, shown.length), depth + 1)
    const links = others.map(link => shift(link, own.end))
    return /^(?:https?|mailto):./i.test(own.url) ? [own, ...links] : links
  })
}

const MARK_CHARS_MAX = 300

/** A link without the marks of its sentence: `*https://…*`, `_Confirm: https://…_`, `https://…,https://…`. */
function ownPart(raw: string, before: string): string {
  const link = withoutWordsBehind(raw.slice(0, nextLink(raw)))
  const [mark = ''] = /[*~]$/.exec(before) ?? []
  const closed = mark === '' ? -1 : link.indexOf(mark)
  if (closed > 0) return link.slice(0, closed)
  const [marks] = /(?<![*_~'])[*_~']+$/.exec(link) ?? []
  if (marks === undefined) return link
  // A token may end with `_`: then the mark that opens must be there too.
  const isEmphasis = marks[0] === '*' || new RegExp(`(?:^|[\\s(>"])[*_~']*${marks[0]}[^${marks[0]}]*$`).test(before)
  return isEmphasis ? link.slice(0, -marks.length) : link
}

function nextLink(raw: string): number {
  const at = raw.search(/[,;]\*?https?:\/\//i)
  return at === -1 ? raw.length : at
}

/** `https://shop.exampleをご覧ください`. A host may be in one of these scripts, but not half of it. */
function withoutWordsBehind(link: string): string {
  const at = link.search(UNSPACED)
  if (at <= 0) return link
  const own = link.slice(0, at)
  return /^(?:https?:\/\/)?[^/?#]*(?:\.[a-z]{2,}|^localhost|:\d+)$/i.test(own) ? own : link
}
