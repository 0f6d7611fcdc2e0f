import { describe, expect, test } from 'vitest'
import type { MailboxId, StoredMailbox, StoreHealth } from '#server/store/store.ts'
import { StorageShares } from './storage-shares.ts'

const id = (name: string) => name as MailboxId

/** A store of 80 bytes that knows only the size of each mailbox. */
function start(usedBytes: number, mailboxesMax?: number) {
  let now = 1000
  const bytes = new Map<MailboxId, number>()
  let used = usedBytes
  const asked: MailboxId[] = []
  const read = (): StoreHealth => ({ ok: true, isFull: false, mailboxes: 0, bytesOnDisk: used, roomBytes: 80 - used, capacityBytes: 80 })
  let kept: StoreHealth | undefined
  const health = () => kept ?? read()
  const findMailbox = async (mailboxId: MailboxId) => {
    asked.push(mailboxId)
    const held = bytes.get(mailboxId)
    return held === undefined ? undefined : ({ bytes: held, expiresAt: 9000 } as StoredMailbox)
  }
  const shares = new StorageShares({ findMailbox }, health, () => now, mailboxesMax)
  return {
    shares,
    asked,
    async create(name: string, creator: string, expiresAt = 9000) {
      bytes.set(id(name), 0)
      await shares.created({ mailboxId: id(name), expiresAt }, [creator])
    },
    pass: (ms: number) => {
      now += ms
    },
    remove: (name: string) => bytes.delete(id(name)),
    keepHealth: (isKept: boolean) => {
      kept = isKept ? read() : undefined
    },
    async store(name: string, size: number) {
      using space = await shares.acquire([id(name)], size)
      if (!space.isGranted(id(name))) return 'storage_full'
      bytes.set(id(name), (bytes.get(id(name)) ?? 0) + size)
      used += size
      return 'stored'
    },
  }
}

describe('shares of the disk', () => {
  test('while more than half is free nothing is counted, then a creator gets an eighth for all its mailboxes', async () => {
    const disk = start(0)
    for (const name of ['a1', 'a2', 'a3']) await disk.create(name, 'attacker')
    await disk.create('v', 'victim')
    expect(await disk.store('a1', 40)).toBe('stored')
    expect([await disk.store('a1', 1), await disk.store('a2', 1), await disk.store('a3', 1)]).toEqual(Array(3).fill('storage_full'))
    expect([await disk.store('v', 5), await disk.store('v', 5), await disk.store('v', 1)]).toEqual(['stored', 'stored', 'storage_full'])
  })

  test('a creator can use again what it has removed', async () => {
    const disk = start(50)
    await disk.create('a1', 'a')
    await disk.create('a2', 'a')
    expect([await disk.store('a1', 9), await disk.store('a2', 9)]).toEqual(['stored', 'storage_full'])
    disk.remove('a1')
    expect(await disk.store('a2', 9)).toBe('stored')
  })

  test('until the store is measured again, its mailboxes are looked up once, and what it stores meanwhile counts', async () => {
    const disk = start(50)
    for (const name of ['a1', 'a2', 'a3']) await disk.create(name, 'a')
    disk.keepHealth(true)
    expect([await disk.store('a1', 4), await disk.store('a2', 5), await disk.store('a3', 2)]).toEqual(['stored', 'stored', 'storage_full'])
    expect(disk.asked).toEqual(['a1', 'a2', 'a3'])
    disk.remove('a2')
    disk.keepHealth(false)
    expect(await disk.store('a3', 2)).toBe('stored')
  })

  test('what an address gets that somebody else has taken again no longer counts for its first creator', async () => {
    const disk = start(50)
    await disk.create('name', 'a')
    disk.remove('name')
    await disk.create('name', 'b')
    await disk.create('a1', 'a')
    expect([await disk.store('name', 9), await disk.store('a1', 9)]).toEqual(['stored', 'stored'])
    expect(disk.asked).toEqual(['name', 'a1'])
  })

  test('simultaneous copies count together', async () => {
    const disk = start(50)
    await disk.create('a1', 'a')
    const stored = await Promise.all(Array.from({ length: 8 }, () => disk.store('a1', 4)))
    expect(stored.filter(outcome => outcome === 'stored').length).toBeLessThanOrEqual(2)
  })

  test('a reservation of several mailboxes grants as many as fit in the share of each creator, and counts each creator once', async () => {
    const disk = start(50)
    for (const name of ['a1', 'a2', 'a3', 'a4']) await disk.create(name, 'a')
    for (const name of ['b1', 'b2']) await disk.create(name, 'b')
    const names = ['a1', 'unknown', 'a2', 'b1', 'a3']
    const granted = (space: { isGranted(mailboxId: MailboxId): boolean }) => names.filter(name => space.isGranted(id(name)))
    {
      using space = await disk.shares.acquire(names.map(id), 5)
      expect(granted(space)).toEqual(['a1', 'unknown', 'a2', 'b1'])
      expect(disk.asked.toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2'])
      using meanwhile = await disk.shares.acquire(names.map(id), 5)
      expect(granted(meanwhile)).toEqual(['unknown', 'b1'])
    }
    using after = await disk.shares.acquire(names.map(id), 5)
    expect(granted(after)).toEqual(['a1', 'unknown', 'a2', 'b1'])
  })

  test('mail is accepted while nobody can measure the store, as after an outage', async () => {
    const unknown: StoreHealth = { ok: false, isFull: false, mailboxes: 0, bytesOnDisk: 0, roomBytes: 0, capacityBytes: 0 }
    const shares = new StorageShares(
      { findMailbox: async () => undefined },
      () => unknown,
      () => 0,
    )
    await shares.created({ mailboxId: id('new'), expiresAt: 9000 }, ['a visitor'])
    using space = await shares.acquire([id('new')], 1000)
    expect(space.isGranted(id('new'))).toBe(true)
  })

  test('mailboxes of unknown creators are not counted, and the number of remembered ones is bounded', async () => {
    const disk = start(50, 2)
    for (const name of ['old', 'one', 'two']) await disk.create(name, 'a')
    expect(await disk.store('old', 20)).toBe('stored')
    expect(await disk.store('two', 20)).toBe('storage_full')
  })

  test('mailboxes that have ended are forgotten before those that live, also when their life was extended', async () => {
    const disk = start(50, 3)
    await disk.create('full', 'a', 2000)
    expect(await disk.store('full', 9)).toBe('stored')
    for (const name of ['short1', 'short2']) await disk.create(name, 'a', 2000)
    disk.pass(1500)
    for (const name of ['short1', 'short2']) disk.remove(name)
    for (const name of ['next1', 'next2']) await disk.create(name, 'a')
    expect(await disk.store('next1', 9)).toBe('storage_full')
  })
})
