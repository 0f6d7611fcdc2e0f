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
