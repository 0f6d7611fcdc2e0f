import { type CodePatterns, once, patternsFor } from '../codes/code-words.ts'
import { readHtml, type SeenHtml } from '../seen/html.ts'
import { type TextLink, textLinks } from '../seen/plain-text.ts'
import { judgeLink, unwrapLink } from './judge-link.ts'
import { bareLinks } from './seen-links.ts'

/** `label`: its words, or its host. */
export type ConfirmationLink = { readonly url: string; readonly label: string }

/** As for codes: the link to click is near the top. */
const TEXT_CHARS_MAX = 131_072
const URL_CHARS_MAX = 2048
const LABEL_CHARS_MAX = 80
/** Newsletters have some 50 links; the thousandth is an attack. */
const LINKS_READ_MAX = 500
const LINKS_MAX = 3

/** What the target of one is named. */
const TARGETS =
  /confirm|verif|activ(?:at|ar|ac)|validat|validar|\/v\/|magic|one-?time|reset|restablec|recuperar|opt-?in|login\?|signin\?|invit(?:e|ation|acion)|registro\/completar|[?&](?:token|otp)=/iu
/** What the targets of other links are named. */
const OTHER_TARGETS =
  /unsubscribe|opt-?out|\/baja|preferenc|privacy|privacidad|terms|condiciones|cookies|help|ayuda|support|soporte|report|denunci|settings|ajustes|\/view\/|admin/iu
/** Newsletters have more links, each of which leads to a target with a token. */
const FEW_LINKS = 12
/** The word for a link. */
const LINK = /link|lien|enlace|länk|lenke|odkaz|ba[gğ]lant[ıi]|tautan|liên kết|ссылк|посилан|σύνδεσμ|リンク|链接|連結|링크|رابط|קישור|लिंक/iu
/** What a link has that knows its reader: a name with a value, a name with a digit, a long name. */
const PERSONAL = /[?&#][^=&]+=|\/[^/?#]*\d|\/[\w-]{16}/
/** How much around a link says what it is for. */
const AROUND_CHARS = 300
const SENTENCE_CHARS_MAX = 160

/** `before`, `after`: the rest of the link's line; `above`: the line above it. They are only read if the link's own words say nothing. */
type Surroundings = { before: string; after: string; above: string }
type Link = { url: string; label: string; around: () => Surroundings }
/** What the mail wants, by its subject. */
type Mail = {
  readonly words: CodePatterns
  readonly asks: () => boolean
  /** It asks to confirm, or brings a link to sign in. A subject that only mentions signing in may warn. */
  readonly asksToFollow: () => boolean
  readonly invites: () => boolean
  readonly isBill: () => boolean
}

/**
 * The links a mail wants followed to confirm, sign in, reset or accept, best guess first, at most three. `label` is the link's own words,
 * at most 80 characters, or its host where it has none. A mail that warns has none. Time is linear in the input.
 */
export function findConfirmationLinks({
  subject = '',
  html = '',
  seen = readHtml(html, undefined, TEXT_CHARS_MAX),
  text = '',
}: {
  subject?: string | undefined
  html?: string | undefined
  seen?: SeenHtml | undefined
  text?: string | undefined
}): ConfirmationLink[] {
  const words = patternsFor(`${subject}\n${html || text}`)
  if (words.alerts.test(subject)) return []
  const mail = {
    words,
    asks: once(() => words.followed.test(subject)),
    asksToFollow: once(() => words.confirms.test(subject) || (words.signsIn.test(subject) && LINK.test(subject))),
    invites: once(() => words.invites.test(subject)),
    isBill: once(() => words.bills.test(subject) || words.besides.test(subject)),
  }
  const found = rank([...linksOfHtml(seen), ...linksOfText(seen.text, bareLinks(seen, LINKS_READ_MAX))], mail)
  if (found.length > 0) return found
  const written = text.slice(0, TEXT_CHARS_MAX)
  return rank(linksOfText(written, textLinks(written, LINKS_READ_MAX)), mail)
}

/** Links of a text whose neighbourhood is searched for words that ask; a mail that asks has few. */
const LINKS_ASKED_MAX = 8

/** Whether a mail asks to confirm something in its first words or next to a link of its text; only then are links searched. */
export function asksToConfirm(subject: string, preview: string, text: string): boolean {
  const asks = (words: string) => patternsFor(words).followed.test(words)
  if (asks(subject) || asks(preview)) return true
  let at = text.indexOf('http')
  for (let seen = 0; at !== -1 && seen < LINKS_ASKED_MAX; seen++) {
    if (asks(text.slice(Math.max(0, at - SENTENCE_CHARS_MAX), at + LABEL_CHARS_MAX))) return true
    at = text.indexOf('http', at + LABEL_CHARS_MAX)
  }
  return false
}

function rank(links: Link[], mail: Mail): ConfirmationLink[] {
  const scored = new Map<string, { link: ConfirmationLink; score: number }>()
  for (const link of links) {
    const { url, label } = link
    const score = scoreLink(link, mail, links.length > FEW_LINKS)
    const known = scored.get(url)
    if (score > (known?.score ?? 0)) scored.set(url, { link: { url, label: label || readHost(url) }, score })
  }
  const found = [...scored.values()].sort((a, b) => b.score - a.score).slice(0, LINKS_MAX)
  return found.length > 0 ? found.map(({ link }) => link) : onlyPersonalLink(links, mail)
}

/** The words of a link count most; then its sentence; then the name of its target, if the subject asks for something. */
function scoreLink({ url, label, around }: Link, mail: Mail, hasMany: boolean): number {
  const { words } = mail
  const opened = unwrapLink(url)
  const target = opened.slice(opened.indexOf('/', 8))
  if (isBesides(label, opened, words)) return 0
  const isTarget = TARGETS.test(target)
  if (words.confirms.test(label)) return 80 + (isTarget ? 10 : 0)
  if (mail.invites() && words.accepts.test(label)) return 80
  if (words.signsIn.test(label)) return !mail.isBill() && (isTarget || mail.asks()) ? 80 + (isTarget ? 10 : 0) : 0
  if ((label === '' || words.here.test(label)) && (isTarget || !hasMany)) {
    const sentence = sentenceOf(around())
    if (isAboutElse(sentence, words)) return 0
    if (words.followed.test(sentence)) return isTarget ? 75 : 70
  }
  return isTarget && mail.asks() ? 65 : 0
}

/** `Yes, subscribe me` under a subject or a sentence that asks to confirm: only one link of such a mail can know its reader. */
function onlyPersonalLink(links: Link[], { words, asksToFollow, isBill }: Mail): ConfirmationLink[] {
  if (links.length === 0 || isBill()) return []
  const personal = new Map<string, Link>()
  for (const link of links) {
    const opened = unwrapLink(link.url)
    if (PERSONAL.test(opened.slice(opened.indexOf('/', 8))) && !isBesides(link.label, opened, words)) personal.set(link.url, link)
  }
  const [link, another] = personal.values()
  if (!link || another) return []
  const { url, label, around } = link
  const sentence = sentenceOf(around())
  return asksToFollow() || (words.confirms.test(sentence) && !isAboutElse(sentence, words)) ? [{ url, label: label || readHost(url) }] : []
}

function isAboutElse(sentence: string, words: CodePatterns): boolean {
  return words.besides.test(sentence) || words.bills.test(sentence) || PRICE.test(sentence)
}

/** Whether a link is one that almost every mail has. */
function isBesides(label: string, opened: string, words: CodePatterns): boolean {
  return words.besides.test(label) || OTHER_TARGETS.test(opened.split('?')[0] ?? '')
}

/** The sentence that a link stands in, or that stands above a link alone on its line. */
function sentenceOf({ before, after, above }: Surroundings): string {
  const start = before.split(SENTENCE_END).at(-1) ?? ''
  const own = `${start} ${after.split(SENTENCE_END)[0] ?? ''}`
  if (/\p{L}{2}/u.test(own)) return own
  const last = (before || above).split(SENTENCE_END).filter(sentence => /\p{L}{2}/u.test(sentence))
  return (last.at(-1) ?? '').slice(-SENTENCE_CHARS_MAX)
}

/** `Confirm your data and pay 1.95 €` */
const PRICE = /[€$£¥₹₽₺] ?\d|\d ?(?:[€$£₽₺円元원]|(?:kr|zł|eur|usd|tl|руб)(?!\p{L}))/iu

const SENTENCE_END = /[.!?]["”»]?(?:\s|$)|[。！？]/u

function linksOfHtml({ text, links }: SeenHtml): Link[] {
  return links.flatMap(({ url: opened, label: words, start, end }) => {
    const url = webAddress(opened)
    const label = words.slice(0, LABEL_CHARS_MAX)
    // A link that pretends is never put before the reader, whatever it is called.
    if (url === undefined || judgeLink(url, label).flag) return []
    return [{ url, label: isAddress(label) ? '' : label, around: () => aroundLink(text, start, end) }]
  })
}

function aroundLink(text: string, start: number, end: number): Surroundings {
  const lines = text.slice(Math.max(0, start - AROUND_CHARS), start).split('\n')
  const above = lines.slice(0, -1).findLast(line => line.trim() !== '') ?? ''
  return { before: lines.at(-1) ?? '', above, after: text.slice(end, end + SENTENCE_CHARS_MAX).split('\n')[0] ?? '' }
}

function linksOfText(text: string, links: readonly TextLink[]): Link[] {
  return links.flatMap(({ url: written, start, end }) => {
    // A name alone (`shop.example`) asks nobody to click.
    const url = /^https?:/i.test(text.slice(start, end)) ? webAddress(written) : undefined
    if (url === undefined || judgeLink(url, url).flag) return []
    return [{ url, label: '', around: () => aroundLink(text, start, end) }]
  })
}

/** http and https only, unchanged from the mail: the shown URL must be the opened one. */
function webAddress(raw: string): string | undefined {
  const url = raw.trim()
  if (url.length > URL_CHARS_MAX || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  return url
}

function isAddress(label: string): boolean {
  return /^(?:https?:\/\/|www\.)/i.test(label)
}

function readHost(url: string): string {
  return new URL(url).host
}
