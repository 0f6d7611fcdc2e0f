/** Every charset that mail uses, in every transfer encoding, in every place where text can be. */
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { readMail } from '#test/harness/read-mail.ts'

const crlf = '\r\n'
/** iconv-lite writes no ISO-2022-JP: 日本語 by hand. */
const JIS = Buffer.from('\u001b$BF|K\\8l\u001b(B', 'latin1')

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
