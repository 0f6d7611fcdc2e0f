/** Splits untrusted CSS into tokens that every browser sees alike, or refuses it. */

type CssTokenKind = 'space' | 'string' | 'url' | 'function' | 'word' | 'hash' | 'number' | 'mark'

export type CssToken = {
  readonly kind: CssTokenKind
  /** The text as it was written. */
  readonly text: string
  /** The name of a function in lower case, the address of a `url`; else empty. */
  readonly name: string
}

const NAME_CHAR = '[-\\w\\u0080-\\uffff]'
const NAME_START = '[a-z_\\u0080-\\uffff]'

/** Each alternative matches its text in only one way: two adjacent runs of blanks, as around an empty `url(  )`, would be quadratic. */
function tokenPattern(nameEscape: string, stringEscape: string): RegExp {
  const name = `(?:--|-?(?:${NAME_START}${nameEscape}))(?:${NAME_CHAR}${nameEscape})*`
  return new RegExp(
    [
      '(?<space>[ \\t\\n\\r\\f]+)',
      `(?<string>"(?:[^"\\\\\\n\\r\\f]${stringEscape})*"|'(?:[^'\\\\\\n\\r\\f]${stringEscape})*')`,
      `(?<url>url\\([ \\t]*(?:(?:"(?<quoted>[^"\\\\\\n\\r\\f]*)"|(?<bare>[^"'()\\\\\\s\\u0000-\\u001f\\u007f]+))[ \\t]*)?\\))`,
      `(?<function>${name}\\()`,
      `(?<number>[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:e[+-]?\\d+)?(?:%|${name})?)`,
      `(?<word>${name})`,
      `(?<hash>#(?:${NAME_CHAR}${nameEscape})+)`,
      '(?<mark>[-,/*+<>=:.()\\[\\]~|^$&])',
    ].join('|'),
    'iy',
  )
}

/** A token of some millions of characters is more than the engine's stack for patterns holds. */
const CHARS_MAX = 1_000_000

const VALUE_TOKEN = tokenPattern('', '')
/** A class such as `sm\:w-full` cannot be written without an escape; in a selector it hides nothing, as no selector loads anything. */
const SELECTOR_TOKEN = tokenPattern('|\\\\[^\\n\\r\\f]', '|\\\\[^\\n\\r\\f]')
const CLOSES = new Map([
  [')', '('],
  [']', '['],
])

/** The tokens of a property's value or of a condition; `undefined` if it cannot be understood, or contains more than one value. */
export function valueTokens(text: string): CssToken[] | undefined {
  return split(text, VALUE_TOKEN)
}

/** The tokens of a selector; `undefined` if it could end before the block of declarations that follows it. */
export function selectorTokens(text: string): CssToken[] | undefined {
  return split(text, SELECTOR_TOKEN)
}

/** A condition of `@media` or `@container` that may be written into a style sheet. */
export function isSafeCondition(condition: string): boolean {
  return valueTokens(condition)?.every(({ kind, name }) => kind !== 'url' && (kind !== 'function' || name === 'calc')) ?? false
}

/**
 * Splits CSS into tokens as CSS Syntax Level 3 does, for the unambiguous part of the language. Comments, escapes in values, line breaks in
 * strings and everything else that two parsers may split differently are refused, so that each token is the one that the browser sees.
 */
function split(text: string, pattern: RegExp): CssToken[] | undefined {
  if (text.length > CHARS_MAX) return undefined
  const tokens: CssToken[] = []
  const open: string[] = []
  for (let at = 0; at < text.length; ) {
    // `<!--` and `-->` are tokens of their own in a style sheet, and a comment could hide the quotes of a string.
    if (text.startsWith('/*', at) || text.startsWith('<!', at) || text.startsWith('-->', at)) return undefined
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match) return undefined
    const token = toToken(match)
    // `#aurl(` is a colour and a bracket in CSS, but a simple parser would read a call.
    if (token.text === '(' && /^(?:word|hash|number)$/.test(tokens.at(-1)?.kind ?? '')) return undefined
    if (token.kind === 'function' || token.text === '(' || token.text === '[') open.push(token.text === '[' ? '[' : '(')
    else if (CLOSES.has(token.text) && open.pop() !== CLOSES.get(token.text)) return undefined
    tokens.push(token)
    at = pattern.lastIndex
  }
  return open.length === 0 ? tokens : undefined
}

const KINDS: readonly CssTokenKind[] = ['space', 'string', 'url', 'function', 'word', 'hash', 'number', 'mark']

function toToken({ 0: text, groups = {} }: RegExpExecArray): CssToken {
  const kind = KINDS.find(candidate => groups[candidate] !== undefined) ?? 'mark'
  const name = kind === 'url' ? (groups.quoted ?? groups.bare ?? '') : kind === 'function' ? text.slice(0, -1).toLowerCase() : ''
  return { kind, text, name }
}
