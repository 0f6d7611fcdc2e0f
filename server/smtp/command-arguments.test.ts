import { describe, expect, test } from 'vitest'
import { parseRecipientPath, parseSenderPath } from './command-arguments.ts'

const bytes = (text: string) => Buffer.from(text).toString('latin1')

describe('paths', () => {
  test.each([
    ['<a@b.test>', 'a@b.test'],
    [' <a@b.test>', 'a@b.test'],
    ['<>', ''],
    ['<@x.test,@y.test:a@b.test>', 'a@b.test'],
    ['<a@b.test.>', 'a@b.test'],
    ['<"a b"@b.test>', '"a b"@b.test'],
    ['<"a.b"@b.test>', 'a.b@b.test'],
    ['<a\\.b@b.test>', 'a.b@b.test'],
    ['<"u@other.test"@b.test>', '"u@other.test"@b.test'],
    ['<"a\\"b"@b.test>', '"a\\"b"@b.test'],
    ['<user%other@b.test>', 'user%other@b.test'],
    ['<user+caf_=x=y.test@gmail.com>', 'user+caf_=x=y.test@gmail.com'],
    ['<a..b@docomo.test>', '"a..b"@docomo.test'],
    ['<a@[127.0.0.1]>', 'a@[127.0.0.1]'],
    ['<a@[IPv6:::1]>', 'a@[IPv6:::1]'],
    ['<Postmaster>', 'Postmaster'],
    [bytes('<ü@bücher.test>'), 'ü@bücher.test'],
    // As printers, scanners and controllers write it.
    ['a@b.test', 'a@b.test'],
    ['  A.B@B.TEST  ', 'A.B@B.TEST'],
    ['<  a@b.test >', 'a@b.test'],
    ['"a b"@b.test', '"a b"@b.test'],
    ['a+tag@[127.0.0.1]', 'a+tag@[127.0.0.1]'],
    [bytes('ü@bücher.test'), 'ü@bücher.test'],
    ['Postmaster', 'Postmaster'],
  ])('%j is %j', (path, address) => {
    expect(parseRecipientPath(`TO:${path}`)).toMatchObject({ address })
    expect(parseSenderPath(`from : ${path}`)).toMatchObject({ address })
  })

  test('what follows an address are parameters, with or without brackets', () => {
    for (const path of ['<a@b.test> SIZE=10', 'a@b.test SIZE=10', ' < a@b.test >  SIZE=10'])
      expect(parseSenderPath(`FROM:${path}`)).toEqual({ address: 'a@b.test', isUtf8: false, rest: 'SIZE=10' })
  })

  test.each([
    ['', 'the address is missing'],
    ['a', '@ and a domain are missing'],
    ['SIZE=10', '@ and a domain are missing'],
    ['<a@b.test', '> is missing'],
    ['a@b.test>', '< is missing'],
    ['<a@b.test>x', 'a blank is missing after >'],
    ['<a@b.test>SIZE=10', 'a blank is missing after >'],
    ['Ann <a@b.test>', 'a name stands before the address'],
    ['"Ann Ash" <a@b.test>', 'a name stands before the address'],
    ['<a b@c.test>', 'a blank needs quotes'],
    ['a b@c.test', 'a blank needs quotes'],
    ['<a@b@c.test>', 'it is not an address'],
    ['a@b@c.test', 'it is not an address'],
    ['<a@b..test>', 'the domain is not valid'],
    ['a@-b.test', 'the domain is not valid'],
    ['<@b.test>', 'the part before @ is missing'],
    ['@b.test', 'the part before @ is missing'],
    ['<a@>', 'the domain is missing'],
    ['a@', 'the domain is missing'],
    ['<"a@b.test>', 'it is not an address'],
    ['<a\0@b.test>', 'it has control characters'],
    ['<a\r@b.test>', 'it has control characters'],
    ['a\n@b.test', 'it has control characters'],
    ['<a\x7f@b.test>', 'it has control characters'],
    ['<\xff\xfe@b.test>', 'it is not UTF-8'],
    [`<${'a'.repeat(65)}@b.test>`, 'the part before @ is too long'],
    [`a@${'b'.repeat(252)}.test`, 'the domain is not valid'],
  ])('%j is no recipient: %s', (path, fault) => {
    expect(parseRecipientPath(`TO:${path}`)).toBe(fault)
  })

  test('without the word and its colon it is no path', () => {
    for (const argument of ['a@b.test', '<a@b.test>', 'TO a@b.test', 'FROM <a@b.test>', ''])
      expect([parseRecipientPath(argument), parseSenderPath(argument)]).toEqual([
        'RCPT TO:<address> is expected',
        'MAIL FROM:<address> is expected',
      ])
  })

  test('a local part has at most 64 octets and a domain 255, and a sender’s local part may be longer', () => {
    const domain = `${'b'.repeat(250)}.test`
    expect(parseRecipientPath(`TO:<${'a'.repeat(64)}@${domain}>`)).toMatchObject({ address: `${'a'.repeat(64)}@${domain}` })
    expect(parseSenderPath(`FROM:<${'a'.repeat(1024)}@b.test>`)).toMatchObject({ address: `${'a'.repeat(1024)}@b.test` })
    expect(parseSenderPath(`FROM:<${'a'.repeat(1025)}@b.test>`)).toBe('the part before @ is too long')
  })

  test('a hostile path is read in linear time', () => {
    const paths = ['<"'.padEnd(4000, '\\'), `<${'a.'.repeat(2000)}`, `<a@${'b-'.repeat(2000)}>`, `<@${'x,@'.repeat(1300)}`]
    for (const path of [
      ...paths,
      'a.'.repeat(2000),
      `"${'\\a'.repeat(2000)}`,
      `a@${'b-'.repeat(2000)}`,
      ' '.repeat(4000),
      `<${' '.repeat(4000)}a`,
    ])
      expect(typeof parseRecipientPath(`TO:${path}`)).toBe('string')
  })
})
