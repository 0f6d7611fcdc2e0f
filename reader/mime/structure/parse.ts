import { asBuffer, parseTransferEncoding } from '../encodings/transfer-encoding.ts'
import { decodeWords } from '../headers/encoded-words.ts'
import { readHeaderBlock } from '../headers/headers.ts'
import { boundaryParameter, parseStructured, type Structured, textParameter, tokenParameter } from '../headers/parameters.ts'
import { defaultMimeLimits } from '../mime-limits.ts'
import type { HeaderField, MimeLimits, MimePart, ParsedMessage } from '../types.ts'
import { Warnings } from '../warnings.ts'
import { BoundaryScanner } from './boundary.ts'

/** A part whose end is not known yet. */
type DraftPart = Omit<MimePart, 'bodyLength' | 'children'> & {
  bodyLength: number
  children: MimePart[]
  readonly boundary: string | undefined
  /** Fields of a first part whose delimiter is missing, so that they are in the block of the multipart. */
  readonly firstPart: readonly HeaderField[]
}

type ContentFields = { typeCount: number; type?: string; encoding?: string; disposition?: string; id?: string }

const nothing: Structured = { value: '', parameters: new Map(), isExtended: false }

/** Reads the Content-* fields of a part. Of repeated fields the first counts, as for From. */
function draftPart(
  headers: readonly HeaderField[],
  path: readonly number[],
  bodyOffset: number,
  defaultType: string,
  warnings: Warnings,
  parent?: DraftPart,
): DraftPart {
  const fields = contentFields(headers, warnings)
  const type = fields.type === undefined ? nothing : parseStructured(fields.type)
  const disposition = fields.disposition === undefined ? nothing : parseStructured(fields.disposition)
  const contentType = mediaType(type.value, fields.type, defaultType)
  const isText = contentType.startsWith('text/')
  return {
    path,
    headers,
    contentType,
    charset: tokenParameter(type, 'charset')?.toLowerCase() || undefined,
    outerCharset: parent?.contentType.startsWith('multipart/') ? (parent.charset ?? parent.outerCharset) : undefined,
    // RFC 2045 §6.1 allows comments, as `(c) quoted-printable`
    encoding: parseTransferEncoding(fields.encoding?.startsWith('(') ? parseStructured(fields.encoding).value : fields.encoding),
    disposition: parseDisposition(disposition.value),
    filename: textParameter(disposition, 'filename') ?? textParameter(type, 'name'),
    contentId: parseContentId(fields.id),
    start: contentType === 'multipart/related' ? parseContentId(tokenParameter(type, 'start')) : undefined,
    format: {
      flowed: isText && tokenParameter(type, 'format')?.toLowerCase() === 'flowed',
      delSp: tokenParameter(type, 'delsp')?.toLowerCase() === 'yes',
    },
    boundary: contentType.startsWith('multipart/') ? boundaryParameter(type) : undefined,
    firstPart: contentType.startsWith('multipart/') && fields.typeCount === 2 ? mergedPart(headers) : [],
    bodyOffset,
    bodyLength: 0,
    children: [],
  }
}

function contentFields(headers: readonly HeaderField[], warnings: Warnings): ContentFields {
  const found: ContentFields = { typeCount: 0 }
  for (const field of headers) {
    const { name } = field
    if (name.length < 10 || (name.charCodeAt(0) | 32) !== 0x63) continue
    const key = contentKeys.get(name.toLowerCase())
    if (key === undefined) continue
    const { value } = field
    if (key === 'type') found.typeCount++
    if (found[key] === undefined) found[key] = value
    else warnings.add('duplicate_header', key === 'encoding' ? 'content-transfer-encoding' : `content-${key}`)
  }
  return found
}

const contentKeys = new Map<string, 'type' | 'encoding' | 'disposition' | 'id'>([
  ['content-type', 'type'],
  ['content-transfer-encoding', 'encoding'],
  ['content-disposition', 'disposition'],
  ['content-id', 'id'],
])

/**
 * The fields from the second Content-Type on, if it says in full that text follows. Otherwise the first counts: a bare `text/plain` is
 * added to every mail by some gateways, and what follows is the preamble.
 */
function mergedPart(headers: readonly HeaderField[]): readonly HeaderField[] {
  const second = headers.findLastIndex(({ name }) => name.toLowerCase() === 'content-type')
  const value = headers[second]?.value ?? ''
  const isInFull = value.includes(';') || headers.length > second + 1
  return isInFull && /^text\/(plain|html)\b/i.test(value) ? headers.slice(second) : []
}

function mediaType(value: string, field: string | undefined, defaultType: string): string {
  if (field === undefined) return defaultType
  if (/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(value)) return value
  // RFC 2045 §5.2: an unreadable type is text, but a main type alone is enough not to show it as text
  if (/^(image|audio|video|application)\b/.test(value)) return 'application/octet-stream'
  if (/^multipart\b/.test(value)) return 'multipart/mixed'
  return value === 'html' ? 'text/html' : 'text/plain'
}

/** RFC 2183 §2.8: an unknown disposition means attachment. Anything that is no word is ignored. */
function parseDisposition(value: string): MimePart['disposition'] {
  if (!/^[a-z][\w-]*$/.test(value)) return undefined
  return value === 'inline' ? 'inline' : 'attachment'
}

/** Some programs encode and fold a long one. */
function parseContentId(field: string | undefined): string | undefined {
  if (field === undefined) return undefined
  const text = field.includes('=?') ? decodeWords(field) : field
  const id = /<([^<>]*)>/.exec(text)?.[1] ?? text
  return id.trim() || undefined
}

/**
 * Parses a message in one linear pass: headers and a part index; nothing is decoded or copied. Never throws: what it cannot understand
 * becomes a text part and a warning. A message over a limit is parsed up to the limit (`partial`).
 */
export function parseMessage(raw: Uint8Array, limits?: Partial<MimeLimits>): ParsedMessage {
  return new Pass(asBuffer(raw), limits ? { ...defaultMimeLimits, ...limits } : defaultMimeLimits).run()
}

/** Warnings about spelling only: everything was understood. */
const HARMLESS = /^(header_garbage|duplicate_header|text_after_last_part)/

type Open = { readonly part: DraftPart; readonly boundary: string | undefined }

class Pass {
  readonly #bytes: Buffer
  readonly #limits: MimeLimits
  readonly #newline: '\n' | '\r'
  readonly #warnings = new Warnings()
  readonly #scanner: BoundaryScanner
  /** The path from the message to the part being read. */
  readonly #open: Open[] = []
  #parts = 0
  #headerBytes = 0
  #headerFields = 0

  constructor(bytes: Buffer, limits: MimeLimits) {
    this.#bytes = bytes
    this.#limits = limits
    // Bounces written on old Macs end lines with CR alone; such a message contains no LF.
    this.#newline = bytes.includes(10) || !bytes.includes(13) ? '\n' : '\r'
    this.#scanner = new BoundaryScanner(bytes, this.#newline)
  }

  run(): ParsedMessage {
    const root = this.#readPart(startOfMessage(this.#bytes), [], 'text/plain')
    for (let delimiter = this.#scanner.next(); delimiter; delimiter = this.#scanner.next()) {
      this.#closeAbove(delimiter.depth, delimiter.bodyEnd)
      // a delimiter at the very end opens no part
      if (delimiter.isLast || delimiter.nextLine >= this.#bytes.length) continue
      if (this.#parts >= this.#limits.partsMax) {
        this.#warnings.add('parts_max', String(this.#limits.partsMax))
        break
      }
      const parent = this.#open[delimiter.depth]?.part
      if (!parent) break
      this.#readPart(delimiter.nextLine, [...parent.path, parent.children.length], defaultChildType(parent), parent)
    }
    this.#closeAbove(-1, this.#bytes.length)
    return { root, status: this.#status(root), warnings: this.#warnings.list() }
  }

  /** Reads the headers of the part at `offset` and, for message/rfc822, of the nested messages. Returns the outermost. */
  #readPart(offset: number, path: readonly number[], defaultType: string, parent?: DraftPart): MimePart {
    const first = this.#openPart(offset, path, defaultType, parent)
    let part = first
    if (first.firstPart.length > 0 && this.#mayDescend()) this.#openGlued(first)
    while (mayEmbedMessage(part) && this.#mayDescend()) {
      part = this.#openPart(part.bodyOffset, [...part.path, 0], 'text/plain', part)
    }
    return first
  }

  #openPart(offset: number, path: readonly number[], defaultType: string, parent: DraftPart | undefined): DraftPart {
    const end = this.#scanner.headerEnd(offset)
    const budget = Math.max(0, this.#limits.headerBytesMax - this.#headerBytes)
    const cut = Math.min(end, offset + budget)
    const limits = { fieldsMax: this.#limits.headerFieldsMax - this.#headerFields, fieldBytesMax: this.#limits.fieldBytesMax }
    const block = readHeaderBlock(this.#bytes.subarray(offset, cut), limits, this.#newline, this.#warnings)
    const isCut = cut < end && block.length === cut - offset
    if (isCut) this.#warnings.add('header_bytes_max', String(this.#limits.headerBytesMax))
    // What was searched for its end counts, however early the block turned out to end.
    this.#headerBytes += cut - offset
    this.#headerFields += block.fields.length
    const part = draftPart(block.fields, path, isCut ? end : offset + block.length, defaultType, this.#warnings, parent)
    parent?.children.push(part)
    this.#parts++
    this.#open.push({ part, boundary: this.#watch(part) })
    return part
  }

  /** A multipart without its first delimiter: its preamble is the first part (the fields of both are in one block). */
  #openGlued(parent: DraftPart): void {
    const part = draftPart(parent.firstPart, [...parent.path, 0], parent.bodyOffset, 'text/plain', this.#warnings, parent)
    parent.children.push(part)
    this.#parts++
    this.#open.push({ part, boundary: undefined })
  }

  /** Looks for a multipart's delimiters from here on. */
  #watch(part: DraftPart): string | undefined {
    const depth = this.#open.length
    if (!part.contentType.startsWith('multipart/')) {
      this.#scanner.continueAt(part.bodyOffset)
      return undefined
    }
    if (depth >= this.#limits.depthMax) {
      this.#warnings.add('depth_max', String(this.#limits.depthMax))
      this.#scanner.continueAt(part.bodyOffset)
      return undefined
    }
    const boundary = part.boundary || this.#scanner.guessBoundary(part.bodyOffset)
    if (!part.boundary) this.#warnings.add('missing_boundary')
    if (boundary) this.#scanner.push(boundary, depth)
    this.#scanner.continueAt(part.bodyOffset)
    return boundary
  }

  #mayDescend(): boolean {
    const isDeep = this.#open.length >= this.#limits.depthMax
    if (isDeep) this.#warnings.add('depth_max', String(this.#limits.depthMax))
    const isMany = this.#parts >= this.#limits.partsMax
    if (isMany) this.#warnings.add('parts_max', String(this.#limits.partsMax))
    return !isDeep && !isMany
  }

  /** Ends every open part deeper than `depth`. The line break before the delimiter belongs to the delimiter (RFC 2046 §5.1.1). */
  #closeAbove(depth: number, bodyEnd: number): void {
    while (this.#open.length > depth + 1) {
      const closed = this.#open.pop()
      if (!closed) return
      closed.part.bodyLength = Math.max(0, bodyEnd - closed.part.bodyOffset)
      if (closed.boundary === undefined) continue
      const isEnded = this.#scanner.pop(closed.boundary)
      if (!isEnded) this.#warnings.add('unclosed_boundary', closed.boundary)
    }
  }

  #status(root: MimePart): ParsedMessage['status'] {
    if (root.headers.length === 0 && root.children.length === 0 && this.#bytes.subarray(0, 4096).includes(0)) return 'failed'
    return this.#warnings.list().every(warning => HARMLESS.test(warning)) ? 'ok' : 'partial'
  }
}

// Only these: after an empty line a text may start with "Note: …"
const FIRST_FIELD =
  /^(from|to|subject|date|received|return-path|delivered-to|message-id|mime-version|content-type|reply-to|x-[\w-]{1,60}):/i
const BLANK_BYTES_MAX = 1024

/** Skips a byte order mark, empty lines or spaces, which some programs put before the first field, if a known field follows. */
function startOfMessage(bytes: Buffer): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (at < BLANK_BYTES_MAX && (bytes[at] === 10 || bytes[at] === 13 || bytes[at] === 32 || bytes[at] === 9)) at++
  return at > 0 && FIRST_FIELD.test(bytes.toString('latin1', at, at + 80)) ? at : 0
}

/** RFC 2046 §5.1.5: parts of a digest are messages by default. */
function defaultChildType(parent: DraftPart): string {
  return parent.contentType === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
}

/** An encoded message (forbidden by RFC 2046 §5.2.1) is not in the raw bytes, so it stays one attachment. */
function mayEmbedMessage(part: DraftPart): boolean {
  const isMessage = part.contentType === 'message/rfc822' || part.contentType === 'message/global'
  return isMessage && part.encoding !== 'base64' && part.encoding !== 'quoted-printable' && part.encoding !== 'x-uuencode'
}
