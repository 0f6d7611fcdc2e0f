import { expect, test } from 'vitest'
import { attachmentKind, formatSize, isPictureShown, previewKind } from './attachments.tsx'

test.each([
  ['image/png', 'image'],
  ['IMAGE/SVG+XML', 'image'],
  ['video/mp4', 'video'],
  ['application/pdf', 'pdf'],
  ['application/vnd.ms-excel', 'spreadsheet'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'spreadsheet'],
  ['text/csv', 'spreadsheet'],
  ['application/zip', 'archive'],
  ['application/x-7z-compressed', 'archive'],
  ['application/gzip', 'archive'],
  ['text/plain', 'text'],
  ['text/calendar', 'text'],
  ['application/octet-stream', 'other'],
  ['message/rfc822', 'other'],
  ['', 'other'],
] as const)('%s is shown as %s', (type, kind) => {
  expect(attachmentKind(type)).toBe(kind)
})

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KB'],
  [1536, '1.5 KB'],
  [1024 * 1023.5, '1023.5 KB'],
  [1024 * 1024 - 1, '1.00 MB'],
  [1024 * 1024, '1.00 MB'],
  [26_214_400, '25.00 MB'],
])('%i bytes are shown as %s', (bytes, text) => {
  expect(formatSize(bytes, 'en')).toBe(text)
})

test('Spanish uses a comma', () => {
  expect(formatSize(1536, 'es')).toBe('1,5 KB')
})

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
