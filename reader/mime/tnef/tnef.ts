import { decodeText } from '../charsets/charset.ts'
import type { MimePart } from '../types.ts'
import { charsetOf, readRtf, unpackRtf } from './rtf.ts'

/** One number, text or binary property of a TNEF stream, as a view of the stream. */
type MapiProperty = { readonly id: number; readonly type: number; readonly offset: number; readonly length: number }

const MapiType = { long: 0x03, string8: 0x1e, unicode: 0x1f, binary: 0x102, object: 0x0d } as const

const MULTI_VALUED = 0x1000
const FIRST_NAMED_ID = 0x8000
const GUID_BYTES = 16
/** [MS-OXCDATA] §2.11.1, sizes in the stream: values shorter than 4 bytes are padded to 4. */
const FIXED_BYTES = new Map([
  [0x02, 4],
  [0x03, 4],
  [0x04, 4],
  [0x05, 8],
  [0x06, 8],
  [0x07, 8],
  [0x0a, 4],
  [0x0b, 4],
  [0x14, 8],
  [0x40, 8],
  [0x48, 16],
])
// Real messages have fewer than 200.
const PROPERTIES_MAX = 5000

/**
 * The properties of an attMsgProps or attAttachment ([MS-OXTNEF] §2.1.3.4) in `bytes`, from `offset` to `end`. Stops at the first property
 * of unknown length. Every step moves forward, so a malformed stream costs no more than a valid one.
 */
function readMapiProperties(bytes: Buffer, offset: number, end: number): MapiProperty[] {
  const found: MapiProperty[] = []
  const cursor = new Cursor(bytes, offset, end)
  let left = Math.min(cursor.uint32(), PROPERTIES_MAX)
  while (left-- > 0 && !cursor.isBroken) readProperty(cursor, found)
  return found
}

function readProperty(cursor: Cursor, found: MapiProperty[]): void {
  const declared = cursor.uint16()
  const id = cursor.uint16()
  if (id >= FIRST_NAMED_ID) skipName(cursor)
  const type = declared & ~MULTI_VALUED
  const fixed = FIXED_BYTES.get(type)
  const isMany = fixed === undefined || (declared & MULTI_VALUED) !== 0
  const count = isMany ? cursor.uint32() : 1
  if (fixed === undefined && !Object.values<number>(MapiType).includes(type)) cursor.giveUp()
  const value = cursor.at
  if (fixed !== undefined) cursor.skip(count * fixed)
  if (type === MapiType.long && !isMany && !cursor.isBroken) found.push({ id, type, offset: value, length: 4 })
  for (let index = 0; fixed === undefined && index < count && !cursor.isBroken; index++) {
    const length = cursor.uint32()
    const offset = cursor.at
    cursor.skip(padded(length))
    if (!cursor.isBroken) found.push({ id, type, offset, length })
  }
}

function skipName(cursor: Cursor): void {
  cursor.skip(GUID_BYTES)
  const isString = cursor.uint32() !== 0
  const value = cursor.uint32()
  if (isString) cursor.skip(padded(value))
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4
}

/** Reads little-endian numbers up to an end. Beyond it, numbers are 0 and the cursor is marked broken. */
class Cursor {
  readonly #bytes: Buffer
  readonly #end: number
  at: number
  isBroken = false

  constructor(bytes: Buffer, at: number, end: number) {
    this.#bytes = bytes
    this.at = at
    this.#end = Math.min(end, bytes.length)
  }

  giveUp(): void {
    this.isBroken = true
  }

  skip(count: number): void {
    // the padding of the last value may be missing
    if (this.at + count > this.#end + 3) this.isBroken = true
    this.at += count
  }

  uint16(): number {
    return this.#read(2)
  }

  uint32(): number {
    return this.#read(4)
  }

  #read(count: 2 | 4): number {
    const at = this.at
    if (at + count > this.#end) this.isBroken = true
    this.at += count
    if (this.isBroken) return 0
    return count === 2 ? this.#bytes.readUInt16LE(at) : this.#bytes.readUInt32LE(at)
  }
}

/** A file inside a winmail.dat, as a view of the decoded stream. */
export type TnefFile = { readonly name: string | undefined; readonly contentType: string; readonly offset: number; readonly length: number }

type TnefContent = {
  readonly files: readonly TnefFile[]
  /** The stream contains more than files and a letter, so the winmail.dat itself must stay available. */
  readonly hasMore: boolean
  readonly hasLetter: boolean
  /** Reads what the sender wrote, which takes far longer than finding the files. `undefined` if it is empty. */
  letter(): TnefLetter | undefined
}

/** `charset` is undefined if the stream does not say it. */
type TnefLetter = { readonly type: 'html' | 'plain'; readonly bytes: Buffer; readonly charset: string | undefined }

export function isTnef(part: MimePart): boolean {
  return /^application\/(vnd\.)?ms-tnef$/.test(part.contentType) || part.filename?.toLowerCase() === 'winmail.dat'
}

const SIGNATURE = 0x223e9f78
// [MS-OXTNEF] §2.1.3.2: attribute identifiers with their types
const ATT_ATTACH_TITLE = 0x00018010
const ATT_ATTACH_DATA = 0x0006800f
const ATT_BODY = 0x0002800c
const ATT_ATTACH_REND_DATA = 0x00069002
const ATT_MSG_PROPS = 0x00069003
const ATT_ATTACHMENT = 0x00069005
const ATT_OEM_CODEPAGE = 0x00069007
const HEADER_BYTES = 9 // level, identifier, length
const CHECKSUM_BYTES = 2
// [MS-OXPROPS]
const PR_BODY = 0x1000
const PR_RTF_COMPRESSED = 0x1009
const PR_BODY_HTML = 0x1013
const PR_INTERNET_CPID = 0x3fde
const PR_DISPLAY_NAME = 0x3001
const PR_ATTACH_DATA = 0x3701
const PR_ATTACH_FILENAME = 0x3704
const PR_ATTACH_LONG_FILENAME = 0x3707
const PR_ATTACH_MIME_TAG = 0x370e
const OBJECT_ID_BYTES = 16 // PtypObject values begin with the interface they implement

const FILES_MAX = 1000
/** A forwarded message contains another; each level reads only the bytes of the one around it. */
const DEPTH_MAX = 10

type Window = { readonly offset: number; readonly length: number }
type LetterParts = { html?: MapiProperty; rtf?: MapiProperty; text?: MapiProperty; codePage?: string }
type Draft = { name?: string; longName?: string; contentType?: string; data?: Window; object?: Window }

/** Reads a TNEF stream ([MS-OXTNEF]); of a malformed one, what comes before the error. Never throws, never loops. */
export function readTnef(bytes: Buffer): TnefContent {
  const files: TnefFile[] = []
  if (!isTnefStream(bytes, { offset: 0, length: bytes.length })) return { files, hasMore: true, hasLetter: false, letter: () => undefined }
  const reader = new TnefReader(bytes, files, 0)
  const hasMore = reader.read(0, bytes.length)
  return { files, hasMore, hasLetter: reader.hasLetter, letter: () => reader.letter() }
}

const isTnefStream = (bytes: Buffer, { offset, length }: Window): boolean => length > 6 && bytes.readUInt32LE(offset) === SIGNATURE

class TnefReader {
  readonly #bytes: Buffer
  readonly #files: TnefFile[]
  readonly #depth: number
  #draft: Draft | undefined
  #charset = 'windows-1252'
  #body: LetterParts = {}
  #hasMore = false

  constructor(bytes: Buffer, files: TnefFile[], depth: number) {
    this.#bytes = bytes
    this.#files = files
    this.#depth = depth
  }

  get hasLetter(): boolean {
    const { html, rtf, text } = this.#body
    return (html ?? rtf ?? text) !== undefined
  }

  /** The HTML, or the RTF made of it, before plain text and other RTF, which both have no more than the words. */
  letter(): TnefLetter | undefined {
    const { html, rtf, text, codePage } = this.#body
    if (html) return { type: 'html', bytes: this.#bytesOf(html), charset: codePage }
    const read = rtf && readRtf(unpackRtf(this.#bytesOf(rtf)))
    const plain = text && this.#text(text)
    const found = read?.type === 'html' || !plain?.trim() ? read : { type: 'plain' as const, text: plain }
    return found?.text.trim() ? { type: found.type, bytes: Buffer.from(found.text), charset: 'utf-8' } : undefined
  }

  /** Adds the files between `start` and `end`. Returns whether the stream contains more than files. */
  read(start: number, end: number): boolean {
    const bytes = this.#bytes
    let at = start + 6
    while (at + HEADER_BYTES <= end && this.#files.length < FILES_MAX) {
      const id = bytes.readUInt32LE(at + 1)
      const length = bytes.readUInt32LE(at + 5)
      const from = at + HEADER_BYTES
      if (from + length > end) break
      this.#attribute(id, from, length)
      at = from + length + CHECKSUM_BYTES
    }
    if (at < end) this.#hasMore = true
    this.#finish()
    return this.#hasMore
  }

  #attribute(id: number, offset: number, length: number): void {
    if (id === ATT_ATTACH_REND_DATA) {
      this.#finish()
      this.#draft = {}
    } else if (id === ATT_OEM_CODEPAGE && length >= 4) this.#charset = charsetOf(this.#bytes.readUInt32LE(offset))
    else if (id === ATT_MSG_PROPS) this.#message(readMapiProperties(this.#bytes, offset, offset + length))
    else if (id === ATT_BODY) this.#body.text ??= { id: 0, type: MapiType.string8, offset, length }
    else if (!this.#draft) return
    else if (id === ATT_ATTACH_TITLE) this.#draft.name = this.#text({ id: 0, type: MapiType.string8, offset, length })
    else if (id === ATT_ATTACH_DATA) this.#draft.data = { offset, length }
    else if (id === ATT_ATTACHMENT) this.#attachment(this.#draft, readMapiProperties(this.#bytes, offset, offset + length))
  }

  #message(properties: readonly MapiProperty[]): void {
    for (const property of properties) {
      const { id, type, offset, length } = property
      if (length === 0) continue
      if (id === PR_BODY_HTML) this.#body.html = property
      else if (id === PR_RTF_COMPRESSED) this.#body.rtf = property
      else if (id === PR_BODY) this.#body.text = property
      else if (id === PR_INTERNET_CPID && type === MapiType.long) this.#body.codePage = charsetOf(this.#bytes.readUInt32LE(offset))
    }
    // A message inside the message is not shown, so its letter is a file.
    const { html, rtf, text } = this.#body
    if (this.#depth > 0 && html && this.#files.length < FILES_MAX)
      this.#files.push({ name: 'body.html', contentType: 'text/html', offset: html.offset, length: html.length })
    else if (this.#depth > 0 && (rtf || text)) this.#hasMore = true
  }

  #attachment(draft: Draft, properties: readonly MapiProperty[]): void {
    for (const property of properties) {
      if (property.id === PR_ATTACH_LONG_FILENAME) draft.longName = this.#text(property)
      else if (property.id === PR_ATTACH_FILENAME || property.id === PR_DISPLAY_NAME) draft.name ??= this.#text(property)
      else if (property.id === PR_ATTACH_MIME_TAG) draft.contentType = this.#text(property).toLowerCase()
      else if (property.id === PR_ATTACH_DATA) {
        const skipped = property.type === MapiType.object ? Math.min(OBJECT_ID_BYTES, property.length) : 0
        // Outlook puts "This attachment is a MAPI 1.0 embedded message …" here for programs that do not support objects
        draft.object = { offset: property.offset + skipped, length: property.length - skipped }
      }
    }
  }

  #bytesOf({ offset, length }: MapiProperty): Buffer {
    return this.#bytes.subarray(offset, offset + length)
  }

  #text(property: MapiProperty): string {
    return decodeText(this.#bytesOf(property), property.type === MapiType.unicode ? 'utf-16le' : this.#charset).text.replace(/\0.*$/s, '')
  }

  #finish(): void {
    const draft = this.#draft
    this.#draft = undefined
    const data = draft?.object ?? draft?.data
    if (!draft || !data || this.#files.length >= FILES_MAX) return
    if (isTnefStream(this.#bytes, data) && this.#depth < DEPTH_MAX) {
      const inner = new TnefReader(this.#bytes, this.#files, this.#depth + 1)
      if (inner.read(data.offset, data.offset + data.length)) this.#hasMore = true
      return
    }
    const contentType = /^[\w.+-]+\/[\w.+-]+$/.test(draft.contentType ?? '') ? draft.contentType : undefined
    this.#files.push({ name: draft.longName || draft.name || undefined, contentType: contentType ?? 'application/octet-stream', ...data })
  }
}
