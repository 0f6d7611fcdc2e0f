import { hexPair } from './hex.ts'

const EQUALS = 0x3d
const CR = 13
const LF = 10

/**
 * RFC 2045 §6.7, leniently (its own note): `=` that begins no byte stands for itself, lower-case digits count, white space before a line end is
 * padding of transport and goes, a soft break may be followed by white space, 8-bit bytes stand for themselves.
 */
export function decodeQuotedPrintable(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  /** Where the last byte that is not white space of this line ends. */
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

/** Where the next line begins when only white space lies between `from` and the line end; -1 otherwise. */
function softBreakEnd(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at++
  if (at >= bytes.length) return bytes.length
  if (bytes[at] === CR) at++
  else if (bytes[at] !== LF) return -1
  return bytes[at] === LF ? at + 1 : at
}
