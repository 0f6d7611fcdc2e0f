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
  ])('%j is %j', (path, address) => {
    expect(parseRecipientPath(`TO:${path}`)?.address).toBe(address)
    expect(parseSenderPath(`from:${path}`)?.address).toBe(address)
  })

  test.each([
    'a@b.test',
    '<a@b.test',
    'a@b.test>',
    '<a@b.test>x',
    '<a b@c.test>',
    '<a@b@c.test>',
    '<a@b..test>',
    '<a@-b.test>',
    '<@b.test>',
    '<a@>',
    '<"a@b.test>',
    '<a\0@b.test>',
    '<a\r@b.test>',
    '<a\n@b.test>',
    '<a\x7f@b.test>',
    '<\xff\xfe@b.test>',
    `<${'a'.repeat(65)}@b.test>`,
    `<a@${'b'.repeat(252)}.test>`,
  ])('%j is not a recipient', path => {
    expect(parseRecipientPath(`TO:${path}`)).toBeUndefined()
  })

  test('a local part has at most 64 octets and a domain 255, and a sender’s local part may be longer', () => {
    const domain = `${'b'.repeat(250)}.test`
    expect(parseRecipientPath(`TO:<${'a'.repeat(64)}@${domain}>`)?.address).toBe(`${'a'.repeat(64)}@${domain}`)
    expect(parseSenderPath(`FROM:<${'a'.repeat(1024)}@b.test>`)?.address).toBe(`${'a'.repeat(1024)}@b.test`)
    expect(parseSenderPath(`FROM:<${'a'.repeat(1025)}@b.test>`)).toBeUndefined()
  })

  test('a hostile path is read in linear time', () => {
    for (const path of ['<"'.padEnd(4000, '\\'), `<${'a.'.repeat(2000)}`, `<a@${'b-'.repeat(2000)}>`, `<@${'x,@'.repeat(1300)}`]) {
      expect(parseRecipientPath(`TO:${path}`)).toBeUndefined()
    }
  })
})
