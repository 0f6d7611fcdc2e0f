import { expect, test } from 'vitest'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import { htmlSample } from '#reader/seen/preview.ts'
import { summarise } from '#reader/summary.ts'
import type { MessageId } from '#server/store/store.ts'
import { toMessage, toMessageSummary, toShownSummary } from './message.ts'

const mail = (...lines: string[]) => Buffer.from(lines.join('\r\n'))
const readCodes = (raw: Buffer) => summarise(raw, 'a@sender.test').codes

const html = [
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<style>p{color:#481516}</style><p>Tu c=C3=B3digo de verificaci=C3=B3n es</p><p><b>730&nbsp;118</b></p>',
  '<p><a href=3D"https://a.example/confirmar?x=3D1">Confirmar mi correo</a></p>',
]

test('a code is in the row of its message', () => {
  expect(readCodes(mail('Subject: Sign in', '', 'Your login code:', '', '481 516', ''))).toEqual(['481516'])
})

test('a code in the subject alone is found', () => {
  expect(readCodes(mail('Subject: =?utf-8?q?C=C3=B3digo_de_acceso=3A_7046?=', '', 'Hola', ''))).toEqual(['7046'])
  expect(readCodes(mail('Subject: Your code is 481516', 'Content-Type: text/html', '', '<p>&#128075;</p>', ''))).toEqual(['481516'])
})

test.each([
  ['Your code is 481516', '<img src="cid:letter">', ['481516']],
  ['481516 is your verification code', '<a href="https://a.example/"><img src="https://a.example/b.png" alt="Acme"></a>', ['481516']],
  ['Your code is 481516', '', ['481516']],
  ['Your code is 481516', '<style>p { color: #123456 }</style><p>&nbsp;</p>', ['481516']],
  ['Tu código es 7046', '<table><tr><td background="https://a.example/b.png">&#847;</td></tr></table>', ['7046']],
  ['Invoice 481516', '<img src="cid:letter">', []],
  ['Your order 481516 has been shipped', '<img src="cid:letter">', []],
  ['Photo 20261130', '<img src="cid:photo">', []],
  ['Re: 481516', '', []],
  ['Save 200 today', '<img src="cid:letter">', []],
])('the codes of the subject "%s" above %j without words', (subject, html, codes) => {
  expect(readCodes(mail(`Subject: ${subject}`, 'Content-Type: text/html; charset=utf-8', '', html, ''))).toEqual(codes)
})

test('a code that is only in the HTML part is found under a generic text part', () => {
  const boundary = 'Content-Type: multipart/alternative; boundary=b'
  const raw = mail(boundary, '', '--b', 'Content-Type: text/plain', '', 'Open this mail as HTML.', '--b', ...html, '--b--', '')
  expect(readCodes(raw)).toEqual(['730118'])
})

const alternative = (text: string, html: string) => {
  const parts = ['--b', 'Content-Type: text/plain', '', text, '--b', 'Content-Type: text/html', '', html, '--b--', '']
  return mail('Subject: Hello', 'Content-Type: multipart/alternative; boundary=b', '', ...parts)
}
const [CODE, OTHER_CODE] = ['Your verification code is 481273', '<p>Your verification code is 927164</p>']
const WELCOME = '<p>Welcome to the club, nothing to do.</p>'
const [LINK, EVIL] = ['https://shop.example/confirm?t=zz81k2', 'https://evil.test/confirm?t=a8f3k2']
const ASK = `Please confirm your address: ${EVIL}`
const long = 'Thank you for being with us, and for all that you do. '.repeat(20)
const BUTTON = `<p>Please confirm your address</p><a href="${LINK}">Confirm</a>`
const TO_CONFIRM = `Please confirm your address: ${LINK}`
const LOGO = `<p>Acme</p><img alt="Acme" src="data:image/png;base64,${`${'A'.repeat(76)}\n`.repeat(1100)}">`
const SHEET = `<style>${'p{color:red}'.repeat(6000)}</style>`
const LETTER = `<p style="${'color:red;'.repeat(100)}">Thank you for being with us.</p>`.repeat(70)

type Offered = { codes?: string[]; preview?: string; link?: string; links?: string[]; allLinks?: string[] }
test.each<[name: string, text: string, html: string, offered: Offered]>([
  ['another code', CODE, OTHER_CODE, { codes: ['927164'], preview: 'Your verification code is 927164' }],
  ['a code that nobody sees', CODE, WELCOME, { preview: 'Welcome to the club, nothing to do.' }],
  ['a code in a hidden element as well', CODE, `${WELCOME}<p style="display:none">481273</p>`, {}],
  ['a code behind a style sheet of 70,000 bytes', CODE, `${SHEET}${OTHER_CODE}`, { codes: ['927164'] }],
  ['nothing, and the HTML a code below a long logo', '', `${LOGO}<p>${CODE}</p>`, { codes: ['481273'] }],
  ['nothing, and the HTML a link below a long logo', '', LOGO + BUTTON, { link: LINK, links: [LINK] }],
  ['nothing, and the HTML a code below a style sheet and words', '', `${SHEET}<p>${long}</p>${OTHER_CODE}`, { codes: ['927164'] }],
  ['a code that the HTML has below a long letter', CODE, `${LETTER}<p>No. 481273</p>`, { codes: ['481273'] }],
  ['a code below a long letter that hides it', CODE, `${LETTER}<p style="display:none">${CODE}</p>`, {}],
  ['another code than the HTML below a long letter', CODE, LETTER + OTHER_CODE, { codes: ['927164'] }],
  ['a code that a picture below a long letter says', CODE, `${LETTER}<img src="1" alt="${CODE}">`, { codes: ['481273'] }],
  ['a link that the HTML has below a long letter', TO_CONFIRM, LETTER + BUTTON, { link: LINK, links: [LINK] }],
  ['a link that nobody sees below a long letter', ASK, LETTER, { allLinks: [] }],
  ['a link that the HTML has below a long logo', TO_CONFIRM, LOGO + BUTTON, { link: LINK, links: [LINK] }],
  [
    'a link in tags beside HTML without words',
    `<p><a href="${LINK}&amp;u=2">Confirm</a> your address, please.</p>`,
    '<a href="https://shop.example/"><img src="https://shop.example/a.png" alt="Shop"></a>',
    { link: `${LINK}&u=2`, links: [`${LINK}&u=2`], allLinks: ['https://shop.example/', `${LINK}&u=2`] },
  ],
  ['a code beside an HTML that is too long to judge', CODE, `${WELCOME}${'<br>'.repeat(1_100_000)}`, {}],
  ['a long text without a code', long, OTHER_CODE, { codes: ['927164'] }],
  ['a code beside HTML without words', CODE, '<img src="https://a.example/1.png"><hr>', { codes: ['481273'], preview: CODE }],
  ['a code beside a text without a tag', CODE, 'Welcome to the club', { codes: ['481273'], preview: CODE }],
  ['a link that nobody sees', ASK, WELCOME, { allLinks: [] }],
  ['another link', ASK, BUTTON, { link: LINK, links: [LINK], allLinks: [LINK] }],
  ['a link beside HTML without words', ASK, '<img src="https://a.example/1.png">', { link: EVIL, links: [EVIL], allLinks: [EVIL] }],
  ['a long text without a link', long, BUTTON, { link: LINK, links: [LINK], allLinks: [LINK] }],
  ['a link beside a text without a tag', ASK, 'Welcome to the club', { link: EVIL, links: [EVIL], allLinks: [EVIL] }],
  [
    'words for a link that the HTML has, too',
    `Yes, confirm my address: ${LINK}`,
    `<p>An owl has brought this.</p><p><a href="${LINK}">To the wood</a></p>`,
    { link: LINK, links: [LINK], allLinks: [LINK] },
  ],
])('beside what the page shows, the text has %s', (_, text, html, { codes = [], preview, link, links = [], allLinks }) => {
  const raw = alternative(text, html)
  const summary = summarise(raw, 'a@sender.test')
  const message = toMessage(toMessageSummary({ messageId: 'x' as MessageId, arrivalCursor: 1, receivedAt: 0 }, summary), '', raw)
  expect(summary.codes).toEqual(codes)
  expect(summary.link?.url).toBe(link)
  expect(message.links.map(({ url }) => url)).toEqual(links)
  if (preview !== undefined) expect(summary.preview).toBe(preview)
  if (allLinks) expect(message.allLinks.map(({ url }) => url)).toEqual(allLinks)
})

test.each([
  ['all that is said of it', '<p>Your sign-in:</p><img src="https://a.example/c.png" alt="Your sign-in code is 481516">', ['481516']],
  ['the number alone', "<h1>Your sign-in code</h1><table><tr><td><img src='c.png' alt='481 516'></td></tr></table>", ['481516']],
  ['a picture for each half', '<p>Your sign-in code:</p><p><img src="1" alt="481"><img src="2" alt="516"></p>', ['481516']],
  ['a number of an order', '<h1>Thank you for your order</h1><img src="o.png" alt="Order 481516">', []],
  ['a picture that nobody sees', '<p>Your sign-in code</p><img src="c.png" alt="481516" style="display:none">', []],
  [
    'a picture that a style sheet far below hides',
    `<p>Your sign-in code</p><img class="x" src="c.png" alt="481516">${'<i></i>'.repeat(10_000)}<style>.x{display:none}</style>`,
    [],
  ],
  [
    'a code of a coupon in a picture under a code',
    '<p>Your sign-in code is 481516</p><img src="c.png" alt="20 % off: 730118">',
    ['481516'],
  ],
])('codes in the words of pictures: %s', (_, body, codes) => {
  expect(readCodes(mail('Subject: Sign in', 'Content-Type: text/html', '', body, ''))).toEqual(codes)
})

test('a code above a forwarded mail that is too long to be judged is found', () => {
  const forwarded = [
    '--b',
    'Content-Type: message/rfc822',
    '',
    'Content-Type: text/html',
    '',
    `<p>${'x '.repeat(2_100_000)}</p>`,
    '--b--',
    '',
  ]
  const raw = mail('Subject: Sign in', 'Content-Type: multipart/mixed; boundary=b', '', '--b', ...html, ...forwarded)
  expect(readCodes(raw)).toEqual(['730118'])
})

test('whether an HTML is shown is judged once', () => {
  const raw = alternative('Hello', 'no tag')
  const parsed = parseMessage(raw)
  expect(htmlSample(raw, parsed)).toBeUndefined()
  for (const part of parsed.root.children) part.text = '<p>a tag</p>'
  expect(htmlSample(raw, parsed)).toBeUndefined()
})

test('a message has its confirmation links', () => {
  const raw = mail('Subject: Confirma', ...html, '')
  const { id, cursor, receivedAt } = { id: 'x', cursor: '1', receivedAt: new Date(0).toISOString() }
  const summary = toShownSummary(summarise(raw, 'a@sender.test'))
  expect(toMessage({ id, cursor, receivedAt, ...summary }, '', raw).links).toEqual([
    { url: 'https://a.example/confirmar?x=1', label: 'Confirmar mi correo' },
  ])
})

test('a mail without a code has its confirmation link in its row', () => {
  const link = (raw: Buffer) => summarise(raw, 'a@sender.test').link
  const asking = ['Content-Type: text/html; charset=utf-8', '', '<a href="https://a.example/confirm?x=1">Confirm my address</a>', '']
  expect(link(mail('Subject: Please confirm your address', ...asking))).toEqual({
    url: 'https://a.example/confirm?x=1',
    label: 'Confirm my address',
  })
  expect(link(mail('Subject: Sign in', '', 'Sign in to go on: https://a.example/magic?token=k3V9x', ''))).toEqual({
    url: 'https://a.example/magic?token=k3V9x',
    label: 'a.example',
  })
  expect(link(mail('Subject: Your code', '', 'Your code is 481516. Or sign in: https://a.example/magic?token=1', ''))).toBeUndefined()
  expect(link(mail('Subject: November', '', 'Mulch the roses: https://a.example/november', ''))).toBeUndefined()
})

test('what no reader sees is not in the row: no link, no code, no preview', () => {
  const link = (token: string) => `<a href="https://a.example/confirm?token=${token}">Confirm your address</a>`
  const row = (body: string) => {
    const { link, codes, preview } = summarise(
      mail('Subject: Confirm your address', 'Content-Type: text/html', '', body, ''),
      'a@sender.test',
    )
    return [link?.url, codes, preview]
  }
  const outlook = `<!--[if mso]>${link('OLD')}<![endif]--><!--[if !mso]><!-->${link('NEW')}<!--<![endif]-->`
  expect(row(outlook)).toEqual(['https://a.example/confirm?token=NEW', [], 'Confirm your address'])
  for (const hide of [
    (html: string) => `<!-- ${html} -->`,
    (html: string) => `<div style="display:none">${html}</div>`,
    (html: string) => `<template>${html}</template>`,
    (html: string) => `<textarea>${html}</textarea>`,
    (html: string) => `<script type="text/template">${html}</script>`,
    (html: string) => `<p>Hi</p><noscript>${html}</noscript>`,
    (html: string) => `<p title='${html}'>Hi</p>`,
    (html: string) => `<style>.x{display:none}</style><div class="x">${html}</div>`,
  ]) {
    const hidden = hide(`${link('OLD')} Your code is 481516`)
    expect(row(`${hidden}${link('NEW')}`)).toEqual([
      'https://a.example/confirm?token=NEW',
      [],
      expect.stringMatching(/^(?:Hi )?Confirm your address$/),
    ])
    expect(row(`${hidden}<p>Hello</p>`).slice(0, 2)).toEqual([undefined, []])
  }
})

test.for([
  [0, ['481516']],
  [1_000, []],
  [70_000, []],
  [3_000_000, []],
  // Nobody reads on to see what else such a mail hides.
  [5_000_000, []],
] as const)('what a style sheet hides %i characters later is not in the row', ([distance, expected]) => {
  const body = `<p class="x"><a href="https://a.example/confirm?token=OLD">Confirm your address</a> Your code is 481516</p>`
  const sheet = distance === 0 ? '' : `<!-- ${'x'.repeat(distance)} --><style>.x{display:none}</style>`
  const lines = [body, ...sheet.replace(/x{900}/g, '$&\n').split('\n')]
  const { codes, link } = summarise(mail('Subject: Confirm your address', 'Content-Type: text/html', '', ...lines, ''), 'a@sender.test')
  expect({ codes, link }).toEqual({ codes: expected, link: undefined })
})

test('the row has no link if a policy contradicts the sender', () => {
  const sealed = summarise(mail('Subject: Sign in', '', 'Sign in to go on: https://a.example/magic?token=k3V9x', ''), 'a@sender.test')
  const row = { messageId: 'x' as MessageId, arrivalCursor: 1, receivedAt: 0 }
  const none = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' } as const
  expect(toMessageSummary(row, sealed).link).toBeDefined()
  expect(toMessageSummary(row, { ...sealed, authentication: none }).link).toBeDefined()
  expect(toMessageSummary(row, { ...sealed, authentication: { ...none, dmarc: 'fail', policy: 'reject' } }).link).toBeUndefined()
})

test('mail without a code has none', () => {
  expect(readCodes(mail('Subject: Order 481516', '', 'Order number: 481516', ''))).toEqual([])
})

const shown = (raw: Buffer) => {
  const summary = summarise(raw, 'a@sender.test')
  const row = { messageId: 'x' as MessageId, arrivalCursor: 1, receivedAt: 0 }
  return toMessage(toMessageSummary(row, summary), 'a@sender.test', raw)
}

test('HTML that was sent as plain text is read as a person would', () => {
  const link = '<a href="https://shop.example/verify?user=7&amp;token=abc">Confirm your address</a>'
  const message = shown(mail('Subject: Sign in', 'Content-Type: text/plain', '', `<p>Your verification code:</p><p>481516</p>${link}`))
  const url = 'https://shop.example/verify?user=7&token=abc'
  expect(message).toMatchObject({ codes: ['481516'], preview: 'Your verification code: 481516 Confirm your address' })
  expect([message.links, message.allLinks]).toEqual([[{ url, label: 'Confirm your address' }], [{ url, text: 'Confirm your address' }]])
  expect(summarise(mail('Subject: Build failed', '', 'if a<b and c>d then stop'), '').preview).toBe('if a<b and c>d then stop')
})

test('a URL that only stands in the words of an HTML mail is a link, unless it is the words of another', () => {
  const html =
    '<p>Confirm your address: https://shop.example/confirm?t=1</p><p><a href="https://shop.example/c/1">https://shop.example/news</a></p>'
  const message = shown(mail('Subject: Confirm your address', 'Content-Type: text/html', '', html))
  expect(message.allLinks.map(({ url }) => url)).toEqual(['https://shop.example/c/1', 'https://shop.example/confirm?t=1'])
  expect(message.link?.url).toBe('https://shop.example/confirm?t=1')
})
