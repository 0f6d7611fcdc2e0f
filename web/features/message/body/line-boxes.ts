/**
 * Boxes that a mail has in its lines. A browser makes a box of each element in a line, for each line: 22 KB of letters below each other in
 * ninety of them stopped Chromium for more than half a minute, and nothing stops a browser that has begun.
 */

/** Elements that a browser draws in a line unless a style says otherwise. All others are taken for blocks. */
const INLINE = new Set(
  'A ABBR ACRONYM B BDI BDO BIG BR CITE CODE DATA DEL DFN EM FONT I IMG INS KBD LABEL MAP MARK NOBR OUTPUT Q RP RT RUBY S SAMP SMALL SPAN STRIKE STRONG SUB SUP TIME TT U VAR WBR'.split(
    ' ',
  ),
)
/** A style may put these into a line: blocks and the parts of tables. */
const BLOCKS = new Set(
  'P DIV CENTER BLOCKQUOTE H1 H2 H3 H4 H5 H6 UL OL LI DL DT DD PRE SECTION ARTICLE HEADER FOOTER MAIN ASIDE NAV ADDRESS FIGURE FIGCAPTION DETAILS SUMMARY FIELDSET LEGEND MENU DIR HGROUP SEARCH DIALOG TABLE CAPTION TBODY THEAD TFOOT TR TD TH'.split(
    ' ',
  ),
)

/** Words in which a declaration may say what is asked here. An escape may stand for them. */
const SAYS_SO = /display|all|bidi|\\/i
/** All others put a box in a line: `initial` does, and `inherit` may. */
const NOT_IN_LINE = /^(?:|none|contents|block|flow-root|list-item|flex|grid|table.*|inline-.*|-webkit-.*|revert(?:-layer)?)$/
const NOT_TURNING = /^(?:|normal|initial|unset|plaintext|revert(?:-layer)?)$/
const putsInLine = (style: CSSStyleDeclaration) => !NOT_IN_LINE.test(style.getPropertyValue('display'))
const turns = (style: CSSStyleDeclaration) => !NOT_TURNING.test(style.getPropertyValue('unicode-bidi'))

/** They may be left out of a selector, which then names more elements. */
const NARROWING = /\[[\w-]+(?:[~|^$*]?="[\w .-]*")?(?: i)?\]|::?[\w-]+(?![\w(-])/g
/** A selector whose last parts are understood here. */
const PLAIN_SELECTOR = /^[\w\s.#>+~,*-]*$/
const COMPOUNDS_MAX = 20
const SHEETS_CHARS_MAX = 524_288
const RULES_MAX = 5000
const NESTING_MAX = 5

/** The elements that some rules name by the last parts of their selectors, which name more than the whole. */
class RuleSubjects {
  readonly #compounds: string[] = []
  #selector = ''
  /** There are too many, or one that is not understood. */
  mayAllBe = false

  add(selectorText: string): void {
    const selector = selectorText.replace(NARROWING, '')
    const last = selector.split(',').map(part => part.split(/[\s>+~]+/).at(-1) || '*')
    if (selectorText !== '' && PLAIN_SELECTOR.test(selector) && this.#compounds.length + last.length <= COMPOUNDS_MAX)
      this.#compounds.push(...last)
    else this.mayAllBe = true
    this.#selector = this.#compounds.join(',')
  }

  has(element: Element): boolean {
    return this.#selector !== '' && element.matches(this.#selector)
  }
}

/** Which elements of a mail are in lines, by their tags and by what its styles declare, and which of them turn the line. */
export class LineBoxes {
  readonly #inLine = new RuleSubjects()
  readonly #turning = new RuleSubjects()
  #rulesLeft = RULES_MAX

  /** `sheets`: of its own, none if they are not shown. */
  constructor(sheets: readonly string[]) {
    let charsLeft = SHEETS_CHARS_MAX
    for (const text of sheets) {
      charsLeft -= text.length
      if (!SAYS_SO.test(text)) continue
      if (charsLeft < 0) {
        this.#takeAll()
        return
      }
      const sheet = new CSSStyleSheet()
      try {
        sheet.replaceSync(text)
      } catch {
        continue
      }
      this.#read(sheet.cssRules, 0)
    }
  }

  has(element: Element): boolean {
    if (INLINE.has(element.nodeName)) return true
    return BLOCKS.has(element.nodeName) && (this.#inLine.mayAllBe || declares(element, putsInLine) || this.#inLine.has(element))
  }

  /** Whether the element is a paragraph of its own in a line, or turns it. */
  turns(element: Element): boolean {
    return element.matches('bdo, bdi, [dir]') || this.#turning.mayAllBe || declares(element, turns) || this.#turning.has(element)
  }

  #read(rules: CSSRuleList, depth: number): void {
    for (const rule of Array.from(rules)) {
      if (this.#rulesLeft-- <= 0) {
        this.#takeAll()
        return
      }
      const style: unknown = Reflect.get(rule, 'style')
      const selector = rule instanceof CSSStyleRule ? rule.selectorText : ''
      if (style instanceof CSSStyleDeclaration && putsInLine(style)) this.#inLine.add(selector)
      if (style instanceof CSSStyleDeclaration && turns(style)) this.#turning.add(selector)
      const inner: unknown = Reflect.get(rule, 'cssRules')
      if (inner instanceof CSSRuleList && depth < NESTING_MAX) this.#read(inner, depth + 1)
      else if (inner instanceof CSSRuleList) this.#takeAll()
    }
  }

  /** Not all rules are read: those that are not may name every element. */
  #takeAll(): void {
    this.#inLine.mayAllBe = true
    this.#turning.mayAllBe = true
  }
}

function declares(element: Element, what: (style: CSSStyleDeclaration) => boolean): boolean {
  return element instanceof HTMLElement && SAYS_SO.test(element.getAttribute('style') ?? '') && what(element.style)
}

export function sheetsOf(source: Element): string[] {
  return Array.from(source.querySelectorAll('style'), ({ textContent }) => textContent)
}

/** So many elements in each other are free. Of the others each has its letters, as each may be a line. */
const DEPTH_FREE = 8
const CHARS_MAX = 500_000

/**
 * Unwraps what is deeper in lines where a mail has too many boxes in them, and tells whether it has. Links stay. Before the mail is
 * cleaned, so that its words are judged as they are drawn.
 */
export function limitLineBoxes(source: Element, areStylesShown: boolean): boolean {
  // Most mails have few letters that are so deep in anything.
  if (charsIn(source, () => true).chars <= CHARS_MAX) return false
  const lines = new LineBoxes(areStylesShown ? sheetsOf(source) : [])
  const { chars, deep } = charsIn(source, element => (areStylesShown ? lines.has(element) : INLINE.has(element.nodeName)))
  if (chars <= CHARS_MAX) return false
  for (const element of deep) unwrap(element)
  return true
}

/** `deep`: the elements in lines that are in more than are free, each after what is around it. */
function charsIn(source: Element, isInLine: (element: Element) => boolean): { chars: number; deep: Element[] } {
  const depths = new Map<Element | null, number>()
  const deep: Element[] = []
  let chars = 0
  for (const element of source.getElementsByTagName('*')) {
    const isIn = isInLine(element)
    const depth = (depths.get(element.parentElement) ?? 0) + (isIn ? 1 : 0)
    depths.set(element, depth)
    if (depth <= DEPTH_FREE || element.nodeName === 'STYLE') continue
    if (isIn) deep.push(element)
    // A line may be an element without letters.
    for (const node of element.childNodes) chars += (node instanceof Text ? node.length : 1) * (depth - DEPTH_FREE)
  }
  return { chars, deep }
}

function unwrap(element: Element): void {
  const isLink = element.nodeName === 'A' && !element.parentElement?.closest('a')
  if (isLink || !element.firstChild) return
  if (!INLINE.has(element.nodeName)) element.before(element.ownerDocument.createElement('br'))
  while (element.firstChild) element.before(element.firstChild)
  element.remove()
}
