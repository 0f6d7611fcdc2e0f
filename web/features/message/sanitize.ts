/**
 * Mail HTML made harmless: parsed and cleaned by DOMPurify in the browser right before it is shown, returned as DOM nodes and never turned into
 * a string again, so that nothing can come alive by a second parse (cases X01–X03). This is one of three layers; the sandboxed frame and its
 * Content-Security-Policy are the others, and each holds alone against what it is for (e2e/hostile-html.spec.ts).
 */
import createDOMPurify, { type Config, type DOMPurify } from 'dompurify'
import { judgeLink, LAYOUT_SCHEMES, type LinkVerdict, SPEC_SCHEMES, safeTarget } from './link-target.ts'
import { safeDeclarations, safeStyleSheet } from './safe-css.ts'

/** `simple`: the specification's allow-list, exactly (5.17–5.19). `layout`: adds tables, images and safe CSS (decision 16). */
export type MailView = 'simple' | 'layout'

export type SanitizeOptions = { view: MailView; areImagesAllowed: boolean }

export type FlaggedLink = LinkVerdict & { readonly url: string }

export type CleanMail = {
  /** An element that holds the mail's body; lives in a document without a window until it is adopted. */
  readonly body: HTMLElement
  /** What the mail set on its own body, for the frame's. */
  readonly bodyAttributes: readonly (readonly [name: string, value: string])[]
  /** Safe rules of the mail's own style sheets; empty in the simple view. */
  readonly css: string
  /** Remote images found, and those of them that only report the reading: 2 pixels or smaller, or invisible. */
  readonly remote: { readonly images: number; readonly pixels: number }
  /** Images the mail carries itself, waiting for their bytes. */
  readonly embedded: readonly { readonly image: Element; readonly contentId: string }[]
  readonly flaggedLinks: readonly FlaggedLink[]
  /** The mail sets colours of its own, so they only make sense on the white it was made for. */
  readonly hasColors: boolean
  /** It brings its own dark mode. */
  readonly hasDarkMode: boolean
}

/** Spec 5.17 and 5.18. */
const SIMPLE_TAGS = 'p br div span a strong b em i u h1 h2 h3 h4 h5 h6 ul ol li blockquote hr'.split(' ')
const SIMPLE_ATTRIBUTES = ['href', 'target', 'style']
const LAYOUT_TAGS = [
  ...SIMPLE_TAGS,
  ...'table caption colgroup col thead tbody tfoot tr th td img center font small big sub sup s strike del ins code pre tt kbd samp var'.split(
    ' ',
  ),
  ...'cite q abbr dl dt dd section article header footer main aside nav address figure figcaption mark time wbr bdo bdi'.split(' '),
]
const LAYOUT_ATTRIBUTES = [
  ...SIMPLE_ATTRIBUTES,
  ...'class id src alt title dir lang align valign bgcolor color face size width height border cellpadding cellspacing'.split(' '),
  ...'colspan rowspan start type reversed nowrap hspace vspace role hidden'.split(' '),
]
/** Elements whose text is not for reading. Unlike DOMPurify's default this keeps `thead`: its cells are text like any other. */
const UNREAD =
  'script style template title iframe noembed noframes noscript plaintext xmp svg math audio video object embed applet textarea select option datalist'
/** In the simple view these leave a line, or a space, behind: without them the cells of a table would run together. */
const LINES = new Set(
  'TR TABLE CENTER SECTION ARTICLE HEADER FOOTER MAIN ASIDE NAV ADDRESS PRE DL DT DD FIGURE FIGCAPTION CAPTION FORM FIELDSET'.split(' '),
)
const BODY_ATTRIBUTES = ['style', 'class', 'id', 'dir', 'lang', 'bgcolor']
const CELLS = new Set(['TD', 'TH'])
const RASTER_DATA = /^data:image\/(?:png|jpe?g|gif|webp);base64,/i

export function sanitizeMail(html: string, options: SanitizeOptions): CleanMail {
  const mail = new MailSanitizer(options)
  return mail.clean(html)
}

class MailSanitizer {
  readonly #options: SanitizeOptions
  readonly #purify: DOMPurify
  readonly #styleTexts: string[] = []
  readonly #embedded: { image: Element; contentId: string }[] = []
  readonly #flagged: FlaggedLink[] = []
  readonly #marks: { link: Element; host: string }[] = []
  #images = 0
  #pixels = 0
  #hasColors = false

  constructor(options: SanitizeOptions) {
    this.#options = options
    this.#purify = createDOMPurify(window)
    this.#purify.addHook('uponSanitizeElement', node => this.#beforeElement(node))
    this.#purify.addHook('afterSanitizeAttributes', node => this.#afterAttributes(node))
  }

  clean(html: string): CleanMail {
    const root = this.#purify.sanitize(html, { ...this.#config(), RETURN_DOM: true })
    const source = root instanceof Element ? root.querySelector('body') : null
    const bodyAttributes = BODY_ATTRIBUTES.flatMap(name =>
      source?.hasAttribute(name) ? [[name, source.getAttribute(name) ?? ''] as const] : [],
    )
    const body = document.implementation.createHTMLDocument('').createElement('div')
    if (source) body.append(...source.childNodes)
    // Only now: a mark put in earlier would be sanitised like the mail's own words.
    for (const { link, host } of this.#marks) link.after(flagMark(link.ownerDocument, host))
    const css =
      this.#styleTexts.length > 0 ? safeStyleSheet(this.#styleTexts.join('\n'), { onRemoteImage: () => this.#meetRemoteImage() }) : ''
    const hasColors = this.#hasColors || /(?:^|[\s;{])(?:color|background-color):/.test(css)
    const hasDarkMode = css.includes('prefers-color-scheme: dark')
    const remote = { images: this.#images, pixels: this.#pixels }
    return { body, bodyAttributes, css, remote, embedded: this.#embedded, flaggedLinks: this.#flagged, hasColors, hasDarkMode }
  }

  #config(): Config {
    const isSimple = this.#options.view === 'simple'
    return {
      WHOLE_DOCUMENT: true,
      ALLOWED_TAGS: isSimple ? SIMPLE_TAGS : LAYOUT_TAGS,
      ALLOWED_ATTR: isSimple ? SIMPLE_ATTRIBUTES : LAYOUT_ATTRIBUTES,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      // DOMPurify asks this of every attribute's value, so what names no scheme must pass; links and images are judged in `#afterAttributes`.
      ALLOWED_URI_REGEXP: /^\s*(?:(?:https?|ftp|mailto|tel|callto|sms|cid|xmpp):|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
      ADD_DATA_URI_TAGS: [],
      FORBID_CONTENTS: UNREAD.split(' '),
      SANITIZE_DOM: true,
    }
  }

  #beforeElement(node: Node): void {
    if (!(node instanceof Element)) return
    const tag = node.nodeName.toUpperCase()
    if (tag === 'STYLE' && this.#options.view === 'layout') {
      this.#styleTexts.push(node.textContent ?? '')
    }
    if (this.#options.view === 'simple') leaveGap(node, tag)
  }

  #afterAttributes(node: Element): void {
    if (!(node instanceof HTMLElement)) return
    if (node.hasAttribute('style')) this.#cleanStyle(node)
    if (node.hasAttribute('bgcolor') || node.hasAttribute('color')) this.#hasColors = true
    if (node instanceof HTMLAnchorElement) this.#cleanLink(node)
    else node.removeAttribute('href')
    if (node instanceof HTMLImageElement) this.#cleanImage(node)
    else node.removeAttribute('src')
  }

  #cleanStyle(node: HTMLElement): void {
    const css = safeDeclarations(node.style, { onRemoteImage: () => this.#meetRemoteImage() })
    if (css === '') node.removeAttribute('style')
    else node.setAttribute('style', css)
    if (/(?:^|; )(?:color|background-color):/.test(css)) this.#hasColors = true
  }

  #cleanLink(link: HTMLAnchorElement): void {
    const href = link.getAttribute('href')
    link.removeAttribute('target')
    if (href === null) return
    if (href.startsWith('#') && this.#options.view === 'layout') return
    const url = safeTarget(href, this.#options.view === 'simple' ? SPEC_SCHEMES : LAYOUT_SCHEMES)
    if (url === undefined) {
      link.removeAttribute('href')
      return
    }
    link.setAttribute('href', url)
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer nofollow')
    link.setAttribute('title', url)
    const verdict = judgeLink(url, link.textContent ?? '')
    if (verdict.flag) {
      this.#flagged.push({ ...verdict, url })
      this.#marks.push({ link, host: verdict.host })
    }
  }

  #cleanImage(image: HTMLImageElement): void {
    const src = image.getAttribute('src')?.trim() ?? ''
    image.removeAttribute('src')
    image.setAttribute('referrerpolicy', 'no-referrer')
    if (/^cid:/i.test(src)) {
      this.#embedded.push({ image, contentId: safeDecode(src.slice(4)) })
    } else if (RASTER_DATA.test(src)) {
      image.setAttribute('src', src)
    } else {
      const url = safeTarget(src, new Set(['http:', 'https:']))
      if (url === undefined) return
      const isPixel = isTrackingPixel(image)
      if (isPixel) this.#pixels++
      else if (this.#meetRemoteImage()) image.setAttribute('src', url)
      if (isPixel) image.remove()
    }
  }

  /** Counts it, and answers whether it may load. */
  #meetRemoteImage(): boolean {
    this.#images++
    return this.#options.areImagesAllowed
  }
}

function leaveGap(node: Element, tag: string): void {
  if (CELLS.has(tag)) node.append(' ')
  else if (LINES.has(tag)) node.append(node.ownerDocument.createElement('br'))
}

/** `!important` in the attribute outranks every rule the mail can write. */
const MARK_STYLE =
  'all: initial !important; font: 600 12px/1.4 system-ui, sans-serif !important; color: #8a1c13 !important; background: #fdecea !important; ' +
  'padding: 0 4px !important; margin: 0 2px !important; border-radius: 3px !important; overflow-wrap: anywhere !important'

function flagMark(ownerDocument: Document, host: string): HTMLElement {
  const mark = ownerDocument.createElement('span')
  mark.setAttribute('style', MARK_STYLE)
  mark.textContent = `→ ${host}`
  return mark
}

function isTrackingPixel(image: HTMLImageElement): boolean {
  const size = (name: 'width' | 'height') => Number.parseFloat(image.style.getPropertyValue(name) || (image.getAttribute(name) ?? 'NaN'))
  if (size('width') <= 2 || size('height') <= 2) return true
  return (
    image.hasAttribute('hidden') || image.style.display === 'none' || image.style.visibility === 'hidden' || image.style.opacity === '0'
  )
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
