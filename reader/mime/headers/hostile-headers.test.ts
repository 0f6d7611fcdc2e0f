/**
 * Header fields that are made to break parsers, and unusual ones. Nothing here is timed: a quadratic step would reach the test's time-out.
 */
import { describe, expect, test } from 'vitest'
import { readMail as read } from '../../../test/harness/read-mail.ts'
import { parseMessage } from '../structure/parse.ts'
import { decodedHeaders, readDate, readSender, readSubject, readTo } from './headers.ts'

describe('header bombs', () => {
  test.each([
    ['one line of 10 MB', `Subject: ${'a'.repeat(10_000_000)}\r\n\r\nbody`, ['field_bytes_max: 131072', 'header_bytes_max: 2097152']],
    ['500,000 fields', `${'X: y\r\n'.repeat(500_000)}\r\nbody`, ['header_fields_max', 'header_bytes_max: 2097152']],
    ['a million folds', `Subject: a\r\n${' b\r\n'.repeat(1_000_000)}\r\nbody`, ['field_bytes_max: 131072', 'header_bytes_max: 2097152']],
  ])('%s is cut at the limit, and the body is found', (_, text, warnings) => {
    const { parsed, preview } = read(text)
    expect([parsed.status, parsed.warnings, preview]).toEqual(['partial', warnings, 'body'])
  })

  test('a million lines without a colon are body text', () => {
    expect(read(`Subject: a\r\n${'nocolon\r\n'.repeat(1_000_000)}`).preview).toMatch(/^nocolon nocolon/)
  })

  test('a hundred thousand empty lines come before the first field', () => {
    expect(read(`${'\r\n'.repeat(100_000)}Subject: late`).parsed.root.headers).toEqual([])
  })
})

describe('encoded-words', () => {
  const subject = (value: string) => readSubject(read(`Subject: ${value}\r\n\r\n`).parsed)

  test.each([
    ['=?utf-8?B?w6k=?= =?utf-8?B?w6k=?=', 'éé'],
    ['=?utf-8?B?w6k=?=\r\n =?utf-8?Q?=C3=A9?=', 'éé'],
    ['=?utf-8?Q?a?= b =?utf-8?Q?c?=', 'a b c'],
    ['=?utf-8?Q?=C3?= =?utf-8?Q?=A9?=', 'é'],
    ['=?utf-8?B?4p?= =?utf-8?B?yT?=', '✓'],
    ['=?utf-8?Q?with spaces inside?=', 'with spaces inside'],
    ['=?utf-8?Q?Ready??=', 'Ready?'],
    ['=?utf-8*es?Q?a=C3=B1o?=', 'año'],
    ['=?x-nobody-knows?Q?=C3=A9?=', 'é'],
    ['=?iso-8859-1?Q?\xfc?=', 'ü'],
    ['=?utf-8?Q?=?utf-8?Q?x?=', '=?utf-8?Q?x'],
    ['=?utf-8?X?abc?=', '=?utf-8?X?abc?='],
    ['=?utf-8?Q?never closed', '=?utf-8?Q?never closed'],
    ['=?ISO-2022-JP?B?GyRCRnxLXBsoQg==?=', '日本'],
    ['=?gb2312?B?xOO6ww==?=', '你好'],
    // Python's email.charset writes the names of its own codecs.
    ['=?eucgb2312_cn?b?xOO6ww==?=', '你好'],
    ['=?big5_tw?b?p0Gmbg==?=', '你好'],
    ['=?koi8-r?Q?=F0=D2=C9=D7=C5=D4?=', 'Привет'],
    ['=?utf-8?Q?a=0D=0ABcc:_x@y=00z?=', 'a Bcc: x@y z'],
  ])('%j is %j', (value, expected) => {
    expect(subject(value)).toBe(expected)
  })

  test('100,000 in one subject are decoded', () => {
    expect(subject('=?utf-8?B?w6k=?= '.repeat(100_000))).toMatch(/^é{7000}/)
  })
})

describe('RFC 2231', () => {
  const filename = (parameters: string) => read(`Content-Disposition: attachment; ${parameters}\r\n\r\n`).parsed.root.filename

  test.each([
    ["filename*=utf-8''a%C3%B1o.pdf; filename=ano.pdf", 'año.pdf'],
    ["filename=ano.pdf; filename*=utf-8''a%C3%B1o.pdf", 'año.pdf'],
    ["filename*0*=utf-8''%E2%82; filename*1*=%AC.pdf", '€.pdf'],
    ['filename*1=b.pdf; filename*0=a', 'ab.pdf'],
    ['filename*0=a; filename*2=c.pdf', 'ac.pdf'],
    ["filename*=iso-8859-1'en'%A3.txt", '£.txt'],
    ['filename*=no%20quotes.txt', 'no quotes.txt'],
    ['filename="=?utf-8?Q?a=C3=B1o.pdf?="', 'año.pdf'],
    ['filename=my own file.pdf', 'my own file.pdf'],
    ['filename="a \\"b\\".pdf"', 'a "b".pdf'],
  ])('%s', (parameters, expected) => {
    expect(filename(parameters)).toBe(expected)
  })

  test('20,000 segments are joined', () => {
    expect(filename(Array.from({ length: 20_000 }, (_, n) => `filename*${n}=a`).join(';'))).toMatch(/^a{900}/)
  })
})

describe('missing and odd fields', () => {
  test('empty mail is parsed', () => {
    const { parsed, body, preview, attachments } = read('')
    expect([readSubject(parsed), readSender(parsed), readTo(parsed), readDate(parsed), preview]).toEqual([
      '',
      { name: '', address: '' },
      [],
      undefined,
      '',
    ])
    expect([body.text, attachments]).toEqual(['', []])
  })

  test('mail without fields is all body', () => {
    const { parsed, body } = read('hello\r\nworld\r\n')
    expect([parsed.root.headers, body.text]).toEqual([[], 'hello\nworld\n'])
  })

  test('mail with fields only has no body', () => {
    expect(readSubject(read('Subject: x\r\n').parsed)).toBe('x')
  })

  test('binary data without fields is `failed` and kept', () => {
    expect(read('\0\x01\x02').parsed.status).toBe('failed')
  })

  test('the first of two From fields and two subjects is used', () => {
    const { parsed } = read('From: a@x.test\r\nFrom: b@x.test\r\nSubject: one\r\nSubject: two\r\n\r\n')
    expect([readSender(parsed).address, readSubject(parsed)]).toEqual(['a@x.test', 'one'])
  })

  test('an mbox line and a bad line between fields are skipped', () => {
    const { parsed } = read('From x@y Mon Jan 1\r\nFrom: a@x.test\r\nbroken fold\r\nSubject: one\r\n\r\nbody')
    expect([readSender(parsed).address, readSubject(parsed)]).toEqual(['a@x.test', 'one'])
  })
})

test('dangerous field names are only text', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
  const { parsed } = read(
    `${names.map(name => `${name}: x\r\nContent-Type: text/plain; ${name}=1\r\n`).join('')}${'Same: y\r\n'.repeat(10_000)}\r\n`,
  )
  const headers = decodedHeaders(parsed)
  expect(headers.filter(({ value }) => value === 'x').map(({ name }) => name)).toEqual(names)
  expect(headers.filter(({ name }) => name === 'Same')).toHaveLength(10_000)
  expect(Object.keys(Object.prototype)).toEqual([])
})

test('8-bit fields are UTF-8 if valid, else windows-1252, each separately', () => {
  const raw = Buffer.concat([
    Buffer.from('Subject: señal\r\nFrom: '),
    Buffer.from([0x4a, 0xfc, 0x72, 0x67]),
    Buffer.from(' <j@x.test>\r\n\r\n'),
  ])
  const parsed = parseMessage(raw)
  expect([readSubject(parsed), readSender(parsed).name]).toEqual(['señal', 'Jürg'])
})

test('8-bit fields use the declared charset of the mail if valid', () => {
  const korean = Buffer.from('5b b1 a4 b0 ed 5d'.replaceAll(' ', ''), 'hex').toString('latin1')
  const subject = (charset: string, text: string) =>
    readSubject(read(`Subject: ${text}\r\nContent-Type: text/html;\r\n charset="${charset}"\r\n\r\n`).parsed)
  expect(subject('ks_c_5601-1987', korean)).toBe('[광고]')
  expect(subject('ks_c_5601-1987', Buffer.from('é').toString('latin1'))).toBe('é')
  expect(subject('iso-2022-jp', 'M\xfcller')).toBe('Müller')
  for (const charset of ['nonsense', 'utf-16', 'utf-16be', 'utf-7', 'cp037', 'hz-gb-2312'])
    expect(subject(charset, 'M\xfcller +ADw-')).toBe('Müller +ADw-')
})

test.each(['q?x?= =?abc<a@b.test>', 'b?=?=a', '=?q?=?b', 'q?=?='])('an encoded-word that never names a charset is text: %s', from => {
  const { parsed } = read(`From: ${from}\r\nSubject: ${from}\r\n\r\n`)
  expect(readSubject(parsed)).toBe(from)
  expect(readSender(parsed).address).toBe(from.includes('<') ? 'a@b.test' : '')
})

test('unpaired surrogates are never returned', () => {
  const { body } = read('Content-Type: text/plain; charset=utf-16le\r\n\r\nA\0\0\xd8B\0')
  expect(body.text?.isWellFormed()).toBe(true)
  expect(readSubject(read('Subject: =?utf-8?Q?=ED=A0=80?=\r\n\r\n').parsed).isWellFormed()).toBe(true)
})
