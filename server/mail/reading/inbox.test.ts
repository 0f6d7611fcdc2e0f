import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import type { MailStore } from '#server/store/store.ts'
import { envelope, mime, receive, startMail, startMailForEachTest } from '#test/harness/mayfly/start-mail.ts'
import { LARGE_QUOTA, sealed } from '#test/harness/mayfly/store-fixture.ts'
import { CHANGES_PER_STEP, type OpenMailbox } from '../mail-core.ts'

const core = startMailForEachTest()

/** Stores messages that were sealed with another key, or damaged: they cannot be decrypted. */
async function storeUnreadable(store: MailStore, { mailboxId }: OpenMailbox, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const message = { ...sealed(`unreadable ${i}`), sealedSummary: randomBytes(200) }
    expect(await store.deliver(mailboxId, message, LARGE_QUOTA)).toMatchObject({ outcome: 'stored' })
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
  const list = await other.mail.listMessages(mailbox)
  expect(list?.messages.map(({ subject }) => subject)).toEqual(['after', 'before'])
  expect(list?.cursor).toBe(4)
  expect(warned.map(([facts]) => facts)).toEqual([{ unreadable: 2, messages: 4 }])
})

test('a reader of changes gets what comes after messages that cannot be decrypted, in whole steps', async () => {
  core.heardLog.allow(/cannot be decrypted were left out of a list/)
  const { email, mailbox } = await core.openNew()
  await core.store.deliver(mailbox.mailboxId, sealed('unreadable'), LARGE_QUOTA)
  expect(await core.mail.changesSince(mailbox, 0)).toEqual([])
  await storeUnreadable(core.store, mailbox, CHANGES_PER_STEP)
  for (let i = 0; i <= CHANGES_PER_STEP; i++) await receive(core.mail, envelope(email), mime(`number ${i}`))
  const step = (await core.mail.changesSince(mailbox, 0)) ?? []
  expect(step).toHaveLength(CHANGES_PER_STEP)
  expect(step[0]).toMatchObject({ type: 'message', message: { subject: 'number 0' } })
  const rest = await core.mail.changesSince(mailbox, step.at(-1)?.cursor ?? 0)
  expect(rest).toMatchObject([{ type: 'message', message: { subject: `number ${CHANGES_PER_STEP}` } }])
})

test('authentication results that cannot be decrypted count as none, and the message is listed and read', async () => {
  const { email, mailbox } = await core.openNew()
  await receive(core.mail, envelope(email), mime('kept'))
  const [row] = (await core.mail.listMessages(mailbox))?.messages ?? []
  const [change] = (await core.store.changesSince(mailbox.mailboxId, 0, 1)) ?? []
  if (!row || !change) throw new Error('the message must be listed')
  expect(await core.store.addAuthentication(mailbox.mailboxId, change.messageId, randomBytes(100))).toBe(true)
  expect((await core.mail.listMessages(mailbox))?.messages).toEqual([row])
  expect(await core.mail.readMessage(mailbox, row.id)).toBeDefined()
})
