import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startMail, type TestMail } from '#test/start-mail.ts'

const BODY = 'Bring the periwinkle umbrella.'
const mime = (subject: string, body = BODY) =>
  Buffer.from(
    [
      'From: Jané <jane@sender.test>'.replace('é', '=?utf-8?q?=C3=A9?='),
      'To: somebody else <not-the-recipient@elsewhere.test>',
      `Subject: ${subject}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      body,
      '--b',
      'Content-Type: application/octet-stream; name=data.bin',
      'Content-Disposition: attachment; filename=data.bin',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from([0, 1, 2, 250, 251, 255]).toString('base64'),
      '--b--',
      '',
    ].join('\r\n'),
  )

let folder: string
let it: TestMail
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-mail-'))
  it = await startMail(folder)
})
afterEach(async () => {
  await it[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function openNew() {
  const created = await it.mail.createAddress({ lifetimeSeconds: 600 })
  const mailbox = await it.mail.openMailbox(created.token)
  if (!mailbox) throw new Error('a fresh token must open its mailbox')
  return { ...created, mailbox }
}
const envelope = (...recipients: string[]) => ({
  from: 'bounce@sender.test',
  recipients,
  clientAddress: '127.0.0.1',
  helo: 'sender.test',
  secure: false,
})

describe('a mail from the final dot to its reader', () => {
  test('is listed, read, downloaded and given back byte for byte', async () => {
    const { email, mailbox } = await openNew()
    const raw = mime('=?utf-8?q?Gr=C3=BC=C3=9Fe?=')
    expect(await it.mail.checkRecipient(email)).toBe('accepted')
    expect(await it.mail.receive(envelope(email), raw)).toBe('delivered')

    const list = await it.mail.listMessages(mailbox)
    const [row] = list?.messages ?? []
    expect(row).toMatchObject({
      subject: 'Grüße',
      from: { address: 'jane@sender.test' },
      preview: BODY,
      size: raw.length,
      parseStatus: 'ok',
      codes: [],
      attachments: [{ index: 0, filename: 'data.bin', size: 6, contentType: 'application/octet-stream', inline: false }],
      receivedAt: new Date(it.clock()).toISOString(),
    })
    const id = row?.id ?? ''
    const message = await it.mail.readMessage(mailbox, id)
    expect(message).toMatchObject({ text: expect.stringContaining(BODY), envelopeFrom: 'bounce@sender.test' })
    expect(message?.to).toEqual([{ name: 'somebody else', address: 'not-the-recipient@elsewhere.test' }])
    expect(Buffer.from((await it.mail.readRaw(mailbox, id)) ?? []).equals(raw)).toBe(true)
    const attachment = await it.mail.readAttachment(mailbox, id, 0)
    expect([...(attachment?.bytes ?? [])]).toEqual([0, 1, 2, 250, 251, 255])
    expect(await it.mail.readAttachment(mailbox, id, 1)).toBeUndefined()
  })
})
