/** For engines that remove expired data by themselves, by the real clock, without `sweep`. */
import { describe, expect, test } from 'vitest'
import { deliverTo, mailboxRecord, START, type StoreFixture, sealed } from '../harness/mayfly/store-fixture.ts'

const LIFETIME_MS = 500
/** The tolerance for different clocks, and the engine's own cycle. */
const timeout = { timeout: 15_000 }

export function selfRemovalSuite(fixture: StoreFixture): void {
  describe('removal and health', () => {
    test('expired mailboxes and pieces of large messages disappear without a sweep, and live ones stay', async () => {
      const dead = await Promise.all(Array.from({ length: 7 }, () => fixture.create(LIFETIME_MS)))
      for (const mailboxId of dead) await deliverTo(fixture.store, mailboxId, sealed('a', 600_000))
      const alive = await fixture.create(60_000)
      await deliverTo(fixture.store, alive, sealed('a', 600_000))
      expect(await fixture.store.health()).toMatchObject({ ok: true, mailboxes: 8 })
      fixture.now = START + LIFETIME_MS
      expect(await fixture.store.sweep(5)).toBe(0)
      await expect.poll(async () => (await fixture.store.health()).mailboxes, timeout).toBe(1)
      expect(await fixture.store.changesSince(alive, 0, 10)).toHaveLength(1)
      expect((await fixture.store.readMessage(alive, sealed('a').messageId))?.sealedRaw?.byteLength).toBe(600_000)
    })

    test('an extended mailbox stays with all pieces of its mail, also of one that was being delivered', timeout, async () => {
      const record = mailboxRecord(START + LIFETIME_MS)
      await fixture.store.createMailbox(record)
      await deliverTo(fixture.store, record.mailboxId, sealed('before', 600_000))
      const { sealedRaw, ...message } = sealed('meanwhile', 600_000)
      let extension: Promise<boolean> | undefined
      // It is cut into pieces after its mailbox has said until when it lives.
      const cut = Object.assign(Buffer.from(sealedRaw), {
        subarray(start: number, end: number) {
          extension ??= fixture.store.extendMailbox({ ...record, expiresAt: START + 60_000 })
          return sealedRaw.subarray(start, end)
        },
      })
      expect(await deliverTo(fixture.store, record.mailboxId, { ...message, sealedRaw: cut })).toBe('stored')
      expect(await extension).toBe(true)
      const dead = await fixture.create(LIFETIME_MS)
      expect((await fixture.store.health()).mailboxes).toBe(2)
      fixture.now = START + LIFETIME_MS
      await expect.poll(async () => (await fixture.store.health()).mailboxes, timeout).toBe(1)
      expect(await fixture.store.findMailbox(dead)).toBeUndefined()
      for (const { messageId } of [sealed('before'), message])
        expect((await fixture.store.readMessage(record.mailboxId, messageId))?.sealedRaw?.byteLength).toBe(600_000)
    })

    test('deliveries continue while hundreds of mailboxes expire', async () => {
      await Promise.all(Array.from({ length: 300 }, () => fixture.create(LIFETIME_MS)))
      const alive = await fixture.create(60_000)
      fixture.now = START + LIFETIME_MS
      for (let i = 0; i < 30; i++) {
        const outcomes = await Promise.all([i * 2, i * 2 + 1].map(n => deliverTo(fixture.store, alive, sealed(`s${n}`))))
        expect(outcomes.every(outcome => outcome === 'stored')).toBe(true)
      }
      await expect.poll(async () => (await fixture.store.health()).mailboxes, timeout).toBe(1)
    })
  })
}
