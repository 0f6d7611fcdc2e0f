/**
 * The letter in RTF that Outlook puts into a winmail.dat: unpacked ([MS-OXRTFCP]), and read as the HTML or text that it was made of
 * ([MS-OXRTFEX]), or as the text of a letter written in RTF. Colours, tables and pictures are not read.
 */
import { decodeText } from '../charsets/charset.ts'
import { TEXT_BYTES_MAX } from '../mime-limits.ts'

const HEADER_BYTES = 16
const PACKED = 0x75465a4c
const UNPACKED = 0x414c454d
const WINDOW_BYTES = 4096
/** All of it is read when the mail arrives, and markup costs far more than words. A packed byte may stand for nine. */
const RTF_BYTES_MAX = TEXT_BYTES_MAX / 4
/** [MS-OXRTFCP] section 2.1.2.1 */
const FIRST_WINDOW =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbol' +
  'ArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx'

/** Empty if it is neither packed nor marked as unpacked. Damaged bytes yield what comes before the damage. */
export function unpackRtf(bytes: Buffer): Buffer {
  if (bytes.length < HEADER_BYTES) return Buffer.alloc(0)
  const type = bytes.readUInt32LE(8)
  if (type === UNPACKED) return bytes.subarray(HEADER_BYTES, HEADER_BYTES + Math.min(bytes.readUInt32LE(4), RTF_BYTES_MAX))
  if (type !== PACKED) return Buffer.alloc(0)
  const start = FIRST_WINDOW.length
  const out = Buffer.alloc(start + Math.min(bytes.readUInt32LE(4), RTF_BYTES_MAX, 9 * bytes.length))
  out.write(FIRST_WINDOW, 'latin1')
  let length = start
  let at = HEADER_BYTES
  for (let control = 1; at < bytes.length && length < out.length; control >>= 1) {
    if (control === 1) control = 0x100 | (bytes[at++] ?? 0)
    if ((control & 1) === 0) {
      if (at < bytes.length) out[length++] = bytes[at++] ?? 0
      continue
    }
    if (at + 2 > bytes.length) break
    const token = bytes.readUInt16BE(at)
    at += 2
    // A position in the window of the last 4,096 bytes. That of the next byte marks the end.
    const back = (length - (token >> 4)) & (WINDOW_BYTES - 1)
    if (back === 0) break
    for (let left = (token & 15) + 2; left > 0 && length < out.length; left--, length++) out[length] = out[length - back] ?? 0
  }
  return out.subarray(start, length)
}

type Letter = { readonly type: 'html' | 'plain'; readonly text: string }

/** What a group inherits from the one around it. */
type Group = {
  isHidden: boolean
  /** RTF that stands for the HTML beside it ([MS-OXRTFEX] section 2.1.3.1.4) */
  isRendering: boolean
  isHtml: boolean
  isFontTable: boolean
  isInstruction: boolean
  /** Number of characters that follow a Unicode character for older readers. */
  fallback: number
  codePage: number
  /** The target of a link, and where its words begin. */
  link: string
  wordsAt: number
}

const DEPTH_MAX = 1000
/** The instruction of a field is a link with its options. */
const INSTRUCTION_CHARS_MAX = 4096
/** Pieces of text in which the target of a link is looked for. */
const LINK_PIECES_MAX = 20
const HIDDEN = new Set(['colortbl', 'stylesheet', 'info', 'pict', 'object', 'header', 'headerl', 'headerr', 'headerf', 'footer', 'footerl'])
const CHARACTERS = new Map([
  ['par', '\n'],
  ['line', '\n'],
  ['row', '\n'],
  ['sect', '\n'],
  ['page', '\n'],
  ['tab', '\t'],
  ['cell', '\t'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['bullet', '•'],
  ['endash', '–'],
  ['emdash', '—'],
  ['~', '\u00a0'],
  ['_', '\u2011'],
  ['{', '{'],
  ['}', '}'],
  ['\\', '\\'],
])
/** RTF's numbers of character sets in fonts, with their code pages. */
const FONT_CODE_PAGES = new Map([
  [77, 10000],
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
])
/** After these, text is written in another way or not at all. */
const TURNS = new Set([
  ...['u', 'uc', 'htmltag', 'htmlrtf', 'fromhtml', 'fromtext', 'ansicpg', 'fonttbl', 'fldinst', 'fldrslt', 'f', 'fcharset', 'plain'],
  ...HIDDEN,
  ...CHARACTERS.keys(),
])
const TOKEN = /[{}]|\\(?:([a-z]{1,32})(-?\d{1,10})? ?|'([\da-f]{2})|([^a-z]))|[^{}\\\r\n]+|[\r\n]+/giy

export const readRtf = (rtf: Buffer): Letter => new RtfReader().read(rtf.toString('latin1'))

function isWrittenAlike(one: Group, other: Group): boolean {
  return (
    one.isHidden === other.isHidden &&
    one.isRendering === other.isRendering &&
    one.isHtml === other.isHtml &&
    one.isFontTable === other.isFontTable &&
    one.isInstruction === other.isInstruction &&
    one.codePage === other.codePage
  )
}

class RtfReader {
  /** Joined at the end: looking into a growing string copies all of it. */
  readonly #out: string[] = []
  #length = 0
  #instruction = ''
  /** Characters in their code page, which may take several. */
  #bytes: number[] = []
  /** Runs of one or two bytes, since some letters have hundreds of thousands of them. */
  readonly #decoded = new Map<number, string>()
  #type: Letter['type'] | undefined
  #skip = 0
  #isIgnorable = false
  #font = 0
  #codePage = 1252
  readonly #fonts = new Map<number, number>()
  readonly #groups: Group[] = []
  #group: Group = {
    isHidden: false,
    isRendering: false,
    isHtml: false,
    isFontTable: false,
    isInstruction: false,
    fallback: 1,
    codePage: 0,
    link: '',
    wordsAt: -1,
  }

  read(rtf: string): Letter {
    const token = new RegExp(TOKEN)
    for (let match = token.exec(rtf); match && this.#groups.length < DEPTH_MAX; match = token.exec(rtf)) {
      const [text, word, parameter, hex, symbol] = match
      if (text === '{') this.#open()
      else if (text === '}') this.#close()
      else if (word === 'bin') token.lastIndex += Math.max(0, Number(parameter ?? 0))
      else if (word !== undefined) this.#control(word.toLowerCase(), parameter === undefined ? undefined : Number(parameter))
      else if (hex !== undefined) this.#byte(Number.parseInt(hex, 16))
      else if (symbol === '*') this.#isIgnorable = true
      else if (symbol === '\r' || symbol === '\n') this.#character('\n')
      else if (symbol !== undefined) this.#character(CHARACTERS.get(symbol) ?? '')
      else if (text.charCodeAt(0) !== 13 && text.charCodeAt(0) !== 10)
        for (const char of text.slice(0, TEXT_BYTES_MAX)) this.#byte(char.charCodeAt(0))
      if (this.#length + this.#bytes.length > TEXT_BYTES_MAX) break
    }
    this.#flush()
    return { type: this.#type ?? 'plain', text: this.#out.join('') }
  }

  #open(): void {
    this.#skip = 0
    this.#groups.push(this.#group)
    this.#group = { ...this.#group, wordsAt: -1 }
  }

  #close(): void {
    this.#skip = 0
    const { wordsAt, link, isInstruction } = this.#group
    const around = this.#groups.pop()
    // Bytes around an empty group are one run: to decode a run takes as long as to read a hundred bytes.
    if (!around || wordsAt !== -1 || !isWrittenAlike(this.#group, around)) this.#flush()
    if (!around) return
    if (isInstruction && !around.isInstruction) {
      around.link = /HYPERLINK\s+"?(https?:[^"\s]+)/i.exec(this.#instruction)?.[1] ?? ''
      this.#instruction = ''
    }
    // Only text has no other place for the target of a link.
    const isLinkText = wordsAt !== -1 && link !== '' && this.#type === undefined
    const words = isLinkText ? this.#out.slice(wordsAt, wordsAt + LINK_PIECES_MAX).join('') : link
    if (!words.includes(link)) this.#append(` <${link}>`)
    this.#group = around
  }

  #control(word: string, parameter: number | undefined): void {
    const isIgnorable = this.#isIgnorable
    this.#isIgnorable = false
    if (isIgnorable || TURNS.has(word)) this.#flush()
    const group = this.#group
    const value = parameter ?? 0
    if (word === 'u') this.#unicode(value)
    else if (word === 'uc') group.fallback = Math.min(Math.max(value, 0), 8)
    else if (word === 'htmltag') group.isHtml = true
    else if (word === 'htmlrtf') group.isRendering = parameter !== 0
    else if (word === 'fromhtml') this.#type = 'html'
    else if (word === 'fromtext') this.#type = 'plain'
    else if (word === 'ansicpg') this.#codePage = value || 1252
    else if (word === 'fonttbl') group.isFontTable = true
    else if (word === 'fldinst') group.isInstruction = true
    else if (word === 'fldrslt') group.wordsAt = this.#out.length
    else if (word === 'f') this.#setFont(value)
    else if (word === 'fcharset' && group.isFontTable) this.#fonts.set(this.#font, FONT_CODE_PAGES.get(value) ?? 0)
    else if (word === 'plain') group.codePage = 0
    else if (isIgnorable || HIDDEN.has(word)) group.isHidden = true
    else if (CHARACTERS.has(word)) this.#character(CHARACTERS.get(word) ?? '')
  }

  #setFont(font: number): void {
    this.#font = font
    if (!this.#group.isFontTable) this.#group.codePage = this.#fonts.get(font) ?? 0
  }

  #unicode(value: number): void {
    this.#write(String.fromCharCode(value & 0xffff))
    this.#skip = this.#group.fallback
  }

  #byte(byte: number): void {
    if (this.#skip > 0) this.#skip -= 1
    else this.#bytes.push(byte)
  }

  #character(text: string): void {
    this.#flush()
    if (this.#skip > 0) this.#skip -= 1
    else this.#write(text)
  }

  #flush(): void {
    if (this.#bytes.length === 0) return
    const bytes = this.#bytes
    this.#bytes = []
    this.#write(this.#decode((this.#group.isHtml ? 0 : this.#group.codePage) || this.#codePage, bytes))
  }

  #decode(codePage: number, bytes: readonly number[]): string {
    const [first = 0, second = -1] = bytes
    const name = (codePage * 257 + second + 1) * 256 + first
    const known = bytes.length <= 2 ? this.#decoded.get(name) : undefined
    if (known !== undefined) return known
    const { text } = decodeText(Buffer.from(bytes), charsetOf(codePage))
    if (bytes.length <= 2) this.#decoded.set(name, text)
    return text
  }

  #write(text: string): void {
    const { isHidden, isFontTable, isRendering, isInstruction, isHtml } = this.#group
    if (isInstruction && this.#instruction.length < INSTRUCTION_CHARS_MAX) this.#instruction += text
    if (isHidden || isFontTable || isRendering || isInstruction) return
    this.#append(this.#type === 'html' && !isHtml ? text.replace(/</g, '&lt;').replace(/>/g, '&gt;') : text)
  }

  #append(text: string): void {
    this.#out.push(text)
    this.#length += text.length
  }
}

/** Charsets whose number among Microsoft's code pages is not part of their name. */
const CHARSETS = new Map([
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10000, 'macintosh'],
  [20127, 'us-ascii'],
  [20866, 'koi8-r'],
  [21866, 'koi8-u'],
  [50220, 'iso-2022-jp'],
  [50221, 'iso-2022-jp'],
  [51932, 'euc-jp'],
  [54936, 'gb18030'],
  [65001, 'utf-8'],
])

/** 1250 is `windows-1250`, 28592 `iso-8859-2`. A number without a meaning is taken for 1252, so that few names are looked up. */
export function charsetOf(codePage: number): string {
  const known = CHARSETS.get(codePage)
  if (known !== undefined) return known
  if (codePage > 28_590 && codePage < 28_606) return `iso-8859-${codePage - 28_590}`
  if (codePage === 874 || (codePage >= 1250 && codePage <= 1258)) return `windows-${codePage}`
  return codePage >= 437 && codePage < 870 ? `cp${codePage}` : 'windows-1252'
}
