/** Lists the links of a mail that a person may follow, and where each stands. */
import { hasWords, readHtml, type SeenHtml } from '../seen/html.ts'
import { type TextLink, textLinks } from '../seen/plain-text.ts'
import { claimedTarget, judgeTarget } from './judge-link.ts'
import { bareLinks } from './seen-links.ts'

/** The link to click is near the top. */
const TEXT_CHARS_MAX = 131_072
const URL_CHARS_MAX = 2048
const LABEL_CHARS_MAX = 80
/** Newsletters have some 50 links; the thousandth is an attack. */
const LINKS_READ_MAX = 500
/** How much around a link says what it is for. */
const AROUND_CHARS = 300
const SENTENCE_CHARS_MAX = 160

/** `before`, `after`: the rest of the link's line, with the lines that were wrapped into it; `above`: the paragraph above it. */
type Surroundings = { readonly before: string; readonly after: string; readonly above: string }
/**
 * `opened`: what stands behind the URL of a gateway or a redirect. `at`: how far down it stands, from 0 to 1. `isHead`: no words stand
 * above it. `isMenu`: in a row of links, or below a letter.
 */
export type Link = {
  readonly url: string
  readonly opened: string
  readonly label: string
  readonly at: number
  readonly isHead: boolean
  readonly isMenu: boolean
  readonly around: () => Surroundings
}
export type LinkSource = {
  readonly subject?: string | undefined
  readonly html?: string | undefined
  readonly seen?: SeenHtml | undefined
  readonly text?: string | undefined
  /** The links written in the HTML or the text, where they are known. */
  readonly bare?: readonly TextLink[] | undefined
  readonly written?: readonly TextLink[] | undefined
}

/**
 * The links of the HTML with the words around them, and those of the text. Below an HTML with words, which alone is shown, those count that
 * it has as well: the text may say better what they are for.
 */
export function listPlaces(source: LinkSource): { text: string; seen: SeenHtml['links']; links: () => Link[] }[] {
  const { html = '', seen = readHtml(html, undefined, TEXT_CHARS_MAX), text = '', bare, written } = source
  const start = text.slice(0, TEXT_CHARS_MAX)
  const shown = hasWords(seen.text) ? new Set(seen.links.map(({ url }) => url)) : undefined
  return [
    {
      text: seen.text,
      seen: seen.links,
      links: () => [...linksOfHtml(seen), ...linksOfText(seen.text, bare?.slice(0, LINKS_READ_MAX) ?? bareLinks(seen, LINKS_READ_MAX))],
    },
    {
      text: start,
      seen: [],
      links: () =>
        linksOfText(
          start,
          written?.filter(({ end }) => end <= TEXT_CHARS_MAX).slice(0, LINKS_READ_MAX) ?? textLinks(start, LINKS_READ_MAX),
        ).filter(({ url }) => shown?.has(url) ?? true),
    },
  ]
}

/** The link is named by a button, or is a URL below its words or right after them: `Yes, subscribe me: https://…` */
export function standsAlone({ before, after }: Surroundings): boolean {
  return !/\p{L}/u.test(after) && (!/\p{L}/u.test(before) || /[:：]\s*<?$/u.test(before))
}

/** The sentence that a link stands in, or that stands above a link alone on its line. */
export function sentenceOf({ before, after, above }: Surroundings): string {
  const start = before.split(SENTENCE_END).at(-1) ?? ''
  const own = `${start} ${after.split(SENTENCE_END)[0] ?? ''}`
  if (/\p{L}{2}/u.test(own)) return own
  const last = (/\p{L}{2}/u.test(before) ? before : above).split(SENTENCE_END).filter(sentence => /\p{L}{2}/u.test(sentence))
  return (last.at(-1) ?? '').slice(-SENTENCE_CHARS_MAX)
}

/** Footers put a sign between their links. */
const SENTENCE_END = /[.!?]["”»]?(?:\s|$)|[。！？؟।]| [|·•] /u

function linksOfHtml({ text, links }: SeenHtml): Link[] {
  let isHead = true
  let read = 0
  return links.flatMap((link, index) => {
    const { url: href, label: words, start, end } = link
    isHead &&= !/\p{L}/u.test(text.slice(read, start))
    read = Math.max(read, end)
    const url = webAddress(href)
    if (url === undefined) return []
    const label = words.slice(0, LABEL_CHARS_MAX)
    const opened = claimedTarget(url)
    // A link that pretends is never put before the reader, whatever it is called.
    if (judgeTarget(opened, label).flag) return []
    const shown = /^(?:https?:\/\/|www\.)/i.test(label) ? '' : label
    return [
      {
        url,
        opened,
        label: shown,
        at: start / text.length,
        isHead,
        isMenu: isInRow(text, links, link, index),
        around: () => aroundLink(text, start, end),
      },
    ]
  })
}

function aroundLink(text: string, start: number, end: number): Surroundings {
  const lines = text.slice(Math.max(0, start - AROUND_CHARS), start).split('\n')
  const own = lines.pop() ?? ''
  const isAlone = !/\p{L}/u.test(own)
  if (isAlone) while (lines.at(-1)?.trim() === '') lines.pop()
  const written = wrapped(lines)
  const after = text.slice(end, end + SENTENCE_CHARS_MAX).split('\n')[0] ?? ''
  return isAlone ? { before: own, above: written, after } : { before: `${written} ${own}`, above: '', after }
}

/** The last lines, as far as each was as long as a program makes it before it breaks a sentence. */
function wrapped(lines: readonly string[]): string {
  let from = lines.length - 1
  while (from > 0 && WRAPPED.test(lines[from - 1]?.trim() ?? '')) from--
  return lines.slice(Math.max(0, from)).join(' ')
}

/** Programs wrap at 60 to 80 characters, long words stand at the next line's beginning; behind a URL there is nothing to wrap. */
const WRAPPED = /^(?!.*https?:\/\/\S{1,300}$).{45}/

function linksOfText(text: string, links: readonly TextLink[]): Link[] {
  const signature = /^-- ?$/m.exec(text)?.index ?? text.length
  return links.flatMap(({ url: written, start, end }) => {
    // A name alone (`shop.example`) asks nobody to click.
    const url = /^https?:/i.test(text.slice(start, end)) ? webAddress(written) : undefined
    if (url === undefined) return []
    const opened = claimedTarget(url)
    if (judgeTarget(opened, url).flag) return []
    return [
      {
        url,
        opened,
        label: '',
        at: start / text.length,
        isHead: false,
        isMenu: start > signature,
        around: () => aroundLink(text, start, end),
      },
    ]
  })
}

/** Between it and another link with words, on the same line, are no words: `Log in | Contact`. */
function isInRow(text: string, links: SeenHtml['links'], { url, start, end }: SeenHtml['links'][number], index: number): boolean {
  return [links[index - 1], links[index + 1]].some(
    other => other?.label && other.url !== url && !/[\p{L}\n]/u.test(text.slice(Math.min(end, other.end), Math.max(start, other.start))),
  )
}

/** http and https only, unchanged from the mail: the shown URL must be the opened one. */
function webAddress(raw: string): string | undefined {
  const url = raw.trim()
  if (url.length > URL_CHARS_MAX || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  return url
}
