import { describe, expect, test } from 'vitest'
import { decodeText } from '../charsets/charset.ts'
import { readBody } from '../structure/body.ts'
import { parseMessage } from '../structure/parse.ts'
import { parseAddresses } from './addresses.ts'
import { readDate } from './headers.ts'
import { safeFilename } from './parameters.ts'

describe('file names', () => {
  test.each([
    ['../../etc/passwd', 'passwd.pdf'],
    ['..\\..\\x.exe', 'x.exe'],
    ['/abs', 'abs.pdf'],
    ['C:\\x', 'x.pdf'],
    ['a\0b', 'ab.pdf'],
    ['CON.txt', '_CON.txt'],
    ['.htaccess', 'htaccess.pdf'],
    ['name. . ', 'name.pdf'],
    ['evil\u202Egpj.exe', 'evilgpj.exe'],
    ['a\u200bb.pdf', 'ab.pdf'],
    ['x"; filename="y', 'x_; filename=_y.pdf'],
    ['a\r\nBcc: x', 'a Bcc_ x.pdf'],
    ['   ', 'attachment-3.pdf'],
    ['..', 'attachment-3.pdf'],
    [undefined, 'attachment-3.pdf'],
    ['año 😀.pdf', 'año 😀.pdf'],
  ])('%j is saved as %j', (name, expected) => {
    expect(safeFilename(name, 2, 'application/pdf')).toBe(expected)
  })

  test.each([
    ['inline', 'image/png', 'inline.png'],
    ['logo@example.org', 'image/png', 'logo@example.org.png'],
    ['logo@example.org.png', 'image/png', 'logo@example.org.png'],
    ['me@home.JPEG', 'image/jpeg', 'me@home.JPEG'],
    ['Version 1.5', 'application/pdf', 'Version 1.5.pdf'],
    ['photo.heic', 'image/jpeg', 'photo.heic'],
    ['README', 'text/plain', 'README'],
    ['data', 'application/octet-stream', 'data'],
    ['meeting', 'text/calendar', 'meeting.ics'],
    [undefined, 'text/calendar', 'invite.ics'],
    [undefined, 'application/ics', 'invite.ics'],
    [`${'ñ'.repeat(200)}`, 'image/gif', `${'ñ'.repeat(125)}.gif`],
  ])('%j of %s is called %s', (name, contentType, expected) => {
    expect(safeFilename(name, 0, contentType)).toBe(expected)
  })

  test('of 5,000 characters are cut to 255 bytes, keeping the extension', () => {
    const name = safeFilename(`${'ñ'.repeat(5000)}.pdf`, 0, 'application/pdf')
    expect([Buffer.byteLength(name) <= 255, name.endsWith('ñ.pdf')]).toEqual([true, true])
  })
})

describe('addresses', () => {
  test.each([
    ['"Doe, Jane" <j@x.test>', [['Doe, Jane', 'j@x.test']]],
    ['j@x.test (Jane (J) Doe)', [['Jane (J) Doe', 'j@x.test']]],
    [
      'Friends: a@x.test, B <b@x.test>; c@x.test',
      [
        ['', 'a@x.test'],
        ['B', 'b@x.test'],
        ['', 'c@x.test'],
      ],
    ],
    ['undisclosed-recipients:;', []],
    ['"a b"@x.test', [['', '"a b"@x.test']]],
    ['<@r1,@r2:u@x.test>', [['', 'u@x.test']]],
    ['=?utf-8?Q?Doe,_Jane?= <j@x.test>', [['Doe, Jane', 'j@x.test']]],
  ])('%s', (field, expected) => {
    expect(parseAddresses(field).map(({ name, address }) => [name, address])).toEqual(expected)
  })

  test.each([
    '=?utf-8?Q?boss=40bank.test=2C_x?= <evil@x.test>',
    '=?utf-8?Q?=3Cboss=40bank.test=3E?= <evil@x.test>',
    '=?utf-8?B?Ym9zc0BiYW5rLnRlc3Q=?=',
    '"=?utf-8?Q?=22=3Cboss=40bank.test=3E?=" <evil@x.test>',
  ])('an encoded-word cannot become an address: %s', field => {
    const found = parseAddresses(field)
    expect(found).toHaveLength(1)
    expect(found[0]?.address).toBe(field.includes('evil') ? 'evil@x.test' : '')
  })
})

test.each([
  ['Fri, 21 Nov 1997 09:55:06 -0600', '1997-11-21T15:55:06.000Z'],
  ['21 Nov 97 09:55 GMT', '1997-11-21T09:55:00.000Z'],
  ['Fri Nov 21 09:55:06 1997', '1997-11-21T09:55:06.000Z'],
  ['Fri, 21 Nov 1997 09(comment) : 55 :06 -0600', '1997-11-21T15:55:06.000Z'],
  ['1997-11-21T09:55:06+0100', '1997-11-21T08:55:06.000Z'],
  ['now', undefined],
  ['31 Feb 2026 10:00:00 +0000', undefined],
  ['1 Jan 0001 00:00:00 +0000', undefined],
  ['1 Jan 9999 00:00:00 +0000', undefined],
])('the date %s is %s', (field, expected) => {
  expect(readDate(parseMessage(Buffer.from(`Date: ${field}\r\n\r\n`)))?.toISOString()).toBe(expected)
})

test.each([
  ['x-sjis', '93fa967b', '日本'],
  ['iso-2022-jp', '1b2442467c4b5c1b2842', '日本'],
  ['gb18030', 'c4e3bac3', '你好'],
  ['hz-gb-2312', '7e7b4463' + '3a437e7d', '你好'],
  ['ks_c_5601-1987', 'bec8b3e7', '안녕'],
  ['iso-2022-kr', '0e3e4833670f', '안녕'],
  ['koi8-r', 'f0d2c9d7c5d4', 'Привет'],
  ['cp1251', 'cff0e8', 'При'],
  ['iso-8859-8-i', 'f9ec', 'של'],
  ['utf-7', '2b414f6b2d', 'é'],
  ['cp437', '81', 'ü'],
  ['us-ascii', 'fc', 'ü'],
  ['unknown', 'c3a9', 'é'],
])('%s', (charset, hex, expected) => {
  expect(decodeText(Buffer.from(hex, 'hex'), charset).text).toBe(expected)
})

test('RFC 3676: flowed lines are joined within their quote depth, and the signature is separate', () => {
  const read = (text: string, delSp = 'no') => {
    const raw = Buffer.from(`Content-Type: text/plain; charset=utf-8; format=flowed; delsp=${delSp}\r\n\r\n${text}`)
    return readBody(raw, parseMessage(raw)).text
  }
  expect(read('one \ntwo\n>> a \n>> b\n-- \nme')).toBe('one two\n>> a b\n-- \nme')
  expect(read('日 \n本', 'yes')).toBe('日本')
})
