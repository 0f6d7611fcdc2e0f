/** The rows M01–M32 of the case list that the parser answers for. Nothing here is timed: bench/mime.ts measures; a quadratic step would run into the test timeout. */
import { describe, expect, test } from 'vitest'
import { attachmentsOf, bodyOf, dateOf, decodeAttachment, decodedHeaders, fromOf, subjectOf, textPrefix, toOf } from './content.ts'
import { parseMessage } from './parse.ts'
import type { ParsedMessage, Part } from './types.ts'

function read(text: string, encoding: BufferEncoding = 'latin1') {
  const raw = Buffer.from(text, encoding)
  const parsed = parseMessage(raw)
  return { raw, parsed, body: bodyOf(raw, parsed), attachments: attachmentsOf(raw, parsed), preview: textPrefix(raw, parsed, 100) }
}

function countParts(parsed: ParsedMessage): number {
  const count = (part: Part): number => part.children.reduce((sum, child) => sum + count(child), 1)
  return count(parsed.root)
}

function nested(levels: number): string {
  const open = Array.from({ length: levels }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('')
  const close = Array.from({ length: levels }, (_, n) => `\r\n--b${levels - 1 - n}--`).join('')
  return `${open}Content-Type: text/plain\r\n\r\nleaf${close}\r\n`
}

describe('M01 nesting', () => {
  test.each([20, 100, 255])('%i multiparts deep, the text is found', levels => {
    const { parsed, body } = read(nested(levels))
    expect([parsed.status, body.text]).toEqual(['ok', 'leaf'])
  })

  test.each([1000, 20_000])('%i deep is read as far as the limit', levels => {
    const { parsed, preview } = read(nested(levels))
    expect([parsed.status, countParts(parsed)]).toEqual(['partial', 257])
    expect(parsed.warnings).toContain('depth_max: 256')
    expect(preview).toContain('--b256')
  })
})

test('M02: 50,000 messages inside each other are read to the limit and the rest is one attachment', () => {
  const { parsed, attachments } = read('Content-Type: message/rfc822\r\n\r\n'.repeat(50_000))
  expect([parsed.status, countParts(parsed), attachments.length]).toEqual(['partial', 256, 1])
  expect(parsed.warnings).toEqual(['depth_max: 256'])
})

describe('M03 breadth', () => {
  test.each(['--x\r\n\r\n', '--x\r\n'])('500,000 parts %j: the first thousand are listed', delimiter => {
    const { parsed } = read(`Content-Type: multipart/mixed; boundary=x\r\n\r\n${delimiter.repeat(500_000)}`)
    expect([parsed.status, countParts(parsed)]).toEqual(['partial', 1000])
    expect(parsed.warnings).toContain('parts_max: 1000')
  })

  test('exactly the limit is whole', () => {
    const parts = `--x\r\n\r\na\r\n`.repeat(999)
    const { parsed } = read(`Content-Type: multipart/mixed; boundary=x\r\n\r\n${parts}--x--\r\n`)
    expect([parsed.status, countParts(parsed)]).toEqual(['ok', 1000])
  })

  test('20 MB of lines that almost are delimiters', () => {
    const { parsed } = read(`Content-Type: multipart/mixed; boundary=xyz\r\n\r\n${'--xy\n'.repeat(4_000_000)}`)
    expect(countParts(parsed)).toBe(1)
  })
})

describe('M04 boundaries', () => {
  const multipart = (parameter: string, ...lines: string[]) =>
    read([`Content-Type: multipart/mixed${parameter}`, '', ...lines].join('\r\n'))

  test.each([
    ['quoted with spaces and regex characters', '; boundary="a.*(b+ [c"', 'a.*(b+ [c'],
    ['longer than 70 characters', `; boundary=${'q'.repeat(90)}`, 'q'.repeat(90)],
    ['unquoted with an equals sign', '; boundary=----=_Part_1', '----=_Part_1'],
    ['followed by a comment', '; boundary=abc (a comment)', 'abc'],
    ['given twice: the first counts', '; boundary=one; boundary=two', 'one'],
    ['folded', ';\r\n\tboundary="abc"', 'abc'],
    ['without a semicolon', ' boundary=abc', 'abc'],
    ['by RFC 2231', '; boundary*0=ab; boundary*1=c', 'abc'],
  ])('%s', (_, parameter, boundary) => {
    const { parsed, body } = multipart(parameter, 'preamble', `--${boundary}`, '', 'text', `--${boundary}--`, 'epilogue')
    expect([parsed.status, body.text]).toEqual(['ok', 'text'])
  })

  test('white space after the delimiter is transport padding', () => {
    expect(multipart('; boundary=a', '--a \t', '', 'text', '--a-- ').body.text).toBe('text')
  })

  test('one that begins another is not taken for it', () => {
    expect(multipart('; boundary=a', '--a', '', '--ab', 'text', '--a--').body.text).toBe('--ab\ntext')
  })

  test('missing: the first line of hyphens is taken', () => {
    const { body, parsed } = multipart('', '--guess', '', 'text', '--guess--')
    expect([body.text, parsed.status, parsed.warnings]).toEqual(['text', 'partial', ['missing_boundary']])
  })

  test('wrong: the whole body is shown as text', () => {
    expect(multipart('; boundary=other', '--x', '', 'text', '--x--').body.text).toContain('text')
  })

  test('never closed', () => {
    const { body, parsed } = multipart('; boundary=a', '--a', '', 'text')
    expect([body.text, parsed.status, parsed.warnings]).toEqual(['text', 'partial', ['unclosed_boundary: a']])
  })

  test('RFC 2046 §5.1.2: the outer one ends the inner part', () => {
    const { body } = multipart(
      '; boundary=out',
      '--out',
      'Content-Type: multipart/mixed; boundary=in',
      '',
      '--in',
      '',
      'one',
      '--out',
      '',
      'two',
      '--out--',
    )
    expect(body.text).toBe('one\ntwo')
  })

  test('the same one for both', () => {
    const { body } = multipart(
      '; boundary=a',
      '--a',
      'Content-Type: multipart/mixed; boundary=a',
      '',
      '--a',
      '',
      'one',
      '--a--',
      '--a',
      '',
      'two',
      '--a--',
    )
    expect(body.text).toBe('one\ntwo')
  })

  test('more parts after the end are not lost', () => {
    expect(multipart('; boundary=a', '--a', '', 'one', '--a--', '--a', '', 'two', '--a--').body.text).toBe('one\ntwo')
  })
})

describe('M05 header bombs', () => {
  test.each([
    ['one line of 10 MB', `Subject: ${'a'.repeat(10_000_000)}\r\n\r\nbody`, ['field_bytes_max: 131072', 'header_bytes_max: 2097152']],
    ['500,000 fields', `${'X: y\r\n'.repeat(500_000)}\r\nbody`, ['header_fields_max', 'header_bytes_max: 2097152']],
    ['a million folds', `Subject: a\r\n${' b\r\n'.repeat(1_000_000)}\r\nbody`, ['field_bytes_max: 131072', 'header_bytes_max: 2097152']],
  ])('%s: cut at the limit, the body is found', (_, text, warnings) => {
    const { parsed, preview } = read(text)
    expect([parsed.status, parsed.warnings, preview]).toEqual(['partial', warnings, 'body'])
  })

  test('a million lines without a colon are the body', () => {
    expect(read(`Subject: a\r\n${'nocolon\r\n'.repeat(1_000_000)}`).preview).toMatch(/^nocolon nocolon/)
  })

  test('a hundred thousand empty lines before anything', () => {
    expect(read(`${'\r\n'.repeat(100_000)}Subject: late`).parsed.root.headers).toEqual([])
  })
})

describe('M06 encoded-words', () => {
  const subject = (value: string) => subjectOf(read(`Subject: ${value}\r\n\r\n`).parsed)

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
    ['=?koi8-r?Q?=F0=D2=C9=D7=C5=D4?=', 'Привет'],
    ['=?utf-8?Q?a=0D=0ABcc:_x@y=00z?=', 'a Bcc: x@y z'],
  ])('%j is %j', (value, expected) => {
    expect(subject(value)).toBe(expected)
  })

  test('100,000 in one subject', () => {
    expect(subject('=?utf-8?B?w6k=?= '.repeat(100_000))).toMatch(/^é{7000}/)
  })
})

describe('M07 RFC 2231', () => {
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

  test('20,000 segments', () => {
    expect(filename(Array.from({ length: 20_000 }, (_, n) => `filename*${n}=a`).join(';'))).toMatch(/^a{900}/)
  })
})

describe('M11 transfer encodings', () => {
  test.each([
    ['8-bit', 'caf\xe9', 'café'],
    ['7-bit', 'text', 'text'],
    ['text/html', 'text', 'text'],
    ['"base64";', 'dGV4dA==', 'text'],
    ['BASE64 (why not)', 'dGV4dA==', 'text'],
    ['x-uuencode', 'begin 644 a\r\n$=&5X=```\r\n`\r\nend', 'text'],
  ])('%s', (encoding, content, expected) => {
    expect(read(`Content-Transfer-Encoding: ${encoding}\r\n\r\n${content}`).body.text).toBe(expected)
  })
})

describe('M21 choice of the body', () => {
  const alternative = (...parts: [string, string][]) =>
    read(
      [
        'Content-Type: multipart/alternative; boundary=a',
        '',
        ...parts.flatMap(([type, text]) => ['--a', `Content-Type: ${type}`, '', text]),
        '--a--',
      ].join('\r\n'),
    )

  test('only HTML', () => {
    expect(alternative(['text/html', '<p>x']).body).toMatchObject({ html: '<p>x', text: undefined })
  })

  test('only plain', () => {
    expect(alternative(['text/plain', 'x']).body).toMatchObject({ html: undefined, text: 'x' })
  })

  test('HTML first', () => {
    expect(alternative(['text/html', '<p>x'], ['text/plain', 'x']).body).toMatchObject({ html: '<p>x', text: 'x' })
  })

  test('a calendar and AMP beside them are attachments', () => {
    const { body, attachments } = alternative(
      ['text/plain', 'x'],
      ['text/x-amp-html', '<html amp>'],
      ['text/html', '<p>x'],
      ['text/calendar', 'BEGIN'],
    )
    expect(body).toMatchObject({ html: '<p>x', text: 'x' })
    expect(attachments.map(({ filename }) => filename)).toEqual(['attachment-1.txt', 'attachment-2.ics'])
  })

  test('the footer of a mailing list is in both views, escaped in the HTML one', () => {
    const { body } = read(
      'Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\nContent-Type: text/html\r\n\r\n<p>x</p>\r\n--m\r\n\r\n<footer>\r\n--m--',
    )
    expect(body.html).toBe('<p>x</p>\n<br>\n<div>&#60;footer&#62;</div>')
    expect(body.text).toBe('x\n<footer>')
  })

  test('an image named in the HTML is listed as inline', () => {
    const { attachments } = read(
      'Content-Type: multipart/related; boundary=r\r\n\r\n--r\r\nContent-Type: text/html\r\n\r\n<img src=cid:a>\r\n--r\r\nContent-Type: image/png\r\nContent-ID: <a>\r\n\r\nx\r\n--r--',
    )
    expect(attachments).toMatchObject([{ filename: 'attachment-1.png', inline: true, contentId: 'a', size: 1 }])
  })
})

describe('M22 messages inside', () => {
  test('are attachments named after their subject, byte for byte', () => {
    const inner = 'Subject: =?utf-8?Q?Hola?=\r\n\r\ninner'
    const { raw, attachments, body } = read(
      `Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n\r\nouter\r\n--m\r\nContent-Type: message/rfc822\r\n\r\n${inner}\r\n--m--`,
    )
    const [message] = attachments
    expect([body.text, message?.filename]).toEqual(['outer', 'Hola.eml'])
    expect(message && Buffer.from(decodeAttachment(raw, message)).toString()).toBe(inner)
  })

  test('of a digest need no Content-Type', () => {
    const { attachments } = read(
      'Content-Type: multipart/digest; boundary=d\r\n\r\n--d\r\n\r\nSubject: one\r\n\r\n1\r\n--d\r\n\r\nSubject: two\r\n\r\n2\r\n--d--',
    )
    expect(attachments.map(({ filename }) => filename)).toEqual(['one.eml', 'two.eml'])
  })

  test('external bodies and partial messages are attachments, nothing is fetched or joined', () => {
    const { attachments } = read(
      'Content-Type: message/external-body; access-type=URL; URL="http://x.test/"\r\n\r\nContent-Type: image/png\r\n\r\n',
    )
    expect(attachments).toMatchObject([{ contentType: 'message/external-body' }])
  })
})

describe('M23 missing and odd fields', () => {
  test('nothing at all', () => {
    const { parsed, body, preview, attachments } = read('')
    expect([subjectOf(parsed), fromOf(parsed), toOf(parsed), dateOf(parsed), preview]).toEqual([
      '',
      { name: '', address: '' },
      [],
      undefined,
      '',
    ])
    expect([body.text, attachments]).toEqual(['', []])
  })

  test('no header: all is body', () => {
    const { parsed, body } = read('hello\r\nworld\r\n')
    expect([parsed.root.headers, body.text]).toEqual([[], 'hello\nworld\n'])
  })

  test('header only', () => {
    expect(subjectOf(read('Subject: x\r\n').parsed)).toBe('x')
  })

  test('binary without any header has failed, and is kept', () => {
    expect(read('\0\x01\x02').parsed.status).toBe('failed')
  })

  test('of two From fields and two subjects the first counts', () => {
    const { parsed } = read('From: a@x.test\r\nFrom: b@x.test\r\nSubject: one\r\nSubject: two\r\n\r\n')
    expect([fromOf(parsed).address, subjectOf(parsed)]).toEqual(['a@x.test', 'one'])
  })

  test('an mbox line and a bad line between fields are passed over', () => {
    const { parsed } = read('From x@y Mon Jan 1\r\nFrom: a@x.test\r\nbroken fold\r\nSubject: one\r\n\r\nbody')
    expect([fromOf(parsed).address, subjectOf(parsed)]).toEqual(['a@x.test', 'one'])
  })
})

test('M24: field names that are traps are only text', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
  const { parsed } = read(
    `${names.map(name => `${name}: x\r\nContent-Type: text/plain; ${name}=1\r\n`).join('')}${'Same: y\r\n'.repeat(10_000)}\r\n`,
  )
  const headers = decodedHeaders(parsed)
  expect(headers.filter(({ value }) => value === 'x').map(({ name }) => name)).toEqual(names)
  expect(headers.filter(({ name }) => name === 'Same')).toHaveLength(10_000)
  expect(Object.keys(Object.prototype)).toEqual([])
})

test('M25: 8-bit fields are UTF-8 where valid, else windows-1252, each for itself', () => {
  const raw = Buffer.concat([
    Buffer.from('Subject: señal\r\nFrom: '),
    Buffer.from([0x4a, 0xfc, 0x72, 0x67]),
    Buffer.from(' <j@x.test>\r\n\r\n'),
  ])
  const parsed = parseMessage(raw)
  expect([subjectOf(parsed), fromOf(parsed).name]).toEqual(['señal', 'Jürg'])
})

test('M26: halves of surrogate pairs never come out', () => {
  const { body } = read('Content-Type: text/plain; charset=utf-16le\r\n\r\nA\0\0\xd8B\0')
  expect(body.text?.isWellFormed()).toBe(true)
  expect(subjectOf(read('Subject: =?utf-8?Q?=ED=A0=80?=\r\n\r\n').parsed).isWellFormed()).toBe(true)
})

describe('limits are crossed with small ones too', () => {
  const mail = 'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\nX: y\r\n\r\none\r\n--a\r\nX: y\r\n\r\ntwo\r\n--a--'

  test.each([
    [{ partsMax: 2 }, 'parts_max: 2'],
    [{ depthMax: 0 }, 'depth_max: 0'],
    [{ headerBytesMax: 50 }, 'header_bytes_max: 50'],
    [{ headerFieldsMax: 2 }, 'header_fields_max'],
    [{ fieldBytesMax: 5 }, 'field_bytes_max: 5'],
  ])('%j', (limits, warning) => {
    const parsed = parseMessage(Buffer.from(mail), limits)
    expect([parsed.status, parsed.warnings.includes(warning)]).toEqual(['partial', true])
    expect(parseMessage(Buffer.from(mail)).status).toBe('ok')
  })

  test('at most 50 warnings', () => {
    const open = Array.from({ length: 200 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('')
    expect(read(open).parsed.warnings).toHaveLength(50)
  })
})
