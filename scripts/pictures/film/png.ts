/** Reads the PNG files that Chromium draws: 8 bits a channel, no interlacing. */
import { inflateSync } from 'node:zlib'

/** `pixels`: 0xRRGGBB, row by row. */
export type Picture = { readonly width: number; readonly height: number; readonly pixels: Uint32Array }

const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 }

export function readPng(file: Buffer): Picture {
  const chunks = readChunks(file)
  const header = chunks.find(({ type }) => type === 'IHDR')?.data
  const channels = CHANNELS[header?.at(9) ?? -1]
  if (!header || channels === undefined || header.at(8) !== 8 || header.at(12) !== 0) throw new Error('not a PNG as Chromium draws it')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const raw = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)))
  const bytes = unfilter(raw, width * channels, height, channels)
  const pixels = new Uint32Array(width * height)
  for (let i = 0; i < pixels.length; i++) pixels[i] = bytes.readUIntBE(i * channels, 3)
  return { width, height, pixels }
}

function readChunks(file: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at)
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}

/** Undoes the filter of each row (PNG specification, section 9). */
function unfilter(raw: Buffer, rowBytes: number, rows: number, pixelBytes: number): Buffer {
  const out = Buffer.alloc(rowBytes * rows)
  for (let row = 0; row < rows; row++) {
    const filter = raw[row * (rowBytes + 1)] ?? 0
    for (let i = 0; i < rowBytes; i++) {
      const at = row * rowBytes + i
      const left = i >= pixelBytes ? (out[at - pixelBytes] ?? 0) : 0
      const above = row > 0 ? (out[at - rowBytes] ?? 0) : 0
      const corner = row > 0 && i >= pixelBytes ? (out[at - rowBytes - pixelBytes] ?? 0) : 0
      out[at] = (raw[row * (rowBytes + 1) + 1 + i] ?? 0) + predict(filter, left, above, corner)
    }
  }
  return out
}

function predict(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  return filter === 4 ? nearest(left, above, corner) : 0
}

/** Paeth's predictor: whichever neighbour is closest to `left + above - corner`. */
function nearest(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const away = (value: number) => Math.abs(guess - value)
  if (away(left) <= away(above) && away(left) <= away(corner)) return left
  return away(above) <= away(corner) ? above : corner
}
