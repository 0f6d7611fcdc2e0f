/** The embedded store with a broken folder, file or disk. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MIB } from '#contract/limits.ts'
import { deliverTo, mailboxRecord, randomId } from '#test/harness/mayfly/store-fixture.ts'
import { canMount, mountSmallDisk } from '#test/harness/small-disk.ts'
import { newFolder } from '#test/harness/until-end.ts'
import type { MailboxId, MailStore, MessageId } from '../store.ts'
import { openSqliteStore } from './sqlite-store.ts'

const LARGE_QUOTA = { messagesMax: 100_000, bytesMax: 1024 ** 3 }

let folder: string
let now = Date.UTC(2026, 0, 1)
const open = (path = folder, diskReserveBytes = 0) => openSqliteStore({ folder: path, diskReserveBytes, clock: () => now })
beforeEach(() => {
  folder = newFolder()
})

async function create(store: MailStore, lifetimeMs = 600_000): Promise<MailboxId> {
  const mailbox = mailboxRecord(now + lifetimeMs, now)
  await store.createMailbox(mailbox)
  return mailbox.mailboxId
}
function deliver(store: MailStore, mailboxId: MailboxId, messageId: MessageId, bytes = 4096) {
  return deliverTo(
    store,
    mailboxId,
    { messageId, receivedAt: now, sealedSummary: randomBytes(300), sealedRaw: randomBytes(bytes) },
    LARGE_QUOTA,
  )
}
async function filled(messages = 200) {
  const store = await open()
  const mailboxId = await create(store)
  const messageIds = Array.from({ length: messages }, () => randomId<MessageId>())
  await Promise.all(messageIds.map(messageId => deliver(store, mailboxId, messageId)))
  return { store, mailboxId, messageIds }
}

describe('the database file', () => {
  test('keeps everything across a restart', async () => {
    const { store, mailboxId, messageIds } = await filled()
    await store[Symbol.asyncDispose]()
    await using again = await open()
    expect((await again.changesSince(mailboxId, 0, 1000))?.map(change => change.messageId).toSorted()).toEqual(messageIds.toSorted())
  })

  test('belongs to one process: the second refuses to start, the first continues', async () => {
    const { store, mailboxId } = await filled(1)
    await expect(open()).rejects.toThrow(/Another process is using .*mail\.db/)
    const script = join(folder, 'second.ts')
    const store2 = JSON.stringify(join(import.meta.dirname, 'sqlite-store.ts'))
    const options = `{ folder: ${JSON.stringify(folder)}, diskReserveBytes: 0, clock: Date.now }`
    writeFileSync(script, `import(${store2}).then(m => m.openSqliteStore(${options})).catch(error => console.log(error.message))`)
    expect(spawnSync(process.execPath, [script]).stdout.toString()).toMatch(/Another process is using/)
    expect(await deliver(store, mailboxId, randomId())).toBe('stored')
    await store[Symbol.asyncDispose]()
  })

  test('with a damaged page is refused and not changed', async () => {
    const { store } = await filled()
    await store[Symbol.asyncDispose]()
    const path = join(folder, 'mail.db')
    const handle = openSync(path, 'r+')
    for (let page = 1; page < 40; page++) writeSync(handle, randomBytes(4096), 0, 4096, page * 16_384)
    closeSync(handle)
    const size = statSync(path).size
    await expect(open()).rejects.toThrow(/mail\.db cannot be used: .*Restore it from a backup/s)
    expect(statSync(path).size).toBe(size)
  })

  test('that is empty, foreign, or missing next to its log is refused', async () => {
    const { store } = await filled(1)
    await store[Symbol.asyncDispose]()
    const path = join(folder, 'mail.db')
    writeFileSync(path, 'no database at all, but a text that is long enough to be read as a header of one hundred bytes and some more')
    await expect(open()).rejects.toThrow(/cannot be used/)
    truncateSync(path, 0)
    await expect(open()).rejects.toThrow(/it is empty/)
    rmSync(path)
    new DatabaseSync(path).exec('CREATE TABLE other (x)')
    await expect(open()).rejects.toThrow(/not a mail database/)
    rmSync(path)
    writeFileSync(`${path}-wal`, 'log')
    await expect(open()).rejects.toThrow(/missing, but its write-ahead log/)
  })

  test('copied with its log in mid-flight, as after a kill, has every acknowledged message', async () => {
    const { store, mailboxId, messageIds } = await filled()
    const copy = newFolder()
    for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(copy, name))
    await store[Symbol.asyncDispose]()
    const again = await open(copy)
    expect(await again.changesSince(mailboxId, 0, 1000)).toHaveLength(messageIds.length)
    await again[Symbol.asyncDispose]()
  })

  test('does not grow when mail comes and goes', async () => {
    await using store = await open()
    const sizes: number[] = []
    for (let cycle = 0; cycle < 6; cycle++) {
      const mailboxIds = await Promise.all(Array.from({ length: 50 }, () => create(store, 1000)))
      await Promise.all(mailboxIds.flatMap(mailboxId => Array.from({ length: 10 }, () => deliver(store, mailboxId, randomId()))))
      now += 1000
      expect(await store.sweep(1000)).toBe(50)
      sizes.push(statSync(join(folder, 'mail.db')).size + statSync(join(folder, 'mail.db-wal')).size)
    }
    // Log and database stop growing: the last cycles are no larger than the middle ones by more than one log's worth.
    expect(sizes[5]).toBeLessThanOrEqual((sizes[2] ?? 0) + 16 * 1024 * 1024)
  })
})

describe('the data folder', () => {
  test('that cannot be created is named', async () => {
    writeFileSync(join(folder, 'file'), '')
    await expect(open(join(folder, 'file', 'data'))).rejects.toThrow(/ENOTDIR|EEXIST/)
  })
})

describe.skipIf(!canMount)('a full disk (needs root that may mount)', () => {
  let mountPoint: string
  let disk: Disposable
  beforeEach(() => {
    mountPoint = join(folder, 'disk')
    disk = mountSmallDisk(mountPoint, 64 * MIB)
  })
  afterEach(() => disk[Symbol.dispose]())

  async function fill(store: MailStore, mailboxId: MailboxId) {
    const kept: MessageId[] = []
    for (;;) {
      const messageId = randomId<MessageId>()
      try {
        await deliver(store, mailboxId, messageId, 200_000)
        kept.push(messageId)
      } catch (error) {
        expect(error).toMatchObject({ code: 'storage_full' })
        return kept
      }
    }
  }
  async function expectKept(store: MailStore, mailboxId: MailboxId, kept: readonly MessageId[]) {
    for (const messageId of kept) expect((await store.readMessage(mailboxId, messageId))?.sealedRaw?.byteLength).toBe(200_000)
  }

  test('mail is refused before it is full, reading and removing work, and mail is accepted again later', async () => {
    await using store = await open(mountPoint, 24 * 1024 * 1024)
    const [doomed, other] = [await create(store, 1000), await create(store)]
    const kept = await fill(store, doomed)
    expect(kept.length).toBeGreaterThan(5)
    expect((await store.health()).ok).toBe(false)
    await expectKept(store, doomed, kept)
    expect(await store.deleteMessage(doomed, kept[0] ?? randomId())).toBe(true)
    now += 1000
    expect(await store.sweep(10)).toBe(1)
    await expect.poll(() => deliver(store, other, randomId()).catch(() => 'full')).toBe('stored')
  })

  test('filled to the last byte by others, messages, mailboxes and expired data can be removed', async () => {
    const reserve = 24 * 1024 * 1024
    const store = await open(mountPoint, reserve)
    const [mailboxId, doomed, short] = [await create(store), await create(store), await create(store, 1000)]
    const large = [randomId<MessageId>(), randomId<MessageId>()]
    for (const messageId of large) await deliver(store, mailboxId, messageId, 3_000_000)
    for (const target of [doomed, short]) await deliver(store, target, randomId(), 3_000_000)
    await expect
      .poll(async () => (await store.health()) && statSync(join(mountPoint, 'ballast'), { throwIfNoEntry: false })?.size)
      .toBe(reserve / 2)
    spawnSync('dd', ['if=/dev/zero', `of=${join(mountPoint, 'others')}`, 'bs=4k'])
    expect(statfsSync(mountPoint).bavail).toBe(0)
    await expect(deliver(store, mailboxId, randomId(), 100_000)).rejects.toMatchObject({ code: 'storage_full' })

    expect(await store.deleteMessage(mailboxId, large[0] ?? randomId())).toBe(true)
    expect(await store.destroyMailbox(doomed)).toBe(true)
    now += 1000
    expect(await store.sweep(10)).toBe(1)
    const left = await store.changesSince(mailboxId, 0, 10)
    expect(left?.filter(({ type }) => type === 'message').map(({ messageId }) => messageId)).toEqual([large[1]])
    expect([await store.findMailbox(doomed), await store.findMailbox(short)]).toEqual([undefined, undefined])

    await store[Symbol.asyncDispose]()
    rmSync(join(mountPoint, 'others'))
    await using again = await open(mountPoint, reserve)
    expect(await again.readMessage(mailboxId, large[0] ?? randomId())).toBeUndefined()
    await expect.poll(async () => (await again.health()) && statSync(join(mountPoint, 'ballast')).size).toBe(reserve / 2)
    expect(await deliver(again, mailboxId, randomId(), 100_000)).toBe('stored')
  })

  test('without a reserve nothing is lost, and the store works again when there is space', async () => {
    const store = await open(mountPoint)
    const mailboxId = await create(store)
    const before = randomId<MessageId>()
    await deliver(store, mailboxId, before, 200_000)
    const ballast = join(mountPoint, 'ballast')
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k'])
    const kept = [before, ...(await fill(store, mailboxId))]
    await expectKept(store, mailboxId, kept)
    rmSync(ballast)
    const after = randomId<MessageId>()
    await expect.poll(() => deliver(store, mailboxId, after, 200_000).catch(() => 'full')).toBe('stored')
    await store[Symbol.asyncDispose]()
    await using again = await open(mountPoint)
    await expectKept(again, mailboxId, [...kept, after])
  })
})
