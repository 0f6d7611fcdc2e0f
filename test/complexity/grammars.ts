/** Generates input in the formats that strangers send us: known hard cases, and random ones made of each format's own tokens. */

import { withoutLastSlashes } from '#contract/path-to.ts'
import { senderWarning } from '#contract/sender-warning.ts'
import { findCodes } from '#reader/codes/codes.ts'
import { parseAddresses, parseSender } from '#reader/mime/headers/addresses.ts'
import { decodeWords } from '#reader/mime/headers/encoded-words.ts'
import { readDate } from '#reader/mime/headers/headers.ts'
import { parseStructured, safeFilename, textParameter, tokenParameter } from '#reader/mime/headers/parameters.ts'
import { listAttachments } from '#reader/mime/structure/attachments.ts'
import { readBody } from '#reader/mime/structure/body.ts'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import { htmlToText } from '#reader/seen/html.ts'
import { pictureSources } from '#reader/seen/picture-sources.ts'
import { textLinks } from '#reader/seen/plain-text.ts'
import { textPrefix } from '#reader/seen/preview.ts'
import { taggedText } from '#reader/seen/tagged-text.ts'
import { readAuthentication } from '#server/mail/authentication/authentication-results.ts'
import { parseSenderPath } from '#server/smtp/command-arguments.ts'
import { selectorTokens, valueTokens } from '#web/features/message/body/css-tokens.ts'
import { parseSrcset } from '#web/features/message/body/srcset.ts'
import { checkContent } from '../../client/check-content.ts'
import { withAuthors } from '../harness/mayfly/with-authors.ts'
import words from './format-tokens.json' with { type: 'json' }
import type { Grammar } from './linear.ts'

type Words = readonly string[]

const repeat = (unit: string) => ({ name: JSON.stringify(unit), make: (size: number) => unit.repeat(Math.ceil(size / unit.length)) })
const after = (start: string, unit: string, end = '') => ({
  name: JSON.stringify(`${start}(${unit})*${end}`),
  make: (size: number) => start + unit.repeat(Math.ceil(size / unit.length)) + end,
})

/** No limit of the parser ends the reading early, because its cost per part and per field is measured. */
const NO_LIMITS = { partsMax: 1e9, headerFieldsMax: 1e9, headerBytesMax: 1e9, fieldBytesMax: 1e9 }

function readMail(text: string): void {
  const raw = Buffer.from(text, 'latin1')
  const parsed = parseMessage(raw, NO_LIMITS)
  readBody(raw, parsed)
  listAttachments(raw, parsed)
  textPrefix(raw, parsed, 200)
}

function checkSender(text: string): Promise<unknown> {
  const connection = { clientAddress: '192.0.2.1', helo: 'mx.a.test', from: 'a@a.test' }
  const resolve = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }))
  return readAuthentication(connection, withAuthors(Buffer.from(text, 'latin1')), resolve)
}

const SIGNATURE = 'DKIM-Signature: a=rsa-sha256; c=relaxed/relaxed; d=a.test; s=s; h=from; bh=AAAA; b=AAAA; '

/** Each of them makes the library read the body again. */
function differentLengths(size: number): string {
  const signatures = Array.from({ length: size / 200 }, (_, index) => `${SIGNATURE}l=${index}\r\n`)
  return `${signatures.join('')}From: a@a.test\r\n\r\n${'a b\r\n'.repeat(size / 10)}`
}

function longBase(size: number): string {
  const pictures = Array.from({ length: size / 40 }, (_, index) => `<img src=a${index}>`)
  const html = `--b\r\nContent-Type: text/html\r\n\r\n${pictures.join('')}`
  const head = `Content-Type: multipart/related; boundary=b\r\nContent-Base: //a/${'\xc3\xa9'.repeat(size / 4)}\r\n\r\n`
  return `${head}${html}\r\n--b\r\nContent-Location: z\r\nContent-Type: image/png\r\n\r\nx\r\n--b--\r\n`
}

/** The tokens of each format, from which random input is made. */
export const WORDS: Readonly<Record<string, Words>> = words

const WRITTEN: readonly Grammar[] = [
  {
    name: 'addresses',
    read: text => [parseAddresses(text), parseSender(text)],
    shapes: [
      after('x', ':'),
      after(`x@`, ':'),
      after('', 'x', '@:::'),
      { name: '"x…@:::…"', make: size => `${'x'.repeat(size / 2)}@${':'.repeat(size / 2)}` },
      { name: '"xxx:::"', make: size => `${'x'.repeat(size / 2)}${':'.repeat(size / 2)}` },
      ...['(', '"', '<', '\\', 'a,', 'a b ', 'a@b ', '<a@b> ', '"a" ', '"a"@', '(a) ', '=?', '=?a?q?', '=?a?q?b?= '].map(repeat),
      after('<@', 'a,'),
      after('<', 'a(b)', '@c>'),
      after('', ',', 'x'),
      after('"', '\\"a\\\\', '@x.test'),
      after('x@y "', '\\"a\\\\'),
      ...['>', '<', ',', ';', ' '].map(unit => after('a@b.test', unit, 'x')),
    ],
  },
  {
    name: 'header words',
    read: decodeWords,
    shapes: [
      ...['=?', '=?utf-8?q?', '=?utf-8?q?a?=', '=?utf-8?q?a?= ', '=?utf-8?b?QQ?= ', '=?utf-8?b?w6?=', ' ', '?='].map(repeat),
      after('', '=?utf-8?q?', '?='),
    ],
  },
  {
    name: 'parameters',
    read: text => {
      const field = parseStructured(text)
      const name = textParameter(field, 'name')
      return [name, safeFilename(name, 0, 'application/pdf'), tokenParameter(field, 'charset'), textParameter(field, 'filename')]
    },
    shapes: [
      ...[';', '=', '"', '(', 'a=b;', 'a=b ', 'a= ', 'a="b"', 'name*0=a;', ' ', '\\', '(a)'].map(repeat),
      after('a/b; name="', '\\"'),
      after('a/b; name=', ' a'),
      after("a/b; name*=utf-8''", '%C3'),
      after('a/b; charset=', ' ('),
      after('a/b; charset="', ' (', '\u2028("'),
      ...['.', ' ', '. ', '/'].map(unit => after('a/b; name="a', unit, 'x"')),
      after('', ' /'),
    ],
  },
  {
    name: 'MIME structure',
    read: readMail,
    shapes: [
      ...['a:b\r\n', 'a\r\n', '\r\n', ' \r\n', ':\r\n', 'a b:c\r\n d\r\n', '-', '--\r\n', 'begin 644 a\r\n', '\r'].map(repeat),
      after('Content-Type: multipart/mixed; boundary=a\r\n\r\n', '--a\r\n\r\n'),
      after('Content-Type: multipart/mixed; boundary=a\r\n\r\n', '--a \r\n'),
      after('Content-Type: multipart/mixed; boundary=a\r\n\r\n', '--b\r\n'),
      after('Content-Type: multipart/digest; boundary=a\r\n\r\n', '--a\r\n\r\nSubject: x\r\n\r\ny\r\n'),
      after('Subject: x\r\n', ' y\r\n'),
      after('Content-Type: text/html\r\n\r\n', 'a<b>'),
      after('Content-Type: text/plain; format=flowed\r\n\r\n', '> a \r\n'),
      after('Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n', '=3D=\r\n'),
      after('\r\n', '-----\r\n'),
      after('\r\n', 'p { a: b }\r\n'),
      after('\r\n', '<style>a{b:c}</style>'),
      { name: 'a long base for each picture', make: longBase },
    ],
  },
  {
    name: 'mail whose sender is checked',
    read: checkSender,
    shapes: [
      ...['\r', ' y\r\n', ' ', '.', 'a '].map(unit => after('From: a@a.test\r\nReceived: ', unit, 'x')),
      ...['.', ' ', ':'].map(unit => after('From: a@a.test', unit, 'x')),
      ...[' ', ':a', ';'].map(unit => after(SIGNATURE, unit, 'x\r\nFrom: a@a.test')),
      ...['a:b\r\n', 'Received: a\r\n', 'a\r\n'].map(unit => after(`${SIGNATURE}\r\nFrom: a@a.test\r\n`, unit)),
      ...['\n', ' \r\n', 'a b\r\n', '\r'].map(unit => after(`${SIGNATURE}\r\nFrom: a@a.test\r\n\r\n`, unit, 'x')),
      { name: 'signatures of different lengths', make: differentLengths },
    ],
  },
  {
    name: 'HTML to text',
    // Without a tag it is read as a text.
    read: text => [text, `<p>${text}`].map(html => [htmlToText(html), htmlToText(html, 200)]),
    shapes: [
      'a<b>',
      '<',
      '<a',
      '<a "',
      '<a ="',
      '<!--',
      '<!',
      '</',
      '<style>',
      '<style></styl>',
      '<td>',
      '<p>',
      ' <p>',
      'a <br>',
      '&',
      '&amp',
      ' ',
      '\n ',
      '<script></script>',
      'a<td>b',
    ]
      .map(repeat)
      .concat(
        ...[' ', '1', 'top:1px;', '\\"', "'"].map(unit => after('<p style="font:a', unit, '!">x')),
        ...[' ', '\\"', '(', 'top:1px;', 'x{top}', 'a{'].map(unit => after('<style>a,b,c{font:"url(', unit, '}</style><p>x')),
        ...['a,', '.a', 'a ', '(', '[a="x" '].map(unit => after('<style>', unit, '!{top:1px}</style><p class=a>x')),
        ...['[a~=x]{top:0}', '.a{top:0}'].map(unit => after(`<p a="x ${'y '.repeat(500)}" class=a>x<style>`, unit)),
        after('<a href="x', ' ', 'y">x</a>'),
        after('<p>x<style></style>', '</style>', '<style>'),
        after(`<style>${':hover,'.repeat(900)}:hover{`, ':hover{top:0}', '}</style><p>x'),
        {
          name: 'a long value for each element',
          make: size => `<style>p{filter:${'a'.repeat(size / 2)}}</style>${'<p>'.repeat(size / 6)}x`,
        },
        {
          name: 'a long base for each link',
          make: size => `<base href=//a/${'é'.repeat(size / 2)}>${'<a href=b>x</a>'.repeat(size / 30)}`,
        },
      ),
  },
  {
    name: 'codes',
    read: text => [findCodes({ subject: text.slice(0, 1000), text }), findCodes({ text })],
    shapes: [
      ...['123456 ', 'code 123456 ', 'code: ', 'A1B2C3 ', 'code\n', 'your code is ', '1', '1-', '12 34 ', 'a', '.'].map(repeat),
      // Only where a code is announced is a line searched.
      ...['1 - ', 'A 1 ', '1 1 - ', '123456 ', '12 ', 'A1B2C3 '].map(unit => after('Your verification code is below.\n', unit)),
    ],
  },
  {
    name: 'links of a text',
    read: textLinks,
    shapes: [
      'https://a.b/',
      '*https://a.b/*',
      'https://a.b/で',
      '<https://a.b/\n',
      '<URL:http://a',
      'https://a.b/(',
      'a@b.c,',
      'www.',
      '<',
      '://',
      '_',
    ]
      .map(repeat)
      .concat(after('<https://a', '\n ', '>'), after('_https://a.b/', '_'), after('https://a.b/', '*')),
  },
  {
    name: 'pictures of HTML',
    read: html => pictureSources(html, 2000),
    shapes: ['<img src=a>', '<p style="background:url(a)">', '<style>url(', '<img src="', 'url(']
      .map(repeat)
      .concat(after('<style>', 'url( ')),
  },
  {
    name: 'tags in plain text',
    // The first tag may stand before what is hard, and after it.
    read: text => [text, `<b>${text}`, `${text}<b>`].map(taggedText),
    shapes: [
      ...[' ', '\r\n', '/', '=', 'b', ' b=', ' b'].flatMap(unit =>
        ['<a', '<a b=', '<a b', '<map ', '</a', '<!doctype'].map(start => after(start, unit)),
      ),
      ...['<', '<a', '<a b=', '</a ', '<map a', '\r', '\n', '<a b= '].map(repeat),
    ],
  },
  {
    name: 'entities',
    read: text => htmlToText(text),
    shapes: ['&', '&amp', '&amp;', '&#', '&#x', '&#65;', '&a', '&#99999999'].map(repeat),
  },
  {
    name: 'dates',
    read: text => readDate(parseMessage(Buffer.from(`Date: ${text}\r\n\r\n`, 'latin1'), NO_LIMITS)),
    shapes: ['1 ', '(', '()', 'Jan ', '1:', 'Fri, ', '1 Jan ', '2026-', ' ', '12:12:12 '].map(repeat),
  },
  // What a page parses of a mail, without the limits on length that it adds.
  {
    name: 'CSS values',
    read: valueTokens,
    shapes: [
      after('url(', ' ', '"a" b)'),
      after('url("a"', ' ', 'b)'),
      after('url(a', ' ', 'b)'),
      after('url(', ' '),
      after('url(', 'a', '('),
      ...['url(', 'url( ', 'url("a" ', 'a-', '"x" ', '1', '1e', '.1', '-', '#a', 'calc('].map(repeat),
    ],
  },
  {
    name: 'selectors of style sheets',
    read: selectorTokens,
    shapes: ['a', 'a-', '\\a', '.a ', '[a="b"]', ':is(', 'url( ', '#a', '--']
      .map(repeat)
      .concat(after('a[b="', '\\"'), after('url(', ' ', '"a" b)')),
  },
  {
    name: 'srcset values',
    read: text => parseSrcset(text, { charsMax: Infinity, candidatesMax: Infinity }),
    shapes: [
      after('a ', '1'),
      after('a ', '1', 'y'),
      after('a ', '1.'),
      after('a', ' ', 'b'),
      after('', 'a', ' b'),
      after('a', ',', 'b'),
      ...[',', ' ', 'a ', 'a,', 'a 1x,', 'a 1 '].map(repeat),
    ],
  },
  {
    name: 'HTML that is checked for its senders',
    read: html => checkContent({ html, text: undefined, headers: [], attachments: [], allLinks: [], warnings: [] }),
    shapes: [
      after('<style>', '/*a'),
      after('<style>', '/*a*'),
      ...['<style>', '<style ', '<img ', '<img src="', ' style="', ' style=\'a"', '<a href="http://a.b/', '@media ('].map(repeat),
    ],
  },
  {
    name: 'sender names',
    read: name => senderWarning({ name, address: 'a@b.test' }),
    shapes: [after('', 'a', '@b'), after('', 'a', '@b.c'), after('a@', 'b.'), ...['a', 'a@', '@', 'a@b.c '].map(repeat)],
  },
  {
    name: 'SMTP paths',
    // A line may have 4,096 bytes, and many lines are read in one turn.
    read: text => ['FROM:<', 'FROM:<a@b', 'FROM:<a@b>', 'FROM:'].map(start => parseSenderPath(start + text)),
    shapes: [
      after('', ' ', 'x'),
      after('', ' '),
      after('"', '\\"'),
      ...['\x80', 'a.', 'a@', '@a,', '@a:', '\\ ', '"a"', ' a=b'].map(repeat),
    ],
  },
  {
    name: 'paths of pages',
    read: withoutLastSlashes,
    shapes: [after('', '/', 'a'), after('/a', '/'), ...['/', '/a', '//a'].map(repeat)],
  },
]

/**
 * A run of each character of the format that is not at the end: a pattern such as `/x+$/` begins again at each character of the run, and
 * two neighbours in a pattern that both match it try every division.
 */
const runs = (words: Words) => words.filter(word => word.length === 1).map(word => after('x', word, 'x'))

export const GRAMMARS: readonly Grammar[] = WRITTEN.map(grammar => ({
  ...grammar,
  shapes: [...grammar.shapes, ...runs(WORDS[grammar.name] ?? [])],
}))

/** Up to four tokens, of which one part occurs once and another is repeated. The same numbers give the same input. */
export function randomShape(words: Words, random: () => number): Grammar['shapes'][number] {
  const pick = (count: number) =>
    Array.from({ length: Math.floor(random() * count) }, () => words[Math.floor(random() * words.length)] ?? '').join('')
  const unit = pick(5) || (words[0] ?? 'a')
  return after(pick(3), unit, pick(3))
}
