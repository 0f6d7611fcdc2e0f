/**
 * CSS from a stranger, rewritten from what the browser itself parsed (CSSOM), never from its text: escapes, comments and broken syntax are gone by
 * then (case X04: `\75rl(`, unclosed `url(`, `var()` fallbacks). What can fetch, cover, animate or trap is dropped; everything else may style.
 */

/** 512 KiB: the largest newsletter style sheets are a tenth of it. */
const CSS_CHARS_MAX = 524_288
/** Selector matching is paid for each rule and element (case X08). */
const RULES_MAX = 5000
const NESTING_MAX = 4

/** Functions that compute; a value that calls any other (`url`, `image-set`, `cross-fade`, `attr`, `if`, `paint` …) is dropped. */
const FUNCTIONS = new Set(
  (
    'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc min max clamp var ' +
    'linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient ' +
    'translate translatex translatey scale scalex scaley rotate skew skewx skewy matrix cubic-bezier minmax repeat fit-content ' +
    'blur brightness contrast grayscale hue-rotate invert opacity saturate sepia drop-shadow rect inset circle ellipse polygon counter counters'
  ).split(' '),
)

/** Motion (20,000 animated rows), and what stops the reader from selecting or clicking (case X20). */
const DROPPED_PROPERTY =
  /^(animation|transition|-webkit-animation|-webkit-transition|user-select|-webkit-user-select|pointer-events|view-transition)/

/** What the CSS would load if it could: background images over http(s). */
export type CssOptions = {
  /** Called for each remote background image; `true` lets it stay. */
  onRemoteImage: (url: string) => boolean
}

/** The safe part of one declaration block as CSS text; empty when nothing is left. */
export function safeDeclarations(style: CSSStyleDeclaration, options: CssOptions): string {
  const kept: string[] = []
  for (const property of Array.from(style)) {
    const value = style.getPropertyValue(property)
    if (!isSafe(property, value, options)) continue
    const priority = style.getPropertyPriority(property)
    kept.push(`${property}: ${value}${priority ? ' !important' : ''}`)
  }
  return kept.join('; ')
}

/** The safe part of a whole style sheet, as text for one `<style>` element's text node. `@import`, `@font-face` and unknown rules are dropped. */
export function safeStyleSheet(text: string, options: CssOptions): string {
  if (text.length > CSS_CHARS_MAX) return ''
  const sheet = new CSSStyleSheet()
  try {
    // A constructed sheet ignores @import, and is never applied to anything.
    sheet.replaceSync(text)
  } catch {
    return ''
  }
  const budget = { rules: RULES_MAX }
  return safeRules(sheet.cssRules, options, budget, 0)
}

function safeRules(rules: CSSRuleList, options: CssOptions, budget: { rules: number }, depth: number): string {
  if (depth > NESTING_MAX) return ''
  const kept: string[] = []
  for (const rule of Array.from(rules)) {
    if (budget.rules-- <= 0) break
    if (rule instanceof CSSStyleRule) {
      const declarations = safeDeclarations(rule.style, options)
      if (declarations) kept.push(`${rule.selectorText} { ${declarations} }`)
    } else if (rule instanceof CSSMediaRule) {
      const inner = safeRules(rule.cssRules, options, budget, depth + 1)
      if (inner) kept.push(`@media ${rule.conditionText} {\n${inner}\n}`)
    }
  }
  return kept.join('\n')
}

function isSafe(property: string, value: string, options: CssOptions): boolean {
  if (value === '' || DROPPED_PROPERTY.test(property)) return false
  // What is left of a `background: url(…)` shorthand says nothing and would hide colours set elsewhere.
  if (value === 'initial' && property.startsWith('background-')) return false
  if (property === 'position' && /fixed|sticky/.test(value)) return false
  // Serialised values hold a backslash only where an escape could not be resolved: custom properties and var() fallbacks.
  if (value.includes('\\')) return false
  const remote = property === 'background-image' ? /^url\("(https?:\/\/[^"]+)"\)$/i.exec(value)?.[1] : undefined
  if (remote !== undefined) return options.onRemoteImage(remote)
  return isInert(value)
}

/** Strings are skipped: a parenthesis in a font name calls nothing. */
function isInert(value: string): boolean {
  const calls = value.replace(/"[^"]*"|'[^']*'/g, '""').matchAll(/([a-z-]*)\(/gi)
  for (const [, name = ''] of calls) if (name !== '' && !FUNCTIONS.has(name.toLowerCase())) return false
  return true
}
