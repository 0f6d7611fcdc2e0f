/**
 * Remote pictures between the reader's consent and their first request. Each is laid out with an empty picture in its place; one that
 * nobody could see there only reports the reading, keeps its place, and is never asked for.
 */
import { type HeldBackground, judgeBackgrounds, shownBackgrounds } from './held-backgrounds.ts'
import { isMovedAway } from './invisible-styles.ts'
import { makeSpacer } from './mail-images.ts'
import { type Clipped, isUnseen } from './unseen.ts'

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
  /** Of rules that apply to nothing here, such as those for a wider screen. */
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
