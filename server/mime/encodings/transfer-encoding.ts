import { asBuffer } from '../bytes.ts'
import type { MimePart } from '../types.ts'
import { decodeBase64 } from './base64.ts'
import { decodeQuotedPrintable } from './quoted-printable.ts'

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
  return asBuffer(raw).subarray(part.bodyOffset, part.bodyOffset + part.bodyLength)
}

/** The decoded bytes of a part's body. For 7bit, 8bit and binary, a view of the raw bytes. */
export function decodeBody(raw: Uint8Array, part: MimePart): Buffer {
  return decodeBytes(encodedBody(raw, part), part.encoding)
}

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
export function isUnencoded({ encoding }: MimePart): boolean {
  return encoding === '7bit' || encoding === '8bit' || encoding === 'binary'
}

const LF = 10

/** Decodes the lines between `begin` and `end` (POSIX uuencode). Lines may have lost trailing spaces; missing characters are zero bits. */
export function decodeUuencode(bytes: Buffer): Buffer {
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

function digit(bytes: Buffer, at: number, to: number): number {
  return at < to ? sixBits(bytes[at]) : 0
}

function sixBits(byte: number | undefined): number {
  return ((byte ?? 32) - 32) & 0x3f
}
