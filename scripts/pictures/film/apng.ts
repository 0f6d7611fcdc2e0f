/** Writes pictures of one size as an animated PNG with a palette. Each frame holds only what has changed since the one before. */
import { crc32, deflateSync } from 'node:zlib'
import type { Picture } from './png.ts'

export type Frame = { readonly picture: Picture; readonly ms: number }

/** The last index stands for "as before". */
const UNCHANGED = 255
const COLOURS_MAX = 255
/** Colours that share a step of each channel become one. */
const STEP = 4

export function writeApng(frames: readonly Frame[]): Buffer {
  const [first] = frames
  if (!first) throw new Error('a film has at least one frame')
  const { width, height } = first.picture
  const palette = choosePalette(frames)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const control = Buffer.alloc(8)
  control.writeUInt32BE(frames.length, 0)
  const written = [
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('acTL', control),
    chunk('PLTE', paletteBytes(palette)),
    chunk('tRNS', Buffer.from(Array.from({ length: 256 }, (_, index) => (index === UNCHANGED ? 0 : 255)))),
  ]
  let before: Uint8Array | undefined
  let sequence = 0
  for (const { picture, ms } of frames) {
    const indexes = picture.pixels.map(colour => indexOf(palette, colour))
    const now = Uint8Array.from(indexes)
    const box = changedBox(now, before, width, height)
    const data = deflateSync(rowsOf(now, before, width, box), { level: 9, memLevel: 9 })
    written.push(chunk('fcTL', frameControl(sequence++, box, ms)))
    written.push(before ? chunk('fdAT', Buffer.concat([uint32(sequence++), data])) : chunk('IDAT', data))
    before = now
  }
  written.push(chunk('IEND', Buffer.alloc(0)))
  return Buffer.concat(written)
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** Colours as seen, most frequent first, each rounded to a step; the rarest take the nearest that has a place. */
function choosePalette(frames: readonly Frame[]): Map<number, number> {
  const counts = new Map<number, { count: number; colour: number }>()
  for (const { picture } of frames) {
    for (const colour of picture.pixels) {
      const key = rounded(colour)
      const known = counts.get(key)
      if (known) known.count++
      else counts.set(key, { count: 1, colour })
    }
  }
  const byCount = [...counts].sort(([, one], [, other]) => other.count - one.count)
  const chosen = byCount.slice(0, COLOURS_MAX)
  const palette = new Map(chosen.map(([key, { colour }], index) => [key, (index << 24) | colour] as const))
  for (const [key, { colour }] of byCount.slice(COLOURS_MAX)) {
    const nearest = chosen.reduce((best, next) => (distance(next[1].colour, colour) < distance(best[1].colour, colour) ? next : best))
    palette.set(key, palette.get(nearest[0]) ?? 0)
  }
  return palette
}

const rounded = (colour: number) =>
  (Math.floor((colour >> 16) / STEP) << 16) | (Math.floor(((colour >> 8) & 255) / STEP) << 8) | Math.floor((colour & 255) / STEP)
const indexOf = (palette: ReadonlyMap<number, number>, colour: number) => (palette.get(rounded(colour)) ?? 0) >>> 24

function distance(one: number, other: number): number {
  const channel = (shift: number) => (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2
  return channel(16) + channel(8) + channel(0)
}

function paletteBytes(palette: ReadonlyMap<number, number>): Buffer {
  const bytes = Buffer.alloc(256 * 3)
  for (const entry of palette.values()) bytes.writeUIntBE(entry & 0xffffff, (entry >>> 24) * 3, 3)
  return bytes
}

function changedBox(now: Uint8Array, before: Uint8Array | undefined, width: number, height: number): Box {
  if (!before) return { x: 0, y: 0, width, height }
  let [left, top, right, bottom] = [width - 1, height - 1, 0, 0]
  for (let at = 0; at < now.length; at++) {
    if (now[at] === before[at]) continue
    const [x, y] = [at % width, Math.floor(at / width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return right < left ? { x: 0, y: 0, width: 1, height: 1 } : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}

/** The rows of the box, each with the filter "none" in front. */
function rowsOf(now: Uint8Array, before: Uint8Array | undefined, stride: number, { x, y, width, height }: Box): Buffer {
  const rows = Buffer.alloc((width + 1) * height)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = (y + row) * stride + x + column
      rows[row * (width + 1) + 1 + column] = before && now[at] === before[at] ? UNCHANGED : (now[at] ?? 0)
    }
  }
  return rows
}

/** Keeps what was drawn, and lays the frame over it. */
function frameControl(sequence: number, { x, y, width, height }: Box, ms: number): Buffer {
  const control = Buffer.alloc(26)
  for (const [index, value] of [sequence, width, height, x, y].entries()) control.writeUInt32BE(value, index * 4)
  control.writeUInt16BE(ms, 20)
  control.writeUInt16BE(1000, 22)
  control.set([0, 1], 24)
  return control
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), content, uint32(crc32(content))])
}
