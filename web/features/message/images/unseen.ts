/** Whether anybody can see a picture at the place where a mail's layout puts it. */

/** What is 2 pixels or less in one direction is a spacer or a tracker, and no picture either way. */
const UNSEEN_PX = 2

/** What was found of each box around a picture, for one look at a mail. */
export type Clipped = Map<Element, boolean>

export function isUnseen(element: Element, clipped: Clipped): boolean {
  const { width, height, right, bottom } = element.getBoundingClientRect()
  const view = element.ownerDocument.defaultView
  if (!view || width <= UNSEEN_PX || height <= UNSEEN_PX) return true
  // Nothing scrolls to what is above or to the left of the mail.
  if (right + view.scrollX <= 0 || bottom + view.scrollY <= 0) return true
  return !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isClipped(element, clipped)
}

/** Whether a computed length is too small to be seen; `auto` and the like are not. */
export const isUnseenLength = (length: string) => /^-?[\d.]+px$/.test(length) && Number.parseFloat(length) <= UNSEEN_PX

/** Whether it, or a box around it, shows nothing of what is inside. */
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
