import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { createLog } from '#server/platform/log.ts'
import type { MailStore } from '#server/store/store.ts'
import { envelope, listMessages, mime, READER, receive, startMail, startMailForEachTest } from '#test/harness/mayfly/start-mail.ts'
import { LARGE_QUOTA, sealed } from '#test/harness/mayfly/store-fixture.ts'
import type { OpenMailbox } from '../mailboxes.ts'
import { CHANGES_PER_STEP } from './sealed-rows.ts'

const core = startMailForEachTest()

const changesOf = async (mailbox: OpenMailbox) => (await core.mail.changesSince(mailbox, 0, READER))?.changes

/** Stores messages that were sealed with another key, or damaged: they cannot be decrypted. */
async function storeUnreadable(store: MailStore, { mailboxId, createdAt }: OpenMailbox, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const message = { ...sealed(`unreadable ${i}`), sealedSummary: randomBytes(200) }
    expect(await store.deliver(mailboxId, message, LARGE_QUOTA, createdAt)).toBe('stored')
  }
}

test('a message that cannot be decrypted is left out of the list, and the log tells how many were', async () => {
  const warned: unknown[][] = []
  const log = { ...createLog('silent'), warn: (...line: unknown[]) => void warned.push(line) }
  await using other = await startMail(join(core.folder, 'other'), { log })
  const { email, token } = await other.mail.createAddress({ lifetimeSeconds: 600 })
  const mailbox = await other.mail.openMailbox(token)
  if (!mailbox) throw new Error('a fresh token must open its mailbox')
  await receive(other.mail, envelope(email), mime('before'))
  await storeUnreadable(other.store, mailbox, 2)
  await receive(other.mail, envelope(email), mime('after'))
  const list = await listMessages(other.mail, mailbox)
  expect(list?.messages.map(({ subject }) => subject)).toEqual(['after', 'before'])
  expect(list?.cursor).toBe('4')
  expect(warned.map(([facts]) => facts)).toEqual([{ unreadable: 2, messages: 4 }])
})

test('a reader of changes gets what comes after messages that cannot be decrypted', async () => {
  core.heardLog.allow(/cannot be decrypted were left out/)
  const { email, mailbox } = await core.openNew()
  await storeUnreadable(core.store, mailbox, CHANGES_PER_STEP + 1)
  await receive(core.mail, envelope(email), mime('after'))
  const step = await core.mail.changesSince(mailbox, 0, READER)
  expect(step).toMatchObject({ changes: [], isMore: true })
  const rest = await core.mail.changesSince(mailbox, step?.cursor ?? 0, READER)
  expect(rest).toMatchObject({ changes: [{ type: 'message', message: { subject: 'after' } }], isMore: false })
  expect(await core.mail.changesSince(mailbox, rest?.cursor ?? 0, READER)).toEqual({ changes: [], cursor: rest?.cursor, isMore: false })
})

/** `*.box.test` has subdomains, and what is at "localhost" is everybody's. */
const CLAIMANTS = {
  contradicted: [
    'Mayfly <x@evil.test>',
    '"The Mayfly Support Team" <x@evil.test>',
    '"Mayfly (this site)" <mayfly@evil.test>',
    '=?utf-8?Q?M=D0=B0yfly?= <x@evil.test>',
    '"Ada Lovelace Ltd." <x@evil.test>',
    '"Ada Lovelace Ltd., Support" <x@evil.test>',
    '"support@box.test via Team" <x@evil.test>',
    '"Security box.test" <x@evil.test>',
    '"news.box.test: Sign in" <x@evil.test>',
    '"Box.test." <x@evil.test>',
    '"box.test.evil.test" <x@evil.test>',
    'Ann <support@mayfly.test.evil.test>',
    'Ann <no-reply@mayfly.test>',
    '<postmaster@mail.box.test>',
    'Ann <x@www.site.test>',
  ],
  unknown: [
    '"Ada Lovelace Ltd." <ada@site.test>',
    '"Ann Mayfly" <ann@home.test>',
    '"Mayfly Fishing Club" <news@fishing.test>',
    'Support <help@shop.test>',
    '"Mail Box" <ann@mailbox.test>',
    '"Firebox.test Shop" <a@firebox.test>',
    '"box.test-drive" <a@drive.test>',
    '"ann1234@box.test via Google Drive" <share@google.com>',
    '"Ann (ann@x.box.test) via Forms" <share@drive.test>',
    '"mayfly.test.uk" <a@shop.test>',
    'Shop <ann@mayfly.test.uk>',
    'Ann <root@localhost>',
  ],
}

test('a sender who says that they are this site is contradicted', async () => {
  const env = {
    MAIL_DOMAINS: 'mayfly.test,*.box.test',
    OPERATOR_NAME: 'Ada Lovelace Ltd.',
    PUBLIC_URL: 'https://www.site.test,http://localhost',
  }
  await using other = await startMail(join(core.folder, 'other'), { config: readConfig(env) })
  const { email, token } = await other.mail.createAddress({ lifetimeSeconds: 600 })
  const mailbox = await other.mail.openMailbox(token)
  if (!mailbox) throw new Error('a fresh token must open its mailbox')
  for (const from of Object.values(CLAIMANTS).flat()) {
    await receive(other.mail, envelope(email), Buffer.from(`From: ${from}\r\nSubject: ${from}\r\n\r\nSign in again.`))
  }
  const messages = (await listMessages(other.mail, mailbox))?.messages ?? []
  const verdicts = messages.toReversed().map(({ from, verdict }) => `${from.name} ${from.address} ${verdict}`)
  expect(
    messages.toReversed().map(({ verdict }) => verdict),
    verdicts.join('\n'),
  ).toEqual(Object.entries(CLAIMANTS).flatMap(([verdict, senders]) => senders.map(() => verdict)))
})

test('authentication results that cannot be decrypted count as none, and the message is listed and read', async () => {
  const { email, mailbox } = await core.openNew()
  await receive(core.mail, envelope(email), mime('kept'))
  const [row] = (await listMessages(core.mail, mailbox))?.messages ?? []
  const [change] = (await core.store.changesSince(mailbox.mailboxId, 0, 1)) ?? []
  if (!row || !change) throw new Error('the message must be listed')
  expect(await core.store.addAuthentication(mailbox.mailboxId, change.messageId, randomBytes(100), mailbox.createdAt)).toBe(true)
  expect((await listMessages(core.mail, mailbox))?.messages).toEqual([row])
  expect(await core.mail.readMessage(mailbox, row.id, READER)).toBeDefined()
})

describe('the row of a mail for a reader who is connected', () => {
  /** A reader who is connected until the result is disposed of. */
  async function connect({ mailboxId }: OpenMailbox): Promise<AsyncDisposable> {
    const changes = core.mail.watch(mailboxId, new AbortController().signal)[Symbol.asyncIterator]()
    await changes.next()
    return { [Symbol.asyncDispose]: async () => void (await changes.return?.()) }
  }
  /** Opens no row. */
  const withoutKey = (mailbox: OpenMailbox) => ({ ...mailbox, privateKey: randomBytes(32) })

  test('is the one that was just encrypted, once, and equals what is decrypted', async () => {
    core.heardLog.allow(/cannot be decrypted were left out/)
    const { email, mailbox } = await core.openNew()
    await using _reader = await connect(mailbox)
    await receive(core.mail, envelope(email), mime('Your code is 482913'))
    const atOnce = await changesOf(withoutKey(mailbox))
    expect(atOnce).toMatchObject([{ type: 'message', message: { subject: 'Your code is 482913' } }])
    expect(await changesOf(withoutKey(mailbox))).toEqual([])
    expect(await changesOf(mailbox)).toStrictEqual(atOnce)
  })

  test('is decrypted when nobody was connected as it came, and after the last reader has disconnected', async () => {
    core.heardLog.allow(/cannot be decrypted were left out/)
    const { email, mailbox } = await core.openNew()
    await receive(core.mail, envelope(email), mime('early'))
    {
      await using _reader = await connect(mailbox)
      await receive(core.mail, envelope(email), mime('seen by no one'))
    }
    await using _later = await connect(mailbox)
    expect(await changesOf(withoutKey(mailbox))).toEqual([])
    expect(await changesOf(mailbox)).toHaveLength(2)
  })

  test('is decrypted when it has authentication results', async () => {
    core.heardLog.allow(/cannot be decrypted were left out/)
    const { email, mailbox } = await core.openNew()
    await using _reader = await connect(mailbox)
    await receive(core.mail, envelope(email), mime('checked'))
    const [change] = (await core.store.changesSince(mailbox.mailboxId, 0, 1)) ?? []
    if (!change) throw new Error('the message must be stored')
    expect(await core.store.addAuthentication(mailbox.mailboxId, change.messageId, randomBytes(100), mailbox.createdAt)).toBe(true)
    expect(await changesOf(withoutKey(mailbox))).toEqual([])
  })

  test('is kept for the newest mails only', async () => {
    core.heardLog.allow(/cannot be decrypted were left out/)
    const { email, mailbox } = await core.openNew()
    await using _reader = await connect(mailbox)
    for (let i = 0; i < 6; i++) await receive(core.mail, envelope(email), mime(`number ${i}`))
    expect(await changesOf(withoutKey(mailbox))).toMatchObject([2, 3, 4, 5].map(i => ({ message: { subject: `number ${i}` } })))
    expect(await changesOf(mailbox)).toHaveLength(6)
  })
})
