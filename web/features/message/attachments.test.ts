import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, expect, test } from 'vitest'
import { LanguageProvider, loadTexts } from '#web/lib/i18n/i18n.tsx'
import { message as texts } from '#web/texts/en/message.ts'
import { Attachments, formatSize } from './attachments.tsx'

beforeAll(() => loadTexts('en', ['core', 'message']))

function render(contentType: string, { filename = 'a', size = 1000 } = {}): string {
  const attachment = { index: 0, filename, contentType, size, inline: false }
  const shown = createElement(Attachments, { unshown: [], token: 't', message: { id: 'm', subject: '', attachments: [attachment] } })
  return renderToStaticMarkup(createElement(LanguageProvider, { initial: 'en' } as Parameters<typeof LanguageProvider>[0], shown))
}

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
  expect(/data-kind="(\w+)"/.exec(render(type))?.[1]).toBe(kind)
})

test.each([
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'Document'],
  ['application/msword', 'Document'],
  ['application/vnd.oasis.opendocument.text', 'Document'],
  ['application/vnd.ms-powerpoint', 'Presentation'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'Presentation'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'Spreadsheet'],
  ['AUDIO/mpeg', 'Audio'],
  ['text/calendar', 'Calendar event'],
  ['text/vcard', 'Contact'],
  ['message/rfc822', 'Email'],
  ['text/html', 'Web page'],
  ['text/plain', 'Text'],
  ['application/octet-stream', 'File'],
])('%s is called %s', (type, name) => {
  expect(render(type)).toContain(`>${name} · `)
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
  const html = render(contentType, { size })
  expect(html.includes(texts.previewThis({ filename: 'a' }))).toBe(kind === 'picture')
  expect(html.includes(texts.openThis({ filename: 'a' }))).toBe(kind === 'pdf')
})

test.each([
  ['setup.exe', '', true],
  ['Invoice.PDF.scr', 'application/pdf', true],
  ['setup.exe. ', '', true],
  ['report.docm', '', true],
  ['install.sh', 'text/plain', true],
  ['data', 'application/x-msdownload', true],
  ['data', 'application/vnd.microsoft.portable-executable', true],
  ['report.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', false],
  ['exe.pdf', 'application/pdf', false],
  ['notes.shtml', 'text/html', false],
  ['photo.png', 'image/png', false],
])('whether %s (%s) can run: %s', (filename, contentType, is) => expect(render(contentType, { filename }).includes(texts.canRun)).toBe(is))

const RUNS =
  'iso img vhd vhdx chm xll ppam potm xla one scf wsc sct appx msixbundle appinstaller application py pyw search-ms SettingContent-ms js jse vbs'
const READS = 'txt json ics zip docx xlsx pptx key pages phone image'

test('each file that a computer or a program runs says so, and no other', () => {
  const says = (type: string, filename: string) => render(type, { filename }).includes(texts.canRun)
  expect(RUNS.split(' ').filter(ending => !says('', `a.${ending}`))).toEqual([])
  expect(READS.split(' ').filter(ending => says('', `a.${ending}`))).toEqual([])
  for (const type of ['application/hta', 'application/x-bat', 'application/javascript']) expect(says(type, 'data')).toBe(true)
})
