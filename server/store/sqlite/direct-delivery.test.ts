/** Mail that another thread sends to the store: every guarantee of `deliver` holds for it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type PeerConnection, packPeerRequests } from '#server/platform/threads/batch.ts'
import { deliverTo, expiresAtOf, LARGE_QUOTA, mailboxRecord, QUOTA, START, sealed } from '#test/harness/mayfly/store-fixture.ts'
import type { MailboxId, SealedMessage } from '../store.ts'
import { addMessage } from '../store.ts'
import { openSqliteStore } from './sqlite-store.ts'

type Store = Awaited<ReturnType<typeof openSqliteStore>>

let folder: string
let now: number
let store: Store
let connection: PeerConnection
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-direct-'))
  now = START
  store = await openSqliteStore({ folder, diskReserveBytes: 0, clock: () => now })
  connection = store.directDelivery.connect()
})
afterEach(async () => {
  connection.close()
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function createMailbox(lifetimeMs = 1000): Promise<MailboxId> {
  const record = mailboxRecord(now + lifetimeMs)
  await store.createMailbox(record)
  return record.mailboxId
}

/** Like a mail thread: messages that were expected together are sent together. */
function send(mailboxIds: readonly MailboxId[], { messageId, receivedAt, sealedSummary, sealedRaw }: SealedMessage, quota = LARGE_QUOTA) {
  const expected = mailboxIds.map(mailboxId => store.directDelivery.expect(mailboxId, receivedAt, quota, expiresAtOf(mailboxId)))
  connection.postMessage(packPeerRequests(expected.map(({ request }) => addMessage(request, messageId, [sealedSummary], [sealedRaw]))))
  return Promise.all(expected.map(({ result }) => result))
}

test('a message is stored byte for byte, notifies readers, and is recognised when it is repeated on either way', async () => {
  const mailboxId = await createMailbox()
  const stopping = new AbortController()
  const wakes = store.watch(mailboxId, stopping.signal)[Symbol.asyncIterator]()
  await wakes.next()
  const woken = wakes.next()
  const message = sealed('mail', 5000)
  expect(await send([mailboxId], message)).toEqual(['stored'])
  await woken
  stopping.abort()
  const stored = await store.readMessage(mailboxId, message.messageId)
  expect(Buffer.from(stored?.sealedRaw ?? [])).toEqual(Buffer.from(message.sealedRaw))
  expect(Buffer.from(stored?.sealedSummary ?? [])).toEqual(Buffer.from(message.sealedSummary))
  expect(await send([mailboxId], message)).toEqual(['duplicate'])
  expect(await deliverTo(store, mailboxId, message)).toBe('duplicate')
})

test('each message of a batch has its own outcome: stored, over quota, gone', async () => {
  const [roomy, full, gone] = [await createMailbox(), await createMailbox(), await createMailbox()]
  for (const text of ['a', 'b', 'c']) await deliverTo(store, full, sealed(text), QUOTA)
  await store.destroyMailbox(gone)
  expect(await send([roomy, full, gone], sealed('mail'), QUOTA)).toEqual(['stored', 'mailbox_full', 'mailbox_not_found'])
})

test('an expired mailbox accepts no mail that was on its way', async () => {
  const mailboxId = await createMailbox(1000)
  const expected = store.directDelivery.expect(mailboxId, START, LARGE_QUOTA, expiresAtOf(mailboxId))
  now = START + 1000
  await store.sweep(10)
  const { messageId, sealedSummary, sealedRaw } = sealed('late')
  connection.postMessage(packPeerRequests([addMessage(expected.request, messageId, [sealedSummary], [sealedRaw])]))
  expect(await expected.result).toBe('mailbox_not_found')
})

test('mail on its way to an expired mailbox is not stored in a new one of the same id', async () => {
  const mailboxId = await createMailbox(1000)
  const { messageId, sealedSummary, sealedRaw } = sealed('late')
  const sendTo = (expiresAt: number) => {
    const { request, result } = store.directDelivery.expect(mailboxId, START, LARGE_QUOTA, expiresAt)
    const send = () => connection.postMessage(packPeerRequests([addMessage(request, messageId, [sealedSummary], [sealedRaw])]))
    return { result, send }
  }
  const late = sendTo(START + 1000)
  now = START + 1000
  expect(await store.createMailbox({ ...mailboxRecord(now + 1000), mailboxId })).toBe('created')
  late.send()
  expect(await late.result).toBe('mailbox_not_found')
  const inTime = sendTo(now + 1000)
  inTime.send()
  expect(await inTime.result).toBe('stored')
})

test('mail on its way does not affect the expiry of other mailboxes', async () => {
  const [mailboxId, short] = [await createMailbox(100_000), await createMailbox(1000)]
  const expected = store.directDelivery.expect(mailboxId, START, LARGE_QUOTA, expiresAtOf(mailboxId))
  now = START + 500
  expect(await store.findMailbox(short)).toMatchObject({ mailboxId: short })
  const { messageId, sealedSummary, sealedRaw } = sealed('a little late')
  connection.postMessage(packPeerRequests([addMessage(expected.request, messageId, [sealedSummary], [sealedRaw])]))
  expect(await expected.result).toBe('stored')
  expect(await store.findMailbox(short)).toMatchObject({ mailboxId: short })
})

test('a closed store refuses expected messages', async () => {
  const mailboxId = await createMailbox()
  const { result } = store.directDelivery.expect(mailboxId, START, LARGE_QUOTA, expiresAtOf(mailboxId))
  await store[Symbol.asyncDispose]()
  await expect(result).rejects.toMatchObject({ code: 'unavailable' })
  await expect(store.directDelivery.expect(mailboxId, START, LARGE_QUOTA, expiresAtOf(mailboxId)).result).rejects.toMatchObject({
    code: 'unavailable',
  })
})
