/** Messages and their rows as the owner sees them. */
import { describe, expect, test } from 'vitest'
import { readPlainText } from '#reader/read-mail.ts'
import { summarise } from '#reader/summary.ts'
import { toMessage, toMessageSummary } from './message.ts'

const embedded = (text: string, type = 'text/plain') =>
  Buffer.from(`From: Jane <jane@x.test>\r\nTo: ann@y.test\r\nSubject: Your account\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`)

const encoded = (inner: Buffer) =>
  Buffer.from(
    `From: bob@z.test\r\nSubject: Fwd\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n${inner.toString('base64')}\r\n`,
  )

/** As the owner sees it. */
function show(raw: Buffer) {
  const { envelopeFrom, ...summary } = summarise(raw, 'bounce@z.test')
  const row = { messageId: 'x' as never, arrivalCursor: 1, receivedAt: 0 }
  return toMessage(toMessageSummary(row, { ...summary, envelopeFrom }), envelopeFrom, raw)
}

describe('the row of a mail', () => {
  const asking = (name: string) => {
    const html = '<p>Confirm your address: <a href="https://shop.example/confirm?t=1">Confirm my address</a></p>'
    return Buffer.from(`From: ${name} <hello@shop.example>\r\nSubject: Confirm your address\r\nContent-Type: text/html\r\n\r\n${html}`)
  }
  test('offers the link of an ordinary sender, but not that of one who uses the name of a brand', () => {
    expect(show(asking('Shop')).link?.url).toBe('https://shop.example/confirm?t=1')
    expect(show(asking('Shop')).verdict).toBe('unknown')
    const imitated = show(asking('PayPal™ News'))
    expect([imitated.link, imitated.verdictReason, imitated.links.length]).toEqual([undefined, 'imitation', 1])
  })

  test('says that a policy contradicts its sender, and keeps its code for programs', () => {
    const raw = Buffer.from('From: Shop <hello@shop.example>\r\nSubject: 1\r\n\r\nYour sign-in code is 481516.\r\n')
    const failed = { spf: 'fail', dkim: 'none', dmarc: 'fail', arc: 'none', policy: 'reject' } as const
    const row = toMessageSummary(
      { messageId: 'x' as never, arrivalCursor: 1, receivedAt: 0 },
      { ...summarise(raw, 'a@b.test'), authentication: failed },
    )
    expect([row.verdict, row.codes]).toEqual(['contradicted', ['481516']])
  })
})

describe('a message in base64', () => {
  test('is shown with its fields and text, searched for codes, and kept as an attachment', () => {
    const inner = embedded('Your sign-in code is 481516.')
    const message = show(encoded(inner))
    expect(message.text).toMatch(/^-+\nFrom: Jane <jane@x\.test>\nTo: ann@y\.test\nSubject: Your account\n\nYour sign-in code is 481516\./)
    expect(message).toMatchObject({ subject: 'Fwd', from: { address: 'bob@z.test' }, codes: ['481516'], parseStatus: 'ok' })
    expect(message.preview).toBe('Your sign-in code is 481516.')
    expect(message.attachments).toMatchObject([{ filename: 'Your account.eml', contentType: 'message/rfc822', size: inner.length }])
    expect(readPlainText(encoded(inner), '').text).toContain('Your sign-in code is 481516.')
  })

  test('is shown as HTML if it is HTML', () => {
    const { html, text } = show(encoded(embedded('<p>Hello <b>Ann</b></p>', 'text/html')))
    expect(html).toMatch(/<b>Subject:<\/b> Your account<\/p>\n?<p>Hello <b>Ann<\/b><\/p>/)
    expect(text).toBeUndefined()
  })

  test('stays an attachment under a text, next to another one, and where it is no message', () => {
    const part = (inner: Buffer) =>
      `--m\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n${inner.toString('base64')}\r\n`
    const mixed = (...parts: string[]) => Buffer.from(`Content-Type: multipart/mixed; boundary=m\r\n\r\n${parts.join('')}--m--\r\n`)
    const inner = embedded('inside')
    const under = show(mixed('--m\r\n\r\nsee below\r\n', part(inner)))
    expect([under.text, under.attachments.length]).toEqual(['see below', 1])
    const two = show(mixed(part(inner), part(embedded('another'))))
    expect([two.text, two.attachments.length]).toEqual([undefined, 2])
    const noise = show(encoded(Buffer.alloc(300, 0xf7)))
    expect([noise.text, noise.attachments.length]).toEqual([undefined, 1])
  })
})
