/**
 * What a mail's `style` attributes may do in the simple view: `color`, `background-color`, `font-size` and `padding` stay where the words
 * remain legible, by day and by night, and only what would fail is dropped
 * (docs/decisions/0036-style-stays-where-words-are-legible.md).
 */
import { contrastRatio, over, parseColor, type Rgb, type Rgba } from './faint-texts.ts'

/** WCAG 2 for text of any size. */
const CONTRAST_MIN = 4.5
const SIZE_PX = { min: 11, max: 40 }
const PADDING_PX_MAX = 48
/** All boxes around a word may have so much together, on each side: a third of a phone's width. */
const INDENT_PX_MAX = 64
/** Room around words on paper is the margin of the sender's page; ours stands already. Above and below it parts a section from the next. */
const MARGIN_PX_MAX = 16
/** In a box that is seen by day and not by night, where more would be a hole. */
const FAINT_PADDING_PX_MAX = 16
/** More would draw an inline box over the lines around it. */
const INLINE_PADDING_PX_MAX = 6
/** Against black. By night so pale and grey a ground is paper, and the paper is ours. */
const PAPER = { contrastMin: 17, chromaMax: 32 }
const BLACK: Rgb = [0, 0, 0]

const BODY_PX = 16
/** The factors with which frame-document.ts draws headings. */
const HEADING_FACTORS: Readonly<Record<string, number>> = { H1: 1.5, H2: 1.3, H3: 1.125 }
const INLINE = new Set('SPAN A STRONG B EM I U'.split(' '))

/** By day and by night. */
type PerTheme<Value> = readonly [day: Value, night: Value]
const [DAY, NIGHT] = [0, 1] as const
const THEMES = [DAY, NIGHT] as const

/** The inks of frame-document.ts, and the ground of the dialog (`--color-raised` of web/styles.css). */
const INK: PerTheme<Rgb> = [
  [29, 34, 48],
  [236, 232, 224],
]
const LINK: PerTheme<Rgb> = [
  [0, 101, 106],
  [116, 204, 203],
]
const GROUND: PerTheme<Rgb> = [
  [255, 255, 255],
  [20, 26, 35],
]
const BUTTON_EDGE: PerTheme<string> = ['oklch(0.55 0.09 195)', 'oklch(0.73 0.09 195)']

/** What an element hands down. Its ink is always legible on its ground. */
type State = {
  readonly ink: PerTheme<Rgb>
  readonly ground: PerTheme<Rgb>
  readonly isOnPaper: boolean
  readonly px: number
  readonly left: number
  readonly right: number
}
const ROOT: State = { ink: INK, ground: GROUND, isOnPaper: true, px: BODY_PX, left: 0, right: 0 }

/** The properties that are judged here, as longhands of the browser's. */
export const JUDGED = 'color background-color font-size padding-top padding-right padding-bottom padding-left'.split(' ')

/**
 * Judges the sanitised elements below `root`, each after its parent. `buttons` are links to be drawn as buttons; without them no link is
 * drawn as one, because what may lure shall not look like the thing to press.
 */
export function keepLegible(root: Element, buttons: WeakSet<Element> | undefined): void {
  if (!buttons)
    for (const { style } of root.querySelectorAll<HTMLElement>('a, a *')) for (const property of JUDGED) style.removeProperty(property)
  const states = new Map<Element, State>()
  const elements = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_ELEMENT)
  for (let node = elements.nextNode(); node; node = elements.nextNode()) {
    const element = node as HTMLElement
    const parent = (element.parentElement && states.get(element.parentElement)) ?? ROOT
    // Neither is an element of the simple view: what is around the mail is ours.
    const isAround = element.tagName === 'HTML' || element.tagName === 'BODY'
    states.set(element, isAround ? withoutStyle(element) : judge(element, parent, buttons?.has(element) ?? false))
  }
}

function withoutStyle({ style }: HTMLElement): State {
  for (const property of JUDGED) style.removeProperty(property)
  return ROOT
}

function judge(element: HTMLElement, parent: State, isButton: boolean): State {
  const hasStyle = element.hasAttribute('style')
  const isLink = element.tagName === 'A'
  const isPicture = element.dataset.picture !== undefined
  if (!hasStyle && !isLink && !isPicture && HEADING_FACTORS[element.tagName] === undefined) return parent
  const { style } = element
  if (style.display === 'none') return parent
  const written = hasStyle ? Object.fromEntries(JUDGED.map(name => [name, style.getPropertyValue(name)])) : {}
  for (const name of hasStyle ? JUDGED : []) style.removeProperty(name)
  const px = judgeSize(element, written['font-size'] ?? '', parent.px)
  const colors = judgeColors(element, written, parent, { isLink, isPicture, isButton })
  if (isButton) drawButton(style, colors, parent)
  // In the ink of the words around it only its line tells a link.
  else if (isLink && THEMES.some(theme => colors.ink[theme] === parent.ink[theme])) style.removeProperty('text-decoration-line')
  const indent = judgePadding(element, written, parent, px, { isButton, ...colors })
  if (element.getAttribute('style') === '') element.removeAttribute('style')
  return { ...colors, px, ...indent }
}

function judgeSize({ style, tagName }: HTMLElement, written: string, parentPx: number): number {
  const natural = parentPx * (HEADING_FACTORS[tagName] ?? 1)
  const wanted = toPx(written, parentPx)
  if (wanted !== undefined && wanted >= SIZE_PX.min && wanted <= SIZE_PX.max) {
    style.fontSize = `calc(${rounded(wanted)}rem / ${BODY_PX})`
    return wanted
  }
  if (natural <= SIZE_PX.max) return natural
  style.fontSize = `${SIZE_PX.max / BODY_PX}rem`
  return SIZE_PX.max
}

type Colors = Pick<State, 'ink' | 'ground' | 'isOnPaper'>

type Kind = { readonly isLink: boolean; readonly isPicture: boolean; readonly isButton: boolean }

/** The first pair of a ground and an ink that can be read; the last, what the parent has, always can. */
function judgeColors({ style }: HTMLElement, written: Written, parent: State, { isLink, isPicture, isButton }: Kind): Colors {
  const wantedInk = readColor(written.color)
  const wantedGround = readColor(written['background-color'])
  const chosen = THEMES.map(theme => {
    const behind = parent.ground[theme]
    const asSent = wantedGround && solid(wantedGround, behind)
    const ground = asSent && isButton && wantedInk ? deepened(asSent, wantedInk) : asSent
    const grounds = ground && toCss(ground) !== toCss(behind) && !(theme === 1 && isPaper(ground)) ? [ground, behind] : [behind]
    for (const below of grounds) {
      const inks = [wantedInk && solid(wantedInk, below), isLink ? LINK[theme] : undefined, parent.ink[theme]]
      const ink = inks.find(candidate => candidate !== undefined && contrastRatio(candidate, below) >= CONTRAST_MIN)
      if (ink) return { ink, ground: below }
    }
    return { ink: parent.ink[theme], ground: behind }
  })
  const [day, night] = chosen as [(typeof chosen)[number], (typeof chosen)[number]]
  const ink: PerTheme<Rgb> = [day.ink, night.ink]
  const ground: PerTheme<Rgb> = [day.ground, night.ground]
  const isOnPaper = parent.isOnPaper && ground.every((color, theme) => color === parent.ground[theme])
  const given = isLink ? LINK : parent.ink
  if (ink.some((color, theme) => color !== given[theme]) || (isPicture && !isOnPaper)) style.color = themed(ink.map(toCss))
  const grounds = ground.map((color, theme) => (color === parent.ground[theme] ? 'transparent' : toCss(color)))
  if (grounds.some(color => color !== 'transparent')) style.backgroundColor = themed(grounds)
  return { ink, ground, isOnPaper }
}

/** How far a colour goes towards black at most: further it would be another. */
const DEEPENED_MAX = 0.5

/** The colour of a button on which its pale ink can be read: white on a bright blue is the look of the sender, black is not. */
function deepened(ground: Rgb, ink: Rgba): Rgb {
  for (let share = 0; share <= DEEPENED_MAX; share += 0.05) {
    const below = solid([...BLACK, share], ground)
    const words = solid(ink, below)
    if (contrastRatio(words, BLACK) < contrastRatio(below, BLACK)) return ground
    if (contrastRatio(words, below) >= CONTRAST_MIN) return below
  }
  return ground
}

/** Fainter is the edge of a ground not seen. */
const EDGE_CONTRAST_MIN = 1.5

/** It is drawn as the page's own buttons for links out of a mail (web/components/ui/button.tsx), or in the colours of its sender. */
function drawButton(style: CSSStyleDeclaration, { ground }: Colors, parent: State): void {
  style.cssText +=
    '; display: inline-block; margin: 6px 0; border-radius: 8px; font-weight: 500; line-height: 1.35; text-decoration: none; padding: 10px 16px'
  const edges = THEMES.map(theme => {
    const isBox = ground[theme] !== GROUND[theme] && parent.ground[theme] === ground[theme]
    const isSeen = contrastRatio(ground[theme], parent.ground[theme]) >= EDGE_CONTRAST_MIN
    return isBox || isSeen ? 'transparent' : BUTTON_EDGE[theme]
  })
  style.border = `1px solid ${themed(edges)}`
}

type Written = Readonly<Record<string, string>>

type Box = Colors & { readonly isButton: boolean }

function judgePadding({ style, tagName }: HTMLElement, written: Written, parent: State, px: number, { isButton, isOnPaper, ground }: Box) {
  const isInline = INLINE.has(tagName) && !isButton
  const boxMax = !isButton && !isOnPaper && ground[NIGHT] === GROUND[NIGHT] ? FAINT_PADDING_PX_MAX : PADDING_PX_MAX
  const isMargin = isOnPaper && !isInline && !isButton && written['padding-left'] === written['padding-right']
  const sides = { top: 0, right: 0, bottom: 0, left: 0 }
  for (const side of ['top', 'right', 'bottom', 'left'] as const) {
    const wanted = toPx(written[`padding-${side}`] ?? '', px, false) ?? 0
    const isSideways = side === 'left' || side === 'right'
    const around = isSideways ? parent[side] : 0
    if (wanted <= 0 || wanted > PADDING_PX_MAX || around + wanted > INDENT_PX_MAX || (isSideways && isMargin)) continue
    const most = isSideways ? boxMax : isInline ? INLINE_PADDING_PX_MAX : isMargin ? MARGIN_PX_MAX : boxMax
    sides[side] = Math.min(wanted, most)
    style.setProperty(`padding-${side}`, `${rounded(sides[side])}px`)
  }
  return { left: parent.left + sides.left, right: parent.right + sides.right }
}

const UNITS_PX: Readonly<Record<string, number>> = { px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, rem: BODY_PX }
const KEYWORDS_PX: Readonly<Record<string, number>> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
}

/** In pixels; undefined for what depends on the window or on variables. `base`: the size that `em` and, of a font, `%` refer to. */
function toPx(written: string, base: number, isFont = true): number | undefined {
  const [, number = '', unit = ''] = /^(\d+|\d*\.\d+)(px|pt|pc|in|cm|mm|rem|em|%)$/.exec(written) ?? []
  if (number !== '') {
    if (unit === '%') return isFont ? (Number(number) / 100) * base : undefined
    return Number(number) * (unit === 'em' ? base : (UNITS_PX[unit] ?? 1))
  }
  if (!isFont) return undefined
  if (written === 'smaller') return base / 1.2
  return written === 'larger' ? base * 1.2 : KEYWORDS_PX[written]
}

/** Names of the system's colours and the like are read as what they are here; what depends on other declarations is not read. */
function readColor(written = ''): Rgba | undefined {
  if (written === '' || /^(?:inherit|initial|unset|revert|revert-layer|transparent)$|currentcolor|var\(|light-dark\(/i.test(written))
    return undefined
  const color = parseColor(written)
  return color[3] === 0 ? undefined : color
}

function isPaper(ground: Rgb): boolean {
  return contrastRatio(ground, BLACK) > PAPER.contrastMin && Math.max(...ground) - Math.min(...ground) <= PAPER.chromaMax
}

function solid(color: Rgba, behind: Rgb): Rgb {
  const [red, green, blue] = over(color, behind)
  return [Math.round(red), Math.round(green), Math.round(blue)]
}

const rounded = (px: number) => Math.round(px * 100) / 100
const toCss = (color: Rgb) => `rgb(${color.join(', ')})`

function themed([day = '', night = '']: readonly string[]): string {
  return day === night ? day : `light-dark(${day}, ${night})`
}
