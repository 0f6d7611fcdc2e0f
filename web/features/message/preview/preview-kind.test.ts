import { expect, test } from 'vitest'
import { isPictureShown, previewKind } from './preview-kind.ts'

test.each([
  ['image/png', 1000, 'picture'],
  ['IMAGE/JPEG', 1000, 'picture'],
  ['image/webp', 1000, 'picture'],
  ['application/pdf', 1000, 'pdf'],
  ['image/svg+xml', 1000, undefined],
  ['text/html', 1000, undefined],
  ['application/pdfx', 1000, undefined],
  ['image/png', 20_000_000, undefined],
] as const)('%s of %i bytes: %s', (contentType, size, kind) => {
  expect(previewKind({ contentType, size })).toBe(kind)
})

test('a file that only claims to be a picture has no preview, and neither has one with too many pixels for a phone', () => {
  const gif = (width: number, height: number) =>
    new Uint8Array([...Buffer.from('GIF89a'), width & 255, width >> 8, height & 255, height >> 8, 0, 0, 0])
  expect(isPictureShown(gif(800, 600))).toBe(true)
  expect(isPictureShown(gif(65_535, 65_535))).toBe(false)
  expect(isPictureShown(Buffer.from('<svg onload="alert(1)"/>'))).toBe(false)
})
