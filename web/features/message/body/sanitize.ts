/**
 * Mail HTML made harmless: parsed and cleaned by DOMPurify in the browser right before it is shown, returned as DOM nodes and never turned
 * into a string again, so that nothing can come alive by a second parse. This is one of three layers; the sandboxed frame and its
 * Content-Security-Policy are the others, and each holds alone against what it is for (e2e/message/hostile-html.spec.ts).
 */

import type { Config, DOMPurify } from 'dompurify'
import createDOMPurify from 'dompurify'
import { judgeLink, type LinkVerdict } from '#reader/links/judge-link.ts'
import { isPublicAddress } from '#reader/links/public-address.ts'
import { linkBase, ORIGINAL_VIEW_SCHEMES, SIMPLE_VIEW_SCHEMES, safeTarget } from '#reader/seen/opened-url.ts'
import { nameParts } from '#web/lib/name-parts.ts'
import { alarmOf } from '../trusted-links.ts'
import { CssBudget, type LostStyles, QUOTE_MARKS_MAX } from './css-cost.ts'
import { endParagraphs } from './directions.ts'
import { drawFields } from './drawn-fields.ts'
import type { HeldBackground } from './held-pictures.ts'
import { keepLegible } from './legible-style.ts'
import { limitLineBoxes, sheetsOf } from './line-boxes.ts'
import { LinkWords } from './link-words.ts'
import { breakLongWords } from './long-words.ts'
import { type EmbeddedImage, MailImages, type OwnPictures } from './mail-images.ts'
import { parseWithBoxes } from './mail-tree.ts'
import { PictureAreas, pressedLinks } from './picture-areas.ts'
import { type CssOptions, type MailStyle, PICTURE_LACKS, STYLE_ATTRIBUTE_CHARS_MAX, StyleAttributes, safeStyleSheets } from './safe-css.ts'
import { shapeOf } from './selector-cost.ts'
import { buttonInside, closeGaps, isButtonLink, isWordless, leaveGap, READABLE, removeEmpty, simpleStyle } from './simple-view.ts'

/** Allowed through the sanitiser so that they can be drawn here; none is left afterwards. */
const FIELD_TAGS = ['button', 'input', 'textarea', 'select', 'option', 'optgroup']
const FIELD_ATTRIBUTES = ['type', 'placeholder', 'checked', 'multiple', 'rows', 'cols', 'disabled', 'label']

/** `simple`: `SIMPLE_TAGS` and `SIMPLE_ATTRIBUTES`, nothing else. `layout`: adds tables, images and safe CSS. */
export type MailView = 'simple' | 'layout'

type SanitizeOptions = {
  view: MailView
  areImagesAllowed: boolean
  /** The sender is contradicted, so that no link is excused. */
  isContradicted?: boolean
  /** Its name is that of a brand, and its address is not. */
  claimsBrand?: boolean
  ownPictures?: OwnPictures
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
  /** How much of its styles is dropped for what it costs the browser. */
  readonly heavyStyles: LostStyles
  /** Remote images found, and those of them that only report the reading: 2 pixels or smaller, or invisible. */
  readonly remote: { readonly images: number; readonly pixels: number }
  /** Images the mail carries itself, waiting for their bytes; those that are variables get them in `imageStyle`. */
  readonly embedded: readonly EmbeddedImage[]
  readonly imageStyle: HTMLStyleElement
  /** Allowed remote pictures of CSS, which stand as variables until they are judged (held-pictures.ts). */
  readonly backgrounds: readonly HeldBackground[]
  readonly flaggedLinks: readonly FlaggedLink[]
  /** The mail sets colours of its own, so they only make sense on the white it was made for. */
  readonly hasColors: boolean
  /** Pictures behind its words are blocked. */
  readonly lacksPictures: boolean
  /** `look`: no words and no picture, but colours, which may draw one: a QR code is often a table of black cells. */
  readonly shows: 'content' | 'look' | 'nothing'
  /** It has fields, drawn but of no use. */
  readonly hasForm: boolean
  /** It brings its own dark mode. */
  readonly hasDarkMode: boolean
}

/** The tags and attributes that the simple view promises to keep (docs/mail-reading.md). */
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
  ...'rules frame bordercolor noshade compact headers scope abbr summary colspan rowspan start reversed nowrap hspace vspace role hidden text link vlink clear value open srcset sizes max min low high optimum usemap name shape coords'.split(
    ' ',
  ),
]
/** Elements whose text is not for reading. Unlike DOMPurify's default this keeps `thead`: its cells are text like any other. */
const UNREAD = 'script style template title iframe noembed noframes noscript plaintext xmp svg math embed applet textarea datalist'
/** What the frame's own sheet goes by (frame-document.ts). */
const OWN_DATA = new Set(
  'data-view data-on-white data-narrow data-wrap data-cut data-wide data-keep data-open data-scroll data-low data-button data-field data-hint data-folded data-spacer data-picture data-plain data-line'.split(
    ' ',
  ),
)
const ROOT_ATTRIBUTES = ['style', 'class', 'id', 'dir', 'lang', 'bgcolor', 'text', 'link', 'vlink']

export function sanitizeMail(html: string, options: SanitizeOptions): CleanMail {
  return new MailSanitizer(html, options).clean()
}

class MailSanitizer {
  readonly #options: SanitizeOptions
  readonly #source: Element
  readonly #purify: DOMPurify
  readonly #styles: MailStyle[] = []
  readonly #images: MailImages
  readonly #css: CssOptions
  readonly #buttons = new WeakSet<Element>()
  /** Elements that stay in the simple view and hold what has no words there: fields, and pictures without a text. */
  readonly #emptied = new Set<Element>()
  readonly #styleAttributes: StyleAttributes
  readonly #spans = new SpanBudget()
  /** What its relative links are relative to. */
  readonly #base: string | undefined
  readonly #areas: PictureAreas
  #hasColors = false
  #styleCharsLeft = STYLE_ATTRIBUTE_CHARS_MAX

  constructor(html: string, options: SanitizeOptions) {
    this.#options = options
    this.#source = parseWithBoxes(html, options.view === 'layout')
    const isLimited = limitLineBoxes(this.#source, options.view === 'layout')
    const bases = Array.from(this.#source.querySelectorAll('base[href]')).filter(each => each instanceof HTMLBaseElement)
    this.#base = linkBase(bases[0]?.getAttribute('href') ?? undefined)
    this.#areas = new PictureAreas(this.#source, this.#base)
    const images = new MailImages(options.areImagesAllowed, options.ownPictures ?? new Map())
    this.#images = images
    const isLayout = options.view === 'layout'
    const onImage = (url: string) => (isLayout ? images.background(url) : undefined)
    this.#css = { onImage, keepsPriority: isLayout, budget: new CssBudget(html, this.#source) }
    if (isLimited) this.#css.budget.exceed()
    this.#styleAttributes = new StyleAttributes(this.#css)
    this.#purify = createDOMPurify(window)
    this.#purify.addHook('uponSanitizeElement', node => this.#beforeElement(node))
    this.#purify.addHook('beforeSanitizeAttributes', node => (isLayout ? moveBackground(node) : this.#beforeSimple(node)))
    // Links on parts of a picture find each other by name. On anything else a name could shadow what is the document's own.
    this.#purify.addHook('uponSanitizeAttribute', (node, attribute) => {
      if (attribute.attrName === 'name' && node.nodeName !== 'MAP') attribute.keepAttr = false
      // Mails style by them, and they do nothing else; ours are put in later.
      if (isLayout && /^data-[a-z][\w-]*$/.test(attribute.attrName) && !OWN_DATA.has(attribute.attrName)) attribute.forceKeepAttr = true
      // A link is called what it shows, also by its parts, and what stands behind it is read out.
      if (/^(?:aria-|title$)/.test(attribute.attrName) && node.closest('a, area')) attribute.keepAttr = false
      if (attribute.attrName === 'usemap' && !attribute.attrValue.startsWith('#')) attribute.keepAttr = false
    })
    this.#purify.addHook('afterSanitizeAttributes', node => this.#afterAttributes(node))
  }

  clean(): CleanMail {
    const root = this.#purify.sanitize(this.#source, { ...this.#config(), RETURN_DOM: true })
    if (!(root instanceof HTMLElement)) throw new TypeError('the mail has no root')
    if (this.#options.view === 'layout') {
      drawFields(root)
      // A style may lay it over words, which it would then open. The simple view has none, either.
      for (const link of root.querySelectorAll('a[rel]')) if (!showsWhatOpens(link)) for (const name of LINKING) link.removeAttribute(name)
    }
    const { links, isAlarm } = this.#judgeLinks(root)
    const isAlarming = this.#options.isContradicted || links.some(isAlarm)
    if (this.#options.view === 'simple') keepLegible(root, isAlarming ? undefined : this.#buttons)
    const source = root.querySelector('body')
    const rootAttributes = attributes(root)
    const bodyAttributes = attributes(source)
    const home = document.implementation.createHTMLDocument('')
    const body = home.createElement('div')
    const imageStyle = home.createElement('style')
    // One by one: as arguments of one call, those of a mail of sixty thousand lines overflow the stack.
    for (const node of Array.from(source?.childNodes ?? [])) body.append(node)
    if (this.#options.view === 'simple') {
      removeEmpty(this.#emptied, body)
      closeGaps(body)
    } else {
      for (const quote of Array.from(body.querySelectorAll('q')).slice(QUOTE_MARKS_MAX)) quote.setAttribute('data-plain', '')
    }
    // Only now: a mark put in earlier would be sanitised like the mail's own words.
    // The blank before it ends with a line, as a margin would not.
    for (const link of links) link.pressed?.after(' ', flagMark(home, link.host, isAlarm(link)))
    endParagraphs(body, this.#options.view === 'layout' ? sheetsOf(this.#source) : [])
    breakLongWords(body)
    const css = this.#styles.length > 0 ? safeStyleSheets(this.#styles, this.#css, shapeOf(body, rootAttributes, bodyAttributes)) : ''
    const hasColors = this.#hasColors || /(?:^|[\s;{])(?:color|background-color|background):/.test(css)
    const hasDarkMode = css.includes('prefers-color-scheme: dark')
    const { images, pixels, embedded, backgrounds } = this.#images
    const remote = { images, pixels }
    const outside = `${css}${rootAttributes}${bodyAttributes}`
    const lacksPictures = outside.includes(PICTURE_LACKS) || body.querySelector(`[style*="${PICTURE_LACKS}"]`) !== null
    const hasPictures = images + backgrounds.length + embedded.length > 0 || lacksPictures
    const hasContent = hasPictures || READABLE.test(body.textContent) || body.querySelector(WORDLESS) || /content:|url\(/.test(outside)
    const hasLook = body.querySelector(DRAWN) || /background|border|shadow/.test(css)
    const shows = hasContent ? 'content' : hasLook ? 'look' : 'nothing'
    const pictures = { remote, embedded, imageStyle, backgrounds, lacksPictures }
    // A box alone is how a mail without scripts makes a menu.
    const hasForm = body.querySelector('[data-field]:not([data-field=checkbox], [data-field=radio])') !== null
    const looks = { hasColors, hasDarkMode, hasForm, shows, heavyStyles: this.#css.budget.lost } as const
    return { body, rootAttributes, bodyAttributes, css, ...pictures, flaggedLinks: links.filter(isAlarm), ...looks }
  }

  #judgeLinks(root: Element) {
    const words = new LinkWords(this.#source, root)
    const pressed = pressedLinks(root)
    const all = Array.from(root.querySelectorAll('[rel]'), link => ({ link, url: link.getAttribute('href') ?? '', pressed: pressed(link) }))
    const links = all.flatMap(({ link, url, pressed }) => {
      const verdict = words.verdict(link, url, pressed) ?? bareAddress(link, url, this.#options)
      return verdict ? [{ ...verdict, url, pressed }] : []
    })
    const urls = all.map(({ url }) => url)
    return { links, isAlarm: alarmOf(urls, this.#options.isContradicted === true) }
  }

  #config(): Config {
    const isSimple = this.#options.view === 'simple'
    return {
      WHOLE_DOCUMENT: true,
      ALLOWED_TAGS: isSimple ? SIMPLE_TAGS : LAYOUT_TAGS,
      ALLOWED_ATTR: isSimple ? SIMPLE_ATTRIBUTES : LAYOUT_ATTRIBUTES,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: !isSimple,
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
    if (this.#options.view === 'layout') return
    const button = node instanceof HTMLElement && !(node instanceof HTMLAnchorElement) ? buttonInside(node) : undefined
    if (button) this.#buttons.add(button)
    const emptied = isWordless(node, tag) && node.closest(SIMPLE_TAGS.join(', '))
    if (emptied) this.#emptied.add(emptied)
    if (node instanceof HTMLImageElement) this.#areas.leave(node)
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
    if (node instanceof HTMLTableCellElement) this.#spans.limit(node)
  }

  /** Before the attributes go: what they say about direction is said in the style, which stays, and a button is known by its class. */
  #beforeSimple(node: Node): void {
    if (!(node instanceof HTMLElement)) return
    if (node instanceof HTMLAnchorElement && isButtonLink(node)) this.#buttons.add(node)
    const isTurned = node.dir === 'rtl' && node.style.direction === ''
    if (isTurned) node.style.direction = 'rtl'
  }

  #cleanStyle(node: HTMLElement): void {
    const style = node.getAttribute('style') ?? ''
    if (style.length > this.#styleCharsLeft) {
      this.#css.budget.exceed()
      node.removeAttribute('style')
      return
    }
    this.#styleCharsLeft -= style.length
    const isSimple = this.#options.view === 'simple'
    const css = isSimple ? simpleStyle(node) : this.#styleAttributes.safe(node, style)
    if (css === '') node.removeAttribute('style')
    else node.setAttribute('style', css)
    if (!isSimple && /(?:^|; )(?:color|background-color|background):/.test(css)) this.#hasColors = true
  }

  #cleanLink(link: HTMLAnchorElement | HTMLAreaElement): void {
    const href = link.getAttribute('href')
    link.removeAttribute('target')
    if (href === null) return
    if (href.startsWith('#') && this.#options.view === 'layout') return
    const url = safeTarget(href, this.#options.view === 'simple' ? SIMPLE_VIEW_SCHEMES : ORIGINAL_VIEW_SCHEMES, this.#base)
    if (url === undefined) {
      link.removeAttribute('href')
      return
    }
    link.setAttribute('href', url)
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer nofollow')
    link.setAttribute('title', url)
  }
}

const LINKING = ['href', 'rel', 'target', 'title']

function showsWhatOpens(link: Element): boolean {
  return READABLE.test(link.textContent) || link.querySelector('img, [data-field]') !== null
}

function attributes(element: Element | null): Attributes {
  return ROOT_ATTRIBUTES.flatMap(name => (element?.hasAttribute(name) ? [[name, element.getAttribute(name) ?? ''] as const] : []))
}

/** `<td background=…>`, the oldest way to put words on a picture, said in CSS; a picture set there already is the newer word. */
function moveBackground(node: Node): void {
  const source = node instanceof HTMLElement ? node.getAttribute('background') : null
  if (source === null || !(node instanceof HTMLElement)) return
  node.removeAttribute('background')
  if (node.style.backgroundImage === '') node.style.backgroundImage = `url("${CSS.escape(source.trim())}")`
}

/** Seen without words. */
const WORDLESS = 'img, hr, meter, progress, [data-field], [style*="url("]'
const DRAWN = '[bgcolor], [border], [style*="background"], [style*="border"], [style*="shadow"]'

/** A browser lays out each row of a table anew for each cell that reaches into it. */
const ROWS_MAX = 100
/** A style may draw nothing of `https://shop.example/www.bank.example` but its end. */
const HOST_BEHIND = /[^\s/:][/?#]\S*(?:www\.|:\/\/)/i
const HOST_BEHIND_CHARS_MAX = 2000

/** A number vouches for nobody, so it is shown behind a link that does not say it itself. A part of its words may be hidden. */
function bareAddress(link: Element, url: string, { view, claimsBrand }: SanitizeOptions): LinkVerdict | undefined {
  const { host } = judgeLink(url, '')
  const isNumber = /^\[|^[\d.]+$/.test(host)
  const isSaid = link.childElementCount === 0 && link.textContent.match(/\[[^\]]*\]|\d+(?:\.\d+)*/g)?.includes(host)
  const isBehind = view === 'layout' && HOST_BEHIND.test(link.textContent.slice(0, HOST_BEHIND_CHARS_MAX))
  // A machine at home may name a maker and open itself.
  if (isNumber && claimsBrand && isPublicAddress(host)) return { host, flag: 'number' }
  return (isNumber && !isSaid) || (isBehind && host !== '') ? { host, flag: undefined } : undefined
}

/**
 * Places that the cells of a mail fill besides their own. Firefox makes an entry for each: 72 KB of cells that fill the most that HTML
 * allows, a thousand columns of each row, took it six minutes. Of the mails of the corpora none fills more than 18.
 */
const PLACES_MAX = 20_000

class SpanBudget {
  #left = PLACES_MAX

  /** By the properties, which read the attributes as a browser does: `65534x` is a number there, and 0 rows are all that follow. */
  limit(cell: HTMLTableCellElement): void {
    const rows = Math.min(cell.rowSpan || ROWS_MAX, ROWS_MAX)
    const places = cell.colSpan * rows - 1
    if (places > this.#left) {
      cell.removeAttribute('colspan')
      cell.removeAttribute('rowspan')
      return
    }
    this.#left -= places
    if (rows !== cell.rowSpan) cell.rowSpan = rows
  }
}

/** `!important` in the attribute outranks every rule the mail can write. */
const MARK_STYLE =
  'all: initial !important; display: inline-block !important; font: 600 12px/1.4 "Instrument Sans", system-ui, sans-serif !important; ' +
  'padding: 0 4px !important; margin: 0 2px 0 0 !important; color-scheme: inherit !important; border-radius: 3px !important; overflow-wrap: anywhere !important; ' +
  'direction: ltr !important; unicode-bidi: isolate !important; max-width: calc(100% - 2px) !important'
const MARK_PART_STYLE =
  'all: unset !important; display: inline-block !important; direction: ltr !important; unicode-bidi: isolate !important; ' +
  'max-width: 100% !important'
const ALARM_COLORS = 'color: light-dark(#8a1c13, #ffb4a8) !important; background: light-dark(#fdecea, #45170f) !important'
const CALM_COLORS = 'color: light-dark(#3d4351, #d3d6de) !important; background: light-dark(#eceae4, #2a2f3a) !important'

/** Where a link leads, written behind it. It wraps as hosts do on the page: see web/lib/name-parts.ts. */
function flagMark(mailDocument: Document, host: string, isAlarm: boolean): HTMLElement {
  const box = (style: string, ...content: (Node | string)[]) => {
    const span = mailDocument.createElement('span')
    span.setAttribute('style', style)
    span.append(...content)
    return span
  }
  const parts = nameParts(`→\u00a0${host}`).map(part => box(MARK_PART_STYLE, part))
  const name = parts.reduceRight((rest, part) => box(MARK_PART_STYLE, part, rest))
  return box(`${MARK_STYLE}; ${isAlarm ? ALARM_COLORS : CALM_COLORS}`, name)
}
