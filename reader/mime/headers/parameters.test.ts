import { expect, test } from 'vitest'
import { parseMessage } from '../structure/parse.ts'
import { firstHeader, readDate, readSubject } from './headers.ts'
import { parseStructured, textParameter, tokenParameter } from './parameters.ts'

test.each([
  ['text/plain', 'text/plain'],
  ['TEXT/html; charset=x', 'text/html'],
  ['image/ jpeg', 'image/jpeg'],
  ['message / rfc822', 'message/rfc822'],
  ['(hello) text (plain) / (world) plain (eod); charset=us-ascii', 'text/plain'],
  ['text/ charset=us-ascii', 'text/'],
  ['attachment filename=x.pdf', 'attachment'],
  ['attachment(why); filename=x.pdf', 'attachment'],
  ['', ''],
  ['(', ''],
  ['/', '/'],
])('the first word of %j is %j', (field, value) => {
  expect(parseStructured(field).value).toBe(value)
})

test.each([
  ['a/b; name=one two.pdf charset=utf-8', 'one two.pdf'],
  ['a/b; name=one two.pdf; charset=utf-8', 'one two.pdf'],
  ['a/b; name==?utf-8?B?w6k u=?= charset=utf-8', 'é. charset=utf-8'],
  ["a/b name*0*=us-ascii'en'one%20 name*1=two", 'one two'],
])('a missing semicolon is tolerated: %s', (field, name) => {
  expect(textParameter(parseStructured(field), 'name')).toBe(name)
})

test('100,000 parameters without a semicolon are read in linear time', () => {
  const field = parseStructured(`a/b ${'x=y '.repeat(100_000)} charset=utf-8`)
  expect(tokenParameter(field, 'charset')).toBe('utf-8')
})

test('a fold becomes one space, whatever white space surrounds it', () => {
  const parsed = parseMessage(Buffer.from('Subject: Fwd: \r\n\tSaying \r\n \r\n  Hello\r\nX: a\r\n\r\n'))
  expect(readSubject(parsed)).toBe('Fwd: Saying Hello')
  expect(firstHeader(parsed.root, 'x')).toBe('a')
})

test('an asctime date may have its zone after the year', () => {
  const parsed = parseMessage(Buffer.from('Date: Fri Feb 07 10:18:12 2003 -0800\r\n\r\n'))
  expect(readDate(parsed)?.toISOString()).toBe('2003-02-07T18:18:12.000Z')
})
