/** Whether a mail in its original layout is shown dark or on a white background when the site is dark. */
import type { CleanMail, MailView } from './sanitize.ts'

/** What the visitor chose for a mail; `auto` trusts the mail's own dark mode as far as it can be read. */
export type ThemeChoice = 'auto' | 'light' | 'dark'

/** The page by night, as web/styles.css draws it. */
const NIGHT: Rgb = [15, 18, 26]
const WHITE: Rgb = [255, 255, 255]
/** WCAG 2 for large text; smaller text of a mail that has more is left as drawn. */
const CONTRAST_MIN = 3

export const isNight = () => matchMedia('(prefers-color-scheme: dark)').matches

/**
 * Returns whether the mail is shown on white. A mail with its own colours was designed for white, unless it has a readable dark mode. The
 * colours of the simple view are ours.
 */
export function applyTheme(inner: Document, mail: CleanMail, view: MailView, choice: ThemeChoice): boolean {
  restoreInk(inner)
  const isOnWhite = needsWhite(inner, mail, view, choice)
  setOnWhite(inner, isOnWhite)
  // By night its sender meant it to be dark, so pale text on white is our doing.
  if (isOnWhite && mail.hasDarkMode && isNight()) strengthenInk(inner)
  return isOnWhite
}

/** Paler words are hidden on purpose, such as the line for the list of mails. */
const HIDDEN_RATIO_MAX = 1.3
const strengthened = new WeakMap<Document, readonly (readonly [element: HTMLElement, style: string | null])[]>()

function strengthenInk(inner: Document): void {
  const pale = faintTexts(inner, WHITE, CONTRAST_MIN).filter(({ ratio }) => ratio > HIDDEN_RATIO_MAX)
  strengthened.set(
    inner,
    pale.map(({ element }) => [element, element.getAttribute('style')]),
  )
  // A little more than measured: colours are rounded on their way to the screen.
  for (const { element, ink, ground } of pale) element.style.setProperty('color', strongerInk(ink, ground, CONTRAST_MIN + 0.1), 'important')
}

function restoreInk(inner: Document): void {
  // Backwards: an element with several texts is listed once for each.
  for (const [element, style] of [...(strengthened.get(inner) ?? [])].reverse()) {
    if (style === null) element.removeAttribute('style')
    else element.setAttribute('style', style)
  }
  strengthened.delete(inner)
}

function needsWhite(inner: Document, mail: CleanMail, view: MailView, choice: ThemeChoice): boolean {
  if (view === 'simple' || !mail.hasColors) return false
  if (!mail.hasDarkMode) return true
  if (choice !== 'auto' || !isNight()) return choice === 'light'
  setOnWhite(inner, true)
  const faintOnWhite = faintChars(inner, WHITE)
  setOnWhite(inner, false)
  return faintChars(inner, NIGHT) > faintOnWhite
}

/** How many characters of a mail can hardly be read. Many mails have a pale line in both modes. */
function faintChars(inner: Document, backdrop: Rgb): number {
  return faintTexts(inner, backdrop, CONTRAST_MIN).reduce((sum, { text }) => sum + text.length, 0)
}

function setOnWhite(inner: Document, isOnWhite: boolean): void {
  inner.documentElement.toggleAttribute('data-on-white', isOnWhite)
  for (const sheet of Array.from(inner.styleSheets)) setDarkRules(sheet.cssRules, !isOnWhite)
}

const NEVER = 'not all'
const written = new WeakMap<CSSRule, string>()

/** Rules for `prefers-color-scheme: dark` follow the visitor's system, not the background of the mail: on white they are switched off. */
function setDarkRules(rules: CSSRuleList, isOn: boolean): void {
  for (const rule of Array.from(rules)) {
    // Rules of the frame are instances of the frame's own classes, so no instanceof of ours fits.
    const { media, cssRules } = rule as CSSRule & Partial<CSSMediaRule>
    if (media) {
      const original = written.get(rule) ?? media.mediaText
      written.set(rule, original)
      if (/prefers-color-scheme: dark/.test(original)) media.mediaText = isOn ? original : NEVER
    }
    if (cssRules) setDarkRules(cssRules, isOn)
  }
}

type Rgba = readonly [red: number, green: number, blue: number, alpha: number]
export type Rgb = readonly [red: number, green: number, blue: number]

type FaintText = { readonly text: string; readonly ratio: number; readonly element: HTMLElement; readonly ink: Rgb; readonly ground: Rgb }

/** Larger than any mail a person reads; the measure is taken before the mail is painted. */
const TEXTS_MAX = 3000
/** Of the way from a colour to black or white. */
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

/** The ink mixed with black, or with white on a dark ground, just far enough. */
function strongerInk(ink: Rgb, ground: Rgb, ratioMin: number): string {
  const [black, white]: [Rgb, Rgb] = [
    [0, 0, 0],
    [255, 255, 255],
  ]
  const end = contrastRatio(black, ground) > contrastRatio(white, ground) ? black : white
  const mixes = Array.from({ length: STEPS + 1 }, (_, step) => over([...end, step / STEPS], ink))
  const [red, green, blue] = (mixes.find(mixed => contrastRatio(mixed, ground) >= ratioMin) ?? end).map(Math.round)
  return `rgb(${red}, ${green}, ${blue})`
}

function contrastRatio(a: Rgb, b: Rgb): number {
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

function over([red, green, blue, alpha]: Rgba, [r, g, b]: Rgb): Rgb {
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
function parseColor(color: string): Rgba {
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
