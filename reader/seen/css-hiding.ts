/**
 * Which declarations take an element out of sight. Where a value cannot be judged (a variable, a calculation), it counts as hiding: a link
 * that is not offered costs a click, one that nobody saw costs trust. Colours are not judged, since the ground behind a word may be a
 * picture.
 */

/** What a value does is judged once, when it is read: it may be long, and apply to every element. */
export type Declaration = {
  readonly property: string
  readonly judged: 'hides' | 'shows'
  /** By importance, origin, specificity and order: the higher one counts. */
  readonly priority: number
  /** Whether it surely applies. What may not apply can hide but not show. */
  readonly isCertain: boolean
}

/**
 * `gone`: with all that is in it. A child may be larger than `small`. One that is visible in an element of hidden visibility is not shown:
 * the simple view hides the whole element (web/features/message/body/sanitize.ts).
 */
export type Sight = { gone: boolean; small: boolean | undefined }

type Judge = (value: string) => Declaration['judged'] | undefined

const INLINE_PRIORITY = 1e9
const IMPORTANT_PRIORITY = 1e12

const UNREADABLE = /(?:var|calc|min|max|clamp|env|attr|if)\(/
const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/
/** A pixel for each unit, about: relative units of a common window and text. */
const PIXELS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 38,
  mm: 3.8,
  q: 0.95,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
  lh: 20,
  rlh: 20,
  '%': 5,
  vw: 7,
  vh: 7,
  vi: 7,
  vb: 7,
  vmin: 7,
  vmax: 7,
}

function pixels(value: string): number | undefined {
  const [, number, unit = ''] = NUMBER.exec(value) ?? []
  const factor = PIXELS[unit.replace(/^[dls](?=v)/, '')]
  return number === undefined || factor === undefined ? undefined : Number(number) * factor
}

/** Smaller letters are dots. */
const TEXT_PX_MIN = 3
/** A box that clips what is higher or wider. */
const BOX_PX_MIN = 4
/** Further from its place an element is off the paper, or over something else. */
const OFFSET_PX = { min: -60, max: 2000 }
const OPACITY_MIN = 0.1
const SCALE_MIN = 0.2

const words =
  (hiding: RegExp, showing: RegExp): Judge =>
  value =>
    hiding.test(value) || UNREADABLE.test(value) ? 'hides' : showing.test(value) ? 'shows' : undefined

const size =
  (min: number, showing: RegExp): Judge =>
  value => {
    if (UNREADABLE.test(value)) return 'hides'
    const px = pixels(value)
    if (px !== undefined) return px < min ? 'hides' : 'shows'
    return showing.test(value) ? 'shows' : undefined
  }

/** A share of the parent's size is none where that is none, so only absolute sizes show. */
const fontSize: Judge = value => {
  if (UNREADABLE.test(value)) return 'hides'
  const px = /%$/.test(value) ? (Number.parseFloat(value) / 100) * 16 : pixels(value)
  if (px !== undefined && px < TEXT_PX_MIN) return 'hides'
  if (/^(?:x{1,3}-(?:small|large)|small|medium|large)$/.test(value)) return 'shows'
  return px !== undefined && /(?:px|pt|pc|in|cm|mm|rem)$/.test(value) ? 'shows' : undefined
}

const font: Judge = value => {
  const [, written = ''] =
    /(?:^|\s)([\d.]+(?:[a-z]+|%)?)(?=\s*\/|\s+\S)/.exec(value.replace(/\s+/g, ' ').replace(/(?:^| )[1-9]00(?= )/g, ' ')) ?? []
  return UNREADABLE.test(value) ? 'hides' : written === '' ? undefined : fontSize(written)
}

const offset: Judge = value => {
  const parts = value.split(/\s+/).map(pixels)
  const isFar = parts.some(px => px !== undefined && (px <= OFFSET_PX.min || px >= OFFSET_PX.max))
  return isFar || UNREADABLE.test(value) ? 'hides' : 'shows'
}

const share =
  (min: number): Judge =>
  value => {
    const [, number, unit] = NUMBER.exec(value) ?? []
    if (number === undefined) return UNREADABLE.test(value) ? 'hides' : undefined
    return Number(number) / (unit === '%' ? 100 : 1) < min ? 'hides' : 'shows'
  }

const unlessPlain: Judge = value => (/^(?:none|auto|normal|initial|unset|100%|1)$/.test(value) ? 'shows' : 'hides')

const BOX = size(BOX_PX_MIN, /^(?:auto|none|normal|fit-content|max-content|min-content)$/)

/** The properties that are read, each with the group that it belongs to. */
const JUDGES: Readonly<Record<string, readonly [group: Group, judge: Judge]>> = {
  display: [
    'gone',
    words(/^none|table-column/, /^(?:block|inline|inline-block|flex|inline-flex|grid|table|inline-table|table-row|table-cell|list-item)$/),
  ],
  opacity: ['gone', share(OPACITY_MIN)],
  'content-visibility': ['gone', words(/^hidden/, /^visible$/)],
  zoom: ['gone', share(SCALE_MIN)],
  transform: ['gone', unlessPlain],
  '-webkit-transform': ['gone', unlessPlain],
  translate: ['gone', unlessPlain],
  scale: ['gone', unlessPlain],
  rotate: ['gone', unlessPlain],
  clip: ['gone', unlessPlain],
  'clip-path': ['gone', unlessPlain],
  '-webkit-clip-path': ['gone', unlessPlain],
  mask: ['gone', unlessPlain],
  '-webkit-mask': ['gone', unlessPlain],
  'mask-image': ['gone', unlessPlain],
  '-webkit-mask-image': ['gone', unlessPlain],
  '-webkit-text-security': ['gone', unlessPlain],
  filter: ['gone', words(/opacity|blur/, /^none$/)],
  'text-indent': ['gone', offset],
  'letter-spacing': ['gone', size(-4, /^normal$/)],
  'word-spacing': ['gone', offset],
  ...each(sidesOf('margin', 'margin-'), ['gone', offset]),
  visibility: ['gone', words(/^(?:hidden|collapse)/, /^visible$/)],
  'font-size': ['small', fontSize],
  font: ['small', font],
  ...each(['height', 'max-height', 'width', 'max-width', 'block-size', 'max-block-size', 'inline-size', 'max-inline-size'], ['flat', BOX]),
  'line-height': ['low', value => (/^[\d.]+$/.test(value) ? share(SCALE_MIN)(value) : BOX(value))],
  ...each(
    ['overflow', 'overflow-x', 'overflow-y', 'overflow-block', 'overflow-inline'],
    ['clips', words(/hidden|clip|auto|scroll/, /^visible$/)],
  ),
  contain: ['clips', words(/paint|strict|content/, /^none$/)],
  position: ['placed', words(/absolute|fixed|relative|sticky/, /^static$/)],
  ...each(sidesOf('inset', ''), ['away', offset]),
}

type Group = 'gone' | 'small' | 'flat' | 'low' | 'clips' | 'placed' | 'away'

/** The names for one side, for two, and for all. */
function sidesOf(name: 'margin' | 'inset', prefix: string): string[] {
  const logical = ['inline', 'block'].flatMap(axis => [axis, `${axis}-start`, `${axis}-end`])
  return [name, ...['left', 'right', 'top', 'bottom'].map(side => prefix + side), ...logical.map(side => `${name}-${side}`)]
}

function each<Value>(names: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(names.map(name => [name, value]))
}

/** Whether the declarations that apply to one element hide it. `isPicture`: nothing of it is drawn outside its box. */
export function sightOf(declarations: readonly Declaration[], isPicture = false): Sight {
  const found = new Map<Group, 'hides' | 'shows'>()
  const decided = new Set<string>()
  const sorted = declarations.length > 1 ? [...declarations].sort((one, other) => other.priority - one.priority) : declarations
  for (const { property, judged, isCertain } of sorted) {
    const [group] = JUDGES[property] ?? []
    if (!group || decided.has(property) || (judged === 'shows' && !isCertain)) continue
    decided.add(property)
    if (judged === 'hides' || !found.has(group)) found.set(group, judged)
  }
  const hides = (group: Group) => found.get(group) === 'hides'
  const isClosed = (hides('flat') && (isPicture || hides('clips'))) || (hides('low') && hides('clips'))
  const gone = hides('gone') || isClosed || (hides('placed') && hides('away'))
  return { gone, small: found.has('small') ? hides('small') : undefined }
}

/** The declarations of a block or a `style` attribute, those of the judged properties. Comments must be gone. */
export function readDeclarations(css: string, priority: number, isCertain: boolean): Declaration[] {
  if (!mayBeJudged(css)) return []
  // Where a string or bracket is not closed, a declaration may begin behind each mark.
  const written = isPlain(css) ? splitOutside(css, ';') : css.split(/[;{}]/)
  return written.flatMap((declaration, at) => {
    const colon = declaration.indexOf(':')
    const property = unescapeCss(declaration.slice(0, colon)).trim().toLowerCase()
    const [, judge] = Object.hasOwn(JUDGES, property) && colon >= 0 ? (JUDGES[property] ?? []) : []
    if (!judge) return []
    const whole = unescapeCss(declaration.slice(colon + 1))
      .trim()
      .toLowerCase()
    const value = whole.replace(/!\s*important$/, '').trimEnd()
    const rank = priority + (value === whole ? 0 : IMPORTANT_PRIORITY) + at / written.length
    const judged = judge(value)
    return judged === undefined ? [] : [{ property, judged, priority: rank, isCertain }]
  })
}

/** Most styles have none of the judged properties, and are not split. */
export const mayBeJudged = (css: string): boolean => MAY_BE_JUDGED.test(css)

const MAY_BE_JUDGED =
  /\\|display|visib|opacity|font|height|width|size|overflow|contain|position|left|right|top|bottom|inset|margin|indent|spacing|trans|scale|rotate|zoom|clip|mask|filter|security/i

export function inlineDeclarations(style: string): Declaration[] {
  const css = withoutComments(style)
  return readDeclarations(css, INLINE_PRIORITY, isPlain(css))
}

const BALANCED = /"[^"\\\n]*"|'[^'\\\n]*'|\((?:[^()"'\\]*|"[^"\\\n]*"|'[^'\\\n]*')\)/g

/** Whether its strings and brackets are closed, so that its declarations end where they seem to. */
export function isPlain(css: string): boolean {
  return !/["'()[\]{}\\]/.test(css) || !/["'()[\]{}\\]/.test(css.replace(BALANCED, '').replace(BALANCED, ''))
}

/** One that is not closed ends with the text. */
export function withoutComments(css: string): string {
  if (!css.includes('/*')) return css
  let out = ''
  let at = 0
  for (let open = css.indexOf('/*'); open !== -1; open = css.indexOf('/*', at)) {
    out += `${css.slice(at, open)} `
    const close = css.indexOf('*/', open + 2)
    at = close === -1 ? css.length : close + 2
  }
  return out + css.slice(at)
}

export function unescapeCss(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, hex, character) => {
    const code = hex === undefined ? 0 : Number.parseInt(hex, 16)
    return character ?? (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
  })
}

/** Splits at a mark that is in no string, bracket or escape. */
export function splitOutside(css: string, mark: string): string[] {
  if (!/["'(\\[]/.test(css)) return css.split(mark)
  const parts: string[] = []
  let quote = ''
  let depth = 0
  let start = 0
  for (let at = 0; at < css.length; at++) {
    const character = css.charAt(at)
    if (character === '\\') at++
    else if (quote !== '') {
      if (character === quote || character === '\n') quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '(' || character === '[') depth++
    else if (character === ')' || character === ']') depth = Math.max(0, depth - 1)
    else if (character === mark && depth === 0) {
      parts.push(css.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, css.slice(start)]
}
