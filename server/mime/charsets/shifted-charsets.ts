/** Seven-bit charsets that neither TextDecoder nor iconv-lite supports: both shift into an eight-bit charset by escapes. */
const gb18030 = new TextDecoder('gb18030')
const eucKr = new TextDecoder('euc-kr')

/** HZ (RFC 1843): `~{` shifts into GB 2312 without the high bit, `~}` out of it, `~~` is a tilde, `~` before a newline joins lines. */
export function decodeHz(bytes: Buffer): string {
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

/** ISO-2022-KR (RFC 1557): SO shifts into KS X 1001 without the high bit, SI out of it. The designator `ESC $ ) C` adds nothing. */
export function decodeIso2022Kr(bytes: Buffer): string {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let high = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (byte === 0x0e) high = 0x80
    else if (byte === 0x0f) high = 0
    else if (byte === 0x1b && bytes.toString('latin1', index + 1, index + 4) === '$)C') index += 3
    else {
      if (byte === 0x0a) high = 0
      out[length++] = byte > 0x20 ? byte | high : byte
    }
  }
  return eucKr.decode(out.subarray(0, length))
}

const ESCAPE = '\\u001b(?:\\([BIJ]|\\$[@B])'
const IDLE_ESCAPE = new RegExp(`${ESCAPE}(?=${ESCAPE})`, 'g')

/**
 * An escape directly followed by another does nothing, but the WHATWG decoder writes U+FFFD for it. Encoded-words cause them: each ends in
 * ASCII (RFC 1468) and the next starts with an escape.
 */
export function withoutIdleEscapes(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1')
  return text.search(IDLE_ESCAPE) !== -1 ? Buffer.from(text.replace(IDLE_ESCAPE, ''), 'latin1') : bytes
}
