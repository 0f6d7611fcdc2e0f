const LZFU = 0x75465a4c
const UNCOMPRESSED = 0x414c454d
const HEADER_BYTES = 16
const DICTIONARY_BYTES = 4096
/** [MS-OXRTFCP] §2.1.3.1.1: what the dictionary begins with. */
const PRELOADED = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
  'latin1',
)
// 17 bytes (a control byte and eight references) yield at most 136: what claims more is cut there, before memory is taken for it.
const GROWTH_MAX = 8

/**
 * The RTF that Outlook packs into a winmail.dat ([MS-OXRTFCP]); `undefined` when it is not in that form or says that it is longer than
 * `bytesMax`. What is cut off gives what there is.
 */
export function decodeCompressedRtf(bytes: Buffer, bytesMax = Number.POSITIVE_INFINITY): Buffer | undefined {
  if (bytes.length < HEADER_BYTES) return undefined
  const size = bytes.readUInt32LE(4)
  const kind = bytes.readUInt32LE(8)
  if (size > bytesMax) return undefined
  if (kind === UNCOMPRESSED) return bytes.subarray(HEADER_BYTES, HEADER_BYTES + size)
  return kind === LZFU ? decompress(bytes, Buffer.allocUnsafe(Math.min(size, GROWTH_MAX * bytes.length))) : undefined
}

function decompress(bytes: Buffer, out: Buffer): Buffer {
  const dictionary = Buffer.alloc(DICTIONARY_BYTES)
  PRELOADED.copy(dictionary)
  let write = PRELOADED.length
  let length = 0
  let at = HEADER_BYTES
  const put = (byte: number) => {
    out[length++] = byte
    dictionary[write] = byte
    write = (write + 1) % DICTIONARY_BYTES
  }
  while (at < bytes.length && length < out.length) {
    const control = bytes[at++] ?? 0
    for (let bit = 0; bit < 8 && at < bytes.length && length < out.length; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(bytes[at++] ?? 0)
        continue
      }
      const reference = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
      at += 2
      const from = reference >> 4
      // a reference to the place being written ends the text
      if (from === write) return out.subarray(0, length)
      for (let index = 0; index < (reference & 15) + 2 && length < out.length; index++)
        put(dictionary[(from + index) % DICTIONARY_BYTES] ?? 0)
    }
  }
  return out.subarray(0, length)
}
