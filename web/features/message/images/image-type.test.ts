import { expect, test } from 'vitest'
import { imageType } from './image-type.ts'

const bytes = (text: string) => Uint8Array.from(text, char => char.charCodeAt(0))

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
  expect(imageType(bytes(text))).toBe(type)
})
