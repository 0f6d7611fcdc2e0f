/** Every charset that mail uses, in every transfer encoding, in every place where text can be. */
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { readMail } from '../../../test/harness/read-mail.ts'
import { readSender, readSubject } from '../headers/headers.ts'
import { decodeText } from './charset.ts'
import charsetLabels from './charset-labels.json' with { type: 'json' }

const crlf = '\r\n'
/** iconv-lite writes no ISO-2022-JP: 日本語 by hand. */
const JIS = Buffer.from('\u001b$BF|K\\8l\u001b(B', 'latin1')

/** Every label of the WHATWG encoding standard, with text that the smallest form of its charset does not have. */
const labels: readonly { charset: string; text: string; names: string }[] = charsetLabels

const samples: { charset: string; text: string; bytes?: Buffer }[] = [
  { charset: 'gbk', text: '你好,世界' },
  { charset: 'gb18030', text: '你好,世界' },
  { charset: 'big5', text: '你好,世界' },
  { charset: 'euc-jp', text: '日本語のメール' },
  { charset: 'shift_jis', text: '日本語のメール' },
  { charset: 'iso-2022-jp', text: '日本語', bytes: JIS },
  { charset: 'euc-kr', text: '안녕하세요' },
  { charset: 'iso-8859-1', text: 'Müller, año' },
  { charset: 'iso-8859-2', text: 'Žluťoučký kůň' },
  { charset: 'iso-8859-5', text: 'Привет' },
  { charset: 'iso-8859-7', text: 'Καλημέρα' },
  { charset: 'iso-8859-9', text: 'İstanbul ığü' },
  { charset: 'iso-8859-11', text: 'สวัสดี' },
  { charset: 'iso-8859-15', text: '5 € für Müller' },
  { charset: 'tis-620', text: 'สวัสดี' },
  { charset: 'windows-874', text: 'สวัสดี' },
  { charset: 'windows-1250', text: 'Žluťoučký kůň' },
  { charset: 'windows-1251', text: 'Привет' },
  { charset: 'windows-1252', text: '“5 €” – Müller' },
  { charset: 'windows-1256', text: 'مرحبا' },
  { charset: 'koi8-r', text: 'Привет' },
  { charset: 'koi8-u', text: 'Привіт, Україно' },
  { charset: 'utf-8', text: 'año 日本 🐟' },
]

function quotedPrintable(bytes: Buffer): string {
  return [...bytes].map(byte => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

const encodings: Record<string, (bytes: Buffer) => string> = {
  '8bit': bytes => bytes.toString('latin1'),
  base64: bytes => bytes.toString('base64'),
  'quoted-printable': quotedPrintable,
}

const places: Record<string, (part: string) => string> = {
  plain: part => part,
  mixed: part => multipart('multipart/mixed', part),
  related: part => multipart('multipart/related', part),
  signed: part => multipart('multipart/signed; protocol="application/pgp-signature"', part),
}

function multipart(type: string, part: string): string {
  const other = ['--m', 'Content-Type: application/pgp-signature', '', 'x', '--m--', ''].join(crlf)
  return `Content-Type: ${type}; boundary=m${crlf}${crlf}--m${crlf}${part}${crlf}${other}`
}

describe('charsets', () => {
  test.each(samples)('$charset is decoded in every transfer encoding and position', ({ charset, text, ...sample }) => {
    const bytes = sample.bytes ?? iconv.encode(text, charset)
    for (const [encoding, encode] of Object.entries(encodings)) {
      const fields = `Content-Type: text/plain; charset=${charset}${crlf}Content-Transfer-Encoding: ${encoding}`
      for (const [place, put] of Object.entries(places)) {
        const { body, preview } = readMail(put(`${fields}${crlf}${crlf}${encode(bytes)}`))
        expect([body.text, preview], `${encoding}, ${place}`).toEqual([text, text])
        expect(body.warnings).toEqual([])
      }
    }
  })

  test('UTF-7 is decoded as another decoder reads it, however it is cut', () => {
    const token = fc.constantFrom('+', '-', 'AGE', 'AGEAYg', '2D3cqQ', 'a', '/', ' ', '=', '<b>', '\n', 'é')
    fc.assert(
      fc.property(fc.array(token, { maxLength: 20 }), tokens => {
        const bytes = Buffer.from(tokens.join(''), 'latin1')
        expect(decodeText(bytes, 'utf-7').text).toBe(iconv.decode(bytes, 'utf7', { stripBOM: false }).toWellFormed())
      }),
    )
  })

  test.each(labels)('$charset is decoded under each of its names', ({ charset, text, names }) => {
    const body = iconv.encode(text, charset).toString('base64')
    for (const name of names.split(' ')) {
      const mail = readMail(`Content-Type: text/plain; charset="${name}"${crlf}Content-Transfer-Encoding: base64${crlf}${crlf}${body}`)
      expect([mail.body.text, mail.body.warnings], name).toEqual([text, []])
    }
  })

  test.each([
    ['iso-2022-jp', '\u001b$B9b66\u001b(B \u001b$B-!\u001b(B \u001b(I123\u001b(B', '高橋 ① ｱｲｳ'],
    ['csiso2022jp', JIS.toString('latin1'), '日本語'],
    ['iso-2022-kr', '\u001b$)C\u000e>H3gGO<<?d\u000f 1', '안녕하세요 1'],
    ['csiso2022kr', '\u001b$)C\u000e>H3gGO<<?d\u000f 1', '안녕하세요 1'],
    ['hz-gb-2312', '~{Dc:C~} 1', '你好 1'],
    ['iso-2022-cn', '\u001b$)A\u000eDc:C\u000f 1', '你好 1'],
    ['iso-2022-cn-ext', '\u001b$)A\u000eDc:C\u000f 1', '你好 1'],
    ['x-user-defined', 'a\u00f1o', 'año'],
    ['replacement', 'a\u00f1o', 'año'],
  ])('text in %s is decoded', (charset, bytes, text) => {
    expect(readMail(`Content-Type: text/plain; charset=${charset}${crlf}${crlf}${bytes}`).body.text).toBe(text)
  })

  test('ISO-2022-JP that nothing declares is read by its escapes', () => {
    const jis = JIS.toString('latin1')
    const mail = readMail(`From: ${jis} <a@x.test>${crlf}Subject: Re: ${jis}${crlf}${crlf}${jis} 1`)
    expect([mail.body.text, readSubject(mail.parsed), readSender(mail.parsed)]).toEqual([
      '日本語 1',
      'Re: 日本語',
      { name: '日本語', address: 'a@x.test' },
    ])
  })

  test('an address in raw ISO-2022-JP is read as software that checks the sender reads it', () => {
    const comment = '\u001b$BF|\u001b(B <ceo@bank.test> )'
    expect(readSender(readMail(`From: ${comment} <a@x.test>${crlf}${crlf}1`).parsed).address).toBe('a@x.test')
  })

  test('a part without a charset has that of the multipart around it, unless its text is UTF-8', () => {
    const part = (text: string, fields = '') => `--m${crlf}Content-Type: text/plain${fields}${crlf}${crlf}${text}${crlf}`
    const koi8 = iconv.encode('Привет', 'koi8-r').toString('latin1')
    const utf8 = Buffer.from('Привет').toString('latin1')
    const inner = `--m${crlf}Content-Type: multipart/mixed; boundary=i${crlf}${crlf}--i${crlf}${crlf}${koi8}${crlf}--i--${crlf}`
    const mail = readMail(
      `Content-Type: multipart/mixed; charset=koi8-r; boundary=m${crlf}${crlf}${part(koi8)}${part(utf8)}${part('ano', '; charset=utf-8')}${inner}--m--`,
    )
    expect(mail.body.text?.split('\n')).toEqual(['Привет', 'Привет', 'ano', 'Привет'])
  })

  test.each([
    ['utf-16', Buffer.from('año', 'utf16le'), 'año'],
    ['utf-16be', Buffer.from('año', 'utf16le').swap16(), 'año'],
    ['unknown', Buffer.from('año'), 'año'],
    ['unknown', Buffer.from('año', 'latin1'), 'año'],
    ['"x\r\n y"', Buffer.from('año'), 'año'],
  ])('charset=%j of %j is read as %j', (charset, bytes, text) => {
    expect(readMail(`Content-Type: text/plain; charset=${charset}${crlf}${crlf}${bytes.toString('latin1')}`).body.text).toBe(text)
  })

  test('UTF-7 is decoded before the HTML is sanitised, and never in fields', () => {
    const mail = readMail(`Subject: +ADw-b+AD4-${crlf}Content-Type: text/html; charset=utf-7${crlf}${crlf}+ADw-script+AD4-1`)
    expect(mail.body.html).toBe('<script>1')
    expect(mail.parsed.root.headers[0]?.value).toBe('+ADw-b+AD4-')
  })
})
