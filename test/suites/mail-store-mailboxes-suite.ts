import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import {
  deliverTo,
  describeChanges,
  expectGone,
  LARGE_QUOTA,
  mailboxRecord,
  QUOTA,
  randomId,
  START,
  type StoreFixture,
  sealed,
  sha256,
} from '../harness/mayfly/store-fixture.ts'

export function mailboxesSuite(fixture: StoreFixture): void {
  test('health counts live mailboxes, not destroyed ones, and the bytes they take', async () => {
    const [first] = await Promise.all([fixture.create(), fixture.create(), fixture.create(), fixture.create()])
    await fixture.store.destroyMailbox(first)
    const health = await fixture.store.health()
    expect(health).toMatchObject({ ok: true, mailboxes: 3 })
    expect(health.bytesOnDisk).toBeGreaterThan(0)
    expect(health.capacityBytes).toBeGreaterThan(health.roomBytes)
  })

  describe('createMailbox and findMailbox', () => {
    test.each([32, 232])('returns the stored record, with a MAC and what it covers of %d bytes, and no messages', async macBytes => {
      const mailbox = { ...mailboxRecord(fixture.now + 1000), mac: randomBytes(macBytes) }
      expect(await fixture.store.createMailbox(mailbox)).toBe('created')
      const found = await fixture.store.findMailbox(mailbox.mailboxId)
      expect(found).toMatchObject({
        mailboxId: mailbox.mailboxId,
        createdAt: fixture.now,
        expiresAt: fixture.now + 1000,
        messageCount: 0,
        bytes: 0,
        cursor: 0,
      })
      for (const key of ['tokenHash', 'publicKey', 'sealedAddress', 'mac'] as const) {
        expect(Buffer.from(found?.[key] ?? [])).toEqual(Buffer.from(mailbox[key]))
      }
    })

    test('findRecord returns the same record as findMailbox', async () => {
      const mailbox = mailboxRecord(fixture.now + 1000)
      await fixture.store.createMailbox(mailbox)
      for (let again = 0; again < 2; again++) {
        const found = await fixture.store.findRecord(mailbox.mailboxId)
        expect(found).toMatchObject({ mailboxId: mailbox.mailboxId, createdAt: fixture.now, expiresAt: fixture.now + 1000 })
        for (const key of ['tokenHash', 'publicKey', 'sealedAddress', 'mac'] as const) {
          expect(Buffer.from(found?.[key] ?? [])).toEqual(Buffer.from(mailbox[key]))
        }
      }
    })

    test('refuses an id that is live and does not change its mailbox', async () => {
      const mailbox = mailboxRecord(fixture.now + 1000)
      await fixture.store.createMailbox(mailbox)
      expect(await fixture.store.createMailbox({ ...mailboxRecord(fixture.now + 9999), mailboxId: mailbox.mailboxId })).toBe('taken')
      expect((await fixture.store.findMailbox(mailbox.mailboxId))?.expiresAt).toBe(fixture.now + 1000)
    })

    test('creates one mailbox for a hundred simultaneous creations of one id', async () => {
      const mailboxId = randomId<MailboxId>()
      const tries = Array.from({ length: 100 }, () => fixture.store.createMailbox({ ...mailboxRecord(fixture.now + 1000), mailboxId }))
      expect((await Promise.all(tries)).filter(outcome => outcome === 'created')).toHaveLength(1)
    })

    test('refuses the id of a destroyed mailbox until its original expiry, then creates it empty', async () => {
      const mailboxId = await fixture.create(1000)
      await deliverTo(fixture.store, mailboxId, sealed('old'), QUOTA)
      await fixture.store.destroyMailbox(mailboxId)
      fixture.now = START + 999
      expect(await fixture.store.createMailbox({ ...mailboxRecord(fixture.now + 5000), mailboxId })).toBe('taken')
      fixture.now = START + 1000
      expect(await fixture.store.createMailbox({ ...mailboxRecord(fixture.now + 5000), mailboxId })).toBe('created')
      expect(await fixture.store.changesSince(mailboxId, 0, 10)).toEqual([])
    })

    test('creates an expired id again at once, without the old mail, swept or not', async () => {
      const mailboxId = await fixture.create(1000)
      await deliverTo(fixture.store, mailboxId, sealed('old'), QUOTA)
      fixture.now = START + 1000
      expect(await fixture.store.createMailbox({ ...mailboxRecord(START + 2000, fixture.now), mailboxId })).toBe('created')
      expect(await fixture.store.readMessage(mailboxId, sealed('old').messageId)).toBeUndefined()
      expect(await fixture.store.deliver(mailboxId, sealed('old'), QUOTA, START + 1000)).toBe('stored')
      await fixture.store.sweep(10)
      expect(describeChanges(await fixture.store.changesSince(mailboxId, 0, 10))).toEqual([`message ${sealed('old').messageId}`])
    })

    test('a message that was sealed for an earlier mailbox of the same id is not stored in the new one', async () => {
      const mailboxId = await fixture.create(1000)
      fixture.now = START + 1000
      const record = { ...mailboxRecord(fixture.now + 1000, fixture.now), mailboxId }
      expect(await fixture.store.createMailbox(record)).toBe('created')
      for (const message of [sealed('small'), sealed('large', 100_000)]) {
        const late = await fixture.store.deliver(mailboxId, message, LARGE_QUOTA, START)
        expect(late).toBe('mailbox_not_found')
        expect(await fixture.store.changesSince(mailboxId, 0, 10)).toEqual([])
      }
      for (const message of [sealed('small'), sealed('large', 100_000)]) {
        expect(await fixture.store.deliver(mailboxId, message, LARGE_QUOTA, record.createdAt)).toBe('stored')
        expect(await fixture.store.readMessage(mailboxId, message.messageId)).toMatchObject({ messageId: message.messageId })
      }
    })

    test('no method finds a mailbox that never existed', async () => {
      await expectGone(fixture.store, randomId<MailboxId>(), randomId<MessageId>())
    })
  })

  describe('expiry', () => {
    test('every method works one millisecond before expiry and none at expiry', async () => {
      const mailboxId = await fixture.create(1000)
      const message = sealed('mail')
      fixture.now = START + 999
      expect(await deliverTo(fixture.store, mailboxId, message, QUOTA)).toBe('stored')
      expect(await fixture.store.findMailbox(mailboxId)).toMatchObject({ mailboxId, messageCount: 1 })
      fixture.now = START + 1000
      await expectGone(fixture.store, mailboxId, message.messageId)
    })

    test('calls before and after expiry in one batch get different results', async () => {
      const mailboxId = await fixture.create(1000)
      fixture.now = START + 999
      const before = deliverTo(fixture.store, mailboxId, sealed('before'), QUOTA)
      fixture.now = START + 1000
      const after = deliverTo(fixture.store, mailboxId, sealed('after'), QUOTA)
      expect(await before).toBe('stored')
      expect(await after).toBe('mailbox_not_found')
    })

    test('expired mailboxes stay expired when the clock goes back', async () => {
      const mailboxId = await fixture.create(1000)
      await deliverTo(fixture.store, mailboxId, sealed('mail'), QUOTA)
      fixture.now = START + 1000
      expect(await fixture.store.findMailbox(mailboxId)).toBeUndefined()
      fixture.now = START + 500
      await expectGone(fixture.store, mailboxId, sealed('mail').messageId)
      const later = await fixture.create(1000)
      expect(await deliverTo(fixture.store, later, sealed('mail'), QUOTA)).toBe('stored')
    })
  })

  describe('a clock that jumps ahead and is set back', () => {
    /** One that had expired by the wrong clock, one that had not, and one that is created when the clock is right again. */
    async function jump(setBackTo: number, seen: (store: StoreFixture['store']) => Promise<unknown>) {
      const [expired, lasting] = [await fixture.create(1000), await fixture.create(60_000)]
      for (const mailboxId of [expired, lasting]) await deliverTo(fixture.store, mailboxId, sealed('mail'), QUOTA)
      await fixture.store.findRecord(expired)
      fixture.now = START + 50_000
      await seen(fixture.store)
      fixture.now = setBackTo
      const record = mailboxRecord(fixture.now + 1000, fixture.now)
      expect(await fixture.store.createMailbox(record)).toBe('created')
      return { expired, living: [lasting, record.mailboxId] }
    }

    test.each([
      ['a look at another mailbox', (store: StoreFixture['store']) => store.findRecord(randomId<MailboxId>())],
      ['a new mailbox', (store: StoreFixture['store']) => store.createMailbox(mailboxRecord(fixture.now + 1000))],
      ['a sweep', (store: StoreFixture['store']) => store.sweep(10)],
    ])('leaves dead what nobody asked for meanwhile, and nothing else: only %s saw the wrong time', async (_, seen) => {
      const { expired, living } = await jump(START + 500, seen)
      for (const mailboxId of living) expect(await fixture.store.findMailbox(mailboxId)).toMatchObject({ mailboxId })
      await expectGone(fixture.store, expired, sealed('mail').messageId)
      expect(await deliverTo(fixture.store, expired, sealed('large', 100_000))).toBe('mailbox_not_found')
      fixture.now = START + 900
      await expectGone(fixture.store, expired, sealed('mail').messageId)
      for (const mailboxId of living) expect(await deliverTo(fixture.store, mailboxId, sealed('later'))).toBe('stored')
    })

    test('leaves it dead also when the clock is set to before its creation', async () => {
      const { expired, living } = await jump(START - 100_000, store => store.findRecord(randomId<MailboxId>()))
      await expectGone(fixture.store, expired, sealed('mail').messageId)
      expect(await fixture.store.findMailbox(living[1] ?? expired)).toMatchObject({ mailboxId: living[1] })
    })

    test('frees the name of what had expired', async () => {
      const { expired } = await jump(START + 500, store => store.findRecord(randomId<MailboxId>()))
      const record = { ...mailboxRecord(fixture.now + 1000, fixture.now), mailboxId: expired }
      expect(await fixture.store.createMailbox(record)).toBe('created')
      expect(await fixture.store.changesSince(expired, 0, 10)).toEqual([])
    })
  })

  describe('extendMailbox', () => {
    const large = sealed('large', 600_000)
    /** A live mailbox with a small and a large message, and its record with a new end. */
    async function createWithMail(lifetimeMs: number) {
      const record = mailboxRecord(fixture.now + lifetimeMs)
      await fixture.store.createMailbox(record)
      for (const message of [sealed('small'), large]) expect(await deliverTo(fixture.store, record.mailboxId, message)).toBe('stored')
      return { ...record, expiresAt: START + 60_000, mac: randomBytes(40) }
    }
    async function expectWhole(mailboxId: MailboxId) {
      for (const { messageId, sealedRaw } of [sealed('small'), large])
        expect(sha256((await fixture.store.readMessage(mailboxId, messageId))?.sealedRaw)).toBe(sha256(sealedRaw))
    }

    test('keeps the mailbox with its mail until the new end, and not a millisecond longer', async () => {
      const extended = await createWithMail(1000)
      fixture.now = START + 999
      expect(await fixture.store.findRecord(extended.mailboxId)).toMatchObject({ expiresAt: START + 1000 })
      for (let again = 0; again < 2; again++) expect(await fixture.store.extendMailbox(extended)).toBe(true)
      for (const now of [START + 1000, extended.expiresAt - 1]) {
        fixture.now = now
        await fixture.store.sweep(10)
        for (const found of [await fixture.store.findRecord(extended.mailboxId), await fixture.store.findMailbox(extended.mailboxId)]) {
          expect(found).toMatchObject({ createdAt: START, expiresAt: extended.expiresAt })
          expect(Buffer.from(found?.mac ?? [])).toEqual(Buffer.from(extended.mac))
        }
        await expectWhole(extended.mailboxId)
        expect(await fixture.store.createMailbox({ ...mailboxRecord(START + 90_000, now), mailboxId: extended.mailboxId })).toBe('taken')
      }
      expect(await deliverTo(fixture.store, extended.mailboxId, sealed('after the first end'))).toBe('stored')
      fixture.now = extended.expiresAt
      await expectGone(fixture.store, extended.mailboxId, large.messageId)
    })

    test('does nothing to one that never existed, has expired, was destroyed, or has another creation', async () => {
      expect(await fixture.store.extendMailbox(mailboxRecord(START + 60_000))).toBe(false)
      const [expired, destroyed, other] = [await createWithMail(1000), await createWithMail(5000), await createWithMail(5000)]
      await fixture.store.destroyMailbox(destroyed.mailboxId)
      expect(await fixture.store.extendMailbox({ ...other, createdAt: START - 1 })).toBe(false)
      expect(await fixture.store.findMailbox(other.mailboxId)).toMatchObject({ expiresAt: START + 5000 })
      fixture.now = START + 1000
      for (const gone of [expired, destroyed]) {
        expect(await fixture.store.extendMailbox(gone)).toBe(false)
        await expectGone(fixture.store, gone.mailboxId, large.messageId)
      }
    })

    test('a destruction at the same time leaves nothing, and the name is not given away', async () => {
      for (let round = 0; round < 10; round++) {
        const extended = await createWithMail(5000)
        const { mailboxId } = extended
        const [first, second] = [() => fixture.store.extendMailbox(extended), () => fixture.store.destroyMailbox(mailboxId)]
        await Promise.all(round % 2 === 0 ? [first(), second()] : [second(), first()])
        await expectGone(fixture.store, mailboxId, large.messageId)
        expect(await fixture.store.createMailbox({ ...mailboxRecord(START + 9000), mailboxId })).toBe('taken')
      }
    })

    test('an expiry or sweep at the same time leaves it whole or gone, as the reply says', async () => {
      for (let round = 0; round < 10; round++) {
        fixture.now = START
        const extended = await createWithMail(1000)
        fixture.now = START + 999
        const inTime = round % 2 === 0 ? fixture.store.extendMailbox(extended) : undefined
        fixture.now = START + 1000
        const [late] = await Promise.all([fixture.store.extendMailbox(extended), fixture.store.sweep(10)])
        await fixture.store.sweep(10)
        expect([await inTime, late]).toEqual(inTime ? [true, true] : [undefined, false])
        if (inTime) await expectWhole(extended.mailboxId)
        else await expectGone(fixture.store, extended.mailboxId, large.messageId)
      }
    })

    test('loses no delivery that is under way, small or large', async () => {
      const extended = await createWithMail(1000)
      const messages = Array.from({ length: 12 }, (_, i) => sealed(`under way ${i}`, i % 3 === 0 ? 600_000 : 100))
      const deliveries = messages.map(message => deliverTo(fixture.store, extended.mailboxId, message))
      expect(await fixture.store.extendMailbox(extended)).toBe(true)
      expect(await Promise.all(deliveries)).toEqual(messages.map(() => 'stored'))
      fixture.now = START + 30_000
      await fixture.store.sweep(10)
      for (const { messageId, sealedRaw } of messages)
        expect((await fixture.store.readMessage(extended.mailboxId, messageId))?.sealedRaw?.byteLength).toBe(sealedRaw.byteLength)
      await expectWhole(extended.mailboxId)
    })

    test('no reader at the same time keeps the old record', async () => {
      const extended = await createWithMail(1000)
      const readers = Array.from({ length: 20 }, (_, i) =>
        i === 10 ? fixture.store.extendMailbox(extended) : fixture.store.findRecord(extended.mailboxId),
      )
      await Promise.all(readers)
      expect(await fixture.store.findRecord(extended.mailboxId)).toMatchObject({ expiresAt: extended.expiresAt })
    })
  })

  describe('destroyMailbox', () => {
    test('leaves nothing for any method, and returns true once', async () => {
      const mailboxId = await fixture.create()
      await deliverTo(fixture.store, mailboxId, sealed('a'), QUOTA)
      const tries = await Promise.all([fixture.store.destroyMailbox(mailboxId), fixture.store.destroyMailbox(mailboxId)])
      expect(tries.toSorted()).toEqual([false, true])
      await expectGone(fixture.store, mailboxId, sealed('a').messageId)
    })

    test('stores no simultaneous delivery in a destroyed mailbox', async () => {
      const mailboxId = await fixture.create()
      const race = Array.from({ length: 40 }, (_, i) =>
        i === 20 ? fixture.store.destroyMailbox(mailboxId) : deliverTo(fixture.store, mailboxId, sealed(`r${i}`)),
      )
      await Promise.all(race)
      await expectGone(fixture.store, mailboxId, sealed('r1').messageId)
      expect(await deliverTo(fixture.store, mailboxId, sealed('late'))).toBe('mailbox_not_found')
    })

    test('leaves no record for simultaneous reads', async () => {
      const mailboxId = await fixture.create()
      const asking = Array.from({ length: 20 }, (_, i) =>
        i === 10 ? fixture.store.destroyMailbox(mailboxId) : fixture.store.findRecord(mailboxId),
      )
      await Promise.all(asking)
      expect(await fixture.store.findRecord(mailboxId)).toBeUndefined()
    })

    test('an id that nobody has is taken until the time that is named, so that a creation under way comes too late', async () => {
      const mailboxId = randomId<MailboxId>()
      const create = () => fixture.store.createMailbox({ ...mailboxRecord(START + 3000), mailboxId })
      expect(await fixture.store.destroyMailbox(mailboxId, START + 1000)).toBe(false)
      await expectGone(fixture.store, mailboxId, randomId<MessageId>())
      expect(await create()).toBe('taken')
      fixture.now = START + 1000
      expect(await create()).toBe('created')
      expect(await fixture.store.destroyMailbox(mailboxId, START + 2000)).toBe(true)
      fixture.now = START + 2999
      expect(await create(), 'until the expiry of the mailbox itself').toBe('taken')
      for (const _ of Array.from({ length: 20 })) {
        const raced = randomId<MailboxId>()
        const record = { ...mailboxRecord(fixture.now + 1000), mailboxId: raced }
        await Promise.all([fixture.store.createMailbox(record), fixture.store.destroyMailbox(raced, record.expiresAt)])
        expect(await fixture.store.findMailbox(raced)).toBeUndefined()
      }
    })

    test('removes a large mailbox completely', async () => {
      const mailboxId = await fixture.create()
      for (let i = 0; i < 6; i++) await deliverTo(fixture.store, mailboxId, sealed(`large ${i}`, 4_000_000))
      expect(await fixture.store.destroyMailbox(mailboxId)).toBe(true)
      await expectGone(fixture.store, mailboxId, sealed('large 0').messageId)
    })
  })
}
