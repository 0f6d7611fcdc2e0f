/** What is committed together stays small, whatever waits: every write in a group waits for the last, and all of it is in memory. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { MESSAGE_BYTES_MAX, MIB } from '#contract/limits.ts'
import { deliverTo, mailboxRecord, randomId } from '#test/harness/mayfly/store-fixture.ts'
import { newFolder } from '#test/harness/until-end.ts'
import type { MessageId } from '../store.ts'
import { openSqliteStore } from './sqlite-store.ts'

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

let folder: string
beforeEach(() => {
  folder = newFolder()
})

/** Bytes of each transaction in the log. */
function transactions(): number[] {
  const log = readFileSync(join(folder, 'mail.db-wal'))
  const pageBytes = log.readUInt32BE(8)
  const sizes: number[] = []
  let size = 0
  for (let at = LOG_HEADER_BYTES; at + FRAME_HEADER_BYTES + pageBytes <= log.length; at += FRAME_HEADER_BYTES + pageBytes) {
    size += pageBytes
    if (log.readUInt32BE(at + 4) === 0) continue
    sizes.push(size)
    size = 0
  }
  return sizes
}

test.each([
  ['24 messages of 4 MiB that come at once are committed in groups of at most 16 MiB', 24, 4, 17],
  ['a message of the largest size is committed alone', 3, MESSAGE_BYTES_MAX / MIB, MESSAGE_BYTES_MAX / MIB + 1],
])('%s', { timeout: 120_000 }, async (_, count, mib, mibMax) => {
  await using store = await openSqliteStore({ folder, diskReserveBytes: 0, clock: Date.now })
  const mailbox = mailboxRecord(Date.now() + 600_000, Date.now())
  await store.createMailbox(mailbox)
  const outcomes = await Promise.all(
    Array.from({ length: count }, () => {
      const message = {
        messageId: randomId<MessageId>(),
        receivedAt: Date.now(),
        sealedSummary: randomBytes(300),
        sealedRaw: Buffer.alloc(mib * MIB),
      }
      return deliverTo(store, mailbox.mailboxId, message)
    }),
  )
  expect(outcomes).toEqual(Array(count).fill('stored'))
  const sizes = transactions()
  expect(Math.max(...sizes)).toBeGreaterThan(3 * MIB)
  expect(Math.max(...sizes)).toBeLessThan(mibMax * MIB)
})

test('authentication results are committed with the next mail, or soon after it by themselves', async () => {
  await using store = await openSqliteStore({ folder, diskReserveBytes: 0, clock: Date.now })
  const mailbox = mailboxRecord(Date.now() + 600_000, Date.now())
  const { mailboxId, createdAt } = mailbox
  await store.createMailbox(mailbox)
  const deliver = async () => {
    const messageId = randomId<MessageId>()
    const message = { messageId, receivedAt: Date.now(), sealedSummary: randomBytes(300), sealedRaw: randomBytes(300) }
    expect(await deliverTo(store, mailboxId, message)).toBe('stored')
    return messageId
  }
  const before = transactions().length
  const results = randomBytes(100)
  const [rounds, added] = [20, [] as Promise<boolean>[]]
  let messageId = await deliver()
  for (let round = 0; round < rounds; round++) {
    added.push(store.addAuthentication(mailboxId, messageId, results, createdAt))
    // It has reached the thread.
    await store.findMailbox(mailboxId)
    messageId = await deliver()
  }
  expect(await Promise.all(added)).toEqual(Array(rounds).fill(true))
  // On a machine that is busy, some of them are not met by a mail in time.
  expect(transactions().length - before).toBeLessThan(2 * rounds)
  expect(await store.addAuthentication(mailboxId, messageId, results, createdAt)).toBe(true)
  expect((await store.readMessage(mailboxId, messageId))?.sealedAuthentication).toEqual(new Uint8Array(results))
  const closing = store.addAuthentication(mailboxId, messageId, results, createdAt)
  await store[Symbol.asyncDispose]()
  expect(await closing).toBe(true)
})
