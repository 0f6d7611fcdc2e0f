/**
 * Mail HTML made harmless: parsed and cleaned by DOMPurify in the browser right before it is shown, returned as DOM nodes and never turned
 * into a string again, so that nothing can come alive by a second parse. This is one of three layers; the sandboxed frame and its
 * Content-Security-Policy are the others, and each holds alone against what it is for (e2e/message/hostile-html.spec.ts).
 */
import createDOMPurify, { type Config, type DOMPurify } from 'dompurify'
import { judgeLink, type LinkVerdict, ORIGINAL_VIEW_SCHEMES, SIMPLE_VIEW_SCHEMES, safeTarget } from '#contract/links/link-target.ts'
import type { HeldBackground } from '../images/held-backgrounds.ts'
import { type EmbeddedImage, MailImages } from '../images/mail-images.ts'
import { alarmOf } from '../links/alarming-links.ts'
import { boxContent, isBoxed } from './box-content.ts'
import { drawFields, FIELD_ATTRIBUTES, FIELD_TAGS } from './draw-fields.ts'
import { type CssOptions, type MailStyle, STYLE_ATTRIBUTE_CHARS_MAX, safeDeclarations, safeStyleSheets } from './safe-css.ts'
import { closeGaps, FIELDS, leaveGap, removeEmpty } from './simple-gaps.ts'
import { buttonInside, isButtonLink, simpleStyle } from './simple-style.ts'

/** `simple`: `SIMPLE_TAGS` and `SIMPLE_ATTRIBUTES`, nothing else. `layout`: adds tables, images and safe CSS. */
export type MailView = 'simple' | 'layout'

type SanitizeOptions = {
  view: MailView
  areImagesAllowed: boolean
  /** The sender failed the checks or pretends, so that no link is excused. */
  isSenderDoubtful?: boolean
}

type FlaggedLink = LinkVerdict & { readonly url: string }

type Attributes = readonly (readonly [name: string, value: string])[]

export type CleanMail = {
  /** An element that holds the mail's body; lives in a document without a window until it is adopted. */
  readonly body: HTMLElement
  /** What the mail set on its own root element and body, for the frame's. */
  readonly rootAttributes: Attributes
  readonly bodyAttributes: Attributes
  /** Safe rules of the mail's own style sheets; empty in the simple view. */
  readonly css: string
  /** Remote images found, and those of them that only report the reading: 2 pixels or smaller, or invisible. */
  readonly remote: { readonly images: number; readonly pixels: number }
  /** Images the mail carries itself, waiting for their bytes; those that are variables get them in `imageStyle`. */
  readonly embedded: readonly EmbeddedImage[]
  readonly imageStyle: HTMLStyleElement
  /** Allowed remote pictures of CSS, which stand as variables until they are judged (images/held-backgrounds.ts). */
  readonly backgrounds: readonly HeldBackground[]
  /** The links the reader is warned of. */
  readonly flaggedLinks: readonly FlaggedLink[]
  /** The mail sets colours of its own, so they only make sense on the white it was made for. */
  readonly hasColors: boolean
  /** It brings its own dark mode. */
  readonly hasDarkMode: boolean
}

/** What the specification's allow-list names. */
const SIMPLE_TAGS = 'p br div span a strong b em i u h1 h2 h3 h4 h5 h6 ul ol li blockquote hr'.split(' ')
const SIMPLE_ATTRIBUTES = ['href', 'target', 'style']
const LAYOUT_TAGS = [
  ...SIMPLE_TAGS,
  ...FIELD_TAGS,
  ...'table caption colgroup col thead tbody tfoot tr th td img center font small big sub sup s strike del ins code pre tt kbd samp var'.split(
    ' ',
  ),
  ...'cite q abbr dl dt dd section article header footer main aside nav address figure figcaption mark time wbr bdo bdi details summary ruby rt rp progress meter map area acronym nobr fieldset legend label menu dir hgroup search data output dialog'.split(
    ' ',
  ),
]
const LAYOUT_ATTRIBUTES = [
  ...SIMPLE_ATTRIBUTES,
  ...FIELD_ATTRIBUTES,
  ...'class id src alt title dir lang align valign bgcolor color face size width height border cellpadding cellspacing'.split(' '),
  ...'colspan rowspan start reversed nowrap hspace vspace role hidden text link vlink clear value open srcset sizes max min low high optimum usemap name shape coords'.split(
    ' ',
  ),
]
/** Elements whose text is not for reading. Unlike DOMPurify's default this keeps `thead`: its cells are text like any other. */
const UNREAD = 'script style template title iframe noembed noframes noscript plaintext xmp svg math embed applet textarea datalist'
/** What the frame's own sheet goes by (frame/frame-document.ts). */
const OWN_DATA = new Set(
  'data-view data-on-white data-narrow data-wrap data-cut data-wide data-button data-field data-hint data-folded data-spacer data-picture'.split(
    ' ',
  ),
)
const ROOT_ATTRIBUTES = ['style', 'class', 'id', 'dir', 'lang', 'bgcolor', 'text', 'link', 'vlink']

export function sanitizeMail(html: string, options: SanitizeOptions): CleanMail {
  const mail = new MailSanitizer(options)
  return mail.clean(html)
}

const STYLES_KEPT_MAX = 1000

class MailSanitizer {
  readonly #options: SanitizeOptions
  readonly #purify: DOMPurify
  readonly #styles: MailStyle[] = []
  readonly #flagged: FlaggedLink[] = []
  readonly #marks: { link: Element; verdict: LinkVerdict }[] = []
  readonly #urls: string[] = []
  readonly #images: MailImages
  readonly #css: CssOptions
  readonly #buttons = new WeakSet<Element>()
  /** Elements that stay in the simple view and hold fields. */
  readonly #fieldBoxes = new Set<Element>()
  readonly #safeStyles = new Map<string, string>()
  #hasColors = false
  #styleCharsLeft = STYLE_ATTRIBUTE_CHARS_MAX

  constructor(options: SanitizeOptions) {
    this.#options = options
    const images = new MailImages(options.areImagesAllowed)
    this.#images = images
    const isLayout = options.view === 'layout'
    this.#css = { onImage: url => (isLayout ? images.background(url) : undefined), keepsPriority: isLayout }
    this.#purify = createDOMPurify(window)
    this.#purify.addHook('uponSanitizeElement', node => this.#beforeElement(node))
    this.#purify.addHook('beforeSanitizeAttributes', node => (isLayout ? moveBackground(node) : this.#beforeSimple(node)))
    // Links on parts of a picture find each other by name. On anything else a name could shadow what is the document's own.
    this.#purify.addHook('uponSanitizeAttribute', (node, attribute) => {
      if (attribute.attrName === 'name' && node.nodeName !== 'MAP') attribute.keepAttr = false
      // Mails style by them, and they do nothing else; ours are put in later.
      if (isLayout && /^data-[a-z][\w-]*$/.test(attribute.attrName) && !OWN_DATA.has(attribute.attrName)) attribute.forceKeepAttr = true
      if (attribute.attrName === 'usemap' && !attribute.attrValue.startsWith('#')) attribute.keepAttr = false
    })
    this.#purify.addHook('afterSanitizeAttributes', node => this.#afterAttributes(node))
  }

  clean(html: string): CleanMail {
    const root = this.#purify.sanitize(html, { ...this.#config(), RETURN_DOM: true })
    const source = root instanceof Element ? root.querySelector('body') : null
    const rootAttributes = attributes(root instanceof Element ? root : null)
    const bodyAttributes = attributes(source)
    const home = document.implementation.createHTMLDocument('')
    const body = home.createElement('div')
    const imageStyle = home.createElement('style')
    // One by one: as arguments of one call, those of a mail of sixty thousand lines overflow the stack.
    for (const node of Array.from(source?.childNodes ?? [])) body.append(node)
    if (this.#options.view === 'simple') {
      removeEmpty(this.#fieldBoxes, body)
      closeGaps(body)
    } else drawFields(body)
    const isAlarm = alarmOf(this.#urls, this.#options.isSenderDoubtful === true)
    // Only now: a mark put in earlier would be sanitised like the mail's own words.
    for (const { link, verdict } of this.#marks) link.after(flagMark(link.ownerDocument, verdict.host, isAlarm(verdict)))
    const css = safeStyleSheets(this.#styles, this.#css, body.getElementsByTagName('*').length)
    const hasColors = this.#hasColors || /(?:^|[\s;{])(?:color|background-color|background):/.test(css)
    const hasDarkMode = css.includes('prefers-color-scheme: dark')
    const { images, pixels, embedded, backgrounds } = this.#images
    const remote = { images, pixels }
    const pictures = { remote, embedded, imageStyle, backgrounds }
    return { body, rootAttributes, bodyAttributes, css, ...pictures, flaggedLinks: this.#flagged.filter(isAlarm), hasColors, hasDarkMode }
  }

  #config(): Config {
    const isSimple = this.#options.view === 'simple'
    return {
      WHOLE_DOCUMENT: true,
      ALLOWED_TAGS: isSimple ? SIMPLE_TAGS : LAYOUT_TAGS,
      ALLOWED_ATTR: isSimple ? SIMPLE_ATTRIBUTES : LAYOUT_ATTRIBUTES,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      // DOMPurify asks this of every attribute's value, so what names no scheme must pass; links and images are judged in
      // `#afterAttributes`.
      ALLOWED_URI_REGEXP: /^\s*(?:(?:https?|ftp|mailto|tel|callto|sms|cid|xmpp):|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
      ADD_DATA_URI_TAGS: [],
      FORBID_CONTENTS: UNREAD.split(' '),
      // Ids that are also names of a document's properties (`#body`) style much mail. They shadow nothing: only names of forms, frames,
      // images and embedded objects do, and ids of objects. Names stay on maps only (above), and objects are not allowed.
      SANITIZE_DOM: false,
    }
  }

  #beforeElement(node: Node): void {
    if (!(node instanceof Element)) return
    const tag = node.nodeName.toUpperCase()
    if (tag === 'STYLE' && this.#options.view === 'layout') {
      this.#styles.push({ text: node.textContent ?? '', media: node.getAttribute('media') ?? '' })
    }
    if (this.#options.view === 'layout') {
      if (tag === 'FORM') boxContent(node, 'div')
      else if (isBoxed(node, tag)) boxContent(node, 'span')
      return
    }
    const button = node instanceof HTMLElement && !(node instanceof HTMLAnchorElement) ? buttonInside(node) : undefined
    if (button) this.#buttons.add(button)
    const fieldBox = FIELDS.has(tag) && node.closest(SIMPLE_TAGS.join(', '))
    if (fieldBox) this.#fieldBoxes.add(fieldBox)
    leaveGap(node, tag)
  }

  #afterAttributes(node: Element): void {
    if (!(node instanceof HTMLElement)) return
    if (node.hasAttribute('style')) this.#cleanStyle(node)
    if (['bgcolor', 'color', 'text', 'link'].some(name => node.hasAttribute(name))) this.#hasColors = true
    if (node instanceof HTMLAnchorElement || node instanceof HTMLAreaElement) this.#cleanLink(node)
    else node.removeAttribute('href')
    if (node instanceof HTMLImageElement) this.#images.place(node)
    else node.removeAttribute('src')
  }

  /** Before the attributes go: what they say about direction and about buttons is said in the style, which stays. */
  #beforeSimple(node: Node): void {
    if (!(node instanceof HTMLElement)) return
    if (node instanceof HTMLAnchorElement && isButtonLink(node)) this.#buttons.add(node)
    const isTurned = node.dir === 'rtl' && node.style.direction === ''
    if (isTurned) node.style.direction = 'rtl'
    if (this.#buttons.has(node) && !node.hasAttribute('style')) node.setAttribute('style', '')
  }

  #cleanStyle(node: HTMLElement): void {
    const style = node.getAttribute('style') ?? ''
    if (style.length > this.#styleCharsLeft) {
      node.removeAttribute('style')
      return
    }
    this.#styleCharsLeft -= style.length
    const isSimple = this.#options.view === 'simple'
    const css = isSimple ? simpleStyle(node, this.#buttons.has(node)) : this.#safeStyle(node, style)
    if (css === '') node.removeAttribute('style')
    else node.setAttribute('style', css)
    if (!isSimple && /(?:^|; )(?:color|background-color|background):/.test(css)) this.#hasColors = true
  }

  /** Cells by the thousand have the same style; only one that may name a picture is read each time, because pictures are counted. */
  #safeStyle(node: HTMLElement, written: string): string {
    const known = this.#safeStyles.get(written)
    if (known !== undefined) return known
    const safe = safeDeclarations(node.style, this.#css)
    if (this.#safeStyles.size < STYLES_KEPT_MAX && !/url|\\/i.test(written)) this.#safeStyles.set(written, safe)
    return safe
  }

  #cleanLink(link: HTMLAnchorElement | HTMLAreaElement): void {
    const href = link.getAttribute('href')
    link.removeAttribute('target')
    if (href === null) return
    if (href.startsWith('#') && this.#options.view === 'layout') return
    const url = safeTarget(href, this.#options.view === 'simple' ? SIMPLE_VIEW_SCHEMES : ORIGINAL_VIEW_SCHEMES)
    if (url === undefined) {
      link.removeAttribute('href')
      return
    }
    link.setAttribute('href', url)
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer nofollow')
    link.setAttribute('title', url)
    this.#urls.push(url)
    const isArea = link instanceof HTMLAreaElement
    const verdict = judgeLink(url, isArea ? link.alt : (link.textContent ?? ''))
    if (!verdict.flag) return
    this.#flagged.push({ ...verdict, url })
    if (!isArea) this.#marks.push({ link, verdict })
  }
}

function attributes(element: Element | null): Attributes {
  return ROOT_ATTRIBUTES.flatMap(name => (element?.hasAttribute(name) ? [[name, element.getAttribute(name) ?? ''] as const] : []))
}

/** `!important` in the attribute outranks every rule the mail can write. */
const MARK_STYLE =
  'all: initial !important; font: 600 12px/1.4 system-ui, sans-serif !important; ' +
  'padding: 0 4px !important; margin: 0 2px !important; border-radius: 3px !important; overflow-wrap: anywhere !important'

const ALARM_COLORS = 'color: #8a1c13 !important; background: #fdecea !important'
const CALM_COLORS = 'color: #3d4351 !important; background: #eceae4 !important'

/** Where a link leads, written behind it. */
function flagMark(mailDocument: Document, host: string, isAlarm: boolean): HTMLElement {
  const mark = mailDocument.createElement('span')
  mark.setAttribute('style', `${MARK_STYLE}; ${isAlarm ? ALARM_COLORS : CALM_COLORS}`)
  mark.textContent = `→\u00a0${host}`
  return mark
}

/** `<td background=…>`, the oldest way to put words on a picture, said in CSS; a picture set there already is the newer word. */
function moveBackground(node: Node): void {
  const source = node instanceof HTMLElement ? node.getAttribute('background') : null
  if (source === null || !(node instanceof HTMLElement)) return
  node.removeAttribute('background')
  if (node.style.backgroundImage === '') node.style.backgroundImage = `url("${CSS.escape(source.trim())}")`
}
