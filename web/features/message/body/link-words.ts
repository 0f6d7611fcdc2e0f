/** The words of a link as a mail may draw them: without its unseen parts, in another order, or letter by letter from the right. */
import { isOwnSiteWithMore, judgeLink, type LinkVerdict, OVERRIDE, RIGHT_TO_LEFT_MARK } from '#reader/links/judge-link.ts'
import { areaWords } from './picture-areas.ts'

const STYLED = '[hidden], [style], [class], [id]'
/** Parts of a line that a browser orders as wholes. */
const MOVED = 'bdi, [dir], [style], [class], [id]'
/** No host is longer. */
const CHARS_MAX = 300
/** No host has more parts. */
const JOINED_MAX = 20

export class LinkWords {
  readonly #hasTurningRule: boolean
  readonly #hasOverride: boolean
  readonly #moved: string

  constructor(source: Element) {
    this.#hasTurningRule = hasTurningRule(source)
    // It reaches over the links behind it to the end of its paragraph, which a style or the simple view may put anywhere.
    this.#hasOverride = source.textContent.includes(OVERRIDE)
    // A rule may move an element by its tag.
    this.#moved = source.querySelector('style') ? '*' : MOVED
  }

  /** The first reading that speaks against a link that opens `url`. */
  verdict(link: HTMLAnchorElement | HTMLAreaElement, url: string): LinkVerdict | undefined {
    const turning = this.#turning(link)
    const judge = (words: string) => judgeLink(url, turning + words)
    if (link instanceof HTMLAreaElement) return [judge(areaWords(link))].find(({ flag }) => flag)
    const joined = joinedLinks(link)
    const found = inOrder(link, joined)
      .map(judge)
      .find(({ flag }) => flag)
    if (found || !joined.some(each => each.matches(this.#moved) || each.querySelector(this.#moved))) return found
    return fromBehind(link, joined)
      .map(judge)
      .find(({ flag, named = '' }) => flag && !isOwnSiteWithMore(url, named))
  }

  /** An element of the link or around it turns its letters, or a rule may. */
  #turning(link: Element): string {
    if (this.#hasOverride) return OVERRIDE
    for (let around: Element | null = link; around; around = around.parentElement) if (turnsLetters(around)) return OVERRIDE
    if (Array.from(link.querySelectorAll('bdo, [style]')).some(turnsLetters)) return OVERRIDE
    return this.#hasTurningRule ? RIGHT_TO_LEFT_MARK : ''
  }
}

/** One unseen word makes a sentence of a host. */
function inOrder(link: Element, joined: readonly Element[]): string[] {
  const words = [link.textContent, joined.map(({ textContent }) => textContent).join('')]
  return link.querySelector(STYLED) ? [...words, textsIn(link, STYLED).join('')] : words
}

/** Boxes in a line that is written from the right, or that float there. The path of an honest link is then in front of its host. */
function fromBehind(link: Element, joined: readonly Element[]): string[] {
  return [textsIn(link), joined.flatMap(each => textsIn(each))].map(texts => texts.reverse().join(''))
}

/** A variable may say so as well. */
function turnsLetters(element: Element): boolean {
  return element.nodeName === 'BDO' || (element instanceof HTMLElement && /override|\(/.test(element.style.unicodeBidi))
}

const ESCAPED = /\\(?:([\da-f]{1,6})\s?|(.))/gi

/** A rule may also take the word from an attribute. */
function hasTurningRule(source: Element): boolean {
  const letter = (_: string, code: string | undefined, itself = '') =>
    code === undefined ? itself : String.fromCharCode(Number.parseInt(code, 16))
  return Array.from(source.querySelectorAll('style')).some(({ textContent }) =>
    /override|attr\(/i.test(textContent.replace(ESCAPED, letter)),
  )
}

/** The texts of a link from its beginning, without the elements that `unread` matches. */
function textsIn(link: Element, unread?: string): string[] {
  const nodes = link.ownerDocument.createTreeWalker(link, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, node =>
    unread !== undefined && node instanceof Element && node.matches(unread) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  const texts: string[] = []
  for (let chars = 0; chars < CHARS_MAX && nodes.nextNode(); ) {
    if (!(nodes.currentNode instanceof Text)) continue
    texts.push(nodes.currentNode.data)
    chars += nodes.currentNode.length
  }
  return texts
}

/** The links in a row that end with this one and open the same: together they can read as one address. */
function joinedLinks(link: HTMLAnchorElement): HTMLAnchorElement[] {
  const links = [link]
  for (let left = JOINED_MAX, before = link.previousSibling; left > 0 && before instanceof HTMLAnchorElement; left--) {
    if (before.href !== link.href) break
    links.unshift(before)
    before = before.previousSibling
  }
  return links
}
