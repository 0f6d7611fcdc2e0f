/**
 * CSS from a stranger, rewritten from what the browser itself parsed (CSSOM), never from its text: escapes, comments and broken syntax are gone by
 * then (`\75rl(`, unclosed `url(`, `var()` fallbacks). What can fetch, cover, animate or trap is dropped; everything else may style.
 */

/** 512 KiB: the largest newsletter style sheets are a tenth of it. */
const CSS_CHARS_MAX = 524_288
/** Selector matching is paid for each rule and element. */
const RULES_MAX = 5000
const NESTING_MAX = 4
/**
 * Selectors that look at every sibling or descendant of every element: two hundred of them over ten thousand elements hold the page up for a
 * minute. What mails use them for, boxes to tick, is not in a mail that is shown.
 */
const COSTLY_SELECTOR = /:has\(|~(?!=)/i

/** Functions that compute; a value that calls any other (`url`, `image-set`, `cross-fade`, `attr`, `if`, `paint` …) is dropped. */
const FUNCTIONS = new Set(
  (
    'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc min max clamp var ' +
    'linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient ' +
    'translate translatex translatey scale scalex scaley rotate skew skewx skewy matrix cubic-bezier minmax repeat fit-content ' +
    'blur brightness contrast grayscale hue-rotate invert opacity saturate sepia drop-shadow rect inset circle ellipse polygon counter counters'
  ).split(' '),
)

/** Motion (20,000 animated rows), and what stops the reader from selecting or clicking. */
const DROPPED_PROPERTY =
  /^(animation|transition|-webkit-animation|-webkit-transition|user-select|-webkit-user-select|pointer-events|view-transition)/

export type CssOptions = {
  /** Called for each image the CSS would load; the CSS value that may stand for it, or `undefined` for none. */
  onImage: (url: string) => string | undefined
  /** Whether `!important` stays. */
  keepsPriority: boolean
}

/** The safe part of one declaration block as CSS text; empty when nothing is left. */
export function safeDeclarations(style: CSSStyleDeclaration, options: CssOptions): string {
  const kept: string[] = []
  for (const property of Array.from(style)) {
    const value = style.getPropertyValue(property)
    const safe = safeValue(property, value, options)
    if (safe === undefined) continue
    const priority = options.keepsPriority && style.getPropertyPriority(property) !== ''
    kept.push(`${property}: ${safe}${priority ? ' !important' : ''}`)
  }
  return kept.join('; ')
}

export type MailStyle = { readonly text: string; readonly media: string }

/** The safe part of a mail's style sheets, as text for one `<style>` element's text node. `@import`, `@font-face` and unknown rules are dropped. */
export function safeStyleSheets(styles: readonly MailStyle[], options: CssOptions): string {
  const budget = { rules: RULES_MAX, chars: CSS_CHARS_MAX }
  return styles.map(style => safeStyleSheet(style, options, budget)).join('\n')
}

type Budget = { rules: number; chars: number }

function safeStyleSheet({ text, media }: MailStyle, options: CssOptions, budget: Budget): string {
  budget.chars -= text.length
  if (budget.chars < 0) return ''
  // A constructed sheet ignores @import, and is never applied to anything.
  const sheet = new CSSStyleSheet({ media })
  try {
    sheet.replaceSync(text)
  } catch {
    return ''
  }
  const rules = safeRules(sheet.cssRules, options, budget, 0)
  const { mediaText } = sheet.media
  return mediaText === '' || rules === '' ? rules : `@media ${mediaText} {\n${rules}\n}`
}

function safeRules(rules: CSSRuleList, options: CssOptions, budget: Budget, depth: number): string {
  if (depth > NESTING_MAX) return ''
  const kept: string[] = []
  for (const rule of Array.from(rules)) {
    if (budget.rules-- <= 0) break
    if (rule instanceof CSSStyleRule) {
      if (COSTLY_SELECTOR.test(rule.selectorText)) continue
      const declarations = safeDeclarations(rule.style, options)
      if (declarations) kept.push(`${rule.selectorText} { ${declarations} }`)
    } else if (rule instanceof CSSMediaRule) {
      const inner = safeRules(rule.cssRules, options, budget, depth + 1)
      if (inner) kept.push(`@media ${rule.conditionText} {\n${inner}\n}`)
    }
  }
  return kept.join('\n')
}

function safeValue(property: string, value: string, options: CssOptions): string | undefined {
  if (value === '' || DROPPED_PROPERTY.test(property)) return undefined
  // What is left of a `background: url(…)` shorthand says nothing and would hide colours set elsewhere.
  if (value === 'initial' && property.startsWith('background-')) return undefined
  if (property === 'position' && /fixed|sticky/.test(value)) return undefined
  // Serialised values hold a backslash only where an escape could not be resolved: custom properties and var() fallbacks.
  if (value.includes('\\')) return undefined
  if (property === 'background-image') return safeBackground(value, options)
  return isInert(value) ? value : undefined
}

/** One value may hold several pictures and gradients; those that may not be shown leave the others in place. */
function safeBackground(value: string, options: CssOptions): string | undefined {
  const images = new Map<string, string>()
  const rest = value.replace(/url\("([^"]*)"\)/g, (_, url: string) => {
    const shown = options.onImage(url) ?? 'none'
    const place = `"${images.size}"`
    images.set(place, shown)
    return place
  })
  if (!isInert(rest) || (/^(?:"\d+"(?:, )?)+$/.test(rest) && [...images.values()].every(shown => shown === 'none'))) return undefined
  return rest.replace(/"\d+"/g, place => images.get(place) ?? 'none')
}

/** Strings are skipped: a parenthesis in a font name calls nothing. */
function isInert(value: string): boolean {
  const calls = value.replace(/"[^"]*"|'[^']*'/g, '""').matchAll(/([a-z-]*)\(/gi)
  for (const [, name = ''] of calls) if (name !== '' && !FUNCTIONS.has(name.toLowerCase())) return false
  return true
}
