/** Every charset that mail uses, in every transfer encoding, in every place where text can be. */
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { readMail } from '../../../test/harness/read-mail.ts'
import { readSender, readSubject } from '../headers/headers.ts'
import { decodeText } from './charset.ts'

const crlf = '\r\n'
/** iconv-lite writes no ISO-2022-JP: 日本語 by hand. */
const JIS = Buffer.from('\u001b$BF|K\\8l\u001b(B', 'latin1')

/** Every label of the WHATWG encoding standard, with text that the smallest form of its charset does not have. */
const labels: { charset: string; text: string; names: string }[] = [
  { charset: 'utf-8', text: 'año 日本 🐟', names: 'unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8' },
  { charset: 'cp866', text: 'Привет ёЁ', names: '866 cp866 csibm866 ibm866' },
  {
    charset: 'iso-8859-2',
    text: 'Žluťoučký kůň ł',
    names: 'csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2',
  },
  {
    charset: 'iso-8859-3',
    text: 'Ĉiuĵaŭde ħġ',
    names: 'csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3',
  },
  {
    charset: 'iso-8859-4',
    text: 'Ģērbšanās ŋ',
    names: 'csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4',
  },
  {
    charset: 'iso-8859-5',
    text: 'Привет їћ',
    names: 'csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988',
  },
  {
    charset: 'iso-8859-6',
    text: 'مرحبا ؟',
    names:
      'arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987',
  },
  {
    charset: 'iso-8859-7',
    text: 'Καλημέρα ΰ',
    names:
      'csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek',
  },
  {
    charset: 'iso-8859-8',
    text: 'שלום ×',
    names:
      'csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical',
  },
  { charset: 'iso-8859-10', text: 'Þórður ŋđ', names: 'csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6' },
  { charset: 'iso-8859-13', text: 'Ķēniņš „ž”', names: 'iso-8859-13 iso8859-13 iso885913' },
  { charset: 'iso-8859-14', text: 'Ŵyŷ ḃḋ', names: 'iso-8859-14 iso8859-14 iso885914' },
  {
    charset: 'iso-8859-15',
    text: '5 € Œuvre Žž',
    names: 'csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9',
  },
  { charset: 'iso-8859-16', text: 'știință €', names: 'iso-8859-16' },
  { charset: 'koi8-r', text: 'Привет Ёё', names: 'cskoi8r koi koi8 koi8-r koi8_r' },
  { charset: 'koi8-u', text: 'Привіт їґ', names: 'koi8-ru koi8-u' },
  { charset: 'macintosh', text: 'café – œuvre', names: 'csmacintosh mac macintosh x-mac-roman' },
  { charset: 'windows-874', text: 'สวัสดี … “๏”', names: 'dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874' },
  { charset: 'windows-1250', text: '„Žluť” € š', names: 'cp1250 windows-1250 x-cp1250' },
  { charset: 'windows-1251', text: '«Привет» № ў', names: 'cp1251 windows-1251 x-cp1251' },
  {
    charset: 'windows-1252',
    text: '“5 €” – Müller ™',
    names:
      'ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252',
  },
  { charset: 'windows-1253', text: '“Καλημέρα” €', names: 'cp1253 windows-1253 x-cp1253' },
  {
    charset: 'windows-1254',
    text: '“İstanbul” ığş €',
    names: 'cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254',
  },
  { charset: 'windows-1255', text: '“שלום” ₪', names: 'cp1255 windows-1255 x-cp1255' },
  { charset: 'windows-1256', text: '“مرحبا” پچژ', names: 'cp1256 windows-1256 x-cp1256' },
  { charset: 'windows-1257', text: '“Ķēniņš” €', names: 'cp1257 windows-1257 x-cp1257' },
  { charset: 'windows-1258', text: '“Đương” ₫', names: 'cp1258 windows-1258 x-cp1258' },
  { charset: 'maccyrillic', text: 'Привет – Ђђ', names: 'x-mac-cyrillic x-mac-ukrainian' },
  {
    charset: 'gbk',
    text: '朱鎔基 € 喆',
    names: 'chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk',
  },
  { charset: 'gb18030', text: '𠮷野家 🐟 ḿ', names: 'gb18030' },
  { charset: 'big5-hkscs', text: '你好 裏 碁 啲 嘅 䏰 ①', names: 'big5 big5-hkscs cn-big5 csbig5 x-x-big5' },
  { charset: 'euc-jp', text: '髙﨑 ① ｱｲｳ 丂侄', names: 'cseucpkdfmtjapanese euc-jp x-euc-jp' },
  {
    charset: 'shift_jis',
    text: '髙﨑 ① ㈱ ｱｲｳ Ⅳ',
    names: 'csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis',
  },
  {
    charset: 'cp949',
    text: '똠방각하 뷁 햏 쀍 펲시맨',
    names:
      'cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949 cp949 ms949 uhc x-windows-949',
  },
  { charset: 'utf-16le', text: 'año 日本 🐟', names: 'csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le' },
  { charset: 'utf-16be', text: 'año 日本 🐟', names: 'unicodefffe utf-16be' },
]

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
