/**
 * Remote pictures between the reader's consent and their first request. Each is laid out with an empty picture in its place; one that nobody could
 * see there only reports the reading, keeps its place, and is never asked for. A picture behind words (CSS) is not measured.
 */
import { makeSpacer } from './mail-images.ts'

export type HeldPicture = { readonly image: HTMLImageElement; readonly src: string; readonly srcset: string | undefined }

/** Empty and 64 by 64: a picture whose size nobody set is not taken for one of a pixel. */
const PROBE = 'data:image/gif;base64,R0lGODlhQABAAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
/** What is 2 pixels or less in one direction is a spacer or a tracker, and no picture either way. */
const UNSEEN_PX = 2
/** The empty pictures are in the document already; a browser that does not say so by then is not waited for. */
const PROBE_MS_MAX = 1000

/** What each picture was to load: the same mail may be written into another frame, before or after it was judged. */
const known = new WeakMap<HTMLImageElement, HeldPicture>()

/** Called before the nodes enter a document that loads what they name. */
export function holdPictures(nodes: readonly Node[]): HeldPicture[] {
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

/** Asks for what can be seen; returns how many cannot. */
export async function releasePictures(held: readonly HeldPicture[], signal: AbortSignal): Promise<number> {
  const drawn = Promise.allSettled(held.map(({ image }) => image.decode()))
  await Promise.race([drawn, new Promise(done => setTimeout(done, PROBE_MS_MAX))])
  if (signal.aborted) return 0
  const clipped = new Map<Element, boolean>()
  const unseen = new Set(held.filter(({ image }) => isUnseen(image, clipped)))
  for (const picture of held) {
    const { image, src, srcset } = picture
    if (unseen.has(picture)) {
      makeSpacer(image)
      continue
    }
    image.setAttribute('src', src)
    if (srcset !== undefined) image.setAttribute('srcset', srcset)
  }
  return unseen.size
}

function imagesIn(node: Node): HTMLImageElement[] {
  if (node instanceof HTMLImageElement) return [node]
  return node instanceof Element ? Array.from(node.querySelectorAll('img')) : []
}

function isUnseen(image: HTMLImageElement, clipped: Map<Element, boolean>): boolean {
  const { width, height, right, bottom } = image.getBoundingClientRect()
  const view = image.ownerDocument.defaultView
  if (!view || width <= UNSEEN_PX || height <= UNSEEN_PX) return true
  // Nothing scrolls to what is above or to the left of the mail.
  if (right + view.scrollX <= 0 || bottom + view.scrollY <= 0) return true
  return !image.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isClipped(image, clipped)
}

/** Whether it, or a box around it, shows nothing of what is inside. */
function isClipped(element: Element, known: Map<Element, boolean>): boolean {
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
