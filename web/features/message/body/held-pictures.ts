/**
 * Remote pictures between the reader's consent and their first request. Each is laid out with an empty picture in its place; one that
 * nobody could see there only reports the reading, keeps its place, and is never asked for.
 */
import { makeSpacer, PICTURE_VARIABLE } from './mail-images.ts'
import { isClippedAway, isMaskedAway, isMovedAway, isTooFaint, opacityOf, UNSEEN_PX } from './unseen-styles.ts'

type HeldImage = { readonly image: HTMLImageElement; readonly src: string; readonly srcset: string | undefined }

export type HeldPictures = {
  readonly images: readonly HeldImage[]
  readonly backgrounds: readonly HeldBackground[]
  /** Where the variables of `backgrounds` get their values. */
  readonly backgroundStyle: HTMLStyleElement
}

/** Empty and 64 by 64: a picture whose size nobody set is not taken for one of a pixel. */
const PROBE = 'data:image/gif;base64,R0lGODlhQABAAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
/** The empty pictures are in the document already; a browser that does not say so by then is not waited for. */
const PROBE_MS_MAX = 1000

/** What each picture was to load: the same mail may be written into another frame, before or after it was judged. */
const known = new WeakMap<HTMLImageElement, HeldImage>()

/** Called before the nodes enter a document that loads what they name. */
export function holdImages(nodes: readonly Node[]): HeldImage[] {
  return nodes.flatMap(imagesIn).flatMap(image => {
    const src = image.getAttribute('src') ?? ''
    const held = known.get(image) ?? { image, src, srcset: image.getAttribute('srcset') ?? undefined }
    if (!/^https?:/i.test(held.src)) return []
    known.set(image, held)
    image.removeAttribute('srcset')
    image.removeAttribute('data-spacer')
    image.setAttribute('src', PROBE)
    return [held]
  })
}

/** What became of the pictures that the reader allowed. */
export type JudgedPictures = {
  /** Nobody can see them: they only report the reading. */
  readonly trackers: number
  /** Pictures of rules that apply to nothing here, such as those for a wider screen. */
  readonly unused: number
}

/** Asks for what can be seen. */
export async function releasePictures(held: HeldPictures, signal: AbortSignal): Promise<JudgedPictures> {
  const drawn = Promise.allSettled(held.images.map(({ image }) => image.decode()))
  await Promise.race([drawn, new Promise(done => setTimeout(done, PROBE_MS_MAX))])
  if (signal.aborted) return { trackers: 0, unused: 0 }
  const clipped: Clipped = new Map()
  // All are judged before the first one changes the layout.
  const unseen = new Set(held.images.filter(({ image }) => isUnseen(image, clipped) || isOutsideItsBox(image)))
  const backgrounds = releaseBackgrounds(held, clipped)
  for (const picture of held.images) {
    const { image, src, srcset } = picture
    if (unseen.has(picture)) {
      makeSpacer(image)
      continue
    }
    image.setAttribute('src', src)
    if (srcset !== undefined) image.setAttribute('srcset', srcset)
  }
  return { trackers: unseen.size + backgrounds.trackers, unused: backgrounds.unused }
}

function isOutsideItsBox(image: HTMLImageElement): boolean {
  const { objectPosition } = image.ownerDocument.defaultView?.getComputedStyle(image) ?? {}
  return objectPosition !== undefined && isMovedAway(objectPosition, image.getBoundingClientRect())
}

function releaseBackgrounds({ backgrounds, backgroundStyle }: HeldPictures, clipped: Clipped): JudgedPictures {
  if (backgrounds.length === 0) return { trackers: 0, unused: 0 }
  const { used, seen } = judgeBackgrounds(backgroundStyle.ownerDocument, clipped)
  backgroundStyle.textContent = shownBackgrounds(backgrounds.filter(({ variable }) => seen.has(variable)))
  return { trackers: used.size - seen.size, unused: backgrounds.length - used.size }
}

function imagesIn(node: Node): HTMLImageElement[] {
  if (node instanceof HTMLImageElement) return [node]
  return node instanceof Element ? Array.from(node.querySelectorAll('img')) : []
}

/**
 * Remote pictures in CSS between the reader's consent and their first request. The mail's URL is replaced by a variable, whose first value
 * is an empty picture with the variable's name. The variable gets the URL when a box that shows it is visible. A CSS variable and the value
 * that loads the picture.
 */
export type HeldBackground = { readonly variable: string; readonly value: string }

const EMPTY = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const HELD_NAME = new RegExp(`#(${PICTURE_VARIABLE}\\d+)"`, 'g')

/** The variables before each picture was judged. */
export function emptyBackgrounds(held: readonly HeldBackground[]): string {
  return rootRule(held.map(({ variable }) => `${variable}: url("${EMPTY}#${variable}")`))
}

function shownBackgrounds(shown: readonly HeldBackground[]): string {
  return rootRule(shown.map(({ variable, value }) => `${variable}: ${value}`))
}

/** The variables that some box or generated content uses, and which of them are visible there. */
function judgeBackgrounds(inner: Document, clipped: Clipped) {
  const used = new Set<string>()
  const seen = new Set<string>()
  for (const element of [inner.documentElement, ...Array.from(inner.documentElement.querySelectorAll('body, body *'))])
    for (const part of [undefined, '::before', '::after']) {
      const style = inner.defaultView?.getComputedStyle(element, part)
      if (!style?.backgroundImage.includes(`#${PICTURE_VARIABLE}`) || (part && style.content === 'none')) continue
      const variables = Array.from(style.backgroundImage.matchAll(HELD_NAME), ([, variable = '']) => variable)
      const isTooSmall = part !== undefined && (isUnseenLength(style.width) || isUnseenLength(style.height))
      const isSeen = !isTooSmall && !isPoint(style) && !isDrawnOutside(style, element) && !isUnseen(element, clipped)
      for (const variable of variables) {
        used.add(variable)
        if (isSeen) seen.add(variable)
      }
    }
  return { used, seen }
}

/** Drawn once and no larger than a point. A repeated point is a pattern. */
function isPoint({ backgroundRepeat, backgroundSize }: CSSStyleDeclaration): boolean {
  return /^no-repeat(?:,|$)/.test(backgroundRepeat) && backgroundSize.split(/[ ,]+/).every(isUnseenLength)
}

/** One picture that is not repeated, moved out of its box. */
function isDrawnOutside({ backgroundImage, backgroundRepeat, backgroundPosition }: CSSStyleDeclaration, element: Element): boolean {
  const isOne = backgroundRepeat === 'no-repeat' && !backgroundImage.includes('), ')
  return isOne && isMovedAway(backgroundPosition, element.getBoundingClientRect())
}

function rootRule(declarations: readonly string[]): string {
  return declarations.length === 0 ? '' : `:root { ${declarations.join('; ')} }\n`
}

/** Nobody scrolls sideways through so many screens. */
const SCREENS_MAX = 4

/** Cached results for each box around a picture, while one mail is inspected: how opaque it is, 0 if it shows nothing of its content. */
type Clipped = Map<Element, number>

/** Whether a picture is visible at the place where a mail's layout puts it. */
function isUnseen(element: Element, clipped: Clipped): boolean {
  const { width, height, left, right, bottom } = element.getBoundingClientRect()
  const view = element.ownerDocument.defaultView
  if (!view || width <= UNSEEN_PX || height <= UNSEEN_PX) return true
  // Content above or to the left of the mail cannot be scrolled into view.
  if (right + view.scrollX <= 0 || bottom + view.scrollY <= 0 || left + view.scrollX > SCREENS_MAX * view.innerWidth) return true
  return !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isTooFaint(shownOpacity(element, clipped))
}

/** Whether a computed length is too small to be visible; `auto` and the like are not. */
const isUnseenLength = (length: string) => /^-?[\d.]+px$/.test(length) && Number.parseFloat(length) <= UNSEEN_PX

function shownOpacity(element: Element, known: Clipped): number {
  const answer = known.get(element)
  if (answer !== undefined) return answer
  const style = element.ownerDocument.defaultView?.getComputedStyle(element)
  const own = !style || clipsAll(element, style) ? 0 : opacityOf(style)
  const result = element.parentElement ? own * shownOpacity(element.parentElement, known) : own
  known.set(element, result)
  return result
}

function clipsAll(element: Element, style: CSSStyleDeclaration): boolean {
  const box = element.getBoundingClientRect()
  if (/hidden|clip/.test(style.overflow) && (box.width <= UNSEEN_PX || box.height <= UNSEEN_PX)) return true
  return (style.clip !== 'auto' && style.clip !== '') || isClippedAway(style.clipPath, box) || isMaskedAway(style.maskImage)
}
