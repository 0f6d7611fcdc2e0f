/** The parts of a picture that are links (`<map>` and `<area>`). */
import { displayHost } from '#reader/links/judge-link.ts'
import { SIMPLE_VIEW_SCHEMES, safeTarget } from '#reader/seen/opened-url.ts'
import { isHidden } from './simple-view.ts'

/** The reader of links reads as many (reader/seen/html.ts). */
const AREAS_MAX = 500

/** The areas of a mail's pictures, as links behind them in the simple view. */
export class PictureAreas {
  readonly #source: Element
  readonly #base: string | undefined
  #left = AREAS_MAX
  #areas: ReadonlyMap<string, readonly HTMLAreaElement[]> | undefined

  /** `base`: what relative links are relative to. */
  constructor(source: Element, base: string | undefined) {
    this.#source = source
    this.#base = base
  }

  /** Puts them behind the picture, where DOMPurify finds them next. */
  leave(picture: HTMLImageElement): void {
    if (picture.useMap === '' || isHidden(picture.style)) return
    this.#areas ??= areasByMap(this.#source)
    const areas = (this.#areas.get(picture.useMap) ?? []).slice(0, this.#left)
    this.#left -= areas.length
    for (const area of areas.toReversed()) {
      const href = safeTarget(area.getAttribute('href') ?? '', SIMPLE_VIEW_SCHEMES, this.#base)
      if (href === undefined) continue
      const link = document.createElement('a')
      link.setAttribute('href', href)
      link.textContent = areaWords(area) || displayHost(new URL(href).hostname)
      const place = picture.closest('a') ?? picture
      place.after(' ', link)
    }
  }
}

/** The links on parts of pictures, by what the `usemap` of a picture says. Of maps of one name the first counts. */
function areasByMap(root: Element): Map<string, HTMLAreaElement[]> {
  const maps = Array.from(
    root.querySelectorAll('map'),
    map => [map, Array.from(map.querySelectorAll<HTMLAreaElement>('area[href]'))] as const,
  )
  return new Map(maps.toReversed().map(([{ name }, areas]) => [`#${name}`, areas]))
}

function areaWords(area: HTMLAreaElement): string {
  return (area.alt || area.title).trim()
}

/** Finds what is pressed to open a link: of an area, the picture. */
export function pressedLinks(body: Element): (link: Element) => Element | undefined {
  const pictures = new Map(Array.from(body.querySelectorAll('img'), picture => [picture.useMap, picture] as const).toReversed())
  return link => (link instanceof HTMLAreaElement ? pictures.get(`#${link.closest('map')?.name}`) : link)
}
