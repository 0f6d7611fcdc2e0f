/** Whether a picture is visible at the place where a mail's layout puts it. */

/** A picture of 2 pixels or less in one direction is a spacer or a tracker. */
const UNSEEN_PX = 2

/** Cached results for each box around a picture, while one mail is inspected. */
export type Clipped = Map<Element, boolean>

export function isUnseen(element: Element, clipped: Clipped): boolean {
  const { width, height, right, bottom } = element.getBoundingClientRect()
  const view = element.ownerDocument.defaultView
  if (!view || width <= UNSEEN_PX || height <= UNSEEN_PX) return true
  // Content above or to the left of the mail cannot be scrolled into view.
  if (right + view.scrollX <= 0 || bottom + view.scrollY <= 0) return true
  return !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isClipped(element, clipped)
}

/** Whether a computed length is too small to be visible; `auto` and the like are not. */
export const isUnseenLength = (length: string) => /^-?[\d.]+px$/.test(length) && Number.parseFloat(length) <= UNSEEN_PX

/** Whether it, or a box around it, shows nothing of its content. */
function isClipped(element: Element, known: Clipped): boolean {
  const answer = known.get(element)
  if (answer !== undefined) return answer
  const parent = element.parentElement
  const result = clipsAll(element) || (parent !== null && isClipped(parent, known))
  known.set(element, result)
  return result
}

function clipsAll(element: Element): boolean {
  const style = element.ownerDocument.defaultView?.getComputedStyle(element)
  if (!style) return true
  const { width, height } = element.getBoundingClientRect()
  if (/hidden|clip/.test(style.overflow) && (width <= UNSEEN_PX || height <= UNSEEN_PX)) return true
  return (style.clip !== 'auto' && style.clip !== '') || /inset\((?:50|100)%/.test(style.clipPath)
}
