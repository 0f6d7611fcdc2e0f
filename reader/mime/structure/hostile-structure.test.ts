/** Structures that are made to break parsers. Nothing here is timed: a quadratic step would reach the test's time-out. */
import { describe, expect, test } from 'vitest'
import { readMail as read } from '../../../test/harness/read-mail.ts'
import type { MimePart, ParsedMessage } from '../types.ts'
import { parseMessage } from './parse.ts'

function countParts(parsed: ParsedMessage): number {
  const count = (part: MimePart): number => part.children.reduce((sum, child) => sum + count(child), 1)
  return count(parsed.root)
}

function nested(levels: number): string {
  const open = Array.from({ length: levels }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('')
  const close = Array.from({ length: levels }, (_, n) => `\r\n--b${levels - 1 - n}--`).join('')
  return `${open}Content-Type: text/plain\r\n\r\nleaf${close}\r\n`
}

describe('nesting', () => {
  test.each([20, 100, 255])('text inside %i multiparts is found', levels => {
    const { parsed, body } = read(nested(levels))
    expect([parsed.status, body.text]).toEqual(['ok', 'leaf'])
  })

  test.each([1000, 20_000])('%i levels are read up to the limit', levels => {
    const { parsed, preview } = read(nested(levels))
    expect([parsed.status, countParts(parsed)]).toEqual(['partial', 257])
    expect(parsed.warnings).toContain('depth_max: 256')
    expect(preview).toContain('--b256')
  })
})

test('of 50,000 nested messages three are shown, and the rest is one attachment', () => {
  const { parsed, attachments } = read('Content-Type: message/rfc822\r\n\r\n'.repeat(50_000))
  expect([parsed.status, countParts(parsed), attachments.length]).toEqual(['partial', 256, 4])
  expect(parsed.warnings).toEqual(['depth_max: 256'])
})

describe('breadth', () => {
  test.each(['--x\r\n\r\n', '--x\r\n'])('of 500,000 parts %j the first thousand are listed', delimiter => {
    const { parsed } = read(`Content-Type: multipart/mixed; boundary=x\r\n\r\n${delimiter.repeat(500_000)}`)
    expect([parsed.status, countParts(parsed)]).toEqual(['partial', 1000])
    expect(parsed.warnings).toContain('parts_max: 1000')
  })

  test('exactly the limit is complete', () => {
    const parts = `--x\r\n\r\na\r\n`.repeat(999)
    const { parsed } = read(`Content-Type: multipart/mixed; boundary=x\r\n\r\n${parts}--x--\r\n`)
    expect([parsed.status, countParts(parsed)]).toEqual(['ok', 1000])
  })

  test('20 MB of lines that resemble delimiters are read in linear time', () => {
    const { parsed } = read(`Content-Type: multipart/mixed; boundary=xyz\r\n\r\n${'--xy\n'.repeat(4_000_000)}`)
    expect(countParts(parsed)).toBe(1)
  })
})

describe('boundaries', () => {
  const multipart = (parameter: string, ...lines: string[]) =>
    read([`Content-Type: multipart/mixed${parameter}`, '', ...lines].join('\r\n'))

  test('lines that end a multipart again and again stop being its structure', () => {
    const again = Array.from({ length: 20_000 }, () => '--a--')
    const { body, parsed } = multipart('; boundary=a', '--a', '', 'shown', ...again, '--a', '', 'too late', '')
    expect(body.text).toBe('shown')
    expect(parsed.root.children).toHaveLength(1)
  })

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

  test('a boundary that starts another is not confused with it', () => {
    expect(multipart('; boundary=a', '--a', '', '--ab', 'text', '--a--').body.text).toBe('--ab\ntext')
  })

  test('if it is missing, the first line of hyphens is used', () => {
    const { body, parsed } = multipart('', '--guess', '', 'text', '--guess--')
    expect([body.text, parsed.status, parsed.warnings]).toEqual(['text', 'partial', ['missing_boundary']])
  })

  test('if it is wrong, the whole body is shown as text', () => {
    expect(multipart('; boundary=other', '--x', '', 'text', '--x--').body.text).toContain('text')
  })

  test('if it is never closed, the part ends with the message', () => {
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

  test('the same one may be used inside and outside', () => {
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

  test('parts after the end are kept', () => {
    expect(multipart('; boundary=a', '--a', '', 'one', '--a--', '--a', '', 'two', '--a--').body.text).toBe('one\ntwo')
  })
})

describe('small limits work too', () => {
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

  test('headers without an end count as far as their end was looked for, however many messages are in each other', () => {
    const chain = 'From x\r\nFrom y\r\nContent-Type : message/rfc822\r\n'.repeat(200)
    const text = 'no field and no empty line\r\n'.repeat(1000)
    const parsed = parseMessage(Buffer.from(chain + text), { headerBytesMax: 10 * (chain.length + text.length) })
    const depth = (part: MimePart): number => 1 + Math.max(0, ...part.children.map(depth))
    expect(depth(parsed.root)).toBeLessThan(20)
    expect(parsed.warnings.some(warning => warning.startsWith('header_bytes_max'))).toBe(true)
  })

  test('there are at most 50 warnings', () => {
    const open = Array.from({ length: 200 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('')
    expect(read(open).parsed.warnings).toHaveLength(50)
  })
})
