/** Transfer encodings, and which part is the body of a mail. Nothing here is timed: a quadratic step would reach the test's time-out. */
import { describe, expect, test } from 'vitest'
import { readMail as read } from '../../../test/harness/read-mail.ts'
import { decodeAttachment } from '../structure/attachments.ts'

describe('transfer encodings', () => {
  test.each([
    ['8-bit', 'caf\xe9', 'café'],
    ['7-bit', 'text', 'text'],
    ['text/html', 'text', 'text'],
    ['"base64";', 'dGV4dA==', 'text'],
    ['BASE64 (why not)', 'dGV4dA==', 'text'],
    ['(c) quoted-printable', 'caf=C3=A9', 'café'],
    ['x-uuencode', 'begin 644 a\r\n$=&5X=```\r\n`\r\nend', 'text'],
  ])('%s', (encoding, content, expected) => {
    expect(read(`Content-Transfer-Encoding: ${encoding}\r\n\r\n${content}`).body.text).toBe(expected)
  })
})

test('a binary attachment keeps its line ends', () => {
  const { raw, attachments } = read(
    'Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary\r\n\r\nab\r\ncd\n\0\r\n--m--\r\n',
  )
  expect(attachments.map(attachment => Buffer.from(decodeAttachment(raw, attachment)).toString('latin1'))).toEqual(['ab\r\ncd\n\0'])
})

describe('choice of the body', () => {
  const alternative = (...parts: [string, string][]) =>
    read(
      [
        'Content-Type: multipart/alternative; boundary=a',
        '',
        ...parts.flatMap(([type, text]) => ['--a', `Content-Type: ${type}`, '', text]),
        '--a--',
      ].join('\r\n'),
    )

  test('HTML only', () => {
    expect(alternative(['text/html', '<p>x']).body).toMatchObject({ html: '<p>x', text: undefined })
  })

  test('text only', () => {
    expect(alternative(['text/plain', 'x']).body).toMatchObject({ html: undefined, text: 'x' })
  })

  test('HTML first', () => {
    expect(alternative(['text/html', '<p>x'], ['text/plain', 'x']).body).toMatchObject({ html: '<p>x', text: 'x' })
  })

  test('a calendar and AMP beside them are attachments', () => {
    const { body, attachments } = alternative(
      ['text/plain', 'x'],
      ['text/x-amp-html', '<html amp>'],
      ['text/html', '<p>x'],
      ['text/calendar', 'BEGIN'],
    )
    expect(body).toMatchObject({ html: '<p>x', text: 'x' })
    expect(attachments.map(({ filename }) => filename)).toEqual(['attachment-1.txt', 'invite.ics'])
  })

  test('the footer of a mailing list is in both views, escaped in the HTML one', () => {
    const { body } = read(
      'Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\nContent-Type: text/html\r\n\r\n<p>x</p>\r\n--m\r\n\r\n<footer>\r\n--m--',
    )
    expect(body.html).toBe('<p>x</p>\n<br>\n<div>&#60;footer&#62;</div>')
    expect(body.text).toBe('x\n<footer>')
  })

  test('an image named in the HTML is listed as inline', () => {
    const { attachments } = read(
      'Content-Type: multipart/related; boundary=r\r\n\r\n--r\r\nContent-Type: text/html\r\n\r\n<img src=cid:a>\r\n--r\r\nContent-Type: image/png\r\nContent-ID: <a>\r\n\r\nx\r\n--r--',
    )
    expect(attachments).toMatchObject([{ filename: 'attachment-1.png', inline: true, contentId: 'a', size: 1 }])
  })
})

describe('messages inside', () => {
  test('are attachments named after their subject, byte for byte', () => {
    const inner = 'Subject: =?utf-8?Q?Hola?=\r\n\r\ninner'
    const { raw, attachments, body } = read(
      `Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n\r\nouter\r\n--m\r\nContent-Type: message/rfc822\r\n\r\n${inner}\r\n--m--`,
    )
    const [message] = attachments
    expect([body.text, message?.filename]).toEqual(['outer\n----------\nSubject: Hola\n\ninner', 'Hola.eml'])
    expect(message && Buffer.from(decodeAttachment(raw, message)).toString()).toBe(inner)
  })

  test('in base64 are named in the same way, and of a thousand only the first are read', () => {
    const inner = (subject: string) => {
      const tree = Array.from({ length: 400 }, (_, i) => `Content-Type: multipart/mixed\r\n\r\n--b${i}\r\n`).join('')
      return Buffer.from(`Subject: ${subject}\r\n${tree}`).toString('base64')
    }
    const parts = Array.from({ length: 990 }, (_, i) =>
      ['--m', 'Content-Type: message/rfc822', 'Content-Transfer-Encoding: base64', '', inner(`no. ${i}`)].join('\r\n'),
    )
    const { attachments } = read(`Content-Type: multipart/mixed; boundary=m\r\n\r\n${parts.join('\r\n')}\r\n--m--`)
    expect(attachments.map(({ filename }) => filename)).toEqual(parts.map((_, i) => `no. ${i}.eml`))
  })

  test('of a digest need no Content-Type', () => {
    const { attachments } = read(
      'Content-Type: multipart/digest; boundary=d\r\n\r\n--d\r\n\r\nSubject: one\r\n\r\n1\r\n--d\r\n\r\nSubject: two\r\n\r\n2\r\n--d--',
    )
    expect(attachments.map(({ filename }) => filename)).toEqual(['one.eml', 'two.eml'])
  })

  test('that are the only content are shown with their fields, and their attachments are listed', () => {
    const inner = [
      'From: Jane <jane@x.test>',
      'Subject: =?utf-8?Q?Factura_de_a=C3=B1o?=',
      'Content-Type: multipart/mixed; boundary=i',
      '',
      '--i',
      'Content-Type: text/html',
      '',
      '<p>Hola</p>',
      '--i',
      'Content-Type: application/pdf; name=factura.pdf',
      '',
      '%PDF',
      '--i--',
    ].join('\r\n')
    const { raw, attachments, body, preview } = read(`Subject: Fwd\r\nContent-Type: message/rfc822\r\n\r\n${inner}`)
    expect(body.html).toContain('<b>From:</b> Jane &#60;jane@x.test&#62;<br>')
    expect(body.html).toContain('<b>Subject:</b> Factura de año')
    expect(body.html).toContain('<p>Hola</p>')
    expect(body.text).toBeUndefined()
    expect(preview).toBe('Hola')
    expect(attachments.map(({ filename }) => filename)).toEqual(['Factura de año.eml', 'factura.pdf'])
    expect(attachments[1] && Buffer.from(decodeAttachment(raw, attachments[1])).toString()).toBe('%PDF')
  })

  test('are shown under an empty text, and under other text', () => {
    const mail = (text: string) =>
      read(
        `Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n\r\n${text}\r\n--m\r\nContent-Type: message/rfc822\r\n\r\nSubject: in\r\n\r\ninner\r\n--m--`,
      )
    expect(mail('').body.text).toContain('inner')
    expect(mail('see below').body.text).toBe('see below\n----------\nSubject: in\n\ninner')
  })

  test('of a digest are shown below its introduction', () => {
    const { body, preview } = read(
      [
        'Content-Type: multipart/mixed; boundary=m',
        '',
        '--m',
        '',
        'Today in this list',
        '--m',
        'Content-Type: multipart/digest; boundary=d',
        '',
        '--d',
        '',
        'Subject: one',
        '',
        'first',
        '--d',
        '',
        'Subject: two',
        '',
        'second',
        '--d--',
        '--m--',
      ].join('\r\n'),
    )
    expect(body.text).toMatch(/^Today in this list\n-+\nSubject: one\n\nfirst\n-+\nSubject: two\n\nsecond$/)
    expect(preview).toBe('Today in this list first second')
  })

  test('external bodies and partial messages are attachments, and nothing is fetched or joined', () => {
    const { attachments } = read(
      'Content-Type: message/external-body; access-type=URL; URL="http://x.test/"\r\n\r\nContent-Type: image/png\r\n\r\n',
    )
    expect(attachments).toMatchObject([{ contentType: 'message/external-body' }])
  })
})
