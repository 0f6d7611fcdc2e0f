/** Damaged encodings, lying parts, bombs, bounces. */
import { describe, expect, test } from 'vitest'
import { readMail as read } from '../../test/harness/read-mail.ts'
import { decodedHeaders, readSender, readSubject } from './headers/headers.ts'
import { ATTACHMENTS_MAX, TEXT_BYTES_MAX } from './mime-limits.ts'
import { decodeAttachment } from './structure/attachments.ts'

const lines = (...all: string[]) => all.join('\r\n')
const part = (fields: string[], body: string) => lines('--m', ...fields, '', body)
const mixed = (...parts: string[]) => read(lines('Content-Type: multipart/mixed; boundary=m', '', ...parts, '--m--', ''))
const segmentBytes = ({ raw, attachments }: ReturnType<typeof read>) =>
  attachments.map(attachment => Buffer.from(decodeAttachment(raw, attachment)).toString('latin1'))

describe('base64 garbage', () => {
  test.each([
    ['a foreign alphabet between', 'dG*V4~d A==', 'text'],
    ['no padding', 'dGV4dA', 'text'],
    ['white space everywhere', ' d G\r\n\r\nV4\tdA ==', 'text'],
    ['nothing valid', '****', ''],
  ])('%s: the stated size is the actual size', (_, encoded, expected) => {
    const mail = mixed(part(['Content-Type: application/pdf', 'Content-Transfer-Encoding: base64'], encoded))
    expect(segmentBytes(mail)).toEqual([expected])
    expect(mail.attachments.map(({ size }) => size)).toEqual([expected.length])
  })

  test('one line of 30 MB is read', () => {
    const mail = mixed(part(['Content-Type: application/pdf', 'Content-Transfer-Encoding: base64'], 'QUJD'.repeat(7_500_000)))
    expect(mail.attachments).toMatchObject([{ size: 22_500_000 }])
  })
})

test.each([
  ['no hexadecimal digits', 'a=ZZb', 'a=ZZb'],
  ['an equals sign at the end', 'text=', 'text'],
  ['a soft break with spaces', 'te= \t\r\nxt', 'text'],
  ['8-bit bytes', 'caf\xc3\xa9', 'café'],
])('quoted-printable with %s', (_, encoded, expected) => {
  const { body } = read(lines('Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable', '', encoded))
  expect(body.text).toBe(expected)
})

test('format=flowed with DelSp joins lines without the space', () => {
  const { body } = read(lines('Content-Type: text/plain; format=flowed; delsp=yes', '', 'one wo ', 'rd', 'next'))
  expect(body.text).toBe('one word\nnext')
})

test('a Content-ID is only a string', () => {
  const ids = ['../../../x.js', 'a.*(b', 'same', 'same', '__proto__']
  const { attachments } = mixed(...ids.map(id => part(['Content-Type: image/png', `Content-ID: <${id}>`], 'x')))
  expect(attachments.map(({ contentId }) => contentId)).toEqual(ids)
  expect(attachments.map(({ filename }) => filename)).toEqual([1, 2, 3, 4, 5].map(n => `attachment-${n}.png`))
})

test('the claimed type of a part is returned, and its bytes are unchanged', () => {
  const svg = '<svg onload="alert(1)"/>'
  const mail = mixed(
    part(['Content-Type: text/plain'], 'readable'),
    part(['Content-Type: image/png'], svg),
    part(['Content-Type: image/svg+xml', 'Content-Disposition: inline'], svg),
    part(['Content-Type: text/html; name=x.png', 'Content-Disposition: attachment'], '<script>1</script>'),
    part(['Content-Type: image/png', 'Content-Type: text/html', 'Content-Disposition: attachment'], svg),
  )
  expect(mail.attachments.map(({ contentType }) => contentType)).toEqual(['image/png', 'image/svg+xml', 'text/html', 'image/png'])
  expect(segmentBytes(mail)).toEqual([svg, svg, '<script>1</script>', svg])
  expect(mail.body.html).toBeUndefined()
})

test.each([
  ['an image of 50,000 by 50,000', 'image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xc3\x50\0\0\xc3\x50\x08\x06\0\0\0', 'bomb.png'],
  ['an SVG of a billion laughs', 'image/svg+xml', '<!DOCTYPE s [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><svg>&b;</svg>', 'bomb.svg'],
  ['an archive', 'application/zip', 'PK\x03\x04../../etc/passwd', 'bomb.zip'],
])('%s is an attachment that is not unpacked', (_, type, content, filename) => {
  const mail = mixed(part([`Content-Type: ${type}`, `Content-Disposition: attachment; filename=${filename}`], content))
  expect(mail.attachments).toMatchObject([{ filename, size: content.length, contentType: type }])
  expect(segmentBytes(mail)).toEqual([content])
})

test('an invitation is an attachment, and its markup is never part of the HTML', () => {
  const ics = lines('BEGIN:VCALENDAR', 'METHOD:REQUEST', 'X-ALT-DESC;FMTTYPE=text/html:<script>1</script>', 'END:VCALENDAR')
  const { body, attachments } = mixed(
    part(['Content-Type: text/html'], '<p>Come'),
    part(['Content-Type: text/calendar; method=REQUEST'], ics),
  )
  expect(body.html).toBe('<p>Come')
  expect(attachments).toMatchObject([{ filename: 'invite.ics', contentType: 'text/calendar' }])
})

test('an invitation that comes as a form of the text and as a file is one attachment, in whatever encoding and line ends', () => {
  const ics = lines('BEGIN:VCALENDAR', 'UID:1@shop.test', 'END:VCALENDAR')
  const file = ['Content-Type: application/ics; name=invite.ics', 'Content-Transfer-Encoding: base64']
  const unix = Buffer.from(`${ics.replaceAll('\r\n', '\n')}\n`).toString('base64')
  const form = part(['Content-Type: text/calendar; method=REQUEST'], ics)
  expect(mixed(part(['Content-Type: text/plain'], 'Come'), form, part(file, unix)).attachments).toMatchObject([
    { index: 0, filename: 'invite.ics', contentType: 'application/ics' },
  ])
  const other = Buffer.from(ics.replace('UID:1', 'UID:2')).toString('base64')
  expect(mixed(form, part(file, other)).attachments, 'two invitations').toHaveLength(2)
})

describe('signed and encrypted', () => {
  test('the signed text is shown, the signature is an attachment', () => {
    const { body, attachments } = read(
      lines(
        'Content-Type: multipart/signed; protocol="application/pgp-signature"; boundary=m',
        '',
        part(['Content-Type: text/plain'], 'signed'),
        part(['Content-Type: application/pgp-signature; name=signature.asc'], '-----BEGIN PGP SIGNATURE-----'),
        '--m--',
      ),
    )
    expect([body.text, attachments.map(({ filename }) => filename)]).toEqual(['signed', ['signature.asc']])
  })

  test('opaque S/MIME and PGP are attachments, never joined with surrounding text (EFAIL)', () => {
    const mail = mixed(
      part(['Content-Type: text/html'], '<img src="http://x.test/'),
      part(['Content-Type: application/pkcs7-mime; name=smime.p7m', 'Content-Transfer-Encoding: base64'], 'MIAG'),
      part(['Content-Type: text/html'], '">'),
    )
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['smime.p7m'])
    expect(mail.body.html).not.toContain('MIAG')
  })
})

test.each([
  ['200,000 nested divs', '<div>'.repeat(200_000)],
  ['a million attributes', `<p ${'a=1 '.repeat(1_000_000)}>`],
  ['20 MB of style sheet', `<style>${'p{color:red}'.repeat(1_700_000)}</style>`],
  ['100,000 tables', '<table>'.repeat(100_000)],
  ['5 MB of ampersands', '&'.repeat(5_000_000)],
])('%s before the text result in HTML of bounded length', (_, bomb) => {
  const { body } = read(lines('Subject: x', 'Content-Type: text/html', '', `${bomb}<p>end`))
  expect(body.html).toHaveLength(Math.min(bomb.length + '<p>end'.length, TEXT_BYTES_MAX))
})

test('a text of links stays unchanged text', () => {
  const links = `http://x.test/?"onmouseover="alert(1)" javascript:alert(1) ${'mailto:'.repeat(100_000)}`
  const { body } = read(`\r\n${links}`)
  expect([body.text, body.html]).toEqual([links, undefined])
})

describe('ambiguous structure has one reading', () => {
  test('a transfer encoding on a multipart does not encode its parts', () => {
    const { body } = read(
      lines('Content-Type: multipart/mixed; boundary=m', 'Content-Transfer-Encoding: base64', '', part([], 'text'), '--m--'),
    )
    expect(body.text).toBe('text')
  })

  test('a comment in Content-Type and a NUL in a field change nothing', () => {
    const { body, parsed } = read(
      lines('Subject: a\0b', 'Content-Type: multipart/mixed; (boundary=x) boundary=m', '', part([], 'text'), '--m--'),
    )
    expect(body.text).toBe('text')
    expect(readSubject(parsed)).not.toContain('\0')
  })
})

test.each(['\n', '\r', '\r\n'])('a bounce with lines that end with %j is read', newline => {
  const bounce = [
    'From: MAILER-DAEMON@x.test',
    'Subject: Undelivered',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=m',
    '',
    '--m',
    '',
    'It failed.',
    '--m',
    'Content-Type: message/delivery-status',
    '',
    'Action: failed',
    '--m',
    'Content-Type: message/rfc822',
    '',
    'Subject: Lost',
    '',
    'body',
    '--m--',
    '',
  ].join(newline)
  const { parsed, body, attachments } = read(bounce)
  expect([parsed.status, readSender(parsed).address, body.text]).toEqual(['ok', 'MAILER-DAEMON@x.test', 'It failed.'])
  expect(attachments.map(({ contentType }) => contentType)).toEqual(['message/delivery-status', 'message/rfc822'])
})

test('an ordinary mail of 2002 is read completely', () => {
  const { parsed, body, preview } = read(
    lines(
      'Return-Path: <a@x.test>',
      'From: a@x.test (A. User)',
      'Subject: [ILUG] hello',
      'Sender: list@x.test',
      '',
      'Hello',
      '-- ',
      'A.',
      '',
    ),
  )
  expect([parsed.status, body.text, preview]).toEqual(['ok', 'Hello\n-- \nA.\n', 'Hello -- A.'])
})

test('fields that request an action are listed as text', () => {
  const fields = [
    ['List-Unsubscribe', '<https://x.test/u>, <mailto:u@x.test>'],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    ['Disposition-Notification-To', 'spy@x.test'],
    ['X-Image-URL', 'http://x.test/face.png'],
  ] as const
  const { parsed } = read(lines(...fields.map(([name, value]) => `${name}: ${value}`), '', 'x'))
  expect(decodedHeaders(parsed)).toEqual(fields.map(([name, value]) => ({ name, value })))
})

test('of 50,000 files in 500 texts the first are listed', () => {
  const files = Array.from({ length: 100 }, (_, i) => lines(`begin 644 ${i}.txt`, '#0V%T', '`', 'end')).join('\r\n')
  const { attachments } = mixed(...Array.from({ length: 500 }, () => part([], files)))
  expect(attachments.map(({ index }) => index)).toEqual(Array.from({ length: ATTACHMENTS_MAX }, (_, i) => i))
})
