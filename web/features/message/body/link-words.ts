/**
 * The words of a link as a mail may draw them: without its unseen parts, in another order, letter by letter from the right, or with what
 * stands close to it. They are read from what is shown, where alternative texts and what is in fields are words like others.
 */
import {
  isOwnSiteWithMore,
  KNOWN_ENDINGS,
  type LinkVerdict,
  linkJudge,
  OVERRIDE,
  RIGHT_TO_LEFT_MARK,
  seenLetters,
} from '#reader/links/judge-link.ts'
import { BLOCKS, isHidden } from './simple-view.ts'

/** A style may draw a block within a line, or put anything on a line of its own. */
const LINES = `:is(${BLOCKS}, td, th, legend, summary):not([style*="display: inline"]), [style*="display: block"]`
/** No host has more parts. */
const PARTS_MAX = 40
/** The host of a longer address is out of sight. */
const BESIDE_CHARS_MAX = 2000
/** A sentence whose blank in front was forgotten: `here.It ends`. A path has a slash, and endings that are no words begin none. */
const SENTENCE = /^[.?!](?!(?:Com|Net|Org)(?!\p{L}))\p{Lu}(?!\p{Lu})[^/]*$/u
/** The same, begun by a link behind an address: `www.shop.example.<a>Unsubscribe</a>`, `www.hotel.com.<a>BOOK NOW</a>`. */
const SENTENCE_IN_LINK = /^(\p{Lu}(?:(?!\p{Lu})[^\s/=&]{2,}|\p{L}{3,}))(?:\s|$)/u
const COUNTRY = /\.\p{L}{2}$/u
const ENDING = /^(?:com|net|org|info|biz|edu|gov)$/i
/** Behind others only what is no ending begins a sentence: `www.shop.se.<a>Com</a>` is another address. */
const GENERIC = /\.(?:com|net|org)$/i
/** A question mark begins a query. */
const SENTENCE_END = /[).:!-]{1,3}$/

type Words = { readonly words: string; readonly isPicture: boolean }

/** A text, or a picture with words. */
type Piece = Words & {
  readonly line: number
  readonly link: Place | undefined
  /** Equal in what is drawn alike. */
  readonly look: string | number
  readonly isHidden: boolean
  /** The words as they are seen, once somebody asked. */
  seen?: string
}

/** The boxes around a node make this of it. */
type Around = { readonly links: readonly Place[]; readonly isTurned: boolean; readonly look: number; readonly isHidden: boolean }

/** What a link has of the pieces of a mail: those from `start` to before `end`. */
type Place = {
  readonly href: string | null
  readonly start: number
  readonly line: number
  end: number
  endLine: number
  isTurned: boolean
}

export class LinkWords {
  readonly #shown: Element
  readonly #hasTurningRule: boolean
  readonly #hasOverride: boolean
  readonly #pieces: Piece[] = []
  readonly #places = new Map<Element, Place>()
  readonly #looks = new Map<string, number>()
  #hidesWords = false
  #line = 0

  /** `source`: the mail as it came. `shown`: all of it that is shown, with its last words. */
  constructor(source: Element, shown: Element) {
    this.#shown = shown
    this.#hasTurningRule = hasTurningRule(source)
    // It reaches over the links behind it to the end of its paragraph, which a style or the simple view may put anywhere.
    this.#hasOverride = shown.textContent.includes(OVERRIDE)
  }

  /** The whole mail is read once, since what stands beside a link stands beside others too. A block begins a line and ends it. */
  #read(node: Node, around: Around): void {
    if (node instanceof Text) this.#keep(node.data, node.parentElement, around)
    if (!(node instanceof Element)) return
    if (node instanceof HTMLImageElement) this.#keep(node.alt, node, around)
    const turns = turnsLetters(node)
    if (turns) for (const link of around.links) link.isTurned = true
    const isHidden = around.isHidden || hidesWords(node)
    const isLine = !isHidden && node.matches(LINES)
    if (isLine) this.#line++
    const isTurned = around.isTurned || turns
    const place = node instanceof HTMLAnchorElement || node instanceof HTMLAreaElement ? this.#begin(node, isTurned) : undefined
    const links = place ? [...around.links, place] : around.links
    const inside = { links, isTurned, isHidden, look: this.#look(around.look, node) }
    for (let child = node.firstChild; child; child = child.nextSibling) this.#read(child, inside)
    if (place) Object.assign(place, { end: this.#pieces.length, endLine: this.#line })
    if (isLine) this.#line++
  }

  /** Numbered, since the classes of all boxes around a word may be longer than the mail. */
  #look(outer: number, box: Element): number {
    const look = [outer, box.nodeName, box.className, box.getAttribute('style')].join()
    const number = this.#looks.get(look) ?? this.#looks.size + 1
    this.#looks.set(look, number)
    return number
  }

  #keep(words: string, box: Element | null, { links, look, isHidden }: Around): void {
    if (words === '') return
    // In the simple view its words are in its place.
    const isPicture = box instanceof HTMLImageElement || (box?.hasAttribute('data-picture') ?? false)
    this.#hidesWords ||= isHidden
    const piece = { words, isPicture, line: this.#line, link: links.at(-1), isHidden }
    this.#pieces.push({ ...piece, look: isPicture ? `picture ${this.#pieces.length}` : look })
  }

  #begin(link: Element, isTurned: boolean): Place {
    const [start, line] = [this.#pieces.length, this.#line]
    const place = { href: link.getAttribute('href'), start, line, end: start, endLine: line, isTurned }
    this.#places.set(link, place)
    return place
  }

  /** The first reading that speaks against a link that opens `url`. `pressed`: the link, or the picture that an area is a part of. */
  verdict(link: Element, url: string, pressed: Element | undefined): LinkVerdict | undefined {
    if (this.#places.size === 0) this.#read(this.#shown, { links: [], isTurned: false, look: 0, isHidden: false })
    const place = this.#places.get(link)
    if (!place) return undefined
    const turning = this.#hasOverride || place.isTurned ? OVERRIDE : this.#hasTurningRule ? RIGHT_TO_LEFT_MARK : ''
    const judge = linkJudge(url)
    const read = new Set<string>()
    /** `isHonest`: whether the host that a reading names is the link's own after all. */
    const against = (readings: readonly string[], isHonest?: (named: string) => boolean): LinkVerdict | undefined => {
      for (const words of readings) {
        const verdict = read.has(words) ? undefined : judge(turning + words)
        read.add(words)
        if (verdict?.flag !== undefined && !isHonest?.(verdict.named ?? '')) return verdict
      }
      return undefined
    }
    if (link instanceof HTMLAreaElement) return against([link.alt, pressed instanceof HTMLImageElement ? pressed.alt : ''])
    const all = this.#pieces.slice(place.start, place.end)
    const shown = this.#hidesWords ? all.filter(({ isHidden }) => !isHidden) : []
    // A rule of the mail may show again what is hidden, so it is read as well.
    for (const readsHidden of shown.length > 0 ? [false, true] : [true]) {
      const own = readsHidden ? all : shown
      const text = inOrder(own)
      const alone = against([...(isWritten(own) ? [text] : []), ...lookAlikes(own)])
      if (alone) return alone
      const seen = seenLetters(text)
      const joined = [...this.#beside(place, seen, -1, readsHidden), ...own]
      const whole = [...joined, ...this.#beside(place, seen, 1, readsHidden)]
      // Boxes in a line that is written from the right, or that float there. The path of an honest link is then in front of its host.
      const fromBehind = [own, joined].map(pieces => inOrder(pieces.toReversed()))
      const found =
        against(isWritten(joined) ? [inOrder(joined)] : []) ??
        against([text, inOrder(joined), inOrder(whole), ...fromBehind], named => isOwnSiteWithMore(url, named))
      if (found) return found
    }
    return undefined
  }

  /**
   * What is written on this side of the link, whose words are `own`, up to the next blank, in the same line, with the links in front that
   * open the same.
   */
  #beside(place: Place, own: string, step: 1 | -1, readsHidden: boolean): Words[] {
    const isBefore = step === -1
    const found: Words[] = []
    let joined = isBefore ? own.slice(0, BESIDE_CHARS_MAX) : own.slice(-BESIDE_CHARS_MAX)
    let at = isBefore ? place.start - 1 : place.end
    let isWritten = false
    for (let left = PARTS_MAX; left > 0 && joined.length <= 2 * BESIDE_CHARS_MAX; left--, at += step) {
      const piece = this.#pieces[at]
      if (piece?.line !== (isBefore ? place.line : place.endLine)) break
      piece.seen ??= seenLetters(piece.words)
      if (piece.seen === '' || (piece.isHidden && !readsHidden)) continue
      const other = piece.link
      if (other && (isWritten || !isBefore || other.href !== place.href)) break
      // A search for the end from each letter would take the square of their number.
      const word = other ? piece.seen : isBefore ? piece.seen.slice(piece.seen.lastIndexOf(' ') + 1) : piece.seen.replace(/ .*/, '')
      const part = isBefore ? word.slice(-BESIDE_CHARS_MAX) : word.slice(0, BESIDE_CHARS_MAX)
      const [front, end] = isBefore ? [part, joined] : [joined, part]
      if (!other && (front.endsWith(' ') || end.startsWith(' ') || !(isWritten || isSeam(front, end)))) break
      isWritten ||= !other
      found.push({ words: part, isPicture: piece.isPicture })
      joined = front + end
      if (part !== piece.seen) break
    }
    const words = inOrder(isBefore ? found.reverse() : found)
    return (isBefore ? isSentenceInLink(words.replace(SENTENCE_END, '').replace(/^.*www\./i, ''), own) : SENTENCE.test(words)) ? [] : found
  }
}

function isSentenceInLink(address: string, own: string): boolean {
  const word = SENTENCE_IN_LINK.exec(own)?.[1]
  if (word === undefined || !(KNOWN_ENDINGS.test(address) || COUNTRY.test(address))) return false
  return !ENDING.test(word) || (GENERIC.test(address) && word !== word.toUpperCase())
}

const inOrder = (pieces: readonly Words[]): string => pieces.map(({ words }) => words).join('')

/** Between a logo and a name there is a gap without a blank. */
const isWritten = (pieces: readonly Words[]): boolean => pieces.length < 2 || !pieces.some(({ isPicture }) => isPicture)

/** Whether two parts may be of one address. Two words without a blank between them, as in a row of links, are of two. */
function isSeam(front: string, end: string): boolean {
  // Behind a colon there is a port or a slash, and no street: `:24 Main Street`.
  return (
    /[./?#@-]$/.test(front) ||
    /^(?:[./?#@-]|:(?:[\d/]|$))/.test(end) ||
    (front.endsWith(':') && /^(?:\/|\d{2,5}(?:[/?#]|$)|(?:443|8080|8443)(?!\d))/.test(end))
  )
}

/** The parts that a mail draws alike, since it may hide the others: one unseen word makes a sentence of a host. */
function lookAlikes(pieces: readonly Piece[]): string[] {
  const alike = new Map<string | number, string>()
  for (const { look, words } of pieces) alike.set(look, (alike.get(look) ?? '') + words)
  return [...alike.values()]
}

function hidesWords(element: Element): boolean {
  return element instanceof HTMLElement && (element.hasAttribute('hidden') || (element.hasAttribute('style') && isHidden(element.style)))
}

/** A variable may say so as well. */
function turnsLetters(element: Element): boolean {
  if (element.nodeName === 'BDO') return true
  return element instanceof HTMLElement && element.hasAttribute('style') && /override|\(/.test(element.style.unicodeBidi)
}

const ESCAPED = /\\(?:([\da-f]{1,6})\s?|(.))/gi

/** A rule may also take the word from an attribute. The simple view has no `bdo`. */
function hasTurningRule(source: Element): boolean {
  const letter = (_: string, code: string | undefined, itself = '') =>
    code === undefined ? itself : String.fromCharCode(Number.parseInt(code, 16))
  if (source.querySelector('bdo')) return true
  return Array.from(source.querySelectorAll('style')).some(({ textContent }) =>
    /override|attr\(/i.test(textContent.replace(ESCAPED, letter)),
  )
}
