/** Each picture of an HTML body is found, however its sender wrote its name in the header and in the HTML. */
import { describe, expect, test } from 'vitest'
import { readMail } from '../../../test/harness/read-mail.ts'

const PNG = 'iVBORw0KGgo='
const lines = (...all: string[]) => all.filter(line => line !== '').join('\r\n')

/** Two pictures, so that the wrong one can be found. */
function read(html: string, field: string, { type = 'text/html', around = '', above = '' } = {}) {
  const other = lines('--b', 'Content-Type: image/png; name=other.png', 'Content-ID: <other@x>', 'Content-Location: other.png')
  const picture = lines('--b', 'Content-Type: image/png; name=logo.png', 'Content-Transfer-Encoding: base64', field)
  const root = lines('Content-Type: multipart/related; boundary=b', around)
  const { attachments, body } = readMail(
    `${root}\r\n\r\n${lines('--b', `Content-Type: ${type}`, above)}\r\n\r\n${html}\r\n${other}\r\n\r\nx\r\n${picture}\r\n\r\n${PNG}\r\n--b--`,
  )
  return { body, found: attachments.filter(({ inline }) => inline).map(({ filename, references }) => [filename, ...references]) }
}

test.each([
  ['<logo@example.org>', 'cid:logo@example.org'],
  ['<my%20logo@example.org>', 'cid:my%20logo@example.org'],
  ['<my%20logo@example.org>', 'cid:my%2520logo@example.org'],
  ['<my logo@example.org>', 'cid:my%20logo@example.org'],
  ['<my%20logo@example.org>', 'cid:my logo@example.org'],
  ['<a%b@example.org>', 'cid:a%25b@example.org'],
  ['<100%@example.org>', 'cid:100%@example.org'],
  ['logo@example.org', 'cid:logo@example.org'],
  ['< logo@example.org >', 'cid: logo@example.org'],
  ['<logo@example.org>', 'cid:&lt;logo@example.org&gt;'],
  ['<logo@example.org>', 'cid:%3Clogo@example.org%3E'],
  ['<logo@example.org>', 'CID:LOGO@Example.org'],
  ['<logo@example.org>', 'cid:logo%40example.org'],
  ['<logo@example.org>', 'cid:logo&#64;example.org'],
  ['<logo@example.org>', 'cid://logo@example.org'],
  ['<"logo"@example.org>', 'cid:logo@example.org'],
  ['<café@example.org>', 'cid:caf%C3%A9@example.org'],
  ['<=?utf-8?q?logo=40exam?=\r\n =?utf-8?q?ple=2Eorg?=>', 'cid:logo@example.org'],
  ['<logo.png>', 'logo.png'],
])('Content-ID %s is the picture %s', (id, source) => {
  const plain = source.replace('&lt;', '<').replace('&gt;', '>').replace('&#64;', '@')
  for (const disposition of ['', 'Content-Disposition: inline', 'Content-Disposition: attachment; filename=logo.png'])
    expect(read(`<img alt="" src="${source}">`, lines(`Content-ID: ${Buffer.from(id).toString('latin1')}`, disposition)).found).toEqual([
      ['logo.png', plain],
    ])
})

test('an exact name comes before one that differs only in its case', () => {
  const part = (id: string) => `--b\r\nContent-Type: image/png; name=${id}.png\r\nContent-ID: <${id}>\r\n\r\nx\r\n`
  const { attachments } = readMail(
    `Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<img src=cid:logo>\r\n${part('LOGO')}${part('logo')}--b--`,
  )
  expect(attachments.map(({ inline }) => inline)).toEqual([false, true])
})

const BASE = 'https://shop.example/mails/'
describe.each([
  ['a relative location', 'pictures/logo.png', 'pictures/logo.png', {}],
  ['a relative location written in another way', 'pictures/logo.png', './pictures/../pictures/logo.png', {}],
  ['an absolute location', `${BASE}logo.png`, `${BASE}logo.png`, {}],
  ['a location with a fold', 'https://shop.example/\r\n mails/logo.png', `${BASE}logo.png`, {}],
  ['a location relative to the base of both', 'logo.png', 'logo.png', { around: `Content-Base: ${BASE}` }],
  ['a location relative to a base, named absolutely', 'logo.png', `${BASE}logo.png`, { around: `Content-Base: "${BASE}"` }],
  ['an absolute location, named relatively to the base of the HTML', `${BASE}logo.png`, 'logo.png', { above: `Content-Base: ${BASE}` }],
  [
    'an absolute location, named relatively to that of the HTML',
    `${BASE}logo.png`,
    'logo.png',
    { above: `Content-Location: ${BASE}index.html` },
  ],
  ['a location relative to that of the whole', 'logo.png', `${BASE}logo.png`, { around: `Content-Location: ${BASE}` }],
])('%s', (_, location, source, headers) => {
  test('is the picture', () => {
    expect(read(`<img src="${source}">`, `Content-Location: ${location}`, headers).found).toEqual([['logo.png', source]])
  })
})

test('the base that the HTML states counts', () => {
  expect(read(`<base href="${BASE}"><img src=logo.png>`, `Content-Location: ${BASE}logo.png`).found).toEqual([['logo.png', 'logo.png']])
})

test.each([
  '<table background="cid:logo">',
  '<p style="background: url(cid:logo)">',
  `<p style="background-image:url('cid:logo')">`,
  '<style>p { background: url("cid:logo") }</style>',
  '<img src=" cid:lo\r\ngo ">',
])('%s shows the picture', html => {
  expect(read(html, 'Content-ID: <logo>').found).toEqual([['logo.png', 'cid:logo']])
})

test.each(['<p>cid:logo</p>', '<!-- <img src=cid:logo> -->', '<a href="cid:logo">x</a>', '<img src=cid:logotype>', '<img src=logo>'])(
  '%s shows no picture, so it is a file beside the text',
  html => {
    expect(read(html, 'Content-ID: <logo@x>\r\nContent-Disposition: inline').found).toEqual([])
  },
)

test('a text that names a picture shows none', () => {
  expect(read('<img src=cid:logo>', 'Content-ID: <logo>', { type: 'text/plain' }).found).toEqual([])
})

test('a picture between two pieces of HTML stands there, and is a file too', () => {
  const html = (words: string) => `--b\r\nContent-Type: text/html\r\n\r\n<p>${words}</p>\r\n`
  const picture = '--b\r\nContent-Type: image/png\r\nContent-Disposition: inline; filename="a&b.png"\r\n\r\nx\r\n'
  const { body, attachments } = readMail(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${html('one')}${picture}${html('two')}--b--`)
  expect(body.html?.replace(/\n/g, '')).toBe('<p>one</p><br><img src="cid:part.1" alt="a&#38;b.png"><br><p>two</p>')
  expect(attachments).toMatchObject([{ filename: 'a&b.png', inline: false, references: ['cid:part.1'] }])
})

test('a thousand pictures among 100,000 names are found in linear time', () => {
  const parts = Array.from({ length: 900 }, (_, n) => `--b\r\nContent-Type: image/png\r\nContent-ID: <${n}@x>\r\n\r\nx\r\n`).join('')
  const html = Array.from({ length: 100_000 }, (_, n) => `<img src="cid:${n}@X">`).join('')
  const { attachments } = readMail(
    `Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n${parts}--b--`,
  )
  expect(attachments.every(({ inline }) => inline)).toBe(true)
})
