/** Judges computed styles by which a sender hides a picture. */

/** Fainter is not seen on any screen. */
const OPACITY_SEEN_MIN = 0.05
/** What has this size or less in one direction, in pixels, is a point or a line: of a picture, a spacer or a tracker. */
export const UNSEEN_PX = 2

type Size = { readonly width: number; readonly height: number }

/** The product of both ways to fade a box. */
export function opacityOf({ opacity, filter }: { readonly opacity: string; readonly filter: string }): number {
  const faded = Array.from(filter.matchAll(/opacity\(([\d.]+)(%?)\)/g), ([, amount, unit]) => Number(amount) / (unit ? 100 : 1))
  return faded.reduce((product, amount) => product * amount, opacity === '' ? 1 : Number(opacity))
}

export const isTooFaint = (opacity: number) => opacity < OPACITY_SEEN_MIN

/** Whether a `clip-path` cuts everything away. Shapes that are not understood count as visible. */
export function isClippedAway(clipPath: string, { width, height }: Size): boolean {
  const [, shape, inside = ''] = /^(inset|circle|ellipse|polygon)\((.*)\)/.exec(clipPath) ?? []
  const values = inside.split(/ at | round /)[0] ?? ''
  if (shape === 'inset') {
    const [top = '0px', right = top, bottom = top, left = right] = values.trim().split(/\s+/)
    return (
      width - length(left, width) - length(right, width) <= UNSEEN_PX || height - length(top, height) - length(bottom, height) <= UNSEEN_PX
    )
  }
  if (shape === 'polygon') {
    const points = values
      .replace(/^(?:evenodd|nonzero),/, '')
      .split(',')
      .map(point => point.trim().split(/\s+/).slice(-2))
    return span(points.map(([x = '']) => length(x, width))) <= UNSEEN_PX || span(points.map(([, y = '']) => length(y, height))) <= UNSEEN_PX
  }
  if (shape === undefined) return false
  const radii = values.trim() === '' ? [] : values.trim().split(/\s+/)
  return radii.some(radius => length(radius, Math.max(width, height)) <= UNSEEN_PX / 2)
}

/** Whether a mask is a gradient of nothing but transparent colours. */
export function isMaskedAway(maskImage: string): boolean {
  const colors = maskImage.match(/rgba?\([^()]*\)/g) ?? []
  return /gradient\(/.test(maskImage) && colors.length > 0 && colors.every(color => isTooFaint(alpha(color)))
}

/** Whether a picture is moved out of the box it is drawn in: `object-position` or `background-position` in pixels. */
export function isMovedAway(position: string, { width, height }: Size): boolean {
  const [x = '', y = ''] = position.split(/\s+/)
  return isBeyond(x, width) || isBeyond(y, height)
}

/** To the left and above a sprite is moved by its own size, which is unknown here. */
const SPRITE_PX_MAX = 4000

function isBeyond(offset: string, size: number): boolean {
  const px = /^-?[\d.]+px$/.test(offset) ? Number.parseFloat(offset) : 0
  return px < -SPRITE_PX_MAX || (px > 0 && px >= size)
}

function alpha(color: string): number {
  return Number(/^rgba\(.*,\s*([\d.]+)\)$/.exec(color)?.[1] ?? 1)
}

/** In pixels. What is neither pixels nor a share of the size, such as `calc()`, has no length that could be judged. */
function length(text: string, size: number): number {
  const [, number, unit] = /^(-?[\d.]+)(px|%)$/.exec(text) ?? []
  if (number === undefined) return Number.NaN
  return unit === '%' ? (Number(number) / 100) * size : Number(number)
}

function span(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values)
}
