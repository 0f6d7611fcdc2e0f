import { asBuffer } from '../bytes.ts'
import type { MimePart } from '../types.ts'
import { decodeBase64 } from './base64.ts'
import { decodeQuotedPrintable } from './quoted-printable.ts'
import { decodeUuencode } from './uuencode.ts'

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
