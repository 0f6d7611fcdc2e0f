import type { MimePart } from '../types.ts'

/** Content-Transfer-Encoding values in mail, mapped to those of `MimePart.encoding`. */
export function parseTransferEncoding(field: string | undefined): string {
  const token = /[a-z0-9_-]+/i.exec(field ?? '7bit')?.[0].toLowerCase() ?? '8bit'
  if (token === 'quoted-printable' || token === 'quotedprintable' || token === 'qp') return 'quoted-printable'
  if (token === 'base64' || token === 'base-64') return 'base64'
  if (/^(x-)?uu(e|encode)?$/.test(token)) return 'x-uuencode'
  if (token === '7bit' || token === '7-bit') return '7bit'
  return token === 'binary' ? 'binary' : '8bit'
}

/** The part's encoded bytes, as a view of the raw message. */
export function encodedBody(raw: Uint8Array, part: MimePart): Buffer {
  return asBuffer(part.unpacked ?? raw).subarray(part.bodyOffset, part.bodyOffset + part.bodyLength)
}

/** The decoded bytes of a part's body. For 7bit, 8bit and binary, a view of the raw bytes. */
export const decodeBody = (raw: Uint8Array, part: MimePart): Buffer => decodeBytes(encodedBody(raw, part), part.encoding)

export function decodeBytes(bytes: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return decodeBase64(bytes)
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(bytes)
  if (encoding === 'x-uuencode') return decodeUuencode(bytes)
  return bytes
}

const FIRST_LINE = /\S[^\r\n]{0,1000}/

/**
 * The real encoding of a text: some senders declare base64 and send plain text. It is read as plain text if one of the first 16 characters
 * is not in the base64 alphabet; text after that may be a list's footer.
 */
export function textEncoding(encoded: Buffer, part: MimePart): string {
  if (part.encoding !== 'base64') return part.encoding
  const line = FIRST_LINE.exec(encoded.toString('latin1', 0, 2000))?.[0].trimEnd() ?? ''
  const foreign = line.match(/[^\w+/=-]/g)?.length ?? 0
  return foreign * 16 > line.length ? '8bit' : part.encoding
}

/** 7bit, 8bit or binary: the raw bytes are the content. */
export const isUnencoded = ({ encoding }: MimePart): boolean => encoding === '7bit' || encoding === '8bit' || encoding === 'binary'

const LF = 10

/** Decodes the lines between `begin` and `end` (POSIX uuencode). Lines may have lost trailing spaces; missing characters are zero bits. */
function decodeUuencode(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(Math.ceil(bytes.length * 0.75) + 48)
  let length = 0
  let at = 0
  let isInside = !/^begin(-base64)? [0-7]{3,4} /m.test(bytes.toString('latin1', 0, 4096))
  while (at < bytes.length) {
    const found = bytes.indexOf(LF, at)
    const end = found === -1 ? bytes.length : found
    const lineEnd = bytes[end - 1] === 13 ? end - 1 : end
    if (!isInside) isInside = bytes.toString('latin1', at, Math.min(lineEnd, at + 6)) === 'begin '
    else if (lineEnd - at === 3 && bytes.toString('latin1', at, lineEnd) === 'end') break
    else length = decodeLine(bytes, at, lineEnd, out, length)
    at = end + 1
  }
  return out.subarray(0, length)
}

function decodeLine(bytes: Buffer, from: number, to: number, out: Buffer, start: number): number {
  if (to <= from) return start
  const count = sixBits(bytes[from])
  let length = start
  for (let at = from + 1; length - start < count && at < to; at += 4) {
    const bits =
      (digit(bytes, at, to) << 18) | (digit(bytes, at + 1, to) << 12) | (digit(bytes, at + 2, to) << 6) | digit(bytes, at + 3, to)
    for (let shift = 16; shift >= 0 && length - start < count; shift -= 8) out[length++] = (bits >> shift) & 0xff
  }
  return length
}

const digit = (bytes: Buffer, at: number, to: number): number => (at < to ? sixBits(bytes[at]) : 0)
const sixBits = (byte: number | undefined): number => ((byte ?? 32) - 32) & 0x3f

const PAD = 0x3d
const values = new Int8Array(256).fill(-1)
for (const [value, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  values[char.charCodeAt(0)] = value
values[0x2d] = 62 // URL-safe alphabet (RFC 4648 §5), which some senders use
values[0x5f] = 63

/** RFC 2045 §6.8: characters outside of the alphabet are ignored. Text after padding starts a new group (two encodings joined together). */
export function decodeBase64(bytes: Buffer): Buffer {
  const pad = bytes.indexOf(PAD)
  if (pad === -1 || isPaddingOnly(bytes, pad)) return Buffer.from(bytes.toString('latin1'), 'base64')
  const out = Buffer.allocUnsafe(Math.ceil((bytes.length * 3) / 4))
  return out.subarray(0, decodeGroups(bytes, out))
}

function isPaddingOnly(bytes: Buffer, from: number): boolean {
  for (let at = from; at < bytes.length; at++) if (values[bytes[at] ?? 0] !== -1) return false
  return true
}

/** The slow path, for text after padding, which counts in whole groups only: a list's footer after the encoded text is not data. */
function decodeGroups(bytes: Buffer, out: Buffer): number {
  let length = 0
  let group = 0
  let digits = 0
  let sureLength = 0
  let isPadded = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const value = values[byte] ?? -1
    if (value !== -1) {
      group = (group << 6) | value
      digits++
    }
    if (digits < 4 && (byte !== PAD || digits === 0)) continue
    length = writeGroup(group, digits, out, length)
    if (byte === PAD || (digits === 4 && !isPadded)) sureLength = length
    isPadded ||= byte === PAD
    group = 0
    digits = 0
  }
  return digits === 0 ? length : isPadded ? sureLength : writeGroup(group, digits, out, length)
}

/** 4, 3 or 2 digits hold 3, 2 or 1 bytes; a single digit holds none. */
function writeGroup(group: number, digits: number, out: Buffer, start: number): number {
  const bits = group << (6 * (4 - digits))
  let length = start
  for (let index = 0; index < digits - 1; index++) out[length++] = (bits >> (16 - 8 * index)) & 0xff
  return length
}

const hexDigits = new Int8Array(256).fill(-1)
for (const [value, char] of [...'0123456789abcdef'].entries()) {
  hexDigits[char.charCodeAt(0)] = value
  hexDigits[char.toUpperCase().charCodeAt(0)] = value
}

/** The value of two hexadecimal digits, or -1. */
export function hexPair(high: number | undefined, low: number | undefined): number {
  const first = hexDigits[high ?? 0] ?? -1
  const second = first === -1 ? -1 : (hexDigits[low ?? 0] ?? -1)
  return second === -1 ? -1 : first * 16 + second
}

const EQUALS = 0x3d
const SPACE = 0x20
const CR = 13

/**
 * RFC 2045 §6.7, leniently: `=` that starts no byte is kept, lower-case digits are accepted, white space before a line end is removed as
 * transport padding, a soft break may be followed by white space, 8-bit bytes are kept.
 */
function decodeQuotedPrintable(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length)
  // Asked once, because a typed array computes it.
  const end = bytes.length
  let length = 0
  /** Where the last non-space byte of this line ends. */
  let solid = 0
  for (let at = 0; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte > SPACE && byte !== EQUALS) {
      out[length++] = byte
      solid = length
    } else if (byte === EQUALS) {
      const next = at + 1 < end ? (bytes[at + 1] ?? LF) : LF
      const value = next > SPACE && at + 2 < end ? hexPair(next, bytes[at + 2]) : -1
      const soft = next > SPACE ? -1 : softBreakEnd(bytes, at + 1)
      if (soft !== -1) at = soft - 1
      else {
        out[length++] = value === -1 ? byte : value
        if (value !== -1) at += 2
      }
      solid = length
    } else if (byte === LF || byte === CR) {
      length = solid
      out[length++] = byte
      if (byte === CR && bytes[at + 1] === LF) {
        out[length++] = LF
        at++
      }
      solid = length
    } else {
      out[length++] = byte
      if (byte !== 0x20 && byte !== 0x09) solid = length
    }
  }
  return out.subarray(0, solid)
}

/** Where the next line starts if only white space is between `from` and the line end; otherwise -1. */
function softBreakEnd(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at++
  if (at >= bytes.length) return bytes.length
  if (bytes[at] === CR) at++
  else if (bytes[at] !== LF) return -1
  return bytes[at] === LF ? at + 1 : at
}

/** The same memory as a Buffer, without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
