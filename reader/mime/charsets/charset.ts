import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import charsetAliases from './charset-aliases.json' with { type: 'json' }
import labels from './whatwg-labels.json' with { type: 'json' }

type DecodedText = {
  readonly text: string
  /** Why the declared charset was not used: `unknown_charset` or `charset_mismatch`. */
  readonly problem: 'unknown_charset' | 'charset_mismatch' | undefined
}

const windows1252 = new TextDecoder('windows-1252')

/** For bytes without a declared charset: UTF-8 if valid, else windows-1252 (RFC 6532). ISO-2022-JP is known by its escapes. */
export function decodeGuessed(bytes: Buffer): string {
  if (isAscii(bytes)) return withRawJapanese(bytes.toString('latin1'))
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
  const isUtf8Text = () => !isAscii(bytes) && isUtf8(bytes)
  // Its bytes are all ASCII, and a million errors would cost ten times as much as UTF-8.
  const text = decoder === decodeIso2022Jp && isUtf8Text() ? '\ufffd' : decodeWith(decoder, bytes)
  // gateways convert mail to UTF-8 and keep the declared charset: text that is valid UTF-8 but invalid as declared was converted
  if (text.includes('\ufffd') && isUtf8Text()) return { text: withoutMark(bytes.toString('utf8')), problem: 'charset_mismatch' }
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
  if (/[\u0080-\ufffc\ufffe\uffff]/.test(text)) return { text, problem: 'charset_mismatch' }
  return { text: windows1252.decode(bytes), problem: 'charset_mismatch' }
}

const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

/** Seven-bit charsets that neither TextDecoder nor iconv-lite supports: they shift into an eight-bit charset by escapes. */
const gb18030 = new TextDecoder('gb18030')

/** HZ (RFC 1843): `~{` shifts into GB 2312 without the high bit, `~}` out of it, `~~` is a tilde, `~` before a newline joins lines. */
function decodeHz(bytes: Buffer): string {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let high = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    const next = bytes[index + 1]
    if (byte === 0x7e && next !== undefined && (next === 0x7b || next === 0x7d || next === 0x0a || (next === 0x7e && high === 0))) {
      if (next === 0x7b) high = 0x80
      if (next === 0x7d) high = 0
      if (next === 0x7e) out[length++] = 0x7e
      index++
      continue
    }
    // RFC 1843 §2: every line ends unshifted
    if (byte === 0x0a) high = 0
    out[length++] = byte > 0x20 ? byte | high : byte
  }
  return gb18030.decode(out.subarray(0, length))
}

/** ISO-2022-KR (RFC 1557) and ISO-2022-CN (RFC 1922): SO shifts into KS X 1001 or GB 2312 without the high bit, SI out of it. */
function unshifted(bytes: Buffer): Buffer {
  const end = bytes.length
  const out = Buffer.allocUnsafe(end)
  let length = 0
  let high = 0
  for (let index = 0; index < end; index++) {
    const byte = bytes[index] ?? 0
    if (byte === 0x0e) high = 0x80
    else if (byte === 0x0f) high = 0
    else if (byte === 0x1b && isDesignator(bytes, index)) index += 3
    else {
      if (byte === 0x0a) high = 0
      out[length++] = byte > 0x20 ? byte | high : byte
    }
  }
  return out.subarray(0, length)
}

function isDesignator(bytes: Buffer, at: number): boolean {
  const charset = bytes[at + 3]
  return bytes[at + 1] === 0x24 && bytes[at + 2] === 0x29 && (charset === 0x41 || charset === 0x43)
}

const ESCAPE = '\\u001b(?:\\([BIJ]|\\$[@B])'
const JAPANESE = new RegExp(`${ESCAPE}\\p{ASCII}*`, 'gu')

/** Decodes ISO-2022-JP that nothing declares: old Japanese programs write it into header fields and bodies as it is. */
export function withRawJapanese(text: string): string {
  if (!text.includes('\u001b$')) return text
  return text.replace(JAPANESE, run => decodeText(Buffer.from(run, 'latin1'), 'iso-2022-jp').text)
}
const IDLE_ESCAPE = new RegExp(`${ESCAPE}(?=${ESCAPE})`, 'g')

/**
 * An escape directly followed by another does nothing, but the WHATWG decoder writes U+FFFD for it. Encoded-words cause them: each ends in
 * ASCII (RFC 1468) and the next starts with an escape.
 */
function withoutIdleEscapes(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1')
  return text.search(IDLE_ESCAPE) !== -1 ? Buffer.from(text.replace(IDLE_ESCAPE, ''), 'latin1') : bytes
}

const iso2022Jp = new TextDecoder('iso-2022-jp')

const decodeIso2022Jp = (bytes: Buffer): string => iso2022Jp.decode(withoutIdleEscapes(bytes))

type Decoder = (bytes: Buffer) => string

/**
 * Charset names that mail uses and the WHATWG list lacks: the label in lower case without punctuation, and a WHATWG label. From the IANA
 * registry's aliases and from what Outlook, Lotus Notes and Eudora write. `x-user-defined` is us-ascii: its private-use characters nobody
 * can read.
 */
const aliases = new Map(Object.entries(charsetAliases))
// us-ascii with 8-bit bytes contradicts itself, so it is guessed. Other labels of the WHATWG list are trusted.
const guessed = new Set(['us-ascii'])
// iconv-lite accepts these, but they are not single-byte tables: it would not detect invalid bytes. base64 and hex are no charsets.
const notCharsets = /^(base64|hex|binary|internal|utf7imap)$/

const decoders = new Map<string, Decoder | 'utf-8' | 'guess' | undefined>()
/** Limits the cache, because labels come from strangers. */
const DECODERS_MAX = 500

/** How to decode a charset label as mail writes it; `undefined` if it is unknown. */
function findCharset(label: string): Decoder | 'utf-8' | 'guess' | undefined {
  const known = decoders.get(label)
  if (known !== undefined || decoders.has(label)) return known
  const decoder = label.length > 64 ? undefined : findDecoder(label.trim().toLowerCase())
  const [oldest] = decoders.keys()
  if (decoders.size >= DECODERS_MAX && oldest !== undefined) decoders.delete(oldest)
  decoders.set(label, decoder)
  return decoder
}

function findDecoder(label: string): Decoder | 'utf-8' | 'guess' | undefined {
  const key = label.replace(/[^a-z0-9]/g, '')
  const name = aliases.get(key) ?? label
  if (guessed.has(name)) return 'guess'
  if (name === 'hz') return decodeHz
  if (name === 'iso-2022-kr') return bytes => iconv.decode(unshifted(bytes), 'euc-kr')
  if (name === 'iso-2022-cn') return bytes => gb18030.decode(unshifted(bytes))
  return whatwg(name) ?? whatwg(codePage(key) ?? key) ?? fromIconv(key)
}

/** `cp1251`, `win-1251`, `x-cp1251`, `windows1251`, `iso8859_2`, `iso-8859-2-windows`, `latin2`. */
function codePage(key: string): string | undefined {
  const windows = /^x?(?:cp|win|windows|ms|ansi)?(125[0-8]|874)$/.exec(key)
  if (windows) return `windows-${windows[1]}`
  const iso = /^x?iso8859(1[0-6]|[1-9])/.exec(key)
  if (iso) return `iso-8859-${iso[1]}`
  const latin = /^l(?:atin)?([1-6])$/.exec(key)
  return latin ? `latin${latin[1]}` : undefined
}

/** To try a name that nobody knows costs an error each, and a mail may have thousands. */
const WHATWG_LABELS = new Set(labels)

function whatwg(label: string): Decoder | 'utf-8' | undefined {
  if (!WHATWG_LABELS.has(label)) return undefined
  try {
    const decoder = new TextDecoder(label)
    const { encoding } = decoder
    if (encoding === 'utf-8') return 'utf-8'
    // the runtime's tables lack the syllables outside KS X 1001, and Hong Kong's characters are private-use ones in them
    if (encoding === 'euc-kr' || encoding === 'big5') return bytes => iconv.decode(bytes, encoding)
    if (encoding === 'iso-2022-jp') return decodeIso2022Jp
    if (/^utf-16|^x-user/.test(encoding)) return bytes => decoder.decode(bytes)
    // All others contain ASCII, and its strings take half the memory and time.
    return bytes => (isAscii(bytes) ? bytes.toString('latin1') : decoder.decode(bytes))
  } catch {
    return undefined
  }
}

const BASE64_VALUES = new Int8Array(128).fill(-1)
for (const [value, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  BASE64_VALUES[char.charCodeAt(0)] = value

/** Other bytes are U+FFFD. */
function asciiText(bytes: Buffer): string {
  const units = new Uint16Array(bytes.length)
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    units[at] = byte < 0x80 ? byte : 0xfffd
  }
  return Buffer.from(units.buffer).toString('utf16le')
}

/** RFC 2152. iconv-lite takes a decoder for each change of mode, and 1 MB has 130,000. */
function decodeUtf7(bytes: Buffer): string {
  const text = isAscii(bytes) ? bytes.toString('latin1') : asciiText(bytes)
  let out = ''
  let at = 0
  for (let plus = text.indexOf('+'); plus !== -1; plus = text.indexOf('+', at)) {
    out += text.slice(at, plus)
    at = plus + 1
    let bits = 0
    let buffer = 0
    for (let value = BASE64_VALUES[text.charCodeAt(at)] ?? -1; value !== -1; value = BASE64_VALUES[text.charCodeAt(++at)] ?? -1) {
      buffer = ((buffer & 0xffff) << 6) | value
      bits += 6
      if (bits < 16) continue
      bits -= 16
      out += String.fromCharCode((buffer >> bits) & 0xffff)
    }
    if (text[at] !== '-') continue
    if (at === plus + 1) out += '+'
    at++
  }
  return (out + text.slice(at)).toWellFormed()
}

/** As `encodingExists`, which makes an error of every name that it does not know. Its table is there after the first question. */
function isIconvName(name: string): boolean {
  const { encodings } = iconv as { encodings?: object | null }
  return encodings ? name in encodings : iconv.encodingExists(name)
}

/** UTF-32, the DOS and Macintosh code pages, Vietnamese and so on. */
function fromIconv(key: string): Decoder | undefined {
  const name = key === 'unicode11utf7' ? 'utf7' : key
  if (name === 'utf7') return decodeUtf7
  if (notCharsets.test(name) || !isIconvName(name)) return undefined
  return bytes => iconv.decode(bytes, name)
}
