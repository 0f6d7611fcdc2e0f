import { changeInBlocks } from './blocks.ts'

/** `&`, optionally `#`, and what the expression below matches. */
const ENTITY_CHARS_MAX = 12
/** Named entities that mail bodies use. The browser knows all 2,231 of them when it shows the mail itself. */
const NAMED_ENTITIES = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    shy: '',
    zwnj: '',
    zwj: '\u200d',
    ensp: ' ',
    emsp: ' ',
    thinsp: ' ',
    copy: '©',
    reg: '®',
    trade: '™',
    deg: '°',
    middot: '·',
    bull: '•',
    hellip: '…',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    laquo: '«',
    raquo: '»',
    lsaquo: '‹',
    rsaquo: '›',
    larr: '←',
    rarr: '→',
    uarr: '↑',
    darr: '↓',
    times: '×',
    euro: '€',
    pound: '£',
    yen: '¥',
    cent: '¢',
    sect: '§',
    para: '¶',
    frac12: '½',
    frac14: '¼',
    frac34: '¾',
    plusmn: '±',
    iexcl: '¡',
    iquest: '¿',
    ordf: 'ª',
    ordm: 'º',
    Agrave: 'À',
    Aacute: 'Á',
    Acirc: 'Â',
    Atilde: 'Ã',
    Auml: 'Ä',
    Aring: 'Å',
    AElig: 'Æ',
    Ccedil: 'Ç',
    Egrave: 'È',
    Eacute: 'É',
    Ecirc: 'Ê',
    Euml: 'Ë',
    Igrave: 'Ì',
    Iacute: 'Í',
    Icirc: 'Î',
    Iuml: 'Ï',
    Ntilde: 'Ñ',
    Ograve: 'Ò',
    Oacute: 'Ó',
    Ocirc: 'Ô',
    Otilde: 'Õ',
    Ouml: 'Ö',
    Oslash: 'Ø',
    Ugrave: 'Ù',
    Uacute: 'Ú',
    Ucirc: 'Û',
    Uuml: 'Ü',
    szlig: 'ß',
    agrave: 'à',
    aacute: 'á',
    acirc: 'â',
    atilde: 'ã',
    auml: 'ä',
    aring: 'å',
    aelig: 'æ',
    ccedil: 'ç',
    egrave: 'è',
    eacute: 'é',
    ecirc: 'ê',
    euml: 'ë',
    igrave: 'ì',
    iacute: 'í',
    icirc: 'î',
    iuml: 'ï',
    ntilde: 'ñ',
    ograve: 'ò',
    oacute: 'ó',
    ocirc: 'ô',
    otilde: 'õ',
    ouml: 'ö',
    oslash: 'ø',
    ugrave: 'ù',
    uacute: 'ú',
    ucirc: 'û',
    uuml: 'ü',
    yuml: 'ÿ',
    OElig: 'Œ',
    oelig: 'œ',
    Scaron: 'Š',
    scaron: 'š',
  }),
)

function decodeEntities(text: string): string {
  return text.includes('&') ? changeInBlocks(text, beforeEntity, decodeBlock) : text
}

function beforeEntity(text: string, end: number): number {
  const start = text.lastIndexOf('&', end - 1)
  return end - start < ENTITY_CHARS_MAX ? start : end
}

function decodeBlock(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,8}));?/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED_ENTITIES.get(name) ?? whole
    return character(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
  })
}

function character(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd'
  return String.fromCodePoint(code)
}

/** Elements whose content is skipped. */
const UNREAD = new Set(['script', 'style', 'title', 'template', 'textarea', 'noscript', 'iframe', 'object', 'xml'])
/** Elements that start a line. Table rows do, cells do not. */
const BLOCKS = new Set(
  'address article aside blockquote br center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
)
const TAG_CHARS_MAX = 20
/** No text is so sparse, also where it starts late. A mail of 260,000 tags would otherwise be read whole for an empty preview. */
const TAGS_PER_CHAR_MAX = 25
/** All white space but a single space between words. */
const BLANKS = /(?! \S)\s+/g

/**
 * The readable text of an HTML mail, about `charsMax` characters of it at most and of 25 times as many tags, with line breaks after blocks.
 * One pass, no tree: for previews, code search and the text view, not for sanitising.
 */
export function htmlToText(html: string, charsMax = Number.POSITIVE_INFINITY): string {
  const out = new TextOutput()
  let at = 0
  let tagsLeft = charsMax * TAGS_PER_CHAR_MAX
  while (at < html.length && out.length < charsMax && tagsLeft-- > 0) {
    const open = html.indexOf('<', at)
    const end = open === -1 ? html.length : open
    // an endless text would otherwise be decoded whole for a preview of 200 characters
    const text = html.slice(at, Math.min(end, at + charsMax * 2 + 1000))
    if (text !== '') out.addText(text)
    if (open === -1) break
    const tag = readTag(html, open)
    if (tag.name === '') {
      if (tag.end === open + 1) out.addText('<')
    } else if (BLOCKS.has(tag.name)) out.addBreak()
    else if (tag.name === 'td' || tag.name === 'th') out.addBlank()
    at = tag.end
  }
  return out.toString().trim()
}

type Tag = { readonly name: string; readonly end: number }

/**
 * The element name (lower case; empty for comments and invalid tags) and where reading continues: after the content of skipped elements.
 */
function readTag(html: string, open: number): Tag {
  const next = html.charCodeAt(open + 1)
  if (next === 0x21 || next === 0x3f) return { name: '', end: commentEnd(html, open) }
  const isClosing = next === 0x2f
  const start = open + (isClosing ? 2 : 1)
  const nameEnd = endOfName(html, start)
  if (nameEnd === start) return { name: '', end: open + 1 }
  const name = html.slice(start, nameEnd).toLowerCase()
  const end = tagEnd(html, start + name.length)
  if (isClosing || !UNREAD.has(name)) return { name, end }
  return { name: 'unread', end: contentEnd(html, end, name) }
}

/**
 * Of a letter and the letters, digits and colons after it. A loop takes a fifth of the time of a pattern, and a newsletter has thousands of
 * tags.
 */
function endOfName(html: string, start: number): number {
  let at = start
  for (; at < start + TAG_CHARS_MAX; at++) {
    const code = html.charCodeAt(at)
    const letter = code | 0x20
    const isLetter = letter >= 0x61 && letter <= 0x7a
    if (!isLetter && (at === start || !(code >= 0x30 && code <= 0x3a))) break
  }
  return at
}

function commentEnd(html: string, open: number): number {
  const mark = html.startsWith('<!--', open) ? '-->' : '>'
  const found = html.indexOf(mark, open + 2)
  return found === -1 ? html.length : found + mark.length
}

/** After the first `>` outside of quoted attribute values. */
function tagEnd(html: string, from: number): number {
  let quote = 0
  for (let at = from; at < html.length; at++) {
    const code = html.charCodeAt(at)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === 0x3e) return at + 1
    else if ((code === 0x22 || code === 0x27) && html.charCodeAt(at - 1) === 0x3d) quote = code
  }
  return html.length
}

function contentEnd(html: string, from: number, name: string): number {
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2)) {
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return tagEnd(html, at + 2 + name.length)
  }
  return html.length
}

/**
 * The text so far, in pieces. Only the end of the text is looked at: reading the end of a string that grows by a few characters copies it
 * each time, and 2 MiB of `a<b>` took 15 s.
 */
class TextOutput {
  readonly #pieces: string[] = []
  #length = 0
  /** The last two characters of the text. */
  #end = ''

  get length(): number {
    return this.#length
  }

  addText(raw: string): void {
    const text = decodeEntities(raw).replace(BLANKS, ' ')
    this.#add(this.#endsWithBlank() ? text.trimStart() : text)
  }

  addBlank(): void {
    if (this.#end === '' || !this.#endsWithBlank()) this.#add(' ')
  }

  addBreak(): void {
    if (this.#end === '' || this.#end === '\n\n') return
    if (this.#end.endsWith(' ')) this.#dropLast()
    this.#add('\n')
  }

  toString(): string {
    return this.#pieces.join('')
  }

  #add(piece: string): void {
    if (piece === '') return
    this.#pieces.push(piece)
    this.#length += piece.length
    this.#end = (this.#end + piece.slice(-2)).slice(-2)
  }

  /** Also at the start. */
  #endsWithBlank(): boolean {
    const last = this.#end.charCodeAt(this.#end.length - 1)
    // Letters and the space need no pattern.
    return this.#end === '' || last === 0x20 || (!(last > 0x20 && last < 0x7f) && /\s$/.test(this.#end))
  }

  #dropLast(): void {
    const last = this.#pieces.pop()?.slice(0, -1) ?? ''
    if (last !== '') this.#pieces.push(last)
    this.#length--
    this.#end = last === '' ? (this.#pieces.at(-1) ?? '').slice(-2) : last.slice(-2)
  }
}

/** Elements that mails use. `<stdio.h>`, `<int>` and `<ada@example.com>` are not tags. */
const NAMES =
  'html|head|body|title|meta|link|style|script|base|p|br|div|span|a|strong|b|em|i|u|s|h[1-6]|ul|ol|li|dl|dt|dd|blockquote|hr|img|table|caption|' +
  'colgroup|col|thead|tbody|tfoot|tr|td|th|center|font|small|big|sub|sup|del|ins|code|pre|tt|section|article|header|footer|main|nav|figure|' +
  'form|input|button|select|textarea|iframe|svg|video|audio|object|embed'
const TAGS = new RegExp(`<!--[^<>]*-->|<(?:!doctype|/?(?:${NAMES}))(?:\\s[^<>]*|/)?>`, 'gi')
/** A text that was cut may end within a tag. */
const CUT_TAG = new RegExp(`<(?:/?(?:${NAMES}))\\s[^<>]*$`, 'i')
const ENTITIES: Readonly<Record<string, string>> = { '&nbsp;': ' ', '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/**
 * Removes HTML from plain text: tags stripped, four entities decoded, white space collapsed. Linear, and not a sanitiser: the result is
 * never shown as HTML. Text without HTML stays unchanged. Each entity is decoded once: `&amp;lt;` becomes `&lt;`.
 */
export function stripMarkup(text: string): string {
  if (!text.includes('<')) return text
  const stripped = text.replace(TAGS, '').replace(CUT_TAG, '')
  if (stripped === text) return text
  return stripped
    .replace(/&(?:nbsp|lt|gt|amp);/gi, entity => ENTITIES[entity.toLowerCase()] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
}
