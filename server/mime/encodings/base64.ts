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

/**
 * The slow path, for text after padding. It counts only as far as it forms whole groups: a list's footer after the encoded text is not
 * data.
 */
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
