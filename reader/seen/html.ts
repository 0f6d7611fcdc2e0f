/**
 * Reads an HTML mail as a person sees it: its text and its links. One pass over the tokens, no tree: time and memory are linear. What
 * nobody sees is in neither: comments and branches for one program, hidden elements, and elements that are not for reading. Pure, usable
 * alone.
 */
import { Tokenizer } from 'htmlparser2'
import { type Declaration, inlineDeclarations, type Sight, sightOf } from './css-hiding.ts'
import { FORMATTING, OpenElements, type Place } from './open-elements.ts'
import { linkBase, openedUrl, SIMPLE_VIEW_SCHEMES, safeTarget } from './opened-url.ts'
import { type Named, StyleSheets } from './style-sheets.ts'
import { withLines } from './tagged-text.ts'
import { TextOutput } from './text-output.ts'

/** `url` is absolute, as a browser opens it. `label`: its words, else those of its pictures. It stands at `start` to `end` of the text. */
type SeenLink = { readonly url: string; readonly label: string; readonly start: number; readonly end: number }
export type SeenHtml = { readonly text: string; readonly links: readonly SeenLink[] }

const LINKS_MAX = 500
/** No text is so sparse, also where it starts late. A mail of 260,000 tags would otherwise be read whole for an empty preview. */
const TAGS_PER_CHAR_MAX = 25

/**
 * At least `charsMax` characters of the text, if there are as many, from at most 25 times as many tags and the first `htmlCharsMax`
 * characters of the HTML. Its style sheets count wherever they stand: the last one can hide what comes first.
 */
export function readHtml(
  html: string,
  charsMax = Number.POSITIVE_INFINITY,
  htmlCharsMax = Number.POSITIVE_INFINITY,
  arePicturesRead = false,
): SeenHtml {
  // The tokenizer takes these for `<` and `/`.
  const source = withLines(html).replaceAll('\x0f', '\ufffd').replaceAll('\x1c', '\ufffd')
  const sheets = /<style/i.test(source) ? new SheetReader(source).read() : NO_SHEETS
  return new HtmlReader(source.slice(0, htmlCharsMax), sheets, charsMax, arePicturesRead).read()
}

/** Whether a text says anything. If an HTML does, it is all that the page shows, and a plain text beside it is seen by nobody. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** Both as one, the second on a line below the first. */
export function joinSeen(first: SeenHtml | undefined, second: SeenHtml): SeenHtml {
  const above = first && (first.text !== '' || first.links.length > 0) ? `${first.text}\n` : ''
  const inFirst = (place: number) => Math.min(place, first?.text.length ?? 0)
  // The text is trimmed at its end, and a picture may be there.
  const links = first?.links.map(link => ({ ...link, start: inFirst(link.start), end: inFirst(link.end) })) ?? []
  const below = second.links.map(link => ({ ...link, start: link.start + above.length, end: link.end + above.length }))
  return { text: above + second.text, links: [...links, ...below] }
}

/** The readable text, with line breaks after blocks. Not for sanitising. */
export const htmlToText = (html: string, charsMax = Number.POSITIVE_INFINITY): string => readHtml(html, charsMax).text

const [TITLE_END, TEXTAREA_END] = [/<\/title(?=[ \t\n\f\r/>])/gi, /<\/textarea(?=[ \t\n\f\r/>])/gi]
const SKIPPED_CHARS_MIN = 1000

/** Turns the tokenizer's positions into tags with attributes. */
export abstract class Tags {
  /** The HTML that is read, from the last skipped text on. */
  protected html: string
  protected readonly tokenizer: Tokenizer
  /** Where the name of the last tag ends. */
  protected nameEnd = 0
  #name = ''
  #attribute = ''
  #value = ''
  #attributes = new Map<string, string>()
  #skipTo = 0

  constructor(html: string) {
    this.html = html
    const nothing = () => undefined
    this.tokenizer = new Tokenizer(
      {},
      {
        ontext: (start, end) => this.onText(this.html.slice(start, end)),
        ontextentity: code => {
          if (!JOINERS.has(code)) this.onText(character(code))
        },
        onopentagname: (start, end) => {
          this.#name = this.html.slice(start, end).toLowerCase()
          this.nameEnd = end
          if (this.#attributes.size > 0) this.#attributes = new Map()
        },
        onattribname: (start, end) => {
          this.#attribute = this.html.slice(start, end).toLowerCase()
          this.#value = ''
        },
        onattribdata: (start, end) => {
          this.#value += this.html.slice(start, end)
        },
        onattribentity: code => {
          this.#value += character(code)
        },
        onattribend: () => {
          if (!this.#attributes.has(this.#attribute)) this.#attributes.set(this.#attribute, this.#value)
        },
        onopentagend: () => this.onOpen(this.#name === 'image' ? 'img' : this.#name, this.#attributes, false),
        onselfclosingtag: () => this.onOpen(this.#name === 'image' ? 'img' : this.#name, this.#attributes, true),
        onclosetag: (start, end) => this.#onClose(this.html.slice(start, end).toLowerCase(), end),
        oncdata: (start, end, offset) => this.onCdata(this.html.slice(start, end - offset)),
        oncomment: nothing,
        ondeclaration: nothing,
        onprocessinginstruction: nothing,
        onend: nothing,
      },
    )
  }

  protected run(): void {
    this.tokenizer.write(this.html)
    while (this.#skipTo > 0) {
      this.html = this.html.slice(this.#skipTo)
      this.#skipTo = 0
      this.tokenizer.reset()
      this.tokenizer.write(this.html)
    }
    if (this.tokenizer.running) this.tokenizer.end()
  }

  /** Called in the start tag: the tokenizer would search a long text for its end tag character by character. */
  protected skipText(tag: 'title' | 'textarea'): void {
    const endTag = tag === 'title' ? TITLE_END : TEXTAREA_END
    endTag.lastIndex = this.nameEnd
    const end = endTag.exec(this.html)?.index ?? this.html.length
    if (end - this.nameEnd < SKIPPED_CHARS_MIN || !this.tokenizer.running) return
    this.#skipTo = end
    this.tokenizer.pause()
  }

  /** The tokenizer ends an end tag at the first `>`, a browser at the first outside of quotes: there they may differ in what follows. */
  #onClose(tag: string, end: number): void {
    this.nameEnd = end
    const close = this.html.indexOf('>', end)
    if (/["'=]/.test(this.html.slice(end, close === -1 ? undefined : close))) this.onUnclear()
    else this.onClose(tag)
  }

  protected abstract onText(text: string): void
  protected abstract onOpen(tag: string, attributes: ReadonlyMap<string, string>, isSelfClosed: boolean): void
  protected abstract onClose(tag: string): void
  protected abstract onUnclear(): void
  protected onCdata(_content: string): void {}
}

/** `&shy;` and `&zwnj;`, which would part the digits of a code. */
const JOINERS = new Set([0xad, 0x200c])

const character = (code: number): string => String.fromCodePoint(code)

const NO_SHEETS = new StyleSheets([], [], 0)

/** The tags that `SheetReader` reads: behind the last one it stops, so that a mail with its sheets at the top is not read twice. */
const SHEET_OR_ROOT = /<(?:style|html|body)/gi

/** The style sheets of a mail, also those behind what they hide. */
class SheetReader extends Tags {
  readonly #sheets: { css: string; media: string }[] = []
  readonly #rootElements: Named[] = []
  #open: { css: string; media: string } | undefined

  read(): StyleSheets {
    this.run()
    return new StyleSheets(this.#sheets, this.#rootElements, this.html.length)
  }

  protected onText(text: string): void {
    if (this.#open) this.#open.css += text
  }

  protected onOpen(tag: string, attributes: ReadonlyMap<string, string>, isSelfClosed: boolean): void {
    if ((tag === 'title' || tag === 'textarea') && !isSelfClosed) this.skipText(tag)
    if (tag === 'html' || tag === 'body') {
      this.#rootElements.push({ tag, attributes })
      this.#stopBehindLast()
    }
    if (tag !== 'style') return
    this.#open = { css: '', media: attributes.get('media') ?? '' }
    this.#sheets.push(this.#open)
  }

  protected onClose(tag: string): void {
    // Only there, since it searches the rest of the mail.
    if (tag !== 'style' || !this.#open) return
    this.#open = undefined
    this.#stopBehindLast()
  }

  #stopBehindLast(): void {
    SHEET_OR_ROOT.lastIndex = this.nameEnd
    if (!SHEET_OR_ROOT.test(this.html)) this.tokenizer.pause()
  }

  protected onUnclear(): void {
    this.tokenizer.pause()
  }
}

const set = (names: string) => new Set(names.split(' '))
/** Elements that start a line. Table rows do, cells do not. */
const BLOCKS = set(
  'address article aside blockquote br center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul',
)
const CELLS = set('td th')
const VOID = set('area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr')
/** They open nothing that could be closed. */
const ROOT = set('html head body')
/** Not for reading, or not shown by one of the two views (web/features/message/body/sanitize.ts). */
const UNREAD = set(
  'script style title template textarea noscript iframe noembed noframes xmp plaintext svg math applet datalist select progress meter rp',
)
/** Elements in which line breaks are shown as they are written. In others a style says so. */
const PREFORMATTED = set('pre listing')
const KEEPS_LINES = /white-space\s*:\s*(?:pre|pre-wrap|pre-line|break-spaces)\s*(?:[;!]|$)/i
/** Tags that are always closed, unlike those of paragraphs and cells. */
const MAY_KEEP_LINES = set('pre listing div span font blockquote code section article')
/** Behind them a browser reads by other rules, or not at all. */
const ENDLESS = set('plaintext frameset')
/** Drawings hold these and nothing else; other tags end them, or mean something else in them. */
const DRAWING = set(
  'circle clippath defs desc ellipse feblend fecolormatrix fecomposite feflood fegaussianblur femerge femergenode feoffset filter g image img line lineargradient ' +
    'marker mask path pattern polygon polyline radialgradient rect stop svg symbol text tspan use style title annotation math mfrac mi mn mo mrow msqrt mstyle msub msup mtext semantics',
)
const READ_AS_TEXT = set('style title')
/** A picture of fewer pixels reports the reading. */
const PICTURE_PX_MIN = 3
const PLAIN: Sight = { gone: false, small: undefined }
const GONE: Sight = { gone: true, small: undefined }
const NONE: readonly Declaration[] = []

type InlineStyle = { readonly declarations: readonly Declaration[]; readonly sight: Sight }

/** A character that is drawn. */
const INKED = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u

/** Most are written so: the page makes no other URL of it. */
const ABSOLUTE = /^(?:https?:\/\/|mailto:)[^\s]/i

/** `map`: of an area, the name of its map, which is seen if a picture that uses it is. `place`: what it ends with, at the latest. */
type OpenLink = { url: string; start: number; end: number; pictures: string; isSeen: boolean; map?: string; place?: Place | undefined }
/** The text of an unclosed link must not be the rest of the mail. */
const LABEL_CHARS_MAX = 1000

class HtmlReader extends Tags {
  readonly #sheets: StyleSheets
  readonly #charsMax: number
  readonly #arePicturesRead: boolean
  readonly #elements = new OpenElements()
  readonly #out = new TextOutput()
  readonly #links: OpenLink[] = []
  #base: string | undefined
  readonly #inlineStyles = new Map<string, InlineStyle>()
  /** Where no style of an element's own is judged: by what the sheets say of it. */
  readonly #sights = new WeakMap<readonly Declaration[], Sight>()
  #tagsLeft: number
  #link: OpenLink | undefined
  #map: string | undefined
  readonly #seenMaps = new Set<string>()
  /** A drawing or list of choices that is open, and how often. */
  #inside = { tag: '', depth: 0 }
  #isInScript = false
  /** The element that keeps its lines, and how many of its tag are open. */
  #lines = { tag: '', depth: 0, isFresh: false }
  /** The mail is hidden as a whole. */
  #isBlank = false
  #hasBegun = false

  constructor(html: string, sheets: StyleSheets, charsMax: number, arePicturesRead: boolean) {
    super(html)
    this.#sheets = sheets
    this.#charsMax = charsMax
    this.#arePicturesRead = arePicturesRead
    this.#tagsLeft = charsMax * TAGS_PER_CHAR_MAX
    this.#isBlank = sheets.isTooMuch
  }

  read(): SeenHtml {
    for (const root of this.#sheets.impliedRoots) this.#openRoot(root.tag, this.#sightOf(root.tag, root.attributes))
    if (!this.#isBlank) this.run()
    this.#endLink()
    if (this.#isBlank) return { text: '', links: [] }
    const text = this.#out.toString()
    const base = linkBase(this.#base)
    const links = this.#links.flatMap(({ url: written, start, end, pictures, map }) => {
      const url = ABSOLUTE.test(written) ? written : safeTarget(written, SIMPLE_VIEW_SCHEMES, base)
      if (url === undefined || (map !== undefined && !this.#seenMaps.has(map))) return []
      const label = oneLine(text.slice(start, Math.min(end, start + LABEL_CHARS_MAX))) || oneLine(pictures)
      return { url, label, start, end }
    })
    return { text: text.trimEnd(), links }
  }

  protected onText(text: string): void {
    // `<!--` in a script changes where it ends.
    if ((this.#isInScript && text.includes('<!--')) || (this.#inside.tag !== '' && text.includes('<'))) this.onUnclear()
    const { gone, small } = this.#elements.state
    if (gone || small) return
    // An endless text would otherwise be decoded whole for a preview of 200 characters.
    const read = text.length > this.#charsMax * 2 + 1000 ? text.slice(0, this.#charsMax * 2 + 1000) : text
    if (this.#lines.depth > 0) this.#addLines(read)
    else this.#out.addText(read)
    if (this.#link && INKED.test(read)) this.#link.isSeen = true
    if (this.#out.length >= this.#charsMax) this.tokenizer.pause()
  }

  protected onOpen(tag: string, attributes: ReadonlyMap<string, string>, isSelfClosed: boolean): void {
    if (this.#tagsLeft-- <= 0 || ENDLESS.has(tag) || this.#sheets.isTooMuch) this.onUnclear()
    else if (this.#inside.tag !== '') this.#openInside(tag, isSelfClosed)
    else this.#openElement(tag, attributes, isSelfClosed)
  }

  #openElement(tag: string, attributes: ReadonlyMap<string, string>, isSelfClosed: boolean): void {
    if (!this.#sheets.isEmpty) this.#sheets.see({ tag, attributes })
    this.#elements.closeImplied(tag)
    const { state } = this.#elements
    if (this.#link?.place?.isLeft) this.#endLink()
    // A browser may end one that begins hidden with what hides it, as at `</object>`, or begin it again.
    if (tag === 'a') this.#startLink(state.gone ? undefined : attributes.get('href'))
    // A form ends a paragraph, unless it is in another one.
    const sight = state.gone && !FORMATTING.has(tag) && tag !== 'form' ? PLAIN : this.#sightOf(tag, attributes)
    if (ROOT.has(tag)) {
      this.#openRoot(tag, sight)
      return
    }
    this.#hasBegun ||= tag !== 'style' && tag !== 'meta' && tag !== 'title'
    if (tag === 'img') this.#seePicture(attributes, sight)
    if (tag === 'map') this.#map = attributes.get('name')
    // One in an element that is not for reading may be none.
    if (tag === 'base') this.#base ??= state.gone ? '' : attributes.get('href')
    if (tag === 'area') this.#addArea(attributes, sight)
    if (!state.gone && !sight.gone) this.#space(tag)
    if (VOID.has(tag)) return
    this.#startLines(tag, attributes)
    this.#elements.open(tag, sight)
    if (tag === 'script') this.#isInScript = true
    if ((tag === 'title' || tag === 'textarea') && !isSelfClosed) this.skipText(tag)
    if (tag === 'svg' || tag === 'math' || tag === 'select') this.#inside = { tag, depth: 1 }
    if (this.#inside.tag !== '' && tag !== 'select' && isSelfClosed) this.onClose(tag)
  }

  protected onClose(tag: string): void {
    if (tag === 'script') this.#isInScript = false
    if (tag === 'a') this.#endLink()
    if (tag === 'map') this.#map = undefined
    if (this.#inside.tag !== '') {
      if (tag === this.#inside.tag && --this.#inside.depth === 0) this.#inside = { tag: '', depth: 0 }
      else return
    }
    if (ROOT.has(tag) || VOID.has(tag)) {
      if (tag === 'br') this.#space(tag)
      return
    }
    if (tag === this.#lines.tag && this.#lines.depth > 0) this.#lines.depth--
    this.#elements.close(tag)
    if (this.#link?.place?.isLeft) this.#endLink()
    const { gone } = this.#elements.state
    if (!gone && BLOCKS.has(tag)) this.#out.addBreak()
    else if (!gone && CELLS.has(tag)) this.#out.addBlank()
    if (this.#elements.isOver) this.tokenizer.pause()
  }

  /** The rest may be anything, so it is not read. */
  protected onUnclear(): void {
    this.#elements.hideRest(GONE)
    this.tokenizer.pause()
  }

  /** Outside of drawings it ends at the first `>`. */
  protected override onCdata(content: string): void {
    if (this.#inside.tag !== '' || content.includes('>')) this.onUnclear()
  }

  #openInside(tag: string, isSelfClosed: boolean): void {
    const isKnown = this.#inside.tag === 'select' ? /^(?:option|optgroup|hr)$/.test(tag) : DRAWING.has(tag)
    if (!isKnown || (isSelfClosed && READ_AS_TEXT.has(tag))) this.onUnclear()
    else if (tag === this.#inside.tag && !isSelfClosed) this.#inside.depth++
  }

  #openRoot(tag: string, sight: Sight): void {
    if (sight.gone && tag !== 'head') this.#isBlank = true
    if (tag === 'head') return
    if (sight.small) {
      if (this.#hasBegun) this.#isBlank = true
      this.#elements.hideRest(sight)
    }
  }

  #sightOf(tag: string, attributes: ReadonlyMap<string, string>): Sight {
    if (UNREAD.has(tag) || attributes.has('hidden') || ((tag === 'dialog' || tag === 'details') && !attributes.has('open'))) return GONE
    const style = attributes.get('style')
    const declarations = this.#sheets.isEmpty ? NONE : this.#sheets.declarationsFor({ tag, attributes })
    const inline = style === undefined ? undefined : this.#inlineStyle(style)
    if (declarations.length === 0 && tag !== 'img') return inline?.sight ?? PLAIN
    const own = inline?.declarations ?? NONE
    if (own.length > 0) return sightOf([...declarations, ...own], tag === 'img')
    const sight = this.#sights.get(declarations) ?? sightOf(declarations, tag === 'img')
    this.#sights.set(declarations, sight)
    return sight
  }

  /** Newsletters repeat a few styles on every cell. */
  #inlineStyle(style: string): InlineStyle {
    const known = this.#inlineStyles.get(style)
    if (known) return known
    const declarations = inlineDeclarations(style)
    const read = { declarations, sight: declarations.length === 0 ? PLAIN : sightOf(declarations, false) }
    this.#inlineStyles.set(style, read)
    return read
  }

  #space(tag: string): void {
    if (BLOCKS.has(tag)) this.#out.addBreak()
    else if (CELLS.has(tag)) this.#out.addBlank()
  }

  #startLines(tag: string, attributes: ReadonlyMap<string, string>): void {
    if (this.#lines.depth > 0) {
      if (tag === this.#lines.tag) this.#lines.depth++
    } else if (PREFORMATTED.has(tag) || (MAY_KEEP_LINES.has(tag) && KEEPS_LINES.test(attributes.get('style') ?? '')))
      this.#lines = { tag, depth: 1, isFresh: PREFORMATTED.has(tag) }
  }

  #addLines(text: string): void {
    // The first line break behind the tag is none.
    const lines = text.replace(/\r\n?/g, '\n').split('\n')
    if (this.#lines.isFresh && lines.length > 1 && lines[0] === '') lines.shift()
    this.#lines.isFresh = false
    for (const [at, line] of lines.entries()) {
      if (at > 0) this.#out.addBreak()
      this.#out.addText(line)
    }
  }

  #startLink(href: string | undefined): void {
    this.#endLink()
    const { place } = this.#elements
    if (href !== undefined) this.#link = { url: openedUrl(href), start: this.#out.length, end: 0, pictures: '', isSeen: false, place }
  }

  #seePicture(attributes: ReadonlyMap<string, string>, sight: Sight): void {
    const { gone } = this.#elements.state
    const isTiny = ['width', 'height'].some(side => Number.parseFloat(attributes.get(side) ?? '') < PICTURE_PX_MIN)
    if (gone || sight.gone || isTiny) return
    if (this.#arePicturesRead) this.#out.addText(attributes.get('alt') ?? '')
    this.#seenMaps.add((attributes.get('usemap') ?? '').replace(/^#/, ''))
    if (!this.#link) return
    this.#link.isSeen = true
    if (this.#link.pictures.length < LABEL_CHARS_MAX) this.#link.pictures += ` ${attributes.get('alt') ?? ''}`
  }

  /** An area of a picture is a link, named by its alt text or title. */
  #addArea(attributes: ReadonlyMap<string, string>, sight: Sight): void {
    const [href, map, at] = [attributes.get('href'), this.#map, this.#out.length]
    if (href === undefined || !map || sight.gone || this.#elements.state.gone || this.#links.length >= LINKS_MAX) return
    const pictures = (attributes.get('alt') || attributes.get('title') || '').slice(0, LABEL_CHARS_MAX)
    this.#links.push({ url: openedUrl(href), start: at, end: at, pictures, isSeen: true, map })
  }

  #endLink(): void {
    const link = this.#link
    this.#link = undefined
    if (!link?.isSeen || this.#links.length >= LINKS_MAX) return
    this.#links.push({ ...link, end: this.#out.length })
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
