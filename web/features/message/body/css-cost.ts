/**
 * What a mail's CSS may cost the reader's browser. A browser tries each rule on the elements that its last part names, walks from each to
 * ancestors and siblings, and applies what is declared: all of it is multiplied here, before the mail is shown, and what exceeds the
 * budget is dropped. Nothing stops a browser that has begun.
 */
import { type CssToken, selectorTokens } from './css-tokens.ts'

/** What decides how often a browser tries a rule, and how far it walks. */
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
/** Boxes that are laid out more than once multiply with each that they are in. The deepest mail of the corpora has 37. */
const DEPTH_MAX = 100

/** Whether no element is deeper than a browser lays out in any style. */
function isShallow(root: Element): boolean {
  return depthsIn(root).every(({ depth }) => depth <= DEPTH_MAX)
}

/** Without style sheets. */
function textChars(root: Element): number {
  const sheets = Array.from(root.getElementsByTagName('style'), ({ textContent }) => textContent.length)
  return root.textContent.length - sheets.reduce((sum, chars) => sum + chars, 0)
}

/** All elements, each with the number of those around it. */
function depthsIn(root: Element): { element: Element; depth: number }[] {
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

/**
 * In steps to an ancestor, of some nanoseconds. A mail's style is computed about ten times while it is fitted to its frame. Of 1,150 mails
 * and templates of the corpora none takes 300,000.
 */
const STEPS_MAX = 30_000_000
const TRIAL_STEPS = 4
const DECLARATION_STEPS = 10
/** Laid out in each box, and replaced in each box. */
const GENERATED_CHAR_STEPS = 1000
const SHADOW_CHAR_STEPS = 100
const VARIABLE_STEPS = 2000
/** `all` alone makes 600 of them. */
const READINGS_MAX = 400_000
/** Without pictures that are written into it. */
const VALUE_CHARS_MAX = 1000
/** The values of all variables, and how many others one of them may be made of. */
const VARIABLES_CHARS_MAX = 3000
const VARIABLES_IN_VARIABLE_MAX = 8
/** A browser asks the system for each. */
const FONTS_MAX = 200
const REPEAT_MAX = 100

const TEXT_SHADOW = /^text-shadow$/
const FILTER = /^(?:-webkit-)?(?:backdrop-)?filter$/
const COLUMNS = /^(?:columns|column-count|column-width)$/
/** Each lays out or draws its box again, and in each other multiplies: on so many boxes of a mail, as a plain value. */
const RARE: readonly { readonly property: RegExp; readonly value?: RegExp; readonly boxesMax: number }[] = [
  { property: /^column-count$/, boxesMax: 2 },
  { property: /^column-width$/, boxesMax: 2 },
  { property: /^writing-mode$/, value: /vertical|sideways/, boxesMax: 4 },
  { property: /^(?:zoom|aspect-ratio|(?:-webkit-)?initial-letter)$/, boxesMax: 20 },
  { property: /^shape-outside$/, boxesMax: 10 },
  { property: FILTER, boxesMax: 20 },
  { property: /^(?:-webkit-)?(?:mask(?:-image)?|clip-path)$|^(?:mix|background)-blend-mode$/, boxesMax: 60 },
  { property: /^(?:transform|rotate|translate|scale)$/, boxesMax: 100 },
  { property: /^text-decoration(?:-style)?$/, value: /wavy|dotted|dashed|double/, boxesMax: 60 },
  { property: /^overflow/, value: /auto|scroll/, boxesMax: 60 },
  { property: /^container(?:-type)?$/, value: /size/, boxesMax: 30 },
  // Each shadow counts: 900 take Firefox four seconds.
  { property: TEXT_SHADOW, boxesMax: 200 },
]
const USUAL = /^(?:none|auto|normal|initial|inherit|unset|revert(?:-layer)?|1|100%|horizontal-tb)$/
/** Only a short mail may have columns, and nothing in it may be low: a column that is as low as a line makes one of each line. */
const COLUMNS_CHARS_MAX = 3000
const HAS_COLUMNS = /(?<![-\w])column(?:s|-count|-width)\s*:/i
const LOW =
  /^(?:max-)?(?:height|block-size)$|^(?:position|aspect-ratio|writing-mode|content-visibility)$|^(?:-webkit-)?(?:line-clamp|box-orient)$|^(?:grid|contain)/
/** A browser may read a text again for each of its lines, so that the cost grows with the square of its length: here it takes a second. */
const LONG_TEXT_CHARS = 16_000
/** They are dear in any value. Chromium reads a text again for each line of them, Firefox after each `::first-line`. */
const SMALL_CAPS = /(?<![\w-])(?:(?:all-)?(?:small|petite)-caps|titling-caps|unicase)(?![\w-])/i
const COLUMNS_MAX = 10
const COLUMN_PX_MIN = 80
/** What is drawn around a box or blurred is drawn as far. */
const BLUR_PX_MAX = 100
/** They do what no mail needs, and make a layer, a reflection or a search for a place of each box. */
const COSTLY_PROPERTY =
  /^(?:will-change|backface-visibility|-webkit-backface-visibility|transform-style|perspective|-webkit-box-reflect|anchor-|position-|column-(?:height|wrap)|scroll-timeline|view-timeline|timeline-|offset)/
/** With its quotes. */
const HYPHEN_CHARS_MAX = 4
const GENERATED = /^(?:content|quotes|list-style(?:-type)?)$/
const VARIABLE_NAME = /var\(\s*(--[\w\u0080-\uffff-]+)/gi

/** How much of a mail's styles was dropped for what it costs. */
export type LostStyles = 'none' | 'some' | 'all'

/** What is left for the CSS of a mail. */
export class CssBudget {
  /** How often what is rare was asked for. */
  rareBoxes = 0
  #isExceeded = false
  readonly #isShallow: boolean
  readonly #isLong: boolean
  readonly #hasColumns: boolean
  readonly #rare = new Map<object, number>()
  readonly #fonts = new Set<string>()
  /** Variables that are made of others, and those which they are made of. */
  readonly #made = new Set<string>()
  readonly #parts = new Set<string>()
  #left: number
  #readings = READINGS_MAX
  #variableChars = VARIABLES_CHARS_MAX

  /** For a mail of boxes too deep in each other nothing. */
  constructor(html: string, source: Element) {
    this.#isShallow = isShallow(source)
    this.#isLong = textChars(source) > LONG_TEXT_CHARS
    this.#left = this.#isShallow ? STEPS_MAX : 0
    this.#hasColumns = html.length <= COLUMNS_CHARS_MAX && HAS_COLUMNS.test(html)
  }

  get left(): number {
    return this.#left
  }

  /** The reader is told. */
  get lost(): LostStyles {
    if (!this.#isExceeded) return 'none'
    return this.#isShallow ? 'some' : 'all'
  }

  /** Drops something for what it costs. */
  exceed(): false {
    this.#isExceeded = true
    return false
  }

  /** Whether so much was left. */
  take(steps: number): boolean {
    // A selector that is not understood is dropped too, and no loss.
    if (!(steps <= this.#left)) return Number.isFinite(steps) && this.exceed()
    this.#left -= steps
    return true
  }

  /** Whether another declaration may be read, which takes time of our own. */
  takeReading(): boolean {
    return this.#readings-- > 0 || this.exceed()
  }

  takeRule({ boxes, steps }: MatchCost): boolean {
    return this.take(boxes * (TRIAL_STEPS + steps))
  }

  takeDeclaration(property: string, written: string, boxes: number): boolean {
    const value = written.replace(/url\("[^"]*"\)/g, '')
    const variables = value.match(VARIABLE_NAME)?.length ?? 0
    if (COSTLY_PROPERTY.test(property)) return false
    if (value.length > VALUE_CHARS_MAX || !isPlain(property, value) || (this.#isLong && SMALL_CAPS.test(value))) return this.exceed()
    if (this.#hasColumns ? LOW.test(property) : COLUMNS.test(property) && !USUAL.test(value)) return this.exceed()
    if (property.startsWith('--') && !this.#takeVariable(property, value)) return this.exceed()
    if (property === 'font-family' && !this.#takeFonts(value)) return this.exceed()
    if (!this.#takeRare(property, value, boxes)) return this.exceed()
    const generated = !GENERATED.test(property) ? 0 : variables > 0 ? VALUE_CHARS_MAX : /["']/.test(value) ? value.length : 0
    const shadow = property.endsWith('-shadow') ? value.length : 0
    const drawn = generated * GENERATED_CHAR_STEPS + shadow * SHADOW_CHAR_STEPS
    return this.take(boxes * (DECLARATION_STEPS + value.length / 4 + variables * VARIABLE_STEPS + drawn))
  }

  #takeRare(property: string, value: string, boxes: number): boolean {
    const rare = RARE.find(candidate => candidate.property.test(property))
    if (!rare || USUAL.test(value) || (rare.value && !rare.value.test(value))) return true
    const times = boxes * (TEXT_SHADOW.test(property) ? layersIn(value) : 1)
    const left = (this.#rare.get(rare) ?? rare.boxesMax) - times
    this.rareBoxes += times
    if (left < 0) return false
    this.#rare.set(rare, left)
    return true
  }

  /** A variable made of variables made of variables doubles with each. */
  #takeVariable(name: string, value: string): boolean {
    this.#variableChars -= value.length
    const parts = Array.from(value.matchAll(VARIABLE_NAME), ([, part = '']) => part)
    if (this.#variableChars < 0 || parts.length > VARIABLES_IN_VARIABLE_MAX) return false
    if (parts.length === 0) return true
    if (this.#parts.has(name) || parts.some(part => part === name || this.#made.has(part))) return false
    this.#made.add(name)
    for (const part of parts) this.#parts.add(part)
    return true
  }

  #takeFonts(value: string): boolean {
    for (const name of value.split(',')) this.#fonts.add(name.trim())
    return this.#fonts.size <= FONTS_MAX
  }
}

/** A colour has commas of its own, in brackets. A variable may hold any number. */
function layersIn(value: string): number {
  if (/var\(/i.test(value)) return VARIABLES_CHARS_MAX
  return value.replace(/\([^()]*\)/g, '').split(',').length
}

/** Not plain is what has no end that can be known here: columns of a pixel, and boxes whose kind is a variable. */
function isPlain(property: string, value: string): boolean {
  const repeats = Array.from(value.matchAll(/repeat\(([^,]*)/gi), ([, times = '']) => times.trim())
  if (repeats.some(times => !/^auto-fi(?:t|ll)$/i.test(times) && !(Number(times) <= REPEAT_MAX))) return false
  if (
    /filter$|shadow$/.test(property) &&
    value.match(/(?<![#\w.])[\d.]+(?!deg|turn|g?rad|[\d.])[a-z]+/gi)?.some(length => !(Number(length.replace(/px$/i, '')) <= BLUR_PX_MAX))
  )
    return false
  if (/^grid-(?:row|column|area)/.test(property) && value.match(/\d+/g)?.some(line => Number(line) > REPEAT_MAX)) return false
  if (
    /^(?:grid-(?:row|column|area).*|text-decoration.*|display|writing-mode|zoom|overflow.*|.*filter|.*mask.*|clip-path|container.*)$/.test(
      property,
    ) &&
    /var\(/i.test(value)
  )
    return false
  if (property === 'display') return !/ruby/.test(value)
  if (property === 'shape-outside') return !/gradient/i.test(value)
  if (property === 'hyphenate-character') return value.length <= HYPHEN_CHARS_MAX
  if (!COLUMNS.test(property) || USUAL.test(value)) return true
  return property === 'column-count' ? Number(value) <= COLUMNS_MAX : Number(/^([\d.]+)px$/.exec(value)?.[1] ?? 0) >= COLUMN_PX_MIN
}

/** A selector in the arguments of another, as in `:not(:is(a))`. */
const FUNCTIONS_DEEP = 3
const LISTS = new Set(['is', 'where', 'not', 'matches', '-webkit-any', '-moz-any', 'has'])
const PLAIN_FUNCTIONS = new Set(['nth-child', 'nth-last-child', 'nth-of-type', 'nth-last-of-type', 'lang', 'dir'])
/** A browser looks through the classes of an element one by one. */
const CLASSES_PER_STEP = 16
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
    this.#takes(':')
    const token = this.#tokens[this.#at++]
    if (token?.kind === 'word') return /^first-line$/i.test(token.text) && chars > LONG_TEXT_CHARS ? 2 * STEPS_MAX : 4
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
