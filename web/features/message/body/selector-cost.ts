/**
 * How long a browser takes to try a selector on a mail: the elements that its last part names, and the steps from each of them to
 * ancestors and siblings.
 */
import { type CssToken, selectorTokens } from './css-tokens.ts'

/** The measures of a mail that decide how often a browser tries a rule, and how far it walks. */
export type MailShape = {
  readonly elements: number
  /** How many elements the deepest one is in, and the most that are in one. */
  readonly depth: number
  readonly siblings: number
  /** Elements by `tag`, `.class` and `#id`. */
  readonly counts: ReadonlyMap<string, number>
  /** The longest value of each attribute, and the most classes of an element. */
  readonly longest: ReadonlyMap<string, number>
  readonly classes: number
  readonly chars: number
}

/** The elements that a rule is tried on, and the steps that one trial takes. */
export type MatchCost = { readonly boxes: number; readonly steps: number }

/** `html` and `body`, which are around the mail in its frame. */
const OUTER = 2

/** A browser may read a text again for each of its lines, so that the cost grows with the square of its length: here it takes a second. */
export const LONG_TEXT_CHARS = 16_000

/** All elements, each with the number of those around it. */
export function depthsIn(root: Element): { element: Element; depth: number }[] {
  const depths = new Map<Element | null, number>()
  return Array.from(root.getElementsByTagName('*'), element => {
    const depth = (depths.get(element.parentElement) ?? 0) + 1
    depths.set(element, depth)
    return { element, depth }
  })
}

type Attributes = Iterable<readonly [name: string, value: string]>

/** The cost for a mail whose own root and body have these attributes. */
export function shapeOf(mail: Element, root: Attributes, body: Attributes): MailShape {
  const counts = new Map<string, number>()
  const longest = new Map<string, number>()
  let classes = 0
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const countElement = (tag: string, attributes: Attributes) => {
    count(tag)
    for (const [name, value] of attributes) {
      if (name === 'id') count(`#${value}`)
      const named = name === 'class' ? value.split(/\s+/) : []
      for (const each of new Set(named)) count(`.${each}`)
      classes = Math.max(classes, named.length)
      longest.set(name, Math.max(longest.get(name) ?? 0, value.length))
    }
  }
  countElement('html', root)
  countElement('body', body)
  let depth = OUTER
  let siblings = Math.max(1, mail.childElementCount)
  const all = depthsIn(mail)
  for (const { element, depth: own } of all) {
    depth = Math.max(depth, own + OUTER)
    siblings = Math.max(siblings, element.childElementCount)
    const attributes = Array.from(element.attributes, ({ name, value }) => [name, value] as const)
    countElement(element.localName, attributes)
  }
  return { elements: all.length + OUTER, depth, siblings, counts, longest, classes, chars: mail.textContent.length }
}

/** A selector in the arguments of another, as in `:not(:is(a))`. */
const FUNCTIONS_DEEP = 3
const LISTS = new Set(['is', 'where', 'not', 'matches', '-webkit-any', '-moz-any', 'has'])
const PLAIN_FUNCTIONS = new Set(['nth-child', 'nth-last-child', 'nth-of-type', 'nth-last-of-type', 'lang', 'dir'])
/** A browser looks through the classes of an element one by one. */
const CLASSES_PER_STEP = 16
const PSEUDO_CLASS_STEPS = 4
/** Each is a box or a style of its own for each element. No mail needs another. */
const PSEUDO_ELEMENTS: ReadonlyMap<string, number> = new Map([
  ['before', 500],
  ['after', 500],
  ['first-letter', 1000],
  ['first-line', 500],
  ['marker', 200],
  ['selection', 200],
  ['placeholder', PSEUDO_CLASS_STEPS],
  ['-webkit-details-marker', PSEUDO_CLASS_STEPS],
  // No mail has one, but the sheets of many tools name them beside others.
  ['backdrop', PSEUDO_CLASS_STEPS],
  ['file-selector-button', PSEUDO_CLASS_STEPS],
])
/** Longer texts in an attribute's selector. */
const ATTRIBUTE_CHARS_MAX = 512
/** Firefox compares each letter of an attribute with each that is searched for, more slowly where upper and lower case are the same. */
const PAIRS_PER_STEP = { exact: 16, ignoringCase: 4 }
/** Values of other attributes may be compared so without asking (HTML, "Case-sensitivity of selectors"). */
const EXACT_ATTRIBUTE = /^(?:style|class|id|title|alt|src|href|data-.*)$/
/**
 * The cost of a selector, one for each of its parts between commas together; `Infinity` for one that is not understood. `parent`: what `&`
 * means.
 */
export function matchCost(selector: string, shape: MailShape, parent?: MatchCost): MatchCost {
  const tokens = selectorTokens(selector)
  if (!tokens) return NEVER
  const reader = new SelectorReader(tokens, shape, parent)
  const parts = reader.readList(0)
  const isImplied = parent !== undefined && !tokens.some(({ text }) => text === '&')
  const above = isImplied ? parent.steps * shape.depth : 0
  const boxes = parts.reduce((sum, part) => sum + part.boxes, 0)
  // The mean number of steps of a trial.
  const steps = parts.reduce((sum, part) => sum + part.boxes * (part.steps + above), 0) / Math.max(1, boxes)
  return { boxes, steps }
}

/** More steps than a mail may take. */
const TOO_DEAR = 1e9
const NEVER: MatchCost = { boxes: 1, steps: Number.POSITIVE_INFINITY }
const isNever = ({ steps }: MatchCost) => steps === Number.POSITIVE_INFINITY

/** Compounds from left to right; `combinator` stands before each. */
type Compound = MatchCost & { readonly combinator: string }

class SelectorReader {
  readonly #tokens: readonly CssToken[]
  readonly #shape: MailShape
  readonly #parent: MatchCost
  #at = 0

  constructor(tokens: readonly CssToken[], shape: MailShape, parent: MatchCost = { boxes: 1, steps: 1 }) {
    this.#tokens = tokens
    this.#shape = shape
    this.#parent = parent
  }

  /** Up to the bracket that ends it, or the end. */
  readList(deep: number): MatchCost[] {
    const parts = [this.#readComplex(deep)]
    while (this.#takes(',')) parts.push(this.#readComplex(deep))
    return this.#at < this.#tokens.length && deep === 0 ? [NEVER] : parts
  }

  #readComplex(deep: number): MatchCost {
    const compounds: Compound[] = []
    let combinator = ''
    while (this.#at < this.#tokens.length && !this.#isNext(',') && !this.#isNext(')')) {
      const { kind, text } = this.#tokens[this.#at] as CssToken
      if (kind !== 'space' && !'>+~'.includes(text)) {
        const compound = this.#readCompound(deep)
        if (isNever(compound)) return NEVER
        compounds.push({ ...compound, combinator })
        combinator = ''
        continue
      }
      this.#at += 1
      combinator = kind === 'space' ? combinator || ' ' : text
    }
    return this.#walked(compounds)
  }

  /**
   * A browser does not go back: when an ancestor is missing, it tries no other for what is to the right of it. So ancestors multiply with
   * siblings, once each.
   */
  #walked(compounds: readonly Compound[]): MatchCost {
    const { depth, siblings, elements } = this.#shape
    const reach = { depth: 1, siblings: 1 }
    let steps = 0
    for (const compound of [...compounds].reverse()) {
      steps += compound.steps * reach.depth * reach.siblings
      if (compound.combinator === ' ') reach.depth = depth
      if (compound.combinator === '~') reach.siblings = siblings
    }
    return { boxes: compounds.at(-1)?.boxes ?? elements, steps }
  }

  #readCompound(deep: number): MatchCost {
    const { elements, counts, classes } = this.#shape
    const boxes: Record<'id' | 'class' | 'tag', number[]> = { id: [], class: [], tag: [] }
    let steps = 0
    const known = (name: string, mark: string) => (name.includes('\\') ? elements : (counts.get(mark + name) ?? 0))
    for (;;) {
      const token = this.#tokens[this.#at]
      if (!token || token.kind === 'space' || '>+~,)'.includes(token.text)) break
      this.#at += 1
      steps += 1
      const { kind, text } = token
      if (kind === 'hash') boxes.id.push(known(text.slice(1), '#'))
      else if (text === '.') {
        steps += classes / CLASSES_PER_STEP
        boxes.class.push(known(this.#take('word'), '.'))
      } else if (kind === 'word') boxes.tag.push(known(text.toLowerCase(), ''))
      else if (text === '&') {
        steps += this.#parent.steps
        boxes.tag.push(this.#parent.boxes)
      } else if (text === '[') steps += this.#readAttribute()
      else if (text === ':') steps += this.#readPseudo(deep)
      else if (text !== '*') return NEVER
    }
    // A browser files a rule under one of its ids, or else classes, or else its tag.
    const filed = [boxes.id, boxes.class, boxes.tag].find(({ length }) => length > 0)
    return { boxes: Math.min(elements, Math.max(...(filed ?? [elements]))), steps }
  }

  #readAttribute(): number {
    const end = this.#tokens.findIndex(({ text }, at) => at >= this.#at && text === ']')
    const inside = this.#tokens.slice(this.#at, end)
    this.#at = end + 1
    const name = inside[0]?.text.toLowerCase() ?? ''
    const wanted = inside.find(({ kind }, at) => at > 0 && kind !== 'mark' && kind !== 'space')?.text.length ?? 0
    if (wanted > ATTRIBUTE_CHARS_MAX) return Number.POSITIVE_INFINITY
    const written = this.#shape.longest.get(name) ?? 0
    const isSearched = inside.some(({ text }) => text === '*' || text === '~')
    const isExact = EXACT_ATTRIBUTE.test(name) && inside.at(-1)?.text.toLowerCase() !== 'i'
    const pairs = PAIRS_PER_STEP[isExact ? 'exact' : 'ignoringCase']
    return isSearched ? written / 4 + (written * wanted) / pairs : Math.min(written, wanted) / 8
  }

  #readPseudo(deep: number): number {
    const { depth, siblings, elements, chars } = this.#shape
    const isElement = this.#takes(':')
    const token = this.#tokens[this.#at++]
    if (token?.kind === 'word') {
      const name = token.text.toLowerCase()
      if (name === 'first-line' && chars > LONG_TEXT_CHARS) return TOO_DEAR
      return PSEUDO_ELEMENTS.get(name) ?? (isElement ? Number.POSITIVE_INFINITY : PSEUDO_CLASS_STEPS)
    }
    if (token?.kind !== 'function' || deep >= FUNCTIONS_DEEP) return Number.POSITIVE_INFINITY
    const { name } = token
    if (PLAIN_FUNCTIONS.has(name)) {
      while (this.#at < this.#tokens.length && !this.#isNext(')') && !this.#isNext('of')) this.#at += 1
      const each = this.#takes('of') ? this.#readArguments(deep) : 0
      this.#takes(')')
      return depth + siblings * each
    }
    return LISTS.has(name) ? this.#readArguments(deep) * (name === 'has' ? elements : 1) : Number.POSITIVE_INFINITY
  }

  #readArguments(deep: number): number {
    const steps = this.readList(deep + 1).reduce((sum, part) => sum + part.steps, 0)
    this.#takes(')')
    return steps
  }

  #isNext(text: string): boolean {
    return this.#tokens[this.#at]?.text === text
  }

  #takes(text: string): boolean {
    const isNext = this.#isNext(text)
    if (isNext) this.#at += 1
    return isNext
  }

  #take(kind: CssToken['kind']): string {
    const token = this.#tokens[this.#at]
    if (token?.kind !== kind) return ''
    this.#at += 1
    return token.text
  }
}
