import { hexPair } from './hex.ts'

const EQUALS = 0x3d
const CR = 13
const LF = 10

/**
 * RFC 2045 §6.7, leniently: `=` that starts no byte is kept, lower-case digits are accepted, white space before a line end is removed as
 * transport padding, a soft break may be followed by white space, 8-bit bytes are kept.
 */
export function decodeQuotedPrintable(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  /** Where the last non-space byte of this line ends. */
  let solid = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === EQUALS) {
      const value = hexPair(bytes[at + 1], bytes[at + 2])
      const soft = value === -1 ? softBreakEnd(bytes, at + 1) : -1
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
