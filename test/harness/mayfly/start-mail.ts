/** The mail core on a real store, with a clock that changes only when it is set, and mail for it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { MessageList } from '#contract/mailbox.ts'
import { createMailDomains, initialDomains } from '#server/mail/addresses/mail-domains.ts'
import type { MailOptions } from '#server/mail/context.ts'
import type { Envelope, Recipient } from '#server/mail/delivery/envelope.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import { createMailCore } from '#server/mail/mail-core.ts'
import type { OpenMailbox } from '#server/mail/mailboxes.ts'
import type { Reader } from '#server/mail/reading/read-queue.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { openSqliteStore } from '#server/store/sqlite/sqlite-store.ts'
import type { MailStore } from '#server/store/store.ts'
import { HeardLog } from '../heard-log.ts'
import { TestClock } from '../test-clock.ts'
import { testTelemetry } from './test-telemetry.ts'

export type TestMail = AsyncDisposable & {
  readonly mail: MailCore
  readonly store: MailStore
  /** Checked when it is disposed of. */
  readonly heardLog: HeardLog
  readonly clock: TestClock
}

/** All are offered. `hilfe` belongs to the service. */
export function testDomains(...names: readonly string[]) {
  const own = { supportEmail: `hilfe@${names[0]}`, mailFrom: `no-reply@${names[0]}`, contactTo: undefined }
  return createMailDomains(initialDomains(names), own, Date.now)
}

/** What the mail core gets from the rest of the server: fixed domains, and nobody who listens. */
export function mailAlone(config: Config, clock: Clock) {
  const domains = createMailDomains(initialDomains(config.domains), config, clock)
  const room = Number.MAX_SAFE_INTEGER
  return {
    rules: { domains, async refresh() {} },
    async keepDomain() {},
    receiveOperatorMail: async () => 'stored' as const,
    storeHealth: () => ({ ok: true, isFull: false, mailboxes: 0, bytesOnDisk: 0, roomBytes: room, capacityBytes: room }),
    webhookEvents: { mayEnqueueArrivals: false, enqueueArrival: () => undefined },
    mailStored() {},
    async mailboxDestroyed() {},
    telemetry: testTelemetry(),
    authenticator: undefined,
  }
}

/** Somebody who stays connected. */
export const READER: Reader = { networks: ['203.0.113.9', '203.0.113.0/24'], signal: new AbortController().signal }

/** The whole list of a mailbox. `undefined` when it is gone. */
export async function listMessages(mail: Pick<MailCore, 'listMessages'>, mailbox: OpenMailbox): Promise<MessageList | undefined> {
  const condition = { from: '', subject: '', afterCursor: 0, afterMs: Number.NEGATIVE_INFINITY }
  const json = await mail.listMessages(mailbox, { condition, before: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY }, READER)
  return json && (JSON.parse(Buffer.from(json).toString()) as MessageList)
}

/** Replaces what the core gets in a test, and the clock of core and store. */
type StartMailOptions = Partial<Omit<MailOptions, 'clock'>> & { readonly clock?: TestClock }

/** With the store in `folder`. */
export async function startMail(folder: string, options: StartMailOptions = {}): Promise<TestMail> {
  const { clock: testClock = new TestClock(Date.UTC(2026, 0, 1)), ...replaced } = options
  const clock = testClock.now
  const heardLog = new HeardLog()
  const store = options.store ?? (await openSqliteStore({ folder, diskReserveBytes: 0, clock, log: heardLog.log }))
  const { config = readConfig({ MAIL_DOMAINS: 'mayfly.test,box.test' }) } = options
  const basics = { config, secret: 'a secret of the tests, long enough', clock, log: heardLog.log }
  const mail = createMailCore({ ...basics, ...mailAlone(config, clock), ...replaced, store })
  return {
    mail,
    store,
    heardLog,
    clock: testClock,
    async [Symbol.asyncDispose]() {
      await mail[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
      heardLog.check()
    },
  }
}

export const BODY = 'Bring the periwinkle umbrella.'
/** A mail with an attachment, whose To field names somebody else. */
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
  isEncrypted: false,
})

type UnresolvedEnvelope = Omit<Envelope, 'recipients'> & { readonly recipients: readonly string[] }

/** Does what SMTP does: checks every recipient, then delivers the message. The first failure ends it. */
export async function receive(mail: MailCore, { recipients, ...connection }: UnresolvedEnvelope, raw: Uint8Array) {
  const found: Recipient[] = []
  for (const address of recipients) {
    const recipient = await mail.checkRecipient(address)
    if (typeof recipient === 'string') return recipient
    found.push(recipient)
  }
  return mail.receive({ ...connection, recipients: found }, raw)
}

class MailForEachTest {
  #current: TestMail | undefined
  folder = ''

  get #started(): TestMail {
    if (!this.#current) throw new Error('the mail core is started before each test')
    return this.#current
  }

  get mail(): MailCore {
    return this.#started.mail
  }

  get store(): MailStore {
    return this.#started.store
  }

  get heardLog(): HeardLog {
    return this.#started.heardLog
  }

  get clock(): TestClock {
    return this.#started.clock
  }

  async start(): Promise<void> {
    this.folder = mkdtempSync(join(tmpdir(), 'mayfly-mail-'))
    this.#current = await startMail(this.folder)
  }

  async stop(): Promise<void> {
    using _ = { [Symbol.dispose]: () => rmSync(this.folder, { recursive: true, force: true }) }
    await this.#started[Symbol.asyncDispose]()
  }

  /** Creates a mailbox that lives 600 s, and opens it. */
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
    return (await listMessages(this.mail, mailbox))?.messages.map(message => message.subject)
  }
}

/** The mail core on a store in its own folder, new for each test of the file. */
export function startMailForEachTest(): MailForEachTest {
  const core = new MailForEachTest()
  beforeEach(() => core.start())
  afterEach(() => core.stop())
  return core
}
