import { isAscii, isUtf8 } from 'node:buffer'
import { type Decoder, findCharset } from './charset-labels.ts'

type DecodedText = {
  readonly text: string
  /** Why the declared charset was not used: `unknown_charset` or `charset_mismatch`. */
  readonly problem: 'unknown_charset' | 'charset_mismatch' | undefined
}

const windows1252 = new TextDecoder('windows-1252')

/** For bytes without a declared charset: UTF-8 if valid, else windows-1252 (RFC 6532). */
export function decodeGuessed(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1')
  const text = bytes.toString('utf8')
  if (isUtf8(bytes)) return text
  return isMostlyUtf8(text) ? text : windows1252.decode(bytes)
}

/** UTF-8 with one or two damaged characters still counts as UTF-8. In windows-1252, two letters hardly ever form a valid sequence. */
function isMostlyUtf8(text: string): boolean {
  let letters = 0
  let damaged = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) damaged++
    else if (code > 0x7f) letters++
  }
  return letters > 2 * damaged
}

/** Never throws: unknown charsets are guessed, invalid bytes and lone surrogates become U+FFFD. */
export function decodeText(bytes: Buffer, label: string | undefined): DecodedText {
  const decoder = label === undefined ? 'guess' : findCharset(label)
  if (decoder === undefined) return { text: decodeGuessed(bytes), problem: 'unknown_charset' }
  if (decoder === 'utf-8') return decodeUtf8(bytes)
  if (decoder === 'guess') return { text: withoutMark(decodeGuessed(bytes)), problem: undefined }
  const text = decodeWith(decoder, bytes)
  // gateways convert mail to UTF-8 and keep the declared charset: text that is valid UTF-8 but invalid as declared was converted
  if (text.includes('\ufffd') && !isAscii(bytes) && isUtf8(bytes))
    return { text: withoutMark(bytes.toString('utf8')), problem: 'charset_mismatch' }
  return { text, problem: undefined }
}

function decodeWith(decoder: Decoder, bytes: Buffer): string {
  const text = decoder(bytes)
  return text.isWellFormed() ? text : text.toWellFormed()
}

/** Declared UTF-8 without one valid multi-byte sequence is not UTF-8: many senders declare it and write windows-1252. */
function decodeUtf8(bytes: Buffer): DecodedText {
  const text = withoutMark(bytes.toString('utf8'))
  if (!text.includes('\ufffd') || isUtf8(bytes)) return { text, problem: undefined }
  if (/[^\p{ASCII}\ufffd]/u.test(text)) return { text, problem: 'charset_mismatch' }
  return { text: windows1252.decode(bytes), problem: 'charset_mismatch' }
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
