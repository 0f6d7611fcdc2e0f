/**
 * Rewrites untrusted CSS in two steps: the browser parses it (CSSOM), then each value is split into tokens and written again from those
 * that are understood. Everything that can load, cover, animate or trap is dropped; all other styles are kept.
 */
import type { CssBudget } from './css-cost.ts'
import { type CssToken, isSafeCondition, valueTokens } from './css-tokens.ts'
import { pictureDataUrl } from './image-type.ts'
import { type MailShape, type MatchCost, matchCost } from './selector-cost.ts'

/** 512 KiB: the largest newsletter style sheets are a tenth of it. */
const CSS_CHARS_MAX = 524_288
/** 2 MiB for all `style` attributes of a mail together: rules are written once, attributes for each cell. */
export const STYLE_ATTRIBUTE_CHARS_MAX = 2_097_152
/**
 * A browser searches the whole block for a declaration, so sixty thousand variables in one block would be quadratic. `all` alone makes 600.
 */
const DECLARATIONS_MAX = 2000
/** Selector matching is paid for each rule and element. */
const RULES_MAX = 5000
const NESTING_MAX = 4
export type CssOptions = {
  onImage: OnImage
  /** Whether `!important` stays. */
  keepsPriority: boolean
  /** The budget of the whole mail. */
  budget: CssBudget
}

/** The safe part of one declaration block as CSS text; empty when nothing is left. `boxes`: how many elements it may apply to. */
function safeDeclarations(style: CSSStyleDeclaration, options: CssOptions, boxes = 1): string {
  const kept = new Map<string, string>()
  for (const longhand of Array.from(style).slice(0, DECLARATIONS_MAX)) {
    if (!options.budget.takeReading()) break
    const property = writtenAs(style, longhand)
    if (kept.has(property)) continue
    const value = style.getPropertyValue(property)
    const safe = safeValue(property, value, options.onImage)
    if (safe === undefined && /^background/.test(property) && /url\(/i.test(value)) kept.set(PICTURE_LACKS, `${PICTURE_LACKS}: 1`)
    if (safe === undefined || !options.budget.takeDeclaration(property, safe, boxes)) continue
    const priority = options.keepsPriority && style.getPropertyPriority(property) !== ''
    kept.set(property, `${property}: ${safe}${priority ? ' !important' : ''}`)
  }
  return [...kept.values()].join('; ')
}

/**
 * A shorthand with a variable in it, or a font of the system's, has a value only as a whole: `background: var(--brand)`, `font: caption`.
 * Innermost first.
 */
const SHORTHANDS = (
  'background margin padding border-top border-right border-bottom border-left border-color border-style border-width border border-radius font ' +
  'list-style outline flex text-decoration overflow gap'
).split(' ')

function writtenAs(style: CSSStyleDeclaration, longhand: string): string {
  if (style.getPropertyValue(longhand) !== '') return longhand
  const family = longhand.split('-', 1)[0] ?? ''
  return SHORTHANDS.find(name => name.startsWith(family) && style.getPropertyValue(name) !== '') ?? longhand
}

const STYLES_KEPT_MAX = 1000

export class StyleAttributes {
  readonly #css: CssOptions
  readonly #kept = new Map<string, { css: string; steps: number }>()

  constructor(css: CssOptions) {
    this.#css = css
  }

  /** Cells by the thousand have the same style; only one that may name a picture, or is rare, is read each time: these are counted. */
  safe({ style }: HTMLElement, written: string): string {
    const { budget } = this.#css
    const known = this.#kept.get(written)
    if (known) return budget.take(known.steps) ? known.css : ''
    const { left, rareBoxes } = budget
    const css = safeDeclarations(style, this.#css)
    if (this.#kept.size < STYLES_KEPT_MAX && !/url|\\/i.test(written) && budget.rareBoxes === rareBoxes)
      this.#kept.set(written, { css, steps: left - budget.left })
    return css
  }
}

export type MailStyle = { readonly text: string; readonly media: string }

/**
 * The safe part of a mail's style sheets, as text for one `<style>` element's text node. `@import`, `@font-face` and unknown rules are
 * dropped, and rules that would cost too much on a mail of this shape.
 */
export function safeStyleSheets(styles: readonly MailStyle[], options: CssOptions, shape: MailShape): string {
  const sheets = { options, shape, rulesLeft: RULES_MAX, charsLeft: CSS_CHARS_MAX }
  return styles.map(style => safeStyleSheet(style, sheets)).join('\n')
}

type Sheets = { readonly options: CssOptions; readonly shape: MailShape; rulesLeft: number; charsLeft: number }
/** The rules that a rule stands in. */
type Around = { readonly depth: number; readonly parent?: MatchCost | undefined }

function safeStyleSheet({ text, media }: MailStyle, sheets: Sheets): string {
  sheets.charsLeft -= text.length
  if (sheets.charsLeft < 0) {
    sheets.options.budget.exceed()
    return ''
  }
  // A constructed sheet ignores @import, and is never applied to anything.
  const sheet = new CSSStyleSheet({ media })
  try {
    sheet.replaceSync(text)
  } catch {
    return ''
  }
  const rules = safeRules(sheet.cssRules, sheets, { depth: 0 })
  const { mediaText } = sheet.media
  if (rules === '' || mediaText === '') return rules
  return isSafeCondition(mediaText) ? `@media ${mediaText} {\n${rules}\n}` : ''
}

function safeRules(rules: CSSRuleList, sheets: Sheets, around: Around): string {
  const { budget } = sheets.options
  if (around.depth > NESTING_MAX && rules.length > 0) {
    budget.exceed()
    return ''
  }
  const kept: string[] = []
  for (const rule of Array.from(rules)) {
    if (sheets.rulesLeft-- <= 0) {
      budget.exceed()
      break
    }
    const safe = safeRule(rule, sheets, around)
    if (safe !== '') kept.push(safe)
  }
  return kept.join('\n')
}

function safeRule(rule: CSSRule, sheets: Sheets, around: Around): string {
  const { options } = sheets
  const inner = { ...around, depth: around.depth + 1 }
  if (rule instanceof CSSStyleRule) return safeStyleRule(rule, sheets, around)
  // Declarations that follow a nested rule; not every browser keeps them as a rule.
  if (typeof CSSNestedDeclarations !== 'undefined' && rule instanceof CSSNestedDeclarations)
    return `${safeDeclarations(rule.style, options, around.parent?.boxes)};`
  // Evaluated here, so that the condition itself is not kept in the mail.
  if (rule instanceof CSSSupportsRule) return CSS.supports(rule.conditionText) ? safeRules(rule.cssRules, sheets, inner) : ''
  if (rule instanceof CSSMediaRule) return inBlock('@media', rule.conditionText, safeRules(rule.cssRules, sheets, inner))
  if (rule instanceof CSSContainerRule) return inBlock('@container', rule.conditionText, safeRules(rule.cssRules, sheets, inner))
  if (rule instanceof CSSLayerStatementRule) return rule.nameList.every(isLayerName) ? `@layer ${rule.nameList.join(', ')};` : ''
  if (typeof CSSPropertyRule !== 'undefined' && rule instanceof CSSPropertyRule) return safeProperty(rule, options)
  // Not every browser knows it.
  if (typeof CSSScopeRule !== 'undefined' && rule instanceof CSSScopeRule) return safeScope(rule, sheets, around)
  if (rule instanceof CSSLayerBlockRule) return inBlock('@layer', rule.name, safeRules(rule.cssRules, sheets, inner))
  return ''
}

function safeStyleRule({ selectorText, style, cssRules }: CSSStyleRule, sheets: Sheets, { depth, parent }: Around): string {
  const { options, shape } = sheets
  const cost = matchCost(selectorText, shape, parent)
  if (!options.budget.takeRule(cost)) return ''
  const declarations = safeDeclarations(style, options, cost.boxes)
  const nested = safeRules(cssRules, sheets, { depth: depth + 1, parent: cost })
  if (declarations === '' && nested === '') return ''
  return `${selectorText} { ${declarations}${nested === '' ? '' : `;\n${nested}\n`} }`
}

const isLayerName = (name: string) => /^[a-z_][\w-]*(?:\.[a-z_][\w-]*)*$/i.test(name)

/** A variable with a type. Its first value loads nothing, as that of any variable. */
function safeProperty({ name, syntax, inherits, initialValue }: CSSPropertyRule, { onImage, budget }: CssOptions): string {
  const initial = initialValue === null ? undefined : safeValue(name, initialValue, onImage)
  if (!/^[\w<>|+#* -]+$/.test(syntax) || initial === undefined) return ''
  if (!budget.takeDeclaration(name, initial, 1)) return ''
  return `@property ${name} { syntax: "${syntax}"; inherits: ${inherits}; initial-value: ${initial} }`
}

/** For each of its rules a browser looks for the scope's root above every element, and a scope in a scope multiplies. */
function safeScope(rule: CSSScopeRule, sheets: Sheets, { depth }: Around): string {
  const { shape } = sheets
  const [start, end] = [rule.start ?? '', rule.end ?? '']
  const stepsTo = (selector: string) => (selector === '' ? 1 : matchCost(selector, shape).steps)
  const parent = { boxes: shape.elements, steps: (stepsTo(start) + stepsTo(end) * shape.depth) * shape.depth }
  const rules = safeRules(rule.cssRules, sheets, { depth: depth + 1, parent })
  if (rules === '' || rules.includes('@scope')) return ''
  return `@scope${start ? ` (${start})` : ''}${end ? ` to (${end})` : ''} {\n${rules}\n}`
}

function inBlock(name: string, condition: string, rules: string): string {
  return rules !== '' && isSafeCondition(condition) ? `${name} ${condition} {\n${rules}\n}` : ''
}

/** Functions that compute; a value that calls any other (`image-set`, `cross-fade`, `attr`, `if`, `paint` …) is dropped. */
const FUNCTIONS = new Set(
  (
    'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc min max clamp round mod rem abs sign sin cos tan pow sqrt hypot var env ' +
    'linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient ' +
    '-webkit-linear-gradient -webkit-radial-gradient -webkit-gradient from to color-stop ' +
    'translate translatex translatey translatez translate3d scale scalex scaley scalez scale3d rotate rotatex rotatey rotatez rotate3d ' +
    'skew skewx skewy matrix matrix3d perspective cubic-bezier minmax repeat fit-content ' +
    'blur brightness contrast grayscale hue-rotate invert opacity saturate sepia drop-shadow rect xywh inset circle ellipse polygon path counter counters'
  ).split(' '),
)

/** Motion (20,000 animated rows), and what stops the reader from selecting or clicking. */
const DROPPED_PROPERTY =
  /^(animation|transition|-webkit-animation|-webkit-transition|user-select|-webkit-user-select|pointer-events|view-transition)/
/**
 * Remote pictures are allowed as backgrounds only. A mask is asked for with the site's origin (CSS Masking), which most servers refuse. Of
 * 338 mails of the corpora none has one, and none has another remote picture in CSS.
 */
const PICTURE_PROPERTY = /^background(?:-image)?$/
/** Here pictures are shown that are written into the value, and thus load nothing. */
const DATA_PROPERTY = /^(?:border-image(?:-source)?|list-style(?:-image)?|(?:-webkit-)?mask(?:-image)?)$/

/**
 * These draw words that no search and no copy finds, and that no link is judged by. Bullets, arrows and quotes stay; letters go, also as
 * numbers that count in letters, and what a variable says.
 */
const DRAWING_PROPERTY = /^(?:content|quotes|list-style|text-overflow|(?:-webkit-)?(?:hyphenate-character|text-emphasis))/
const drawsLetters = ({ kind, text, name }: CssToken) =>
  (kind === 'string' && /[\p{L}\p{N}]/u.test(text)) || name === 'var' || name === 'env'

/** One that stands alone: an ellipsis makes no host. */
const DOT = /(?<![.\u2026])[.\u2024\u3002\ufe52\uff0e\uff61](?![.\u2026])/g

/** Between two words a dot makes a host of them. The number of a list may have one, and a box that only ends a row needs no sign. */
function withoutDot(token: CssToken): CssToken {
  return token.kind === 'string' ? { ...token, text: token.text.replace(DOT, ' ') } : token
}

/** 256 KiB: the longest honest values are pictures written into them. */
const VALUE_CHARS_MAX = 262_144

/** Browsers list the name of a variable without its escapes: `--x\:1\;position\:fixed` could end its declaration and begin others. */
const NAME = /^[-\w\u00a0-\uffff]+$/

/** Called for each picture that the CSS would load. Returns the CSS value to use instead, or `undefined` for none. */
type OnImage = (url: string) => string | undefined

/**
 * Decides which values of which CSS properties a mail may have, and rewrites them. The value as it may be written into a style sheet, or
 * `undefined` when the declaration must go.
 */
export function safeValue(property: string, value: string, onImage: OnImage): string | undefined {
  if (value === '' || value.length > VALUE_CHARS_MAX || DROPPED_PROPERTY.test(property) || !NAME.test(property)) return undefined
  // What is left of a `background: url(…)` shorthand says nothing and would hide colours set elsewhere.
  if (value === 'initial' && property.startsWith('background-')) return undefined
  const read = valueTokens(value)
  if (!read?.every(isInert)) return undefined
  const isDrawing = DRAWING_PROPERTY.test(property)
  if (isDrawing && read.some(drawsLetters)) return undefined
  const tokens = isDrawing && !/counter/.test(value) ? read.map(withoutDot) : read
  if (property === 'content' && /counter/.test(value) && /alpha|latin|roman|greek|none/i.test(value)) return undefined
  if (property === 'position' && tokens.some(({ text }) => /^(?:fixed|sticky|-webkit-sticky)$/i.test(text))) return undefined
  // A variable can contain any word, and `position` has no value that mail needs one for.
  if (property === 'position' && tokens.some(({ kind }) => kind === 'function')) return undefined
  if (!tokens.some(({ kind }) => kind === 'url')) return tokens.map(written).join('')
  if (DATA_PROPERTY.test(property) && tokens.every(({ kind, name }) => kind !== 'url' || pictureDataUrl(name) === name))
    return tokens.map(({ kind, name, text }) => (kind === 'url' ? `url("${name}")` : text)).join('')
  return PICTURE_PROPERTY.test(property) ? withPictures(tokens, onImage) : undefined
}

/** Set on a box whose background pictures are blocked, and inherited by all in it: its words may have no other ground. */
export const PICTURE_LACKS = '--mail-lacks-picture'

/** One percent of the screen's height, set on the frame's root: the frame is as high as the mail, which would grow with it. */
export const SCREEN_VH = '--screen-vh'
const SCREEN_HEIGHT = /^([+-]?(?:\d+(?:\.\d+)?|\.\d+))(?:[dls]?vh|[dls]?vb)$/i

function written({ kind, text }: CssToken): string {
  const [, number] = (kind === 'number' && SCREEN_HEIGHT.exec(text)) || []
  return number === undefined ? text : `calc(${number} * var(${SCREEN_VH}, 1vh))`
}

function isInert({ kind, name }: CssToken): boolean {
  return kind !== 'function' || FUNCTIONS.has(name)
}

/** One value may hold several pictures and gradients; those that may not be shown leave the others in place. */
function withPictures(tokens: readonly CssToken[], onImage: OnImage): string | undefined {
  let shown = 0
  const written = tokens.map(({ kind, text, name }) => {
    if (kind !== 'url') return text
    const picture = onImage(name)
    if (picture !== undefined) shown += 1
    return picture ?? 'none'
  })
  const isOnlyPictures = tokens.every(({ kind, text }) => kind === 'url' || kind === 'space' || text === ',')
  return shown === 0 && isOnlyPictures ? undefined : written.join('')
}
