/** The SMTP server with the real mail core and store, for protocol tests and benches. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageSchema } from '#contract/mailbox.ts'
import type { OperatorMail } from '#server/mail/delivery/envelope.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import { createMailCore } from '#server/mail/mail-core.ts'
import type { OpenMailbox } from '#server/mail/mailboxes.ts'
import { ALLOW_ALL, type Policy } from '#server/mail/policy.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { createMemoryLimits } from '#server/platform/limits/limiter.ts'
import type { SmtpLimits } from '#server/smtp/limits.ts'
import { type SmtpServer, startSmtp } from '#server/smtp/smtp-server.ts'
import { loadSecret } from '#server/start/data-folder.ts'
import { openSqliteStore } from '#server/store/sqlite/sqlite-store.ts'
import type { MailStore } from '#server/store/store.ts'
import { HeardLog } from '../heard-log.ts'
import { TestClock } from '../test-clock.ts'
import { listMessages, mailAlone, READER } from './start-mail.ts'

type TestSmtpOptions = {
  readonly env?: Readonly<Record<string, string>>
  /** Replaces what follows from settings. */
  readonly config?: Partial<Config>
  readonly limits?: Partial<SmtpLimits>
  /** The operator's blocks. */
  readonly policy?: Policy
  /** Warnings and errors in the log that the test provokes; any other fails it. */
  readonly allowLog?: readonly RegExp[]
}

type TestAddress = {
  readonly email: string
  destroy(): Promise<void>
  /** Every raw message of the mailbox, oldest first; none if the mailbox is gone. */
  raws(): Promise<Buffer[]>
  /** The sender of the envelope of every message, oldest first. */
  envelopeSenders(): Promise<string[]>
}

export type TestSmtp = AsyncDisposable & {
  readonly port: number
  readonly config: Config
  readonly smtp: SmtpServer
  readonly store: MailStore
  readonly heardLog: HeardLog
  /** Mail to postmaster and abuse. */
  readonly operatorMail: readonly OperatorMail[]
  /** Moves the clock that decides expiry. */
  advance(ms: number): void
  newAddress(domain?: string): Promise<TestAddress>
}

/** On a free port of 127.0.0.1 with a temporary folder, which disposing removes. */
export async function startTestSmtp(options: TestSmtpOptions = {}): Promise<TestSmtp> {
  await using parts = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'smtp-'))
  parts.defer(() => rm(dataDir, { recursive: true }))
  const env = { SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, MAIL_DOMAINS: 'mayfly.test', ...options.env }
  const config = { ...readConfig(env), ...options.config }
  const operatorMail: OperatorMail[] = []
  const heardLog = parts.use(new HeardLog(options.allowLog))
  const { log } = heardLog
  const testClock = new TestClock()
  const clock = testClock.now

  const secret = loadSecret(dataDir)
  const store = parts.use(await openSqliteStore({ folder: dataDir, diskReserveBytes: config.diskReserveBytes, clock, log }))
  const receiveOperatorMail = async (received: OperatorMail) => {
    operatorMail.push(received)
    return 'stored' as const
  }
  const alone = mailAlone(config, clock)
  const mail = parts.use(createMailCore({ store, secret, config, clock, log, ...alone, receiveOperatorMail }))
  const rules = { policy: options.policy ?? ALLOW_ALL, domains: alone.rules.domains }
  const { telemetry } = alone
  const shared = { telemetry, rules, sharedLimits: createMemoryLimits(clock) }
  const smtp = parts.use(await startSmtp({ config, clock, log, mail, ...shared, limits: options.limits }))
  const running = parts.move()
  return {
    port: smtp.port,
    config,
    smtp,
    store,
    heardLog,
    operatorMail,
    advance: ms => testClock.advance(ms),
    newAddress: domain => newAddress(mail, config, domain),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function newAddress(mail: MailCore, config: Config, domain?: string): Promise<TestAddress> {
  const { email, token } = await mail.createAddress({ lifetimeSeconds: config.lifetimeSeconds, domain })
  const open = () => mail.openMailbox(token)
  /** One after the other, because few reads of a mailbox may wait. */
  async function readAll<T>(read: (mailbox: OpenMailbox, id: string) => Promise<T | undefined>): Promise<T[]> {
    const mailbox = await open()
    const listed = mailbox && (await listMessages(mail, mailbox))
    if (!mailbox || !listed) return []
    const all: T[] = []
    for (const { id } of listed.messages.toReversed()) {
      const one = await read(mailbox, id)
      if (one !== undefined) all.push(one)
    }
    return all
  }
  return {
    email,
    async destroy() {
      const mailbox = await open()
      if (mailbox) await mail.destroyMailbox(mailbox)
    },
    raws: async () => (await readAll((mailbox, id) => mail.readRaw(mailbox, id, READER))).map(raw => Buffer.from(raw)),
    envelopeSenders: async () =>
      (await readAll((mailbox, id) => mail.readMessage(mailbox, id, READER))).map(
        json => messageSchema.parse(JSON.parse(Buffer.from(json).toString())).envelopeFrom,
      ),
  }
}
