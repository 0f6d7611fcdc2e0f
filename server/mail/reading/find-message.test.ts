/** What a wait finds when a message of its mailbox cannot be decrypted, is damaged, or ends the thread that parses it. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Message } from '#contract/mailbox.ts'
import { summarise } from '#reader/summary.ts'
import { createLog } from '#server/platform/log.ts'
import { HeardLog } from '#test/harness/heard-log.ts'
import { BODY, envelope, listMessages, mime, READER, receive, startMail, startMailForEachTest } from '#test/harness/mayfly/start-mail.ts'
import { LARGE_QUOTA, sealed } from '#test/harness/mayfly/store-fixture.ts'
import { importSealingKey, sealMessage } from '../keys/seal.ts'
import { encodeSummary } from '../message/stored-summary.ts'
import { MailThreads, mailThreadOptions } from '../threads/mail-threads.ts'
import { createMessageSearch } from './find-message.ts'
import { createMessageReader, WholeMessageReads } from './read-message.ts'

const MIB = 1024 * 1024
const ANY = { from: '', subject: '', afterCursor: 0, afterMs: 0 }
const core = startMailForEachTest()

const readFound = (found: { readonly message?: Uint8Array | undefined } | undefined): Message =>
  JSON.parse(Buffer.from(found?.message ?? []).toString() || '{}')

/** JSON takes 32 MiB for its control characters, which is more than the threads below may have in memory. Unparsed, they are left out. */
const heavy = Buffer.concat([Buffer.from('Subject: heavy\r\n\r\n'), Buffer.alloc(MIB, 'a'), Buffer.alloc(5.4 * MIB, 1)])

/** Threads that `heavy` ends, with how many it ended. */
async function startReading() {
  const heardLog = new HeardLog([/A thread of [^"]* failed and is replaced/])
  const { log } = heardLog
  const counted = { deaths: 0 }
  const metrics = {
    threadDied() {
      counted.deaths += 1
    },
    jobsRetried: () => undefined,
  }
  const resourceLimits = { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 4 }
  const threads = new MailThreads({ ...mailThreadOptions(randomBytes(32), log), resourceLimits, metrics })
  const context = { store: core.store, threads, log }
  const reading = createMessageReader(context, new WholeMessageReads(core.store, 32))
  return {
    ...reading,
    ...createMessageSearch(context, reading.readMatching, 16 * MIB),
    counted,
    async [Symbol.asyncDispose]() {
      await threads[Symbol.asyncDispose]()
      heardLog[Symbol.dispose]()
    },
  }
}

test('a message that ends its thread is the only one that stays unparsed', async () => {
  const { email, mailbox } = await core.openNew()
  for (const raw of [heavy, mime('beside')]) expect(await receive(core.mail, envelope(email), raw)).toBe('delivered')
  await using reading = await startReading()
  const { findMessage } = reading
  expect(readFound(await findMessage(mailbox, 0, { ...ANY, subject: 'heavy' }, READER))).toMatchObject({ parseStatus: 'failed' })
  const beside = readFound(await findMessage(mailbox, 0, { ...ANY, body: BODY }, READER))
  expect(beside).toMatchObject({ subject: 'beside', parseStatus: 'ok', text: BODY, attachmentCount: 1 })
})

test('a message that ended its thread ends no other, however often it is opened or waited for', async () => {
  const { email, mailbox } = await core.openNew()
  expect(await receive(core.mail, envelope(email), heavy)).toBe('delivered')
  const [row] = (await listMessages(core.mail, mailbox))?.messages ?? []
  await using reading = await startReading()
  const open = async () => readFound({ message: await reading.readMessage(mailbox, row?.id ?? '', READER) })
  expect(await open()).toMatchObject({ parseStatus: 'failed' })
  const { deaths } = reading.counted
  expect(deaths).toBeGreaterThan(0)
  for (let again = 0; again < 3; again++) {
    expect(await open()).toMatchObject({ subject: 'heavy', parseStatus: 'failed' })
    const condition = { ...ANY, subject: 'heavy', body: 'aaaa' }
    expect(readFound(await reading.findMessage(mailbox, 0, condition, READER))).toMatchObject({ parseStatus: 'failed' })
  }
  expect(reading.counted.deaths).toBe(deaths)
})

test('a damaged message whose row is intact does not keep those behind it from a reader who waits', async () => {
  core.heardLog.allow(/cannot be decrypted were left out/)
  const { email, mailbox } = await core.openNew()
  const { mailboxId } = mailbox
  const recipient = await core.mail.checkRecipient(email)
  if (typeof recipient === 'string' || recipient.kind !== 'mailbox') throw new Error('a fresh address must be a recipient')
  const { messageId, receivedAt } = sealed('damaged')
  const summary = encodeSummary(summarise(mime('damaged'), ''))
  const [row] = sealMessage(importSealingKey(recipient.publicKey), { mailboxId, messageId }, summary, mime('damaged'))
  const message = { messageId, receivedAt, sealedSummary: Buffer.concat(row), sealedRaw: randomBytes(500) }
  expect(await core.store.deliver(mailboxId, message, LARGE_QUOTA, mailbox.createdAt)).toBe('stored')
  await receive(core.mail, envelope(email), mime('after'))
  expect((await listMessages(core.mail, mailbox))?.messages).toHaveLength(2)
  expect(readFound(await core.mail.findMessage(mailbox, 0, ANY, READER))).toMatchObject({ subject: 'after', parseStatus: 'ok' })
})

test('messages that cannot be decrypted do not end a wait, and the log tells how many there were', async () => {
  const warned: unknown[][] = []
  const log = { ...createLog('silent'), warn: (...line: unknown[]) => void warned.push(line) }
  await using other = await startMail(join(core.folder, 'other'), { log })
  const { email, token } = await other.mail.createAddress({ lifetimeSeconds: 600 })
  const mailbox = await other.mail.openMailbox(token)
  if (!mailbox) throw new Error('a fresh token must open its mailbox')
  for (const text of ['one', 'other']) {
    const unreadable = { ...sealed(text), sealedSummary: randomBytes(200) }
    expect(await other.store.deliver(mailbox.mailboxId, unreadable, LARGE_QUOTA, mailbox.createdAt)).toBe('stored')
  }
  await receive(other.mail, envelope(email), mime('after'))
  expect(readFound(await other.mail.findMessage(mailbox, 0, { ...ANY, body: BODY }, READER))).toMatchObject({ subject: 'after' })
  expect(warned.map(([facts]) => facts)).toEqual([{ unreadable: 2, messages: 3 }])
})
