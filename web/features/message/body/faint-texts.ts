/** Finds text that is hard to read on its ground, and ink that is not. */

export type Rgba = readonly [red: number, green: number, blue: number, alpha: number]
export type Rgb = readonly [red: number, green: number, blue: number]

export type FaintText = {
  readonly text: string
  readonly ratio: number
  readonly element: HTMLElement
  readonly ink: Rgb
  readonly ground: Rgb
}

/** Larger than any mail a person reads; the measure is taken before the mail is painted. */
const TEXTS_MAX = 3000
/** The way from a colour to black or white has so many steps. */
const STEPS = 20

/** The texts below `ratioMin`, in order. Text over an image or gradient is skipped, because its background is unknown. */
export function faintTexts(inner: Document, backdrop: Rgb, ratioMin: number): FaintText[] {
  const backgrounds = new Map<Element, Rgb | undefined>()
  const texts = inner.createTreeWalker(inner.body, NodeFilter.SHOW_TEXT)
  const faint: FaintText[] = []
  let left = TEXTS_MAX
  for (let node = texts.nextNode(); node && left > 0; node = texts.nextNode()) {
    const text = node.nodeValue?.trim() ?? ''
    const element = node.parentElement
    if (!/[\p{L}\p{N}]/u.test(text) || !element || !isShown(element)) continue
    left -= 1
    const background = backgroundOf(element, backdrop, backgrounds)
    if (!background) continue
    const ink = over(parseColor(getComputedStyle(element).color), background)
    const ratio = contrastRatio(ink, background)
    if (ratio < ratioMin) faint.push({ text, ratio, element, ink, ground: background })
  }
  return faint
}

/** The ink mixed with black, or with white on a dark ground, just far enough. Ink of the other side is not mixed, which is grey on grey. */
export function strongerInk(ink: Rgb, ground: Rgb, ratioMin: number): string {
  const [black, white]: [Rgb, Rgb] = [
    [0, 0, 0],
    [255, 255, 255],
  ]
  const end = contrastRatio(black, ground) > contrastRatio(white, ground) ? black : white
  const isOtherSide = luminance(ink) > luminance(ground) !== (end === white)
  const mixes = isOtherSide ? [] : Array.from({ length: STEPS + 1 }, (_, step) => over([...end, step / STEPS], ink))
  const [red, green, blue] = (mixes.find(mixed => contrastRatio(mixed, ground) >= ratioMin) ?? end).map(Math.round)
  return `rgb(${red}, ${green}, ${blue})`
}

export function contrastRatio(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

/** Hidden and tiny text is skipped. */
function isShown(element: Element): boolean {
  const box = element.getBoundingClientRect()
  return (
    box.width > 2 &&
    box.height > 2 &&
    Number.parseFloat(getComputedStyle(element).fontSize) > 2 &&
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  )
}

function backgroundOf(element: Element, backdrop: Rgb, known: Map<Element, Rgb | undefined>): Rgb | undefined {
  if (known.has(element)) return known.get(element)
  const { backgroundColor, backgroundImage } = getComputedStyle(element)
  const color = parseColor(backgroundColor)
  const behind = element.parentElement ? backgroundOf(element.parentElement, backdrop, known) : backdrop
  const isUnknown = backgroundImage !== 'none' || (behind === undefined && color[3] < 1)
  const background = isUnknown ? undefined : over(color, behind ?? backdrop)
  known.set(element, background)
  return background
}

export function over([red, green, blue, alpha]: Rgba, [r, g, b]: Rgb): Rgb {
  const mix = (top: number, bottom: number) => top * alpha + bottom * (1 - alpha)
  return [mix(red, r), mix(green, g), mix(blue, b)]
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (channel: number) => (channel <= 10.31475 ? channel / 3294.6 : ((channel / 255 + 0.055) / 1.055) ** 2.4)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

const RGB = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/
let canvas: CanvasRenderingContext2D | null | undefined

/** A computed colour. Those in newer notations are painted and read back. */
export function parseColor(color: string): Rgba {
  const [, red, green, blue, alpha = '1'] = RGB.exec(color) ?? []
  if (red !== undefined) return [Number(red), Number(green), Number(blue), Number(alpha)]
  canvas ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!canvas) return [0, 0, 0, 1]
  canvas.clearRect(0, 0, 1, 1)
  canvas.fillStyle = color
  canvas.fillRect(0, 0, 1, 1)
  const [r = 0, g = 0, b = 0, a = 255] = canvas.getImageData(0, 0, 1, 1).data
  return [r, g, b, a / 255]
}
