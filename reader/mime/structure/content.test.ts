import { describe, expect, test } from 'vitest'
import { textPrefix } from '../../seen/preview.ts'
import { readDate, readSender, readSubject, readTo } from '../headers/headers.ts'
import { TEXT_BYTES_MAX } from '../mime-limits.ts'
import { decodeAttachment, listAttachments } from './attachments.ts'
import { readBody } from './body.ts'
import { parseMessage } from './parse.ts'
import { TEXT_TRUNCATED } from './text-part.ts'

/** A message as the wire brings it: CRLF, bytes by latin1. */
function mail(...lines: string[]): Buffer {
  return Buffer.from(lines.join('\r\n'), 'latin1')
}

describe('an ordinary newsletter with an attachment', () => {
  const raw = mail(
    'From: =?utf-8?Q?Caf=C3=A9?= <news@shop.test>',
    'To: "Doe, Jane" <jane@mayfly.test>, bob@mayfly.test',
    'Subject: =?UTF-8?B?SG9sYSDwn5iA?= =?UTF-8?B?IQ==?=',
    'Date: Fri, 20 Nov 2026 09:00:00 -0500',
    'Content-Type: multipart/mixed; boundary="outer"',
    '',
    'preamble',
    '--outer',
    'Content-Type: multipart/alternative; boundary=inner',
    '',
    '--inner',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Ma=F1ana =3D tomor=',
    'row',
    '--inner',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>Ma&ntilde;ana</p>',
    '--inner--',
    '--outer',
    'Content-Type: application/json; name="a.json"',
    'Content-Disposition: attachment',
    '',
    '{"a":1}\r\n{"b":2}',
    '--outer--',
    'epilogue',
  )
  const parsed = parseMessage(raw)

  test('has the fields that a reader sees', () => {
    expect(readSubject(parsed)).toBe('Hola 😀!')
    expect(readSender(parsed)).toEqual({ name: 'Café', address: 'news@shop.test' })
    expect(readTo(parsed)).toEqual([
      { name: 'Doe, Jane', address: 'jane@mayfly.test' },
      { name: '', address: 'bob@mayfly.test' },
    ])
    expect(readDate(parsed)?.toISOString()).toBe('2026-11-20T14:00:00.000Z')
  })

  test('has both views, and a preview from the HTML, which is shown', () => {
    expect(readBody(raw, parsed)).toEqual({ text: 'Mañana = tomorrow', html: '<p>Ma&ntilde;ana</p>', warnings: [] })
    expect(textPrefix(raw, parsed, 8)).toBe('Mañana')
  })

  test('a 7bit attachment is the bytes between the line breaks of its delimiters', () => {
    const [json, ...others] = listAttachments(raw, parsed)
    expect(others).toEqual([])
    expect(json).toMatchObject({ index: 0, filename: 'a.json', contentType: 'application/json', size: 16, inline: false })
    expect(json && Buffer.from(decodeAttachment(raw, json)).toString('latin1')).toBe('{"a":1}\r\n{"b":2}')
  })

  test('has no warnings', () => {
    expect([parsed.status, parsed.warnings]).toEqual(['ok', []])
  })
})

test('a text of 25 MB is shown up to the limit and marked as cut', () => {
  const raw = Buffer.from(`Subject: long\r\nContent-Type: text/plain\r\n\r\n${'line\r\n'.repeat(4_000_000)}`)
  const body = readBody(raw, parseMessage(raw))
  expect(body.warnings).toEqual([TEXT_TRUNCATED])
  expect(body.text?.length).toBeLessThanOrEqual(TEXT_BYTES_MAX)
})

test('a digest shows its messages one below the other, each below its own heading', () => {
  const message = (subject: string, type: string, body: string) =>
    `Subject: ${subject}\r\nFrom: a@b.test\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`
  const first = message('=?utf-8?q?1_=3C_2?=', 'text/html', '<p>one</p>')
  const second = message('Two', 'text/plain', 'two')
  const raw = Buffer.from(`Content-Type: multipart/digest; boundary=d\r\n\r\n--d\r\n\r\n${first}--d\r\n\r\n${second}--d--\r\n`)
  const { html } = readBody(raw, parseMessage(raw))
  expect(html?.replace(/\s*\n\s*/g, '')).toBe(
    '<p><b>From:</b> a@b.test<br><b>Subject:</b> 1 &#60; 2</p><p>one</p><hr><p><b>From:</b> a@b.test<br><b>Subject:</b> Two</p><div>two</div>',
  )
})
