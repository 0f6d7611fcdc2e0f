/**
 * The words of a link as a mail may draw them: without its unseen parts, in another order, letter by letter from the right, or with what
 * stands close to it. They are read from what is shown, where alternative texts and what is in fields are words like others.
 */
import { isOwnSiteWithMore, judgeLink, type LinkVerdict, OVERRIDE, RIGHT_TO_LEFT_MARK, seenLetters } from '#reader/links/judge-link.ts'
import { BLOCKS } from './simple-view.ts'

/** A style may draw a block within a line, or put anything on a line of its own. */
const LINES = `:is(${BLOCKS}, td, th, legend, summary):not([style*="display: inline"]), [style*="display: block"]`
/** No host has more parts. */
const PARTS_MAX = 40
/** Joins the parts of an address. Two words without a blank between them, as in a row of links, are none. */
const SEAM = { before: /[.:/?#@-]$/, behind: /^[.:/?#@-]/ }

export class LinkWords {
  readonly #shown: Element
  readonly #hasTurningRule: boolean
  readonly #hasOverride: boolean

  /** `source`: the mail as it came. `shown`: all of it that is shown, with its last words. */
  constructor(source: Element, shown: Element) {
    this.#shown = shown
    this.#hasTurningRule = hasTurningRule(source)
    // It reaches over the links behind it to the end of its paragraph, which a style or the simple view may put anywhere.
    this.#hasOverride = shown.textContent.includes(OVERRIDE)
  }

  /** The first reading that speaks against a link that opens `url`. `pressed`: the link, or the picture that an area is a part of. */
  verdict(link: Element, url: string, pressed: Element | undefined): LinkVerdict | undefined {
    const turning = this.#turning(link)
    const read = new Set<string>()
    const against = (readings: readonly string[]) =>
      readings
        .filter(words => !read.has(words) && read.add(words))
        .map(words => judgeLink(url, turning + words))
        .filter(({ flag }) => flag !== undefined)
    if (link instanceof HTMLAreaElement) return against([link.alt, pressed ? wordsOf(pressed) : ''])[0]
    const texts = textsIn(link)
    const words = texts.map(wordsOf)
    const before = this.#beside(link, words.join(''), 'previousNode')
    const behind = this.#beside(link, words.join(''), 'nextNode')
    // Boxes in a line that is written from the right, or that float there. The path of an honest link is then in front of its host.
    const fromBehind = [words, [...before, ...words]].map(each => each.toReversed().join(''))
    return (
      against([words.join(''), [...before, ...words].join(''), ...lookAlikes(texts)])[0] ??
      against([[...before, ...words, ...behind].join(''), ...fromBehind]).find(({ named = '' }) => !isOwnSiteWithMore(url, named))
    )
  }

  /** An element of the link or around it turns its letters, or a rule may. */
  #turning(link: Element): string {
    if (this.#hasOverride) return OVERRIDE
    for (let around: Element | null = link; around; around = around.parentElement) if (turnsLetters(around)) return OVERRIDE
    if (Array.from(link.querySelectorAll('bdo, [style]')).some(turnsLetters)) return OVERRIDE
    return this.#hasTurningRule ? RIGHT_TO_LEFT_MARK : ''
  }

  /** What is written on this side of the link up to the next blank, in the same line, with the links in front that open the same. */
  #beside(link: Element, words: string, step: 'previousNode' | 'nextNode'): string[] {
    const isBefore = step === 'previousNode'
    const line = link.closest(LINES)
    const nodes = this.#shown.ownerDocument.createTreeWalker(this.#shown, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
    nodes.currentNode = isBefore ? link : lastIn(link)
    const found: string[] = []
    let joined = seenLetters(words)
    let isWritten = false
    for (let left = PARTS_MAX; left > 0 && nodes[step](); left--) {
      const node = nodes.currentNode
      if (node instanceof Element && node.matches(LINES)) break
      const text = seenLetters(wordsOf(node))
      if (text === '') continue
      if (node.parentElement?.closest(LINES) !== line) break
      const other = node.parentElement?.closest('a')
      if (other && (isWritten || !isBefore || other.getAttribute('href') !== link.getAttribute('href'))) break
      const part = other ? text : ((isBefore ? /\S*$/ : /^\S*/).exec(text)?.[0] ?? '')
      const [front, end] = isBefore ? [part, joined] : [joined, part]
      if (!other && (/\s$/.test(front) || /^\s/.test(end) || !(isWritten || SEAM.before.test(front) || SEAM.behind.test(end)))) break
      isWritten ||= !other
      found.push(part)
      if (part !== text) break
      joined = front + end
    }
    return isBefore ? found.reverse() : found
  }
}

function lastIn(node: Node): Node {
  let last = node
  while (last.lastChild) last = last.lastChild
  return last
}

const wordsOf = (node: Node): string => (node instanceof HTMLImageElement ? node.alt : node instanceof Text ? node.data : '')

function textsIn(link: Element): Node[] {
  const nodes = link.ownerDocument.createTreeWalker(link, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  const texts: Node[] = []
  while (nodes.nextNode()) if (wordsOf(nodes.currentNode) !== '') texts.push(nodes.currentNode)
  return texts
}

/** The parts that a mail draws alike, since it may hide the others: one unseen word makes a sentence of a host. */
function lookAlikes(texts: readonly Node[]): string[] {
  const words = new Map<string, string>()
  for (const text of texts) {
    const box = text instanceof Element ? text : text.parentElement
    const look = [box?.nodeName, box?.className, box?.getAttribute('style')].join()
    words.set(look, (words.get(look) ?? '') + wordsOf(text))
  }
  return [...words.values()]
}

/** A variable may say so as well. */
function turnsLetters(element: Element): boolean {
  return element.nodeName === 'BDO' || (element instanceof HTMLElement && /override|\(/.test(element.style.unicodeBidi))
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
