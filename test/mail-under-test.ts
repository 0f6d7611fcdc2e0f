/** The core on a real store in a folder of its own, new for each test, on a clock that stands until it is set. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { Envelope, Mail, OpenMailbox, Recipient } from '#server/mail/mail.ts'
import type { MailStore } from '#server/store/store.ts'
import { startMail, type TestMail } from './start-mail.ts'

export const BODY = 'Bring the periwinkle umbrella.'
/** A mail with an attachment, to somebody who is not its recipient. */
export const mime = (subject: string, body = BODY) =>
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

export const envelope = (...recipients: string[]) => ({
  from: 'bounce@sender.test',
  recipients,
  clientAddress: '127.0.0.1',
  helo: 'sender.test',
  secure: false,
})

type UnresolvedEnvelope = Omit<Envelope, 'recipients'> & { readonly recipients: readonly string[] }

/** What SMTP does: every recipient is checked, and the message is for those that were found. The first failure ends it. */
export async function receive(mail: Mail, { recipients, ...connection }: UnresolvedEnvelope, raw: Uint8Array) {
  const found: Recipient[] = []
  for (const address of recipients) {
    const recipient = await mail.checkRecipient(address)
    if (typeof recipient === 'string') return recipient
    found.push(recipient)
  }
  return mail.receive({ ...connection, recipients: found }, raw)
}

class MailUnderTest {
  #core: TestMail | undefined
  folder = ''

  get #started(): TestMail {
    if (!this.#core) throw new Error('the core is started before each test')
    return this.#core
  }

  get mail(): Mail {
    return this.#started.mail
  }

  get store(): MailStore {
    return this.#started.store
  }

  clock(): number {
    return this.#started.clock()
  }

  setTime(ms: number): void {
    this.#started.setTime(ms)
  }

  async start(): Promise<void> {
    this.folder = mkdtempSync(join(tmpdir(), 'mayfly-mail-'))
    this.#core = await startMail(this.folder)
  }

  async stop(): Promise<void> {
    await this.#started[Symbol.asyncDispose]()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** A fresh mailbox of 600 s, open. */
  async openNew() {
    const created = await this.mail.createAddress({ lifetimeSeconds: 600 })
    const mailbox = await this.mail.openMailbox(created.token)
    if (!mailbox) throw new Error('a fresh token must open its mailbox')
    return { ...created, mailbox }
  }

  sendTo(...recipients: string[]) {
    return receive(this.mail, envelope(...recipients), mime(`to ${recipients.length}`))
  }

  async subjects(mailbox: OpenMailbox) {
    return (await this.mail.listMessages(mailbox))?.messages.map(message => message.subject)
  }
}

export function mailUnderTest(): MailUnderTest {
  const it = new MailUnderTest()
  beforeEach(() => it.start())
  afterEach(() => it.stop())
  return it
}
