/** What the tests of a mail store share: a store on a clock that the test sets, mailboxes and messages. */
import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Change, MailboxId, MailboxRecord, MailStore, MessageId, SealedMessage, StoreResult } from '#server/store/store.ts'

export const START = Date.UTC(2026, 0, 1)
export const QUOTA = { messagesMax: 3, bytesMax: 1000 }
export const LARGE_QUOTA = { messagesMax: 10_000, bytesMax: 1024 * 1024 * 1024 }

/** `store` and `now` are new for each test. */
export type StoreFixture = {
  now: number
  readonly store: MailStore
  /** A mailbox that lives this long from now. */
  create(lifetimeMs?: number): Promise<MailboxId>
}

export const describeChanges = (changes: Change[] | undefined) => changes?.map(change => `${change.type} ${change.messageId}`)

export async function expectGone(store: MailStore, mailboxId: MailboxId, messageId: MessageId): Promise<void> {
  expect(await store.findMailbox(mailboxId)).toBeUndefined()
  expect(await store.findRecord(mailboxId)).toBeUndefined()
  expect(await deliverTo(store, mailboxId, sealed('to nobody'))).toBe('mailbox_not_found')
  expect(await store.changesSince(mailboxId, 0, 10)).toBeUndefined()
  expect(await store.readMessage(mailboxId, messageId)).toBeUndefined()
  expect(await store.deleteMessage(mailboxId, messageId)).toBe(false)
  expect(await store.addAuthentication(mailboxId, messageId, Buffer.from('x'), createdAtOf(mailboxId))).toBe(false)
  expect(await store.destroyMailbox(mailboxId)).toBe(false)
}

export function mailboxRecord(expiresAt: number, createdAt = START): MailboxRecord {
  const keys = { tokenHash: randomBytes(32), publicKey: randomBytes(32), sealedAddress: randomBytes(90), mac: randomBytes(32) }
  const mailboxId = randomId<MailboxId>()
  creations.set(mailboxId, createdAt)
  return { mailboxId, ...keys, createdAt, expiresAt }
}

const creations = new Map<MailboxId, number>()

/** When the mailbox was created that `mailboxRecord` described. */
export const createdAtOf = (mailboxId: MailboxId) => creations.get(mailboxId) ?? 0

/** A message that was sealed for this mailbox. */
export function deliverTo(store: MailStore, mailboxId: MailboxId, message: SealedMessage, quota = LARGE_QUOTA): Promise<StoreResult> {
  return store.deliver(mailboxId, message, quota, createdAtOf(mailboxId))
}

/** A message whose id depends on its content, as in production. */
export function sealed(text: string, bytes = 100): SealedMessage {
  const messageId = createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url') as MessageId
  return { messageId, receivedAt: START, sealedSummary: Buffer.from(`summary of ${text}`), sealedRaw: Buffer.alloc(bytes, text) }
}

export function randomId<Id extends MailboxId | MessageId>(): Id {
  return randomBytes(16).toString('base64url') as Id
}

export function sha256(bytes: Uint8Array | undefined): string {
  return createHash('sha256')
    .update(bytes ?? 'nothing')
    .digest('hex')
}
