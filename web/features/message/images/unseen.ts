/** Whether a picture is visible at the place where a mail's layout puts it. */
import { isClippedAway, isMaskedAway, isTooFaint, opacityOf, UNSEEN_PX } from './invisible-styles.ts'

/** Nobody scrolls sideways through so many screens. */
const SCREENS_MAX = 4

/** Cached results for each box around a picture, while one mail is inspected: how opaque it is, 0 if it shows nothing of its content. */
export type Clipped = Map<Element, number>

export function isUnseen(element: Element, clipped: Clipped): boolean {
  const { width, height, left, right, bottom } = element.getBoundingClientRect()
  const view = element.ownerDocument.defaultView
  if (!view || width <= UNSEEN_PX || height <= UNSEEN_PX) return true
  // Content above or to the left of the mail cannot be scrolled into view.
  if (right + view.scrollX <= 0 || bottom + view.scrollY <= 0 || left + view.scrollX > SCREENS_MAX * view.innerWidth) return true
  return !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isTooFaint(shownOpacity(element, clipped))
}

/** Whether a computed length is too small to be visible; `auto` and the like are not. */
export const isUnseenLength = (length: string) => /^-?[\d.]+px$/.test(length) && Number.parseFloat(length) <= UNSEEN_PX

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
