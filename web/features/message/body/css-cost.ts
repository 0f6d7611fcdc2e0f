/**
 * What a mail's CSS may cost the reader's browser. A browser tries each rule on the elements that its last part names, walks from each to
 * ancestors and siblings, and applies what is declared: all of it is multiplied here, before the mail is shown, and what exceeds the
 * budget is dropped. Nothing stops a browser that has begun.
 */
import { depthsIn, LONG_TEXT_CHARS, type MatchCost } from './selector-cost.ts'

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
const COLOUR_FILTER = /^(?:brightness|contrast|grayscale|hue-rotate|invert|opacity|saturate|sepia)$/i
const PART_OF_FILTER = /^(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color(?:-mix)?|light-dark|calc|min|max|clamp)$/i
const DRAWING_FILTER = 5
const COLUMNS = /^(?:columns|column-count|column-width)$/
/**
 * A browser counts the quotation marks before each again: 94 KB of `<q>` took Chromium ten seconds of its own time. No article has as many.
 */
export const QUOTE_MARKS_MAX = 300
/** Each lays out or draws its box again, and in each other multiplies: on so many boxes of a mail, as a plain value. */
const RARE: readonly { readonly property: RegExp; readonly value?: RegExp; readonly boxesMax: number }[] = [
  { property: /^column-count$/, boxesMax: 2 },
  { property: /^column-width$/, boxesMax: 2 },
  { property: /^writing-mode$/, value: /vertical|sideways/, boxesMax: 4 },
  { property: /^(?:zoom|aspect-ratio|(?:-webkit-)?initial-letter)$/, boxesMax: 20 },
  { property: /^shape-outside$/, boxesMax: 10 },
  { property: /^content$/, value: /(?:open|close)-quote/i, boxesMax: QUOTE_MARKS_MAX },
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
    const times = boxes * (TEXT_SHADOW.test(property) ? layersIn(value) : FILTER.test(property) ? filtersIn(value) : 1)
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

/** One for each that only changes colours. Any other draws beyond its box, and in another one as far again: 40 took WebKit a minute. */
function filtersIn(value: string): number {
  const names = Array.from(value.matchAll(/([\w-]+)\(/g), ([, name = '']) => name)
  return names.reduce((sum, name) => sum + (COLOUR_FILTER.test(name) ? 1 : PART_OF_FILTER.test(name) ? 0 : DRAWING_FILTER), 0)
}

/** A colour has commas of its own, in brackets. A variable may hold any number. */
function layersIn(value: string): number {
  if (/var\(/i.test(value)) return VARIABLES_CHARS_MAX
  return value.replace(/\([^()]*\)/g, '').split(',').length
}

const IS_VARIABLE = /var\(/i
const isManyTimes = (times: string) => !/^auto-fi(?:t|ll)$/i.test(times) && !(Number(times) <= REPEAT_MAX)
const lengthsIn = (value: string): string[] => value.match(/(?<![#\w.])[\d.]+(?!deg|turn|g?rad|[\d.])[a-z]+/gi) ?? []
/** Values that have no end which can be known here, as columns of a pixel or boxes whose kind is a variable. */
const ENDLESS: readonly (readonly [property: RegExp, isEndless: (value: string) => boolean])[] = [
  [/./, value => Array.from(value.matchAll(/repeat\(([^,]*)/gi), ([, times = '']) => times.trim()).some(isManyTimes)],
  [/filter$|shadow$/, value => lengthsIn(value).some(length => !(Number(length.replace(/px$/i, '')) <= BLUR_PX_MAX))],
  [/^grid-(?:row|column|area)/, value => (value.match(/\d+/g) ?? []).some(line => Number(line) > REPEAT_MAX)],
  [/^(?:grid-(?:row|column|area)|text-decoration|overflow|container)/, value => IS_VARIABLE.test(value)],
  [/^(?:display|writing-mode|zoom|clip-path)$|filter$|mask/, value => IS_VARIABLE.test(value)],
  [/^display$/, value => /ruby/.test(value)],
  [/^shape-outside$/, value => /gradient/i.test(value)],
  [/^hyphenate-character$/, value => value.length > HYPHEN_CHARS_MAX],
  [/^column-count$/, value => !USUAL.test(value) && !(Number(value) <= COLUMNS_MAX)],
  [/^(?:columns|column-width)$/, value => !USUAL.test(value) && !(Number(/^([\d.]+)px$/.exec(value)?.[1] ?? 0) >= COLUMN_PX_MIN)],
]
function isPlain(property: string, value: string): boolean {
  return !ENDLESS.some(([name, isEndless]) => name.test(property) && isEndless(value))
}
