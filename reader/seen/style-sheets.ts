/** The elements that a mail's style sheets hide. A rule that is not surely understood may hide, but never show. */
import { type Declaration, isPlain, mayBeJudged, readDeclarations, splitOutside, unescapeCss, withoutComments } from './css-hiding.ts'

export type Named = { readonly tag: string; readonly attributes: ReadonlyMap<string, string> }

type Compound = {
  tag: string
  id: string
  classes: string[]
  attributes: { name: string; operator: string; value: string }[]
  /** Whether all of it is in the fields above. */
  isWhole: boolean
  /** It matches a state that a mail is not in, or no element. */
  isNever: boolean
}

/** `isPlainCase`: only some documents tell capital letters in names apart. */
type Selector = { readonly compounds: readonly Compound[]; readonly isPlainCase: boolean }

/** `steps`: what trying it on an element costs. */
type Rule = { subject: Compound; around: readonly Compound[]; declarations: Declaration[]; steps: number }
/** `seen`: how many names had been seen in the mail. `steps`: what it cost to find them. */
type Known = { readonly declarations: readonly Declaration[]; readonly seen: number; readonly steps: number }
/** Where a block stands. `parent`: the selectors of the rules around it. */
type Place = { readonly isCertain: boolean; readonly depth: number; readonly parent: readonly Selector[] }

/** More than these are not matched one by one against each element; a mail that has them shows nothing to be offered. */
const RULES_MAX = 1000
/** The declarations of all rules, once for each selector. Large newsletters have some 3,000. */
const DECLARATIONS_MAX = 20_000
/** The selectors of all rules, with those of the rules around them, also those that match nothing. */
const SELECTORS_MAX = 20_000
const NESTING_MAX = 8
const CSS_CHARS_MAX = 1_048_576
/** Conditions of rules tried on elements, and declarations found for them. No mail that we know needs one for ten characters. */
const STEPS = { perChar: 10, min: 100_000, max: 2_500_000 }
/** Kinds of elements whose declarations are kept. A mail that has more invents them. */
const KNOWN_MAX = 500
/** A kind that has more is not kept: hostile mails have many such kinds, of millions of declarations. */
const KNOWN_DECLARATIONS_MAX = 500
/** Characters of an attribute that are searched in the time of one condition. */
const CHARS_PER_STEP = 16
/** The width of the page's frame on a desk. */
const WIDTH_PX = 700

export class StyleSheets {
  readonly #byKey = new Map<string, Rule[]>()
  /** Names of elements so far, identifiers as `#id`, classes as `.class`. A document has these, whether a mail names them or not. */
  readonly #seen = new Set(['html', 'head', 'body', 'tbody', 'tr'])
  readonly #seenAttributes = new Set<string>()
  /** The names in each value of a class attribute. */
  readonly #classLists = new Map<string, ReadonlySet<string>>()
  /** By the names of an element: newsletters have a few kinds of cells, and many of each. */
  readonly #known = new Map<string, Known>()
  #rules = 0
  #declarations = 0
  #selectors = 0
  #stepsLeft: number
  /** `html` and `body`, where a mail has no tags of them. */
  readonly impliedRoots: readonly Named[]
  /** Not all of it is read, so that anything may be hidden. */
  isTooMuch = false

  /** `rootElements`: what names `html` and `body` have, wherever their tags stand. `htmlChars`: the length of the mail they are in. */
  constructor(sheets: readonly { css: string; media: string }[], rootElements: readonly Named[], htmlChars: number) {
    this.#stepsLeft = Math.min(Math.max(STEPS.min, htmlChars * STEPS.perChar), STEPS.max)
    for (const element of rootElements) this.see(element)
    this.impliedRoots = ROOTS.filter(root => !rootElements.some(({ tag }) => tag === root.tag))
    let chars = 0
    for (const { css, media } of sheets) {
      chars += css.length
      const holds = media.trim() === '' ? true : mediaHolds(media)
      if (holds === false) continue
      if (chars > CSS_CHARS_MAX) this.isTooMuch = true
      else this.#read(withoutComments(css), { isCertain: holds === true, depth: 0, parent: [] })
    }
  }

  get isEmpty(): boolean {
    return this.#rules === 0
  }

  /** Elements are seen in their order, so what a selector asks of those around or before one is known. */
  see({ tag, attributes }: Named): void {
    this.#seen.add(tag)
    for (const [name, value] of attributes) {
      this.#seenAttributes.add(name)
      if (name === 'id') this.#seen.add(`#${value.toLowerCase()}`)
      if (name === 'class') this.#classes(value)
    }
  }

  #classes(value: string | undefined): ReadonlySet<string> {
    if (value === undefined) return NO_CLASSES
    const known = this.#classLists.get(value)
    if (known) return known
    const classes = new Set(value.toLowerCase().split(/\s+/))
    this.#classLists.set(value, classes)
    for (const each of classes) this.#seen.add(`.${each}`)
    return classes
  }

  /** The same list for elements that look alike. */
  declarationsFor(element: Named): readonly Declaration[] {
    const id = element.attributes.get('id')
    const names = element.attributes.get('class')
    const key = names === undefined ? element.tag : `${element.tag} ${names}`
    const known = id === undefined ? this.#known.get(key) : undefined
    const seen = this.#seen.size + this.#seenAttributes.size
    if (known?.seen === seen && known.steps <= this.#stepsLeft) {
      this.#stepsLeft -= known.steps
      return known.declarations
    }
    const stepsBefore = this.#stepsLeft
    const { declarations, isOfNames } = this.#findDeclarations(element, id, names)
    if (id === undefined && isOfNames && !this.isTooMuch && this.#known.size < KNOWN_MAX && declarations.length <= KNOWN_DECLARATIONS_MAX)
      this.#known.set(key, { declarations, seen, steps: stepsBefore - this.#stepsLeft })
    return declarations
  }

  /** `isOfNames`: no other attribute of the element was asked for. */
  #findDeclarations(element: Named, id: string | undefined, names: string | undefined) {
    const classes = this.#classes(names)
    const idKey = id?.toLowerCase()
    const declarations: Declaration[] = []
    let isOfNames = true
    // Only some documents tell capital letters in names apart.
    const isPlainName = !/[A-Z]/.test(id ?? '') && !/[A-Z]/.test(names ?? '')
    const add = (key: string) => {
      for (const rule of this.#byKey.get(key) ?? []) {
        isOfNames &&= rule.subject.attributes.length === 0
        if (!this.#applies(rule, element, idKey, classes)) continue
        this.#stepsLeft -= rule.declarations.length
        for (const each of rule.declarations) declarations.push(isPlainName ? each : { ...each, isCertain: false })
      }
    }
    add('*')
    add(element.tag)
    if (idKey !== undefined) add(`#${idKey}`)
    for (const each of classes) add(`.${each}`)
    return { declarations, isOfNames }
  }

  #applies({ subject, around, steps }: Rule, { tag, attributes }: Named, id: string | undefined, classes: ReadonlySet<string>): boolean {
    this.#stepsLeft -= steps
    for (const { name } of subject.attributes) this.#stepsLeft -= (attributes.get(name)?.length ?? 0) / CHARS_PER_STEP
    if (this.#stepsLeft < 0) this.isTooMuch = true
    if (this.isTooMuch) return false
    if (subject.tag !== '' && subject.tag !== tag) return false
    if (subject.id !== '' && subject.id !== id) return false
    if (!subject.classes.every(each => classes.has(each))) return false
    if (!subject.attributes.every(wanted => mayMatch(wanted, attributes.get(wanted.name)))) return false
    return around.every(
      compound =>
        (compound.tag === '' || this.#seen.has(compound.tag)) &&
        (compound.id === '' || this.#seen.has(`#${compound.id}`)) &&
        compound.classes.every(each => this.#seen.has(`.${each}`)) &&
        compound.attributes.every(({ name }) => this.#seenAttributes.has(name)),
    )
  }

  #read(css: string, at: Place): void {
    if (at.depth > NESTING_MAX) this.isTooMuch = true
    if (this.isTooMuch) return
    for (const { prelude, body } of blocks(css)) {
      if (prelude.startsWith('@')) this.#readAtRule(prelude, body, at)
      else this.#readStyleRule(prelude, body, at)
    }
  }

  #readAtRule(prelude: string, body: string, at: Place): void {
    const [, name = '', condition = ''] = /^@([\w-]+)\s*([\s\S]*)$/.exec(prelude) ?? []
    if (/^(?:-\w+-)?(?:font-face|keyframes|page|property|counter-style|viewport|font-\w+)/i.test(name)) return
    const holds = /^media$/i.test(name) ? mediaHolds(condition) : undefined
    if (holds === false) return
    const inner = { ...at, isCertain: at.isCertain && holds === true, depth: at.depth + 1 }
    if (at.parent.length > 0) this.#add(at.parent, body, false)
    this.#read(body, inner)
  }

  #readStyleRule(prelude: string, body: string, at: Place): void {
    if (!mayBeJudged(body)) return
    const own = splitOutside(prelude, ',').map(selector => selector.replaceAll('&', ' ').trim())
    if (own.length > RULES_MAX) {
      this.isTooMuch = true
      return
    }
    const isNested = at.parent.length > 0 || body.includes('{')
    // In a nested rule `&` may stand anywhere, so both are taken for what it hides.
    const selectors = [...at.parent, ...own.flatMap(readSelector)]
    this.#add(selectors, body, at.isCertain && !isNested)
    if (body.includes('{')) this.#read(body, { isCertain: false, depth: at.depth + 1, parent: selectors })
  }

  #add(selectors: readonly Selector[], body: string, isCertain: boolean): void {
    this.#selectors += selectors.length
    if (this.#selectors > SELECTORS_MAX) this.isTooMuch = true
    if (this.isTooMuch) return
    const written = readDeclarations(body, 0, true)
    if (written.length === 0) return
    const isPlainBody = isPlain(body)
    for (const { compounds, isPlainCase } of selectors) {
      const subject = compounds.at(-1)
      if (!subject) continue
      this.#declarations += written.length
      if (++this.#rules > RULES_MAX || this.#declarations > DECLARATIONS_MAX) {
        this.isTooMuch = true
        return
      }
      const weight = compounds.reduce((sum, { id, classes, attributes, tag }) => {
        return sum + (id === '' ? 0 : 10_000) + (classes.length + attributes.length) * 100 + (tag === '' ? 0 : 1)
      }, 0)
      const isSure = isCertain && isPlainCase && compounds.length === 1 && subject.isWhole && subject.attributes.length === 0 && isPlainBody
      const rank = weight * 1000 + Math.min(this.#rules, 998)
      const declarations = written.map(each => ({ ...each, priority: each.priority + rank, isCertain: isSure }))
      const steps = compounds.reduce((sum, { classes, attributes }) => sum + 1 + classes.length + attributes.length, 0)
      for (const each of [{ subject, declarations }, ...impliedRules(subject, declarations)])
        this.#addRule({ ...each, around: compounds.slice(0, -1), steps })
    }
  }

  #addRule(rule: Rule): void {
    const { subject } = rule
    const key = subject.id !== '' ? `#${subject.id}` : subject.classes[0] !== undefined ? `.${subject.classes[0]}` : subject.tag || '*'
    this.#byKey.get(key)?.push(rule) ?? this.#byKey.set(key, [rule])
  }
}

const NO_CLASSES: ReadonlySet<string> = new Set()
const ROOTS: readonly Named[] = ['html', 'body'].map(tag => ({ tag, attributes: new Map() }))
/** The elements that a browser puts around rows and cells that stand directly in a table. */
const IMPLIED: Readonly<Record<string, readonly string[]>> = { tbody: ['tr', 'td', 'th'], tr: ['td', 'th'] }
/** An element that shows itself stays hidden in one that hides, but its text may be larger. */
const IMPLIED_PRIORITY = 1e15
const isOfText = ({ property }: Declaration) => property.startsWith('font')

/** A row or cell is hidden with the element that is put around it, which no tag names. */
function impliedRules(subject: Compound, declarations: readonly Declaration[]): Pick<Rule, 'subject' | 'declarations'>[] {
  const isOfTag = subject.id === '' && subject.classes.length + subject.attributes.length === 0
  const hiding = declarations.map(each => {
    const priority = each.priority + (isOfText(each) ? -IMPLIED_PRIORITY : IMPLIED_PRIORITY)
    return { ...each, priority, isCertain: false }
  })
  return isOfTag ? (IMPLIED[subject.tag] ?? []).map(tag => ({ subject: { ...subject, tag }, declarations: hiding })) : []
}

/** With escapes, because behind a string that is not closed each escaped quote would start a search of its own. */
const STRINGS = /\\[\s\S]|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|url\((?:\s*[^"'()\\\s]+)?\s*\)/gi

/** The rules of a sheet or block: what stands before each pair of braces, and between them. */
function* blocks(css: string): Generator<{ prelude: string; body: string }> {
  const hasOddQuote = /["']/.test(css) && /["']/.test(css.replace(STRINGS, ''))
  let start = 0
  let open = -1
  let depth = 0
  let quote = ''
  for (let at = 0; at < css.length; at++) {
    const character = css.charAt(at)
    if (character === '\\') at++
    else if (quote !== '') {
      if (character === quote || character === '\n') quote = ''
    } else if (!hasOddQuote && (character === '"' || character === "'")) quote = character
    else if (character === '{') {
      if (depth++ === 0) open = at
    } else if (character === '}' && depth > 0) {
      if (--depth > 0) continue
      yield block(css, start, open, at)
      start = at + 1
    } else if (character === ';' && depth === 0) start = at + 1
  }
  if (depth > 0) yield block(css, start, open, css.length)
}

function block(css: string, start: number, open: number, end: number): { prelude: string; body: string } {
  const prelude = css.slice(start, open).replace(/^(?:\s|<!--|-->)+/, '')
  return { prelude: prelude.trim(), body: css.slice(open + 1, end) }
}

const PART = /\\[\s\S]|[^\\]/g
const NEVER =
  /:(?:hover|active|focus|focus-within|focus-visible|target|checked|visited|indeterminate|:?before|:?after|:?first-line|:?first-letter|:placeholder|:marker|:selection|:-[\w-]+|:backdrop|:cue)/i
const SIMPLE =
  /^(?:([\w-]+|\*)|#((?:[\w-]|[\u0080-\uffff]|\\[\s\S])+)|\.((?:[\w-]|[\u0080-\uffff]|\\[\s\S])+)|\[\s*([\w-]+)\s*(?:([~|^$*]?=)\s*("[^"]*"|'[^']*'|[\w-]+)\s*(?:i\s*)?)?\])/i
const NAME_CHARS_MAX = 4000

/** Nothing if it matches nothing. */
function readSelector(written: string): Selector[] {
  const compounds = compoundsOf(written)
  return compounds.length === 0 || compounds.some(({ isNever }) => isNever) ? [] : [{ compounds, isPlainCase: !/[A-Z]/.test(written) }]
}

/** The parts of a selector between its combinators, outermost first. */
function compoundsOf(selector: string): Compound[] {
  if (selector.length > NAME_CHARS_MAX) return [{ ...anything(), isWhole: false }]
  const written: string[] = []
  let depth = 0
  let current = ''
  for (const [part] of selector.matchAll(PART)) {
    if (part === '(' || part === '[') depth++
    else if (part === ')' || part === ']') depth--
    if (depth === 0 && /^[\s>+~]$/.test(part)) {
      if (current !== '') written.push(current)
      current = ''
    } else current += part
  }
  if (current !== '') written.push(current)
  return written.map(compoundOf)
}

const anything = (): Compound => ({ tag: '', id: '', classes: [], attributes: [], isWhole: true, isNever: false })

function compoundOf(written: string): Compound {
  const compound = anything()
  compound.isNever = NEVER.test(withoutArguments(written))
  let rest = written
  for (let match = SIMPLE.exec(rest); match; match = SIMPLE.exec(rest)) {
    const [whole, tag, id, name, attribute, operator = '', value = ''] = match
    if (tag !== undefined && tag !== '*') compound.tag = tag.toLowerCase()
    if (id !== undefined) compound.id = unescapeCss(id).toLowerCase()
    if (name !== undefined) compound.classes.push(unescapeCss(name).toLowerCase())
    if (attribute !== undefined) {
      const wanted = value.replace(/^["']|["']$/g, '').toLowerCase()
      compound.attributes.push({ name: attribute.toLowerCase(), operator: wanted.includes('\\') ? '' : operator, value: wanted })
    }
    rest = rest.slice(whole.length)
  }
  if (rest !== '') compound.isWhole = false
  return compound
}

/** Without all from its first bracket to the last. */
function withoutArguments(written: string): string {
  const open = written.indexOf('(')
  const close = written.lastIndexOf(')')
  return open === -1 || close < open ? written : written.slice(0, open) + written.slice(close + 1)
}

function mayMatch({ operator, value }: Compound['attributes'][number], given: string | undefined): boolean {
  const has = given?.toLowerCase()
  if (has === undefined) return false
  if (operator === '=') return has === value
  if (operator === '~=') return has.split(/\s+/).includes(value)
  if (operator === '^=') return has.startsWith(value)
  if (operator === '$=') return has.endsWith(value)
  return operator === '*=' ? has.includes(value) : true
}

const QUERY_CHARS_MAX = 1000

/** On a desk, by day. `undefined` for what is not known. */
function mediaHolds(condition: string): boolean | undefined {
  const queries = splitOutside(condition.toLowerCase(), ',').map(queryHolds)
  if (queries.includes(true)) return true
  return queries.includes(undefined) ? undefined : false
}

function queryHolds(query: string): boolean | undefined {
  if (query.length > QUERY_CHARS_MAX) return undefined
  const [, not, type = 'all', rest = ''] = /^\s*(?:only\s+)?(not\s+)?([a-z-]+)?\s*(?:and\b)?([\s\S]*)$/.exec(query) ?? []
  if (!/^\s*(?:\([^()]*\)\s*(?:and\s*)?)*$/.test(rest)) return undefined
  const features = [...rest.matchAll(/\(([^()]*)\)/g)].map(([, feature = '']) => featureHolds(feature.trim()))
  const isType = /^(?:all|screen)$/.test(type)
    ? true
    : /^(?:print|speech|tv|tty|projection|handheld|braille|embossed|aural)$/.test(type)
      ? false
      : undefined
  const all = [isType, ...features]
  const holds = all.includes(false) ? false : all.includes(undefined) ? undefined : true
  return not === undefined || holds === undefined ? holds : !holds
}

function featureHolds(feature: string): boolean | undefined {
  const [, bound, number, unit] = /^(min|max)-(?:device-)?width\s*:\s*(\d+|\d*\.\d+)(px|em|rem)$/.exec(feature) ?? []
  if (number !== undefined) {
    const px = Number(number) * (unit === 'px' ? 1 : 16)
    return bound === 'min' ? px <= WIDTH_PX : px >= WIDTH_PX
  }
  if (/^prefers-color-scheme\s*:\s*dark$/.test(feature)) return false
  return /^prefers-color-scheme\s*:\s*light$/.test(feature) ? true : undefined
}
