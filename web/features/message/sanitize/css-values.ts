/** Decides which values of which CSS properties a mail may have, and rewrites them. Pure: no DOM. */
import { type CssToken, valueTokens } from './css-tokens.ts'

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
/** Remote pictures are allowed as backgrounds only. As cursors and masks nobody misses them. */
const PICTURE_PROPERTY = /^background(?:-image)?$/
/** Here pictures are shown that are written into the value, and thus load nothing. */
const DATA_PROPERTY = /^(?:border-image(?:-source)?|list-style(?:-image)?)$/
const DATA_PICTURE = /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=]+$/i

/** 256 KiB: the longest honest values are pictures written into them. */
const VALUE_CHARS_MAX = 262_144

/** Called for each picture that the CSS would load. Returns the CSS value to use instead, or `undefined` for none. */
export type OnImage = (url: string) => string | undefined

/** The value as it may be written into a style sheet, or `undefined` when the declaration must go. */
export function safeValue(property: string, value: string, onImage: OnImage): string | undefined {
  if (value === '' || value.length > VALUE_CHARS_MAX || DROPPED_PROPERTY.test(property)) return undefined
  // What is left of a `background: url(…)` shorthand says nothing and would hide colours set elsewhere.
  if (value === 'initial' && property.startsWith('background-')) return undefined
  const tokens = valueTokens(value)
  if (tokens === undefined || !tokens.every(isInert)) return undefined
  if (property === 'position' && tokens.some(({ text }) => /^(?:fixed|sticky|-webkit-sticky)$/i.test(text))) return undefined
  // A variable can contain any word, and `position` has no value that mail needs one for.
  if (property === 'position' && tokens.some(({ kind }) => kind === 'function')) return undefined
  if (!tokens.some(({ kind }) => kind === 'url')) return tokens.map(({ text }) => text).join('')
  if (DATA_PROPERTY.test(property) && tokens.every(({ kind, name }) => kind !== 'url' || DATA_PICTURE.test(name)))
    return tokens.map(({ kind, name, text }) => (kind === 'url' ? `url("${name}")` : text)).join('')
  return PICTURE_PROPERTY.test(property) ? withPictures(tokens, onImage) : undefined
}

/** A condition of `@media` or `@container` that may be written into a style sheet. */
export function isSafeCondition(condition: string): boolean {
  return valueTokens(condition)?.every(({ kind, name }) => kind !== 'url' && (kind !== 'function' || name === 'calc')) ?? false
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
