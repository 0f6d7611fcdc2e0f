/** BinHex 4.0 (RFC 1741), as mail programs of the Macintosh sent files: as a part of its own or in the middle of a text. */

import { FILES_IN_TEXT_MAX } from '../limits.ts'
import type { FileInText } from './file-in-text.ts'
import { printable } from './printable.ts'

const MARK = Buffer.from('(This file must be converted with BinHex', 'latin1')
const LF = 10
const COLON = 0x3a
const REPEAT = 0x90
const DIGITS = '!"#$%&\'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr'
const values = new Int8Array(256).fill(-1)
for (let value = 0; value < DIGITS.length; value++) values[DIGITS.charCodeAt(value)] = value
/** After the name: version, type, creator, flags, lengths of both forks, checksum. */
const FIELDS_BYTES = 1 + 4 + 4 + 2 + 4 + 4 + 2
/** Repetitions make 255 bytes of two; what claims to grow more than this is left as it came. */
const GROWTH_MAX = 8
/** Nor is what would be larger than any mail that may carry it: a few bytes of a mail of 25 MiB could ask for 150. */
const FILE_BYTES_MAX = 32 * 1024 * 1024

/** What is not whole is text, or with `mayBeCut` a file that the end of the bytes cuts off. */
export function binhexFiles(bytes: Buffer, mayBeCut: boolean): FileInText[] {
  const files: FileInText[] = []
  let at = bytes.indexOf(MARK)
  while (at !== -1 && files.length < FILES_IN_TEXT_MAX) {
    const window = at === 0 || bytes[at - 1] === LF ? windowAt(bytes, at) : undefined
    const end = window?.end ?? at + 1
    const file = window && decode(bytes.subarray(window.start, end))
    if (file) files.push({ name: file.name, offset: at, length: end - at, size: file.data.length, encoding: 'x-binhex' })
    else if (mayBeCut && window && end === bytes.length)
      files.push({ name: '', offset: at, length: end - at, size: 0, encoding: 'x-binhex' })
    at = bytes.indexOf(MARK, end)
  }
  return files
}

/** The data fork; empty when the bytes are no BinHex. */
export function decodeBinhex(bytes: Buffer): Buffer {
  const window = windowAt(bytes, 0)
  return (window && decode(bytes.subarray(window.start, window.end))?.data) ?? Buffer.alloc(0)
}

/** Looked at behind the mark for the colon that begins the data: the rest of a line and a few empty ones. */
const GAP_BYTES_MAX = 200

/** From behind the first colon to behind the second, or to the first character that is none of it. */
function windowAt(bytes: Buffer, mark: number): { start: number; end: number } | undefined {
  const gap = /^[^\r\n]*\r*\n\s*:/.exec(bytes.toString('latin1', mark, mark + GAP_BYTES_MAX))?.[0]
  if (gap === undefined) return undefined
  const colon = mark + gap.length - 1
  let at = colon + 1
  while (at < bytes.length && ((values[bytes[at] ?? 0] ?? -1) !== -1 || bytes[at] === 13 || bytes[at] === LF)) at++
  return { start: colon + 1, end: bytes[at] === COLON ? at + 1 : at }
}

function decode(encoded: Buffer): { name: string; data: Buffer } | undefined {
  const packed = sixBits(encoded)
  const nameBytes = packed[0] ?? 0
  const head = expand(packed, 1 + nameBytes + FIELDS_BYTES)
  if (nameBytes === 0 || head.length < 1 + nameBytes + FIELDS_BYTES) return undefined
  const size = head.readUInt32BE(1 + nameBytes + 11)
  if (size > Math.min(GROWTH_MAX * packed.length, FILE_BYTES_MAX)) return undefined
  const whole = expand(packed, head.length + size)
  if (whole.length < head.length + size) return undefined
  return { name: printable(head.toString('latin1', 1, 1 + nameBytes)), data: whole.subarray(head.length) }
}

function sixBits(encoded: Buffer): Buffer {
  const out = Buffer.allocUnsafe(Math.ceil(encoded.length * 0.75))
  let length = 0
  let bits = 0
  let count = 0
  for (let at = 0; at < encoded.length; at++) {
    const value = values[encoded[at] ?? 0] ?? -1
    if (value === -1) continue
    bits = ((bits << 6) | value) & 0x3fff
    count += 6
    if (count < 8) continue
    count -= 8
    out[length++] = (bits >> count) & 0xff
  }
  return out.subarray(0, length)
}

/** Undoes the repetitions, as far as `size` bytes. */
function expand(packed: Buffer, size: number): Buffer {
  const out = Buffer.alloc(size)
  let length = 0
  for (let at = 0; at < packed.length && length < size; at++) {
    const byte = packed[at] ?? 0
    if (byte !== REPEAT) {
      out[length++] = byte
      continue
    }
    const times = packed[++at] ?? 0
    if (times === 0) out[length++] = REPEAT
    else {
      const end = Math.min(size, length + times - 1)
      out.fill(out[length - 1] ?? 0, length, end)
      length = end
    }
  }
  return out.subarray(0, length)
}
