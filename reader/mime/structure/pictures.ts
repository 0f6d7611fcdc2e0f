/** Finds the part that each picture of an HTML body means: by Content-ID (RFC 2392) or by Content-Location (RFC 2557). */
import { pictureSources } from '../../seen/picture-sources.ts'
import { firstHeader } from '../headers/headers.ts'
import type { MimePart, ParsedMessage, Pictures } from '../types.ts'
import { Warnings } from '../warnings.ts'
import { bodyParts, isShownPicture } from './body-parts.ts'
import { decodeTextPart, textKind } from './text-part.ts'

/** The base of addresses that have none (RFC 2557 §5). */
const NO_BASE = 'thismessage:/'
/** A longer address is none: the base of a mail is read again for each of its pictures. */
const ADDRESS_CHARS_MAX = 2048
/** In all parts of a mail. Newsletters have some 50 pictures. */
const SOURCES_MAX = 2000

export function bodyPictures(raw: Uint8Array, parsed: ParsedMessage): Pictures {
  parsed.pictures ??= findPictures(raw, parsed)
  return parsed.pictures
}

const NO_PICTURES: Pictures = { names: new Map(), standing: new Map() }

function findPictures(raw: Uint8Array, parsed: ParsedMessage): Pictures {
  const html = bodyParts(raw, parsed).html
  // Most mails have nothing that their HTML could show.
  if (!html.some(part => textKind(part) === 'html') || !parsed.root.children.some(hasPicture)) return NO_PICTURES
  const named = new NamedParts(parsed.root)
  const names = new Map<MimePart, Set<string>>()
  let sourcesLeft = SOURCES_MAX
  for (const part of html) {
    if (named.isEmpty || sourcesLeft === 0 || textKind(part) !== 'html') continue
    const { sources, base } = pictureSources(decodeTextPart(raw, part, new Warnings()), sourcesLeft)
    const outer = named.baseOf(part)
    const inner = base === undefined ? outer : absolute(base, outer)
    sourcesLeft -= sources.size
    for (const source of sources) {
      const found = named.find(source, inner)
      if (found) names.set(found, (names.get(found) ?? new Set()).add(source))
    }
  }
  const standing = html.filter(part => isShownPicture(part) && !names.has(part))
  return {
    names: new Map(Array.from(names, ([part, sources]) => [part, [...sources]])),
    standing: new Map(standing.map(part => [part, `cid:${part.contentId ?? `part.${part.path.join('.')}`}`])),
  }
}

function hasPicture(part: MimePart): boolean {
  if (part.children.length > 0) return part.children.some(hasPicture)
  return part.contentId !== undefined || isShownPicture(part) || firstHeader(part, 'content-location') !== undefined
}

/** The parts that something can refer to. */
class NamedParts {
  readonly #ids = new Map<string, MimePart>()
  readonly #looseIds = new Map<string, MimePart>()
  readonly #locations = new Map<string, MimePart>()
  readonly #bases = new Map<MimePart, string>()

  constructor(root: MimePart) {
    this.#visit(root, NO_BASE)
  }

  get isEmpty(): boolean {
    return this.#ids.size === 0 && this.#locations.size === 0
  }

  baseOf(part: MimePart): string {
    return this.#bases.get(part) ?? NO_BASE
  }

  /** Senders write the Content-ID of a URL and that of a header in the same form, though RFC 2392 §2 wants `%` in one of them. */
  find(source: string, base: string): MimePart | undefined {
    const id = /^cid:(.*)/is.exec(source)?.[1]
    // Some programs leave out `cid:`.
    if (id === undefined)
      return this.#ids.get(source) ?? (this.#locations.size === 0 ? undefined : this.#locations.get(absolute(source, base)))
    return this.#ids.get(id) ?? this.#ids.get(decoded(id)) ?? this.#looseIds.get(loose(id))
  }

  #visit(part: MimePart, outer: string): void {
    const location = firstHeader(part, 'content-location')?.replace(/[\s<>]/g, '')
    const stated = firstHeader(part, 'content-base')?.replace(/[\s<>"]/g, '')
    const base = stated === undefined ? outer : absolute(stated, outer)
    if (part.children.length === 0) {
      if (part.contentId !== undefined) {
        setFirst(this.#ids, part.contentId, part)
        setFirst(this.#looseIds, loose(part.contentId), part)
      }
      if (location !== undefined) setFirst(this.#locations, absolute(location, base), part)
    }
    const inner = location === undefined ? base : absolute(location, base)
    if (inner !== NO_BASE) this.#bases.set(part, inner)
    for (const child of part.children) this.#visit(child, inner)
  }
}

function setFirst(parts: Map<string, MimePart>, name: string, part: MimePart): void {
  if (!parts.has(name)) parts.set(name, part)
}

function absolute(url: string, base: string): string {
  return Math.max(url.length, base.length) > ADDRESS_CHARS_MAX ? url : (URL.parse(url, base)?.href ?? url)
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/** Without what programs add or change: brackets, quotes, blanks, `%` and the case. */
function loose(id: string): string {
  return decoded(id)
    .replace(/[<>"\s]|^\/+/g, '')
    .toLowerCase()
}
