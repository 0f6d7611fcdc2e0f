/** Faults that a reader never notices, because the parser corrects them. */
import { expect, test } from 'vitest'
import { readMail } from '../../../test/harness/read-mail.ts'
import { parseAddresses } from '../headers/addresses.ts'
import { readSubject } from '../headers/headers.ts'
import { decodeAttachment } from './attachments.ts'
import { readBody } from './body.ts'
import { parseMessage } from './parse.ts'

const lines = (...all: string[]) => all.join('\r\n')
const UUENCODED = lines('begin 644 a file.txt', '$=&5X=```', '`', 'end')

test('a uuencoded file in a text becomes an attachment and leaves the text', () => {
  const { raw, attachments, body, preview } = readMail(lines('Subject: x', '', 'before', UUENCODED, 'after', ''))
  expect(attachments).toMatchObject([{ filename: 'a file.txt', size: 4 }])
  expect(attachments.map(attachment => Buffer.from(decodeAttachment(raw, attachment)).toString())).toEqual(['text'])
  expect([body.text, preview]).toEqual(['before\nafter\n', 'before after'])
})

test('two uuencoded files are found, and a "begin" without a file is text', () => {
  const { attachments, body } = readMail(lines('', 'begin 644 the day', 'with a walk', UUENCODED, UUENCODED))
  expect(attachments).toHaveLength(2)
  expect(body.text).toBe('begin 644 the day\nwith a walk\n')
})

test('a uuencoded file without an end stays text', () => {
  const { attachments, body } = readMail(lines('', 'begin 644 a.txt', '$=&5X=```'))
  expect([attachments, body.text]).toEqual([[], 'begin 644 a.txt\n$=&5X=```'])
})

test('a megabyte of "begin" lines is read in linear time', () => {
  expect(readMail(lines('', 'begin 644 a\n'.repeat(100_000))).attachments).toEqual([])
})

test('a byte order mark or empty lines before the first field are skipped if a mail follows', () => {
  expect(readSubject(readMail('\r\n\r\nFrom: a@x.test\r\nSubject: late\r\n\r\nbody').parsed)).toBe('late')
  expect(readSubject(readMail('\ufeffSubject: marked\r\n\r\nbody', 'utf8').parsed)).toBe('marked')
  expect(readMail('\r\nNote: this is text').body.text).toBe('Note: this is text')
})

test('a first part without a delimiter is found in the preamble', () => {
  const { body } = readMail(
    lines(
      'Content-Type: multipart/alternative; boundary=a',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'plain=20text',
      '--a',
      'Content-Type: text/html',
      '',
      '<p>html</p>',
      '--a--',
    ),
  )
  expect(body).toMatchObject({ text: 'plain text', html: '<p>html</p>' })
})

test('a message in base64 is named after its subject and decoded', () => {
  const inner = 'Subject: Inner mail\r\n\r\ntext'
  const { raw, attachments } = readMail(
    lines(
      'Content-Type: multipart/mixed; boundary=m',
      '',
      '--m',
      'Content-Type: message/rfc822',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(inner).toString('base64'),
      '--m--',
    ),
  )
  expect(attachments).toMatchObject([{ filename: 'Inner mail.eml', size: inner.length }])
  expect(attachments.map(attachment => Buffer.from(decodeAttachment(raw, attachment)).toString())).toEqual([inner])
})

test('UTF-8 labelled as another charset is read as UTF-8 if the label does not fit', () => {
  const mail = (charset: string, text: string) => Buffer.from(`Content-Type: text/plain; charset=${charset}\r\n\r\n${text}`)
  const japanese = mail('ISO-2022-JP', 'このメールは')
  expect(readBody(japanese, parseMessage(japanese))).toMatchObject({ text: 'このメールは', warnings: ['charset_mismatch: iso-2022-jp'] })
  const latin = mail('iso-8859-1', 'é')
  expect(readBody(latin, parseMessage(latin)).text).toBe('Ã©')
})

test('quoted-printable drops trailing white space with any line end', () => {
  for (const lineEnd of ['\n', '\r\n', '\r']) {
    const raw = Buffer.from(['Content-Transfer-Encoding: quoted-printable', '', 'one=20 \t', 'two'].join(lineEnd))
    expect(readBody(raw, parseMessage(raw)).text).toBe('one \ntwo')
  }
})

test.each(['!#$%&=?^_`{|}~@example.org', '"=?x"@example.org'])('the address %s is not an encoded-word', address => {
  expect(parseAddresses(address)).toEqual([{ name: '', address }])
})

test.each(['   \r\n', ' ', '\t\r\n\r\n'])('%j before the first field is skipped', before => {
  expect(readSubject(parseMessage(Buffer.from(`${before}From: a@b.test\r\nSubject: s\r\n\r\ntext`)))).toBe('s')
})

test('a bad line is skipped with its continuation', () => {
  const { parsed, body } = readMail(lines('From: a@b.test', '__', '   more', 'Subject: s', '', 'text'))
  expect([readSubject(parsed), body.text]).toEqual(['s', 'text'])
})

test('a second, bare Content-Type does not turn the preamble into a part', () => {
  const head = lines('Content-Type: multipart/mixed; boundary=b', 'Content-Type: text/plain')
  const { body } = readMail(lines(head, '', 'This is a multi-part message.', '--b', '', 'text', '--b--', ''))
  expect(body.text).toBe('text')
})

test('plain words labelled base64 are shown as words, in the preview too', () => {
  const { body, preview } = readMail(lines('Content-Transfer-Encoding: base64', '', 'Dear Sir or Madam, your code is 123456.'))
  expect([body.text, preview]).toEqual(['Dear Sir or Madam, your code is 123456.', 'Dear Sir or Madam, your code is 123456.'])
  expect(readMail(lines('Content-Transfer-Encoding: base64', '', '  SGVs', '  bG8=', '-- ', 'footer')).body.text).toContain('Hello')
})

test('ISO-2022-JP escapes without effect leave no characters', () => {
  const word = (text: string) => `=?ISO-2022-JP?B?${Buffer.from(`\u001b$B${text}\u001b(B`).toString('base64')}?=`
  expect(readSubject(parseMessage(Buffer.from(`Subject: ${word('%F')} ${word('%9')}\r\n\r\n`)))).toBe('テス')
})

test('8-bit text with a few invalid bytes is still UTF-8, and with many it is windows-1252', () => {
  const text = (bytes: Buffer) => readBody(bytes, parseMessage(bytes)).text
  expect(text(Buffer.concat([Buffer.from('\r\nЮникод запрещен'), Buffer.of(0xf1)]))).toBe('Юникод запрещен\ufffd')
  expect(text(Buffer.from('\r\nMüller über ÄÖÜ', 'latin1'))).toBe('Müller über ÄÖÜ')
})

test.each([`'Joe'`, `"'Joe'"`, '=?utf-8?Q?"Joe"?='])('the name %s is shown without its quotes', name => {
  expect(parseAddresses(`${name} <a@b.test>`)).toEqual([{ name: 'Joe', address: 'a@b.test' }])
})

test('an invalid disposition does not hide the text', () => {
  const mail = (disposition: string) => readMail(lines(`Content-Disposition: ${disposition}`, '', 'text')).body.text
  expect([mail('=?utf-8?Q?invalid?='), mail(';'), mail('inline'), mail('strange')]).toEqual(['text', 'text', 'text', undefined])
})

test.each([
  ['a name with a space', 'Content Type: text/plain\r\n'],
  ['a name with a space that is folded', 'X Bad Name: a\r\n folded: b\r\n\tagain\r\n'],
  ['a name with letters beyond ASCII', 'X-Ünï: x\r\n'],
  ['no name', ': nothing\r\n'],
  ['two such lines', 'X Y: 1\r\nZ Z: 2\r\n folded\r\n'],
  ['no colon but a continuation', 'garbage\r\n continued\r\n'],
])('a field with %s does not end the header', (_, bad) => {
  for (const at of ['between', 'last']) {
    const rest = 'Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n'
    const { body, parsed } = readMail(`Subject: x\r\n${at === 'last' ? rest + bad : bad + rest}\r\n<p>a=3Db</p>`)
    expect([body.html, readSubject(parsed), parsed.status]).toEqual(['<p>a=b</p>', 'x', 'ok'])
  }
})

test('fields that end without an empty line still end where the text begins', () => {
  expect(readMail('Subject: x\r\nthis is text\r\nNote well: more').body.text).toBe('this is text\nNote well: more')
})

test.each([
  ['"a "', '--a ', '--a --'],
  ['"a "', '--a', '--a--'],
  ['"a  "', '--a  ', '--a--'],
  ['a', '--a  ', '--a--  '],
])('the boundary %s is found at %j and its end at %j', (boundary, delimiter, last) => {
  const { body, attachments, parsed } = readMail(
    lines(
      `Content-Type: multipart/mixed; boundary=${boundary}`,
      '',
      delimiter,
      '',
      'text',
      delimiter,
      'Content-Type: image/png; name=a.png',
      '',
      'x',
      last,
      'epilogue',
    ),
  )
  expect([body.text, attachments.map(({ filename, size }) => [filename, size]), parsed.status]).toEqual(['text', [['a.png', 1]], 'ok'])
})
