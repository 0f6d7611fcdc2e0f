/** The pictures of one mail: which may be shown, what they show, and how many were kept from the reader. Works on nodes, never on text. */

import { safeTarget } from '#contract/links.ts'
import type { HeldBackground } from './held-pictures.ts'

type Candidate = { readonly url: string; readonly size: string }

/** Limits of 16 KiB and 32 sizes. A real picture in several sizes has a tenth of either. */
const LIMITS = { charsMax: 16_384, candidatesMax: 32 }

const ADDRESS = /[\s,]*([^\s,]\S*)/y
const DESCRIPTOR = /[^,]*/y
/** A number is tried in one way only: `\d*\.?\d+` tries as many as there are digits, for each of them. */
const SIZE = /^(?:\d+w|\d+(?:\.\d+)?x|\.\d+x)$/

/**
 * `a.png 1x, b.png 2x`. A longer value is not read at all, because a truncated URL leads elsewhere. Candidates with an invalid size are
 * skipped.
 */
export function parseSrcset(srcset: string, { charsMax, candidatesMax } = LIMITS): Candidate[] {
  const candidates: Candidate[] = []
  if (srcset.length > charsMax) return candidates
  for (let at = 0; candidates.length < candidatesMax; ) {
    ADDRESS.lastIndex = at
    const written = ADDRESS.exec(srcset)?.[1]
    if (written === undefined) break
    at = ADDRESS.lastIndex
    // Commas at its end end the candidate; all others are the address's own.
    const url = withoutCommas(written)
    let size = ''
    if (url === written) {
      DESCRIPTOR.lastIndex = at
      size = DESCRIPTOR.exec(srcset)?.[0].trim() ?? ''
      at = DESCRIPTOR.lastIndex
    }
    if (size === '' || SIZE.test(size)) candidates.push({ url, size })
  }
  return candidates
}

/** Not `/,+$/`, which reads a row of commas that is not the last once for each of them. */
function withoutCommas(address: string): string {
  let end = address.length
  while (address[end - 1] === ',') end--
  return address.slice(0, end)
}

/** A picture the mail carries itself, waiting for its bytes: in an element, or as the value of a CSS variable. */
export type EmbeddedImage = { readonly contentId: string; readonly image?: Element; readonly variable?: string }

/** Stands where a tracking pixel was: layouts are held up by pictures of one pixel, and most of them are honest. */
const TRANSPARENT = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

const WEB_SCHEMES = new Set(['http:', 'https:'])
const RASTER_DATA = /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=\s]*$/i

export class MailImages {
  readonly #areRemoteAllowed: boolean
  /** The variable of each picture in CSS. */
  readonly #variables = new Map<string, string>()
  readonly embedded: EmbeddedImage[] = []
  /** Remote pictures behind words, each once, waiting to be judged where they stand. */
  readonly backgrounds: HeldBackground[] = []
  images = 0
  pixels = 0

  constructor(areRemoteAllowed: boolean) {
    this.#areRemoteAllowed = areRemoteAllowed
  }

  /** Gives the element the source it may have, or none; a tracking pixel keeps its place and loads nothing. */
  place(image: HTMLImageElement): void {
    const candidates = parseSrcset(image.getAttribute('srcset') ?? '')
    const src = image.getAttribute('src')?.trim() || (candidates[0]?.url ?? '')
    image.removeAttribute('src')
    image.removeAttribute('srcset')
    image.setAttribute('referrerpolicy', 'no-referrer')
    if (/^cid:/i.test(src)) this.embedded.push({ image, contentId: parseContentId(src) })
    else if (RASTER_DATA.test(src)) image.setAttribute('src', src)
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
    if (/^cid:/i.test(src)) {
      const variable = `--mail-image-${this.embedded.length}`
      this.embedded.push({ variable, contentId: parseContentId(src) })
      return `var(${variable}, none)`
    }
    if (RASTER_DATA.test(src)) return `url("${src}")`
    const url = publicUrl(src)
    return url === undefined ? undefined : this.#holdBackground(quietUrl(url))
  }

  #holdBackground(value: string): string | undefined {
    const known = this.#variables.get(value) ?? `--mail-picture-${this.#variables.size}`
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

/** An empty picture with the height its sender gave it: that of 300 by 1 stays a line (frame/frame-document.ts). */
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
 * Chromium sends our origin as referrer for pictures in CSS, whatever the `Referrer-Policy` of the document says (measured on 156), but
 * keeps to a policy that stands in the value (CSS Values 5, "request modifiers"). Who does not know the modifier keeps to the document's.
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

function parseContentId(src: string): string {
  try {
    return decodeURIComponent(src.slice(4))
  } catch {
    return src.slice(4)
  }
}

function isTrackingPixel(image: HTMLImageElement): boolean {
  const size = (name: 'width' | 'height') => Number.parseFloat(image.style.getPropertyValue(name) || (image.getAttribute(name) ?? 'NaN'))
  if (size('width') <= 2 || size('height') <= 2) return true
  return (
    image.hasAttribute('hidden') || image.style.display === 'none' || image.style.visibility === 'hidden' || image.style.opacity === '0'
  )
}

/**
 * Whether a picture of a mail may be loaded from this host after the reader has allowed pictures. A sender must not reach the reader's own
 * network: `<img src="http://192.168.1.1/reboot">`. A page cannot resolve names, so names are judged by their text. Against a name that
 * resolves to a private address only the browser's own protection helps.
 */
const PRIVATE_SUFFIXES = 'localhost localdomain local internal intranet private lan home corp home.arpa fritz.box onion'.split(' ')
/** Public names that always resolve to the reader's machine, or to an address written in the name. */
const LOOPBACK_SUFFIXES = (
  'nip.io sslip.io xip.io ip6.name backname.io traefik.me 1u.ms rbndr.us lvh.me localtest.me vcap.me lacolhost.com lndo.site ddev.site ' +
  'local.gd localho.st yoogle.com fuf.me smackaho.st local-ip.co local-ip.sh localtls.com'
).split(' ')
/** Names that routers answer with their own address, in the networks behind them. */
const ROUTER_SUFFIXES = (
  'routerlogin.net routerlogin.com orbilogin.com orbilogin.net mywifiext.net tplinkwifi.net tplinklogin.net tplinkrepeater.net tplinkmodem.net ' +
  'asusrouter.com router.asus.com speedport.ip easy.box congstar.box o2.box giga.cube miwifi.com myfritz.box repeater.asus.com'
).split(' ')
const PRIVATE_SUFFIX_LISTS = [PRIVATE_SUFFIXES, LOOPBACK_SUFFIXES, ROUTER_SUFFIXES]
const PRIVATE_V4 =
  /^(?:0|10|127|169\.254|192\.168|192\.0\.0|198\.1[89]|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|2[2-5]\d)\./
/** An IPv4 address inside a name, its parts set apart by dots or hyphens. Two may overlap: `1.10.0.0.1.dns.example`. */
const V4_IN_NAME = /(?<!\d)(?=(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?!\d))/g

/** `hostname` is a URL's: lower case, IPv4 in any spelling (`127.1`, `0x7f000001`) already dotted, IPv6 in brackets. */
export function isPublicHost(hostname: string): boolean {
  // Only 2000::/3 is routed; what embeds an IPv4 address in it (6to4, Teredo) has no picture to give.
  if (hostname.startsWith('[')) return /^\[[23]/.test(hostname) && !/^\[2002:|^\[2001:0?:/.test(hostname)
  const name = hostname.replace(/\.+$/, '')
  if (/^[\d.]+$/.test(name)) return !PRIVATE_V4.test(name)
  return name.includes('.') && !PRIVATE_SUFFIX_LISTS.some(suffixes => isUnder(name, suffixes)) && !namesPrivateAddress(name)
}

function isUnder(name: string, suffixes: readonly string[]): boolean {
  return suffixes.some(suffix => name === suffix || name.endsWith(`.${suffix}`))
}

/** `10.0.0.1.dns.example`, `app-192-168-1-1.dns.example`: further services resolve such names to the address in them. */
function namesPrivateAddress(name: string): boolean {
  return [...name.matchAll(V4_IN_NAME)].some(([, ...parts]) => PRIVATE_V4.test(parts.slice(0, 4).join('.')))
}
