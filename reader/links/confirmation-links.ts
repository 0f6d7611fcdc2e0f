import { once, type Patterns, patternsFor } from '../languages/patterns.ts'
import { readHtml, type SeenHtml } from '../seen/html.ts'
import { type TextLink, textLinks } from '../seen/plain-text.ts'
import { judgeTarget, unwrapLink } from './judge-link.ts'
import { type LinkToken, STEPS, tokensOf } from './link-token.ts'
import { bareLinks } from './seen-links.ts'

/** `label`: its words, or its host. */
export type ConfirmationLink = { readonly url: string; readonly label: string }

/** The same holds for codes: the link to click is near the top. */
const TEXT_CHARS_MAX = 131_072
const URL_CHARS_MAX = 2048
const LABEL_CHARS_MAX = 80
/** Newsletters have some 50 links; the thousandth is an attack. */
const LINKS_READ_MAX = 500
const LINKS_MAX = 3

/** What the target of one is named. */
const TARGETS =
  /confirm|verif|activ(?:at|ar|ac)|validat|validar|\/v\/|magic|one-?time|reset|restablec|recuperar|recover|opt-?in|login\?|signin\?|invit(?:e|ation|acion)|registro\/completar|[?&](?:token|otp)=/iu
/** What the targets of other links are named. */
const OTHER_TARGETS =
  /unsubscribe|opt-?out|\/baja(?!\/confirm)|preferenc|(?:privacy|privacidad)[^/]*\/?$|terms|condiciones|cookies|help|ayuda|support|soporte|report|denunci|settings|ajustes|\/view\/|admin/iu
/** Newsletters have more links, each of which leads to a target with a token. */
const FEW_LINKS = 12
/** A step of the path, or the beginning of a name in the query, of a link that can only mean one thing. */
const STEP = /(?:^|[/_.-])(?:confirm(?:ation)?|verif(?:y|ication)|activat(?:e|ion)|reset|unlock|magic|opt-?in)(?=[/_.-]|$)/i
const TOKEN_OF_STEP = new RegExp(`^(?:${STEPS})\\w{0,30}(?:token|key|code)=[^=]{5}`, 'i')
const TOKEN = /^(?:\w{0,30}token|key|code|hash|sig|nonce|otp|[tkchs])=[^=]{5}/i
/** `/activate/Mg/c5x-8f2a`, behind the step. */
const TOKEN_IN_PATH = /\/(?=[^/]{0,200}\d)(?=[^/]{0,200}[a-z])[^/]{6}/i
/** Where shops confirm what was bought. */
const BOUGHT = /order|booking|checkout|invoice|cart|ticket|pay|subscription\/\d/i
/** Shops of apps and social networks, in every language by these names. */
const ELSEWHERE =
  /app ?store|google play|^(?:facebook|instagram|twitter|x|linkedin|youtube|tiktok|whatsapp|telegram|pinterest|threads|mastodon|bluesky|github|discord)$/iu
/** How much of a mail is searched for what speaks for its one link. */
const EVIDENCE_CHARS = 4096
/** How much around a link says what it is for. */
const AROUND_CHARS = 300
const SENTENCE_CHARS_MAX = 160
/** The longest that speaks for a link, as `finish within a day your registration`. */
const WORDS_CHARS = 60

/**
 * `before`, `after`: the rest of the link's line, with the lines that were wrapped into it; `above`: the paragraph above it. They are only
 * read if the link's own words say nothing.
 */
type Surroundings = { before: string; after: string; above: string }
/** `opened`: what stands behind the URL of a gateway. `isHead`: no words stand above it. `isMenu`: in a row of links, or below a letter. */
type Link = { url: string; opened: string; label: string; isHead: boolean; isMenu: boolean; around: () => Surroundings }
/** What the mail wants, by its subject. */
type Mail = {
  readonly words: Patterns
  /** It warns of something new: nothing but what approves just that is offered. */
  readonly isAlert: boolean
  readonly asks: () => boolean
  readonly invites: () => boolean
  readonly deletes: () => boolean
  readonly isBill: () => boolean
  /** It asks to confirm what other mails offer in their last line: that no more is sent. */
  readonly isOptOut: () => boolean
  /** Something is sold or has a price. */
  readonly isSale: () => boolean
  /** So do shared files and surveys: alone it says nothing. */
  readonly lasts: () => boolean
  /** `Confirmation of your appointment`, which may ask for nothing. */
  readonly isConfirmed: () => boolean
  /** How much speaks for a mail whose one link asks, whatever that link is called. */
  readonly evidence: () => number
}

/**
 * The links a mail wants followed to confirm, sign in, reset or accept, best guess first, at most three. `label` is the link's own words,
 * at most 80 characters, or its host where it has none. A mail that warns has at most what approves. Time is linear in the input.
 */
export function findConfirmationLinks({
  subject = '',
  html = '',
  seen = readHtml(html, undefined, TEXT_CHARS_MAX),
  text = '',
  bare,
  written,
}: {
  subject?: string | undefined
  html?: string | undefined
  seen?: SeenHtml | undefined
  text?: string | undefined
  /** The links written in the HTML or the text, where they are known. */
  bare?: readonly TextLink[] | undefined
  written?: readonly TextLink[] | undefined
}): ConfirmationLink[] {
  const words = patternsFor(`${subject}\n${seen.text}\n${text}`)
  const found = rank(
    [...linksOfHtml(seen), ...linksOfText(seen.text, bare?.slice(0, LINKS_READ_MAX) ?? bareLinks(seen, LINKS_READ_MAX))],
    wishesOf(subject, seen.text, words),
  )
  if (found.length > 0) return found
  const start = text.slice(0, TEXT_CHARS_MAX)
  const links = written?.filter(({ end }) => end <= TEXT_CHARS_MAX).slice(0, LINKS_READ_MAX) ?? textLinks(start, LINKS_READ_MAX)
  return rank(linksOfText(start, links), wishesOf(subject, start, words))
}

/** `Confirm your new device`, but not `New device: confirm that it was you`. */
function isRequest(subject: string, { alerts, confirms }: Patterns): boolean {
  return !/[:!,–—]| - /.test(subject) && subject.search(confirms) !== -1 && subject.search(confirms) < subject.search(alerts)
}

function wishesOf(subject: string, text: string, words: Patterns): Mail {
  const bringsLink = once(() => words.signsIn.test(subject) && words.link.test(subject))
  const asksToFollow = once(() => words.confirms.test(subject) || bringsLink())
  const isDeletion = once(() => asksToDelete(subject, words))
  const body = text.slice(0, EVIDENCE_CHARS)
  const isSale = once(() => PRICE.test(body) || words.shop.test(body))
  return {
    words,
    isAlert: words.alerts.test(subject) && !isRequest(subject, words),
    asks: once(() => words.followed.test(subject)),
    invites: once(() => words.invites.test(subject)),
    deletes: isDeletion,
    isSale,
    isOptOut: once(() => words.confirms.test(subject) && words.besides.test(subject) && !words.bills.test(subject)),
    isBill: once(() => !bringsLink() && (words.bills.test(subject) || words.besides.test(subject))),
    lasts: once(() => words.lasts.test(body)),
    isConfirmed: once(() => words.confirmed.test(subject) && !asksToFollow()),
    evidence: once(() => {
      if (!asksToFollow() && isSale()) return 0
      return (
        (asksToFollow() || words.nearlyDone.test(subject)
          ? 2
          : words.followed.test(subject) || words.stems.test(subject) || isDeletion()
            ? 1
            : 0) +
        (words.ignored.test(body) ? 2 : 0) +
        (words.nearlyDone.test(body) ? 1 : 0)
      )
    }),
  }
}

/** Links of a text whose neighbourhood is searched for words that ask; a mail that asks has few. */
const LINKS_ASKED_MAX = 8

/**
 * Whether a mail asks to confirm something in its first words or next to a link of its text, or has a link that can mean nothing else; only
 * then are links searched.
 */
export function asksToConfirm(subject: string, preview: string, text: string, urls: readonly string[]): boolean {
  const asks = (words: string) => {
    const { followed, hinted } = patternsFor(words)
    return followed.test(words) || hinted.test(words)
  }
  if (patternsFor(subject).stems.test(subject) || asks(subject) || asks(preview)) return true
  if (urls.length <= FEW_LINKS && urls.some(hasToken)) return true
  let at = text.indexOf('http')
  let asked = 0
  for (let seen = 0; at !== -1 && seen < LINKS_ASKED_MAX; seen++) {
    // Links stand close together, and no words are asked twice but those that a window may have cut.
    const end = at + AROUND_CHARS
    if (end - asked > WORDS_CHARS && asks(text.slice(Math.max(0, asked - WORDS_CHARS, at - SENTENCE_CHARS_MAX), end))) return true
    asked = end
    if (hasToken(/^\S{0,500}/.exec(text.slice(at, at + 500))?.[0] ?? '')) return true
    at = text.indexOf('http', at + LABEL_CHARS_MAX)
  }
  return false
}

function rank(links: Link[], mail: Mail): ConfirmationLink[] {
  const scored = new Map<string, { link: ConfirmationLink; score: number }>()
  const tokens = tokensOf(links.map(({ opened }) => opened))
  for (const link of links) {
    const { url, label, opened } = link
    const score = scoreLink(link, mail, links.length > FEW_LINKS, tokens.get(opened) ?? 'none')
    const known = scored.get(url)
    if (score > (known?.score ?? 0)) scored.set(url, { link: { url, label: label || readHost(url) }, score })
  }
  const found = [...scored.values()].sort((a, b) => b.score - a.score).slice(0, LINKS_MAX)
  return found.length > 0 ? found.map(({ link }) => link) : onlyPersonalLink(links, mail, tokens)
}

/** The words of a link count most; then its sentence; then the name of its target, if the subject asks for something. */
function scoreLink({ opened, label, isMenu, around }: Link, mail: Mail, hasMany: boolean, token: LinkToken): number {
  const { words } = mail
  if (token === 'none' || isBesides(label, opened, words)) return 0
  if (mail.isAlert) return token !== 'some' && words.approves.test(label || sentenceOf(around())) ? 80 : 0
  const isTarget = TARGETS.test(targetOf(opened))
  if (words.confirms.test(label)) return token !== 'tracked' || mail.evidence() > 0 || mail.lasts() ? 80 + (isTarget ? 10 : 0) : 0
  if (mail.deletes() && asksToDelete(label, words)) return 80
  if (mail.invites() && words.accepts.test(label)) return 80
  if (words.signsIn.test(label)) return !mail.isBill() && !isMenu && (isTarget || mail.asks()) ? 80 + (isTarget ? 10 : 0) : 0
  if ((label === '' || words.here.test(label)) && (isTarget || !hasMany)) {
    const sentence = sentenceOf(around())
    if (isAboutElse(sentence, words) && !(mail.isOptOut() && words.confirms.test(sentence))) return 0
    if (words.confirms.test(sentence)) return isTarget ? 75 : 70
    // A bill says where to sign in, and many mails where everybody does.
    if (!mail.isBill() && words.followed.test(sentence)) return isTarget ? 75 : 70
    if (mail.deletes() && asksToDelete(sentence, words)) return 70
  }
  if (isTarget && mail.asks()) return 65
  return !hasMany && !mail.isBill() && !mail.isSale() && hasToken(opened) ? 60 : 0
}

/** `Delete my account`, but not `keep it` or `it will be deleted`. */
function asksToDelete(words: string, { deletes, keeps }: Patterns): boolean {
  return deletes.test(words) && !keeps.test(words)
}

/** Whether a URL names a step that is confirmed, and has a token for it. */
function hasToken(url: string): boolean {
  const [path = '', ...query] = targetOf(url).split(/[?&#;]/)
  if (BOUGHT.test(path)) return false
  const step = STEP.exec(path)
  if (!step) return query.some(part => TOKEN_OF_STEP.test(part))
  return query.some(part => TOKEN.test(part)) || TOKEN_IN_PATH.test(path.slice(step.index + step[0].length))
}

/**
 * `Yes, subscribe me` in a mail that asks to confirm: the only link that can know its reader, or the only such that stands alone as a
 * button does.
 */
function onlyPersonalLink(links: Link[], mail: Mail, tokens: ReadonlyMap<string, LinkToken>): ConfirmationLink[] {
  if (links.length === 0 || mail.isAlert || mail.isBill()) return []
  const personal = new Map<string, Link>()
  for (const link of links) {
    if (tokens.get(link.opened) === 'none' || isBesides(link.label, link.opened, mail.words)) continue
    if (link.isMenu && !(tokens.get(link.opened) === 'own' && mail.words.yes.test(link.label))) continue
    if (ELSEWHERE.test(link.label) || mail.words.browser.test(link.label)) continue
    personal.set(link.url, link)
  }
  const all = [...personal.values()]
  const body = all.filter(({ isHead }) => !isHead)
  const own = only(all.filter(({ opened }) => tokens.get(opened) === 'own'))
  const link =
    own ??
    only(all) ??
    only(body) ??
    only(body.filter(each => (mail.words.here.test(each.label) && !mail.words.yes.test(each.label)) || standsAlone(each.around()))) ??
    only(all.filter(({ isHead, label }) => isHead && mail.words.yes.test(label)))
  if (!link) return []
  const { url, opened, label, around } = link
  const surroundings = around()
  const sentence = sentenceOf(surroundings)
  const paragraph = standsAlone(surroundings) ? `${surroundings.above} ${surroundings.before}` : sentence
  const isElse = isAboutElse(sentence, mail.words)
  const isStem = mail.words.stems.test(sentence) || (mail.deletes() && asksToDelete(paragraph, mail.words))
  const asked = isElse ? 0 : mail.words.confirms.test(paragraph) ? 2 : isStem ? 1 : 0
  const named = Number(mail.words.yes.test(label)) + Number(TARGETS.test(opened) || mail.words.stems.test(targetOf(opened)))
  const said = mail.evidence() + asked + named
  const isOwn = own && !mail.isSale() && (asked + named > 0 || !mail.isConfirmed())
  return said > 0 && said + (isOwn ? 1 : 0) + (mail.lasts() ? 1 : 0) >= 2 ? [{ url, label: label || readHost(url) }] : []
}

/** What stands behind the host. */
function targetOf(opened: string): string {
  return opened.slice(opened.indexOf('/', 8))
}

function only<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined
}

/** The link is named by a button, or is a URL below its words or right after them: `Yes, subscribe me: https://…` */
function standsAlone({ before, after }: Surroundings): boolean {
  return !/\p{L}/u.test(after) && (!/\p{L}/u.test(before) || /[:：]\s*<?$/u.test(before))
}

function isAboutElse(sentence: string, words: Patterns): boolean {
  return words.besides.test(sentence) || words.bills.test(sentence) || PRICE.test(sentence)
}

/** Whether a link is one that almost every mail has. */
function isBesides(label: string, opened: string, words: Patterns): boolean {
  return words.besides.test(label) || words.bills.test(label) || OTHER_TARGETS.test(opened.split('?')[0] ?? '')
}

/** The sentence that a link stands in, or that stands above a link alone on its line. */
function sentenceOf({ before, after, above }: Surroundings): string {
  const start = before.split(SENTENCE_END).at(-1) ?? ''
  const own = `${start} ${after.split(SENTENCE_END)[0] ?? ''}`
  if (/\p{L}{2}/u.test(own)) return own
  const last = (/\p{L}{2}/u.test(before) ? before : above).split(SENTENCE_END).filter(sentence => /\p{L}{2}/u.test(sentence))
  return (last.at(-1) ?? '').slice(-SENTENCE_CHARS_MAX)
}

/** `Confirm your data and pay 1.95 €` */
const PRICE = /[€$£¥₹₽₺] ?\d|\d ?(?:[€$£₽₺円元원]|(?:kr|zł|eur|usd|tl|руб)(?!\p{L}))/iu

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
    const opened = unwrapLink(url)
    // A link that pretends is never put before the reader, whatever it is called.
    if (judgeTarget(opened, label).flag) return []
    const shown = /^(?:https?:\/\/|www\.)/i.test(label) ? '' : label
    return [{ url, opened, label: shown, isHead, isMenu: isInRow(text, links, link, index), around: () => aroundLink(text, start, end) }]
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
    const opened = unwrapLink(url)
    if (judgeTarget(opened, url).flag) return []
    return [{ url, opened, label: '', isHead: false, isMenu: start > signature, around: () => aroundLink(text, start, end) }]
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

function readHost(url: string): string {
  return new URL(url).host
}
