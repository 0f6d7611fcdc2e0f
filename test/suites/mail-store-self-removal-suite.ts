/** For engines that remove what has expired by themselves, by the real clock: nobody calls `sweep`. */
import { describe, expect, test } from 'vitest'
import { ROOMY, START, type StoreUnderTest, sealed } from '#test/store-under-test.ts'

const LIFETIME_MS = 500
/** The grace for clocks that differ, and the engine's own rounds. */
const timeout = { timeout: 15_000 }

export function selfRemovalSuite(it: StoreUnderTest): void {
  describe('removal and health', () => {
    test('expired mailboxes and pieces of large messages disappear without a sweep, and live ones stay', async () => {
      const dead = await Promise.all(Array.from({ length: 7 }, () => it.create(LIFETIME_MS)))
      for (const mailboxId of dead) await it.store.deliver(mailboxId, sealed('a', 600_000), ROOMY)
      const alive = await it.create(60_000)
      await it.store.deliver(alive, sealed('a', 600_000), ROOMY)
      expect(await it.store.health()).toMatchObject({ ok: true, mailboxes: 8 })
      it.now = START + LIFETIME_MS
      expect(await it.store.sweep(5)).toBe(0)
      await expect.poll(async () => (await it.store.health()).mailboxes, timeout).toBe(1)
      expect(await it.store.changesSince(alive, 0, 10)).toHaveLength(1)
      expect((await it.store.readMessage(alive, sealed('a').messageId))?.sealedRaw.byteLength).toBe(600_000)
    })

    test('counts live mailboxes, not destroyed ones, and the bytes they take', async () => {
      const [first] = await Promise.all([it.create(), it.create(), it.create(), it.create()])
      await it.store.destroyMailbox(first)
      const health = await it.store.health()
      expect(health).toMatchObject({ ok: true, mailboxes: 3 })
      expect(health.bytesOnDisk).toBeGreaterThan(0)
      expect(health.capacityBytes).toBeGreaterThan(health.roomBytes)
    })

    test('deliveries continue while hundreds of mailboxes expire', async () => {
      await Promise.all(Array.from({ length: 300 }, () => it.create(LIFETIME_MS)))
      const alive = await it.create(60_000)
      it.now = START + LIFETIME_MS
      for (let i = 0; i < 30; i++) {
        const outcomes = await Promise.all([i * 2, i * 2 + 1].map(n => it.store.deliver(alive, sealed(`s${n}`), ROOMY)))
        expect(outcomes.every(({ outcome }) => outcome === 'stored')).toBe(true)
      }
      await expect.poll(async () => (await it.store.health()).mailboxes, timeout).toBe(1)
    })
  })
}
