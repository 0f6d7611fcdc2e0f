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
      expect(await fixture.store.createMailbox({ ...mailboxRecord(START + 2000), mailboxId })).toBe('created')
      expect(await fixture.store.readMessage(mailboxId, sealed('old').messageId)).toBeUndefined()
      expect(await fixture.store.deliver(mailboxId, sealed('old'), QUOTA, START + 2000)).toBe('stored')
      await fixture.store.sweep(10)
      expect(describeChanges(await fixture.store.changesSince(mailboxId, 0, 10))).toEqual([`message ${sealed('old').messageId}`])
    })

    test('a message that was sealed for an earlier mailbox of the same id is not stored in the new one', async () => {
      const mailboxId = await fixture.create(1000)
      fixture.now = START + 1000
      const record = { ...mailboxRecord(fixture.now + 1000), mailboxId }
      expect(await fixture.store.createMailbox(record)).toBe('created')
      for (const message of [sealed('small'), sealed('large', 100_000)]) {
        const late = await fixture.store.deliver(mailboxId, message, LARGE_QUOTA, START + 1000)
        expect(late).toBe('mailbox_not_found')
        expect(await fixture.store.changesSince(mailboxId, 0, 10)).toEqual([])
      }
      for (const message of [sealed('small'), sealed('large', 100_000)]) {
        expect(await fixture.store.deliver(mailboxId, message, LARGE_QUOTA, record.expiresAt)).toBe('stored')
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
      const record = { ...mailboxRecord(fixture.now + 1000), createdAt: fixture.now }
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
      const record = { ...mailboxRecord(fixture.now + 1000), createdAt: fixture.now, mailboxId: expired }
      expect(await fixture.store.createMailbox(record)).toBe('created')
      expect(await fixture.store.changesSince(expired, 0, 10)).toEqual([])
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
