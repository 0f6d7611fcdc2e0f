import { expect, test } from 'vitest'
import { pictureDataUrl } from './image-type.ts'

const bytes = (...parts: (number | string)[]) =>
  new Uint8Array(parts.flatMap(part => (typeof part === 'string' ? Array.from(part, letter => letter.charCodeAt(0)) : [part])))

const url = (file: Uint8Array) => `data:image/png;base64,${Buffer.from(file).toString('base64')}`
const isPictureShown = (file: Uint8Array) => pictureDataUrl(url(file)) !== undefined

const GIF_FRAME = [',', 0, 0, 0, 0, 1, 0, 1, 0]
/** A table of two colours, and a comment. */
const EXTENSION = [0, 0, 0, 255, 255, 255, '!', 0xfe, 2, 'hi', 0]
/** The start of a frame of a JPEG, up to its size. */
const START = [0xff, 0xd0, 0xff, 0xc0, 0, 11, 8]

/** A picture of 1000 pixels by these, as two bytes of each order. */
const FILES: [name: string, picture: (high: number, low: number) => Uint8Array][] = [
  ['PNG', (high, low) => bytes(0x89, 'PNG\r\n', 0x1a, '\n', 0, 0, 0, 13, 'IHDR', 0, 0, 3, 0xe8, 0, 0, high, low)],
  ['GIF', (high, low) => bytes('GIF89a', 0xe8, 3, low, high, 0, 0, 0, ...GIF_FRAME)],
  ['GIF with a larger frame', (high, low) => bytes('GIF87a', 1, 0, 1, 0, 0x80, 0, 0, ...EXTENSION, ',', 0, 0, 0, 0, 0xe8, 3, low, high)],
  ['JPEG', (high, low) => bytes(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 11, 8, high, low, 3, 0xe8, 1, 1, 0, 0)],
  [
    'JPEG with bytes between',
    (high, low) => bytes(0xff, 0xd8, 0xff, 1, 0xff, 0xe1, 0, 6, 0xff, 0xc0, 0, 11, 7, ...START, high, low, 3, 0xe8),
  ],
  ['WebP, extended', (high, low) => bytes('RIFF', 0, 0, 0, 0, 'WEBPVP8X', 10, 0, 0, 0, 0, 0, 0, 0, 0xe7, 3, 0, low - 1, high, 0)],
]

test.each(FILES)('a picture is shown up to the pixels that a phone can show: %s', (_, picture) => {
  // 50,000 and 50,001 lines.
  expect([picture(0xc3, 0x50), picture(0xc3, 0x51)].map(isPictureShown)).toEqual([true, false])
})

test('a lossy WebP has 14 bits for each side', () => {
  const webp = (width: number, height: number) =>
    bytes('RIFF', 0, 0, 0, 0, 'WEBPVP8 ', 0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, width & 255, width >> 8, height & 255, height >> 8)
  expect([webp(3000, 4000), webp(16_383, 16_383)].map(isPictureShown)).toEqual([true, false])
})

test.each([
  ['a truncated GIF', bytes('GIF8')],
  ['a truncated JPEG', bytes(0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xc0)],
  ['an SVG', bytes('<svg width="1" height="1" onload="alert(1)"/>')],
  ['a sound in a RIFF file', bytes('RIFF', 16, 0, 0, 0, 'WAVEfmt ', ...Array(16).fill(0))],
  ['a page', bytes('<html>')],
  ['nothing', bytes()],
])('%s is not shown', (_, file) => {
  expect(isPictureShown(file)).toBe(false)
})

test('the URL of a picture may be folded, and is one of a raster image in base64', () => {
  const gif = url(bytes('GIF89a', 1, 0, 1, 0, 0, 0, 0, ...GIF_FRAME))
  expect(pictureDataUrl(`${gif.slice(0, 30)}\r\n ${gif.slice(30)}`)).toBe(gif)
  for (const other of [gif.slice(0, -1), gif.replace('png', 'svg+xml'), gif.replace(';base64', ''), 'https://a.example/a.png'])
    expect(pictureDataUrl(other)).toBeUndefined()
})
