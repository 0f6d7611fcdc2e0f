const PAD = 0x3d
const values = new Int8Array(256).fill(-1)
for (const [value, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  values[char.charCodeAt(0)] = value
values[0x2d] = 62 // URL-safe alphabet (RFC 4648 §5): some senders mix it in
values[0x5f] = 63

/** RFC 2045 §6.8: what is not in the alphabet is passed over; text after padding begins a new group (two encodings glued together). */
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

function decodeGroups(bytes: Buffer, out: Buffer): number {
  let length = 0
  let group = 0
  let digits = 0
  const flush = () => {
    // 2 or 3 digits hold 1 or 2 bytes; a single one holds none
    const held = Math.max(0, digits - 1)
    const bits = group << (6 * (4 - digits))
    for (let index = 0; index < held; index++) out[length++] = (bits >> (16 - 8 * index)) & 0xff
    group = 0
    digits = 0
  }
  for (const byte of bytes) {
    const value = values[byte] ?? -1
    if (value !== -1) {
      group = (group << 6) | value
      digits++
    }
    if (digits === 4 || (byte === PAD && digits > 0)) flush()
  }
  flush()
  return length
}
