/** The pictures of one mail: which may be shown, what they show, and how many were kept from the reader. Works on nodes, never on text. */

import { openedUrl, safeTarget } from '#reader/seen/opened-url.ts'
import type { HeldBackground } from './held-pictures.ts'
import { pictureDataUrl } from './image-type.ts'
import { isPublicHost } from './public-host.ts'
import { type Candidate, parseSrcset } from './srcset.ts'

/** A picture the mail carries itself, waiting for the bytes of an attachment: in an element, or as the value of a CSS variable. */
export type EmbeddedImage = { readonly index: number; readonly image?: Element; readonly variable?: string }

/** The attachments by the names that the HTML gives them. */
export type OwnPictures = ReadonlyMap<string, number>

/** Stands where a tracking pixel was: layouts are held up by pictures of one pixel, and most of them are honest. */
const TRANSPARENT = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** How the name of each variable begins that stands for a remote picture in CSS. */
export const PICTURE_VARIABLE = '--mail-picture-'
const WEB_SCHEMES = new Set(['http:', 'https:'])

export class MailImages {
  readonly #areRemoteAllowed: boolean
  readonly #own: OwnPictures
  /** The variable of each picture in CSS. */
  readonly #variables = new Map<string, string>()
  /** The attachments that have a variable. */
  readonly #ownBackgrounds = new Set<number>()
  readonly embedded: EmbeddedImage[] = []
  /** Remote pictures behind words, each once, waiting to be judged where they stand. */
  readonly backgrounds: HeldBackground[] = []
  images = 0
  pixels = 0

  constructor(areRemoteAllowed: boolean, own: OwnPictures) {
    this.#areRemoteAllowed = areRemoteAllowed
    this.#own = own
  }

  /** Gives the element the source it may have, or none; a tracking pixel keeps its place and loads nothing. */
  place(image: HTMLImageElement): void {
    const candidates = parseSrcset(image.getAttribute('srcset') ?? '')
    const src = image.getAttribute('src')?.trim() || (candidates[0]?.url ?? '')
    image.removeAttribute('src')
    image.removeAttribute('srcset')
    image.setAttribute('referrerpolicy', 'no-referrer')
    const index = this.#own.get(openedUrl(src))
    const data = pictureDataUrl(src)
    if (index !== undefined) this.embedded.push({ image, index })
    else if (data !== undefined) image.setAttribute('src', data)
    else {
      const url = publicUrl(src)
      if (url === undefined) return
      if (isTrackingPixel(image)) {
        this.pixels++
        image.setAttribute('alt', '')
        makeSpacer(image)
      } else if (this.#meetRemote()) placeRemote(image, url, candidates)
    }
  }

  /** The CSS value that may stand for a background picture. */
  background(source: string): string | undefined {
    const src = source.trim()
    const index = this.#own.get(openedUrl(src))
    if (index !== undefined) {
      const variable = `--mail-image-${index}`
      if (!this.#ownBackgrounds.has(index)) this.embedded.push({ variable, index })
      this.#ownBackgrounds.add(index)
      return `var(${variable}, none)`
    }
    const data = pictureDataUrl(src)
    if (data !== undefined) return `url("${data}")`
    const url = publicUrl(src)
    return url === undefined ? undefined : this.#holdBackground(quietUrl(url))
  }

  #holdBackground(value: string): string | undefined {
    const known = this.#variables.get(value) ?? `${PICTURE_VARIABLE}${this.#variables.size}`
    if (!this.#variables.has(value)) {
      this.#variables.set(value, known)
      if (this.#meetRemote()) this.backgrounds.push({ variable: known, value })
    }
    return this.#areRemoteAllowed ? `var(${known}, none)` : undefined
  }

  #meetRemote(): boolean {
    this.images++
    return this.#areRemoteAllowed
  }
}

/** An empty picture with the height its sender gave it: that of 300 by 1 stays a line (frame-document.ts). */
export function makeSpacer(image: HTMLImageElement): void {
  image.setAttribute('src', TRANSPARENT)
  image.dataset.spacer = ''
}

/** The pictures to choose from are one picture in several sizes: the browser loads one of them. */
function placeRemote(image: HTMLImageElement, url: string, candidates: readonly Candidate[]): void {
  image.setAttribute('src', url)
  const sizes = candidates.flatMap(candidate => {
    const candidateUrl = publicUrl(candidate.url)
    return candidateUrl === undefined ? [] : [`${candidateUrl.replaceAll(',', '%2C')} ${candidate.size}`]
  })
  if (sizes.length > 1) image.setAttribute('srcset', sizes.join(', '))
}

/**
 * Chromium sends our origin as referrer for pictures in CSS, whatever the `Referrer-Policy` of the document says (measured on 156), and
 * keeps to a policy that stands in the value (CSS Values 5, "request modifiers"). Firefox does not know it, and keeps to the document's.
 */
function quietUrl(url: string): string {
  const quiet = `url("${url}" referrer-policy(no-referrer))`
  return CSS.supports('background-image', quiet) ? quiet : `url("${url}")`
}

/** Absolute and percent-encoded, so that it can neither end a CSS string nor name the reader's own network. */
function publicUrl(src: string): string | undefined {
  const url = URL.parse(safeTarget(src, WEB_SCHEMES) ?? '')
  return url && isPublicHost(url.hostname) ? url.href.replaceAll('"', '%22').replaceAll('\\', '%5C') : undefined
}

function isTrackingPixel(image: HTMLImageElement): boolean {
  const size = (name: 'width' | 'height') => Number.parseFloat(image.style.getPropertyValue(name) || (image.getAttribute(name) ?? 'NaN'))
  if (size('width') <= 2 || size('height') <= 2) return true
  return (
    image.hasAttribute('hidden') || image.style.display === 'none' || image.style.visibility === 'hidden' || image.style.opacity === '0'
  )
}
