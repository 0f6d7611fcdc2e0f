import { expect, test } from 'vitest'
import { imageSize, imageType } from './image-type.ts'

const header = (text: string) => Uint8Array.from(text, char => char.charCodeAt(0))

test.each([
  ['\x89PNG\r\n\x1a\n…', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF89a', 'image/gif'],
  ['RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
  ['RIFF\x10\0\0\0WAVEfmt ', undefined],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', undefined],
  ['<html>', undefined],
  ['', undefined],
])('%j is %s', (text, type) => {
  expect(imageType(header(text))).toBe(type)
})

const bytes = (...parts: (number | string)[]) =>
  new Uint8Array(parts.flatMap(part => (typeof part === 'string' ? Array.from(part, letter => letter.charCodeAt(0)) : [part])))

test.each([
  ['PNG', bytes(0x89, 'PNG\r\n', 0x1a, '\n', 0, 0, 0, 13, 'IHDR', 0, 0, 0x75, 0x30, 0, 0, 0, 7)],
  ['GIF', bytes('GIF89a', 0x30, 0x75, 7, 0)],
  ['JPEG', bytes(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 11, 8, 0, 7, 0x75, 0x30, 1, 1, 0, 0)],
  ['WebP, lossy', bytes('RIFF', 0, 0, 0, 0, 'WEBPVP8 ', 0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x30, 0x35, 7, 0)],
  ['WebP, extended', bytes('RIFF', 0, 0, 0, 0, 'WEBPVP8X', 10, 0, 0, 0, 0, 0, 0, 0, 0x2f, 0x75, 0, 6, 0, 0)],
])('the size of %s is read', (name, file) => {
  expect(imageSize(file)).toEqual({ width: name === 'WebP, lossy' ? 0x3530 : 30_000, height: 7 })
})

test('truncated files and other files have no size', () => {
  expect(imageSize(bytes('GIF8'))).toBeUndefined()
  expect(imageSize(bytes(0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xc0))).toBeUndefined()
  expect(imageSize(bytes('<svg width="1" height="1"/>'))).toBeUndefined()
  expect(imageSize(bytes())).toBeUndefined()
})
