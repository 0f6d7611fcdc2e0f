import { describe, expect, test } from 'vitest'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import {
  anId,
  describeChanges,
  expectGone,
  mailboxRecord,
  QUOTA,
  ROOMY,
  START,
  type StoreUnderTest,
  sealed,
} from '#test/store-under-test.ts'

export function mailboxesSuite(it: StoreUnderTest): void {
  describe('createMailbox and findMailbox', () => {
    test('returns the stored record, with no messages', async () => {
      const mailbox = mailboxRecord(it.now + 1000)
      expect(await it.store.createMailbox(mailbox)).toBe('created')
      const found = await it.store.findMailbox(mailbox.mailboxId)
      expect(found).toMatchObject({
        mailboxId: mailbox.mailboxId,
        createdAt: it.now,
        expiresAt: it.now + 1000,
        messageCount: 0,
        bytes: 0,
        cursor: 0,
      })
      for (const key of ['tokenHash', 'publicKey', 'sealedAddress', 'mac'] as const) {
        expect(Buffer.from(found?.[key] ?? [])).toEqual(Buffer.from(mailbox[key]))
      }
    })

    test('refuses an id that is live and does not change its mailbox', async () => {
      const mailbox = mailboxRecord(it.now + 1000)
      await it.store.createMailbox(mailbox)
      expect(await it.store.createMailbox({ ...mailboxRecord(it.now + 9999), mailboxId: mailbox.mailboxId })).toBe('taken')
      expect((await it.store.findMailbox(mailbox.mailboxId))?.expiresAt).toBe(it.now + 1000)
    })

    test('creates one mailbox for a hundred simultaneous creations of one id', async () => {
      const mailboxId = anId<MailboxId>()
      const tries = Array.from({ length: 100 }, () => it.store.createMailbox({ ...mailboxRecord(it.now + 1000), mailboxId }))
      expect((await Promise.all(tries)).filter(outcome => outcome === 'created')).toHaveLength(1)
    })

    test('refuses the id of a destroyed mailbox until its original expiry, then creates it empty', async () => {
      const mailboxId = await it.create(1000)
      await it.store.deliver(mailboxId, sealed('old'), QUOTA)
      await it.store.destroyMailbox(mailboxId)
      it.now = START + 999
      expect(await it.store.createMailbox({ ...mailboxRecord(it.now + 5000), mailboxId })).toBe('taken')
      it.now = START + 1000
      expect(await it.store.createMailbox({ ...mailboxRecord(it.now + 5000), mailboxId })).toBe('created')
      expect(await it.store.changesSince(mailboxId, 0, 10)).toEqual([])
    })

    test('creates an expired id again at once, without the old mail, swept or not', async () => {
      const mailboxId = await it.create(1000)
      await it.store.deliver(mailboxId, sealed('old'), QUOTA)
      it.now = START + 1000
      expect(await it.store.createMailbox({ ...mailboxRecord(it.now + 1000), mailboxId })).toBe('created')
      expect(await it.store.readMessage(mailboxId, sealed('old').messageId)).toBeUndefined()
      expect(await it.store.deliver(mailboxId, sealed('old'), QUOTA)).toMatchObject({ outcome: 'stored' })
      await it.store.sweep(10)
      expect(describeChanges(await it.store.changesSince(mailboxId, 0, 10))).toEqual([`message ${sealed('old').messageId}`])
    })

    test('no method finds a mailbox that never existed', async () => {
      await expectGone(it.store, anId<MailboxId>(), anId<MessageId>())
    })
  })

  describe('expiry', () => {
    test('every method works one millisecond before expiry and none at expiry', async () => {
      const mailboxId = await it.create(1000)
      const message = sealed('mail')
      it.now = START + 999
      expect(await it.store.deliver(mailboxId, message, QUOTA)).toMatchObject({ outcome: 'stored' })
      expect(await it.store.findMailbox(mailboxId)).toMatchObject({ mailboxId, messageCount: 1 })
      it.now = START + 1000
      await expectGone(it.store, mailboxId, message.messageId)
    })

    test('calls before and after expiry in one batch get different results', async () => {
      const mailboxId = await it.create(1000)
      it.now = START + 999
      const before = it.store.deliver(mailboxId, sealed('before'), QUOTA)
      it.now = START + 1000
      const after = it.store.deliver(mailboxId, sealed('after'), QUOTA)
      expect(await before).toMatchObject({ outcome: 'stored' })
      expect(await after).toEqual({ outcome: 'mailbox_not_found' })
    })

    test('expired mailboxes stay expired when the clock goes back', async () => {
      const mailboxId = await it.create(1000)
      await it.store.deliver(mailboxId, sealed('mail'), QUOTA)
      it.now = START + 1000
      expect(await it.store.findMailbox(mailboxId)).toBeUndefined()
      it.now = START + 500
      await expectGone(it.store, mailboxId, sealed('mail').messageId)
      const later = await it.create(1000)
      expect(await it.store.deliver(later, sealed('mail'), QUOTA)).toMatchObject({ outcome: 'stored' })
    })
  })

  describe('destroyMailbox', () => {
    test('leaves nothing for any method, and returns true once', async () => {
      const mailboxId = await it.create()
      await it.store.deliver(mailboxId, sealed('a'), QUOTA)
      const tries = await Promise.all([it.store.destroyMailbox(mailboxId), it.store.destroyMailbox(mailboxId)])
      expect(tries.toSorted()).toEqual([false, true])
      await expectGone(it.store, mailboxId, sealed('a').messageId)
    })

    test('stores no simultaneous delivery in a destroyed mailbox', async () => {
      const mailboxId = await it.create()
      const race = Array.from({ length: 40 }, (_, i) =>
        i === 20 ? it.store.destroyMailbox(mailboxId) : it.store.deliver(mailboxId, sealed(`r${i}`), ROOMY),
      )
      await Promise.all(race)
      await expectGone(it.store, mailboxId, sealed('r1').messageId)
      expect(await it.store.deliver(mailboxId, sealed('late'), ROOMY)).toEqual({ outcome: 'mailbox_not_found' })
    })

    test('removes a large mailbox completely', async () => {
      const mailboxId = await it.create()
      for (let i = 0; i < 6; i++) await it.store.deliver(mailboxId, sealed(`large ${i}`, 4_000_000), ROOMY)
      expect(await it.store.destroyMailbox(mailboxId)).toBe(true)
      await expectGone(it.store, mailboxId, sealed('large 0').messageId)
    })
  })
}
