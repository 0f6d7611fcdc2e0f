/** The store's promises while the file is changed under it, the clock goes back, or mail is removed under load. */
import { randomBytes } from 'node:crypto'
import { appendFileSync, closeSync, copyFileSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { createLog, type Log } from '#server/platform/log.ts'
import { deliverTo, mailboxRecord, randomId } from '#test/harness/mayfly/store-fixture.ts'
import { newFolder } from '#test/harness/until-end.ts'
import type { MailboxId, MailStore } from '../store.ts'
import { openSqliteStore } from './sqlite-store.ts'

const LARGE_QUOTA = { messagesMax: 100_000, bytesMax: 1024 ** 3 }
const START = Date.UTC(2026, 0, 1)
let folder: string
let now: number
const open = (path = folder, log: Log = createLog('silent')) =>
  openSqliteStore({ folder: path, diskReserveBytes: 0, clock: () => now, log })
beforeEach(() => {
  now = START
  folder = newFolder()
})

async function create(store: MailStore, lifetimeMs = 600_000): Promise<MailboxId> {
  const mailbox = mailboxRecord(now + lifetimeMs, now)
  await store.createMailbox(mailbox)
  return mailbox.mailboxId
}
function deliver(store: MailStore, mailboxId: MailboxId, sealedRaw: Uint8Array = randomBytes(4096)) {
  return deliverTo(store, mailboxId, { messageId: randomId(), receivedAt: now, sealedSummary: randomBytes(300), sealedRaw }, LARGE_QUOTA)
}
const inFiles = (needle: Buffer) => ['mail.db', 'mail.db-wal'].filter(name => readFileSync(join(folder, name)).includes(needle))

describe('removed data', () => {
  test('leaves the database and its log within 5 s, though the store is never idle', async () => {
    await using store = await open()
    const other = await create(store)
    const [destroyed, expired, emptied] = [await create(store), await create(store, 2000), await create(store)]
    const needles = [destroyed, expired, emptied].map(() => randomBytes(64))
    for (const [i, mailboxId] of [destroyed, expired, emptied].entries()) {
      await deliver(store, mailboxId, Buffer.concat([randomBytes(30_000), needles[i] ?? randomBytes(1), randomBytes(30_000)]))
    }
    expect(needles.every(needle => inFiles(needle).length > 0)).toBe(true)
    const [message] = (await store.changesSince(emptied, 0, 10)) ?? []
    await store.deleteMessage(emptied, message?.messageId ?? randomId())
    await store.destroyMailbox(destroyed)
    now += 2000
    await store.sweep(10)
    const endMs = performance.now() + 4500
    while (performance.now() < endMs) {
      await deliver(store, other)
      await sleep(100)
    }
    expect(needles.flatMap(inFiles)).toEqual([])
  })
})

describe('mail.db', () => {
  test('that is deleted or replaced while running acknowledges nothing more', async () => {
    await using store = await open()
    const mailboxId = await create(store)
    expect(await deliver(store, mailboxId)).toBe('stored')
    copyFileSync(join(folder, 'mail.db'), join(folder, 'copy'))
    renameSync(join(folder, 'copy'), join(folder, 'mail.db'))
    await expect(deliver(store, mailboxId)).rejects.toMatchObject({ code: 'unavailable' })
    expect((await store.health()).ok).toBe(false)
    rmSync(join(folder, 'mail.db'))
    await expect(deliver(store, mailboxId)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('accepts mail after its log was checkpointed at the start', async () => {
    const store = await open()
    const mailboxId = await create(store)
    await deliver(store, mailboxId)
    const copy = newFolder()
    for (const name of ['mail.db', 'mail.db-wal']) copyFileSync(join(folder, name), join(copy, name))
    expect(statSync(join(copy, 'mail.db-wal')).size).toBeGreaterThan(0)
    await store[Symbol.asyncDispose]()
    {
      await using again = await open(copy)
      expect(statSync(join(copy, 'mail.db-wal')).size).toBe(0)
      expect(await again.changesSince(mailboxId, 0, 10)).toHaveLength(1)
    }
  })

  test('with a damaged frame in the middle of its log reports the loss', async () => {
    const store = await open()
    const mailboxId = await create(store)
    for (let i = 0; i < 5; i++) await deliver(store, mailboxId)
    const copy = newFolder()
    for (const name of ['mail.db', 'mail.db-wal']) copyFileSync(join(folder, name), join(copy, name))
    await store[Symbol.asyncDispose]()
    const log = join(copy, 'mail.db-wal')
    const handle = openSync(log, 'r+')
    writeSync(handle, randomBytes(64), 0, 64, Math.floor(statSync(log).size / 2))
    closeSync(handle)
    // An unfinished transaction was never acknowledged, so nothing is lost.
    appendFileSync(log, randomBytes(100))
    const reported: unknown[] = []
    const listening = { ...createLog('silent'), error: (line: unknown) => reported.push(line) } as unknown as Log
    {
      await using again = await open(copy, listening)
      expect((await again.health()).ok).toBe(true)
    }
    expect(reported).toEqual([{ lostTransactions: expect.any(Number) }])
  })
})

test('a clock that goes back during a restart makes no expired mailbox live', async () => {
  const store = await open()
  const [ended, other] = [await create(store, 1000), await create(store)]
  now += 2000
  await deliver(store, other)
  expect(await store.findMailbox(ended)).toBeUndefined()
  await store[Symbol.asyncDispose]()
  now = START
  await using again = await open()
  expect(await again.findMailbox(other)).toBeDefined()
  expect(await again.findMailbox(ended)).toBeUndefined()
})

test('a clock that goes back makes no expired mailbox live when the first write after it fails', async () => {
  const store = await open()
  const [ended, other] = [await create(store, 1000), await create(store)]
  now += 2000
  await deliver(store, other)
  await store[Symbol.asyncDispose]()
  now = START
  await using full = await openSqliteStore({ folder, diskReserveBytes: 2 ** 52, clock: () => now })
  await expect(deliver(full, other)).rejects.toMatchObject({ code: 'storage_full' })
  expect(await full.findMailbox(other)).toBeDefined()
  expect(await full.findMailbox(ended)).toBeUndefined()
})
