import { describe, expect, test } from 'vitest'
import { createdAtOf, deliverTo, mailboxRecord, QUOTA, START, type StoreFixture, sealed, sha256 } from '../harness/mayfly/store-fixture.ts'

export function messagesSuite(fixture: StoreFixture): void {
  describe('deliver', () => {
    test('stores bytes unchanged, including large and empty ones', async () => {
      const mailboxId = await fixture.create()
      for (const bytes of [0, 1, 4096, 70_000, 3_000_000]) {
        const message = { ...sealed(`of ${bytes} bytes`, bytes), receivedAt: START + bytes }
        expect(await deliverTo(fixture.store, mailboxId, message)).toBe('stored')
        const read = await fixture.store.readMessage(mailboxId, message.messageId)
        expect(read).toMatchObject({ messageId: message.messageId, receivedAt: message.receivedAt, sealedAuthentication: undefined })
        expect(sha256(read?.sealedRaw)).toBe(sha256(message.sealedRaw))
        expect(sha256(read?.sealedSummary)).toBe(sha256(message.sealedSummary))
      }
    })

    test('a message is read without raw bytes that are more than the reader asks for', async () => {
      const mailboxId = await fixture.create()
      for (const bytes of [1000, 100_000]) {
        const message = sealed(`of ${bytes} bytes`, bytes)
        await deliverTo(fixture.store, mailboxId, message)
        const whole = await fixture.store.readMessage(mailboxId, message.messageId)
        expect(await fixture.store.readMessage(mailboxId, message.messageId, bytes)).toEqual(whole)
        expect(await fixture.store.readMessage(mailboxId, message.messageId, bytes - 1)).toEqual({ ...whole, sealedRaw: undefined })
      }
    })

    test('accepts views of larger buffers and shared memory', async () => {
      const mailboxId = await fixture.create()
      const window = { ...sealed('window'), sealedRaw: Buffer.from('..the window..').subarray(2, 12) }
      const shared = { ...sealed('shared'), sealedRaw: Buffer.from(new SharedArrayBuffer(8)).fill('s') }
      for (const message of [window, shared]) {
        await deliverTo(fixture.store, mailboxId, message)
        const read = await fixture.store.readMessage(mailboxId, message.messageId)
        expect(sha256(read?.sealedRaw)).toBe(sha256(message.sealedRaw))
        expect(message.sealedRaw.byteLength).toBeGreaterThan(0)
      }
    })

    test('stores the same content once, even if delivered simultaneously', async () => {
      const mailboxId = await fixture.create()
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => deliverTo(fixture.store, mailboxId, sealed('same'), QUOTA)))
      expect(outcomes.filter(outcome => outcome === 'stored')).toHaveLength(1)
      expect(outcomes.filter(outcome => outcome === 'duplicate')).toHaveLength(19)
      expect(await fixture.store.findMailbox(mailboxId)).toMatchObject({ messageCount: 1, bytes: 100 })
    })

    test('each message has a later time than those before it, however fast and in whatever order they come', async () => {
      const mailboxId = await fixture.create()
      const times: number[] = []
      const receiveAt = async (text: string, receivedAt: number, bytes = 100) => {
        await deliverTo(fixture.store, mailboxId, { ...sealed(text, bytes), receivedAt })
        times.push((await fixture.store.readMessage(mailboxId, sealed(text).messageId))?.receivedAt ?? 0)
      }
      for (let n = 0; n < 5; n++) await receiveAt(`same instant ${n}`, START, n % 2 ? 100_000 : 100)
      expect(times).toEqual([0, 1, 2, 3, 4].map(ms => START + ms))
      await fixture.store.addAuthentication(mailboxId, sealed('same instant 1').messageId, Buffer.from('results'), createdAtOf(mailboxId))
      await fixture.store.deleteMessage(mailboxId, sealed('same instant 4').messageId)
      fixture.now = START + 1000
      await receiveAt('on time', START + 1000)
      expect(times.at(-1)).toBe(START + 1000)
      await receiveAt('received before the last one', START + 900)
      fixture.now = START + 500
      await receiveAt('after the clock was set back', START + 500)
      expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other))
    })

    test('reports a duplicate in a full mailbox too', async () => {
      const mailboxId = await fixture.create()
      for (const text of ['1', '2', '3']) await deliverTo(fixture.store, mailboxId, sealed(text), QUOTA)
      expect(await deliverTo(fixture.store, mailboxId, sealed('2'), QUOTA)).toBe('duplicate')
    })

    test('stores the same content in two mailboxes twice', async () => {
      for (const mailboxId of [await fixture.create(), await fixture.create()]) {
        expect(await deliverTo(fixture.store, mailboxId, sealed('both'), QUOTA)).toBe('stored')
      }
    })

    test('enforces the quota of messages for simultaneous deliveries', async () => {
      const mailboxId = await fixture.create()
      const tries = Array.from({ length: 10 }, (_, i) => deliverTo(fixture.store, mailboxId, sealed(`race ${i}`), QUOTA))
      const outcomes = await Promise.all(tries)
      expect(outcomes.filter(outcome => outcome === 'stored')).toHaveLength(3)
      expect(outcomes.filter(outcome => outcome === 'mailbox_full')).toHaveLength(7)
    })

    test('enforces the quota of bytes exactly', async () => {
      const mailboxId = await fixture.create()
      expect(await deliverTo(fixture.store, mailboxId, sealed('over', 1001), QUOTA)).toBe('mailbox_full')
      expect(await deliverTo(fixture.store, mailboxId, sealed('fits', 1000), QUOTA)).toBe('stored')
      expect(await deliverTo(fixture.store, mailboxId, sealed('more', 1), QUOTA)).toBe('mailbox_full')
      expect(await fixture.store.findMailbox(mailboxId)).toMatchObject({ messageCount: 1, bytes: 1000 })
    })

    test('gives each message a larger cursor', async () => {
      const mailboxId = await fixture.create()
      const cursors: number[] = []
      for (const text of ['a', 'b', 'c']) {
        await deliverTo(fixture.store, mailboxId, sealed(text), QUOTA)
        cursors.push((await fixture.store.findMailbox(mailboxId))?.cursor ?? 0)
      }
      expect(cursors).toEqual([...new Set(cursors)].toSorted((a, b) => a - b))
      expect((await fixture.store.changesSince(mailboxId, 0, 10))?.map(({ cursor }) => cursor)).toEqual(cursors)
    })
  })

  describe('deleteMessage and addAuthentication', () => {
    test('frees the quota, and the same content may come again', async () => {
      const mailboxId = await fixture.create()
      await deliverTo(fixture.store, mailboxId, sealed('big', 1000), QUOTA)
      expect(await fixture.store.deleteMessage(mailboxId, sealed('big').messageId)).toBe(true)
      expect(await fixture.store.readMessage(mailboxId, sealed('big').messageId)).toBeUndefined()
      expect(await fixture.store.findMailbox(mailboxId)).toMatchObject({ messageCount: 0, bytes: 0 })
      expect(await deliverTo(fixture.store, mailboxId, sealed('big', 1000), QUOTA)).toBe('stored')
      expect(await fixture.store.changesSince(mailboxId, 0, 10)).toHaveLength(1)
    })

    test('returns true for one of many simultaneous removals', async () => {
      const mailboxId = await fixture.create()
      await deliverTo(fixture.store, mailboxId, sealed('a'), QUOTA)
      const tries = await Promise.all(Array.from({ length: 20 }, () => fixture.store.deleteMessage(mailboxId, sealed('a').messageId)))
      expect(tries.filter(Boolean)).toHaveLength(1)
      expect(await fixture.store.findMailbox(mailboxId)).toMatchObject({ messageCount: 0, bytes: 0 })
    })

    test('neither affects another mailbox', async () => {
      const [mine, other] = [await fixture.create(), await fixture.create()]
      await deliverTo(fixture.store, other, sealed('theirs'), QUOTA)
      const { messageId } = sealed('theirs')
      expect(await fixture.store.readMessage(mine, messageId)).toBeUndefined()
      expect(await fixture.store.deleteMessage(mine, messageId)).toBe(false)
      expect(await fixture.store.addAuthentication(mine, messageId, Buffer.from('x'), createdAtOf(mine))).toBe(false)
      expect(await fixture.store.readMessage(other, messageId)).toMatchObject({ messageId, sealedAuthentication: undefined })
    })

    test('refuses an authentication result for an earlier mailbox of the same id, so that readers of the new one see no change', async () => {
      const mailboxId = await fixture.create(1000)
      const { messageId } = sealed('a')
      await deliverTo(fixture.store, mailboxId, sealed('a'), QUOTA)
      fixture.now = START + 1000
      const addAuthentication = (createdAt: number) => fixture.store.addAuthentication(mailboxId, messageId, Buffer.from('x'), createdAt)
      expect(await addAuthentication(START)).toBe(false)
      expect(await fixture.store.createMailbox({ ...mailboxRecord(fixture.now + 1000, fixture.now), mailboxId })).toBe('created')
      await fixture.store.deliver(mailboxId, sealed('a'), QUOTA, START + 1000)
      const before = await fixture.store.changesSince(mailboxId, 0, 10)
      expect(await addAuthentication(START)).toBe(false)
      expect(await fixture.store.changesSince(mailboxId, 0, 10)).toEqual(before)
      expect(await addAuthentication(START + 1000)).toBe(true)
      expect(await fixture.store.changesSince(mailboxId, 0, 10)).toMatchObject([{ messageId, sealedAuthentication: expect.anything() }])
    })

    test('refuses the authentication result of a removed message', async () => {
      const mailboxId = await fixture.create()
      await deliverTo(fixture.store, mailboxId, sealed('a'), QUOTA)
      await fixture.store.deleteMessage(mailboxId, sealed('a').messageId)
      expect(await fixture.store.addAuthentication(mailboxId, sealed('a').messageId, Buffer.from('x'), createdAtOf(mailboxId))).toBe(false)
    })
  })
}
