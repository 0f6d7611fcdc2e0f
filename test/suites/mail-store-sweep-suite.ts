import { describe, expect, test } from 'vitest'
import { QUOTA, ROOMY, START, type StoreUnderTest, sealed } from '#test/store-under-test.ts'

export function sweepSuite(it: StoreUnderTest): void {
  describe('sweep and health', () => {
    test('removes expired mailboxes up to the given number, and no live ones', async () => {
      const dead = await Promise.all(Array.from({ length: 7 }, () => it.create(1000)))
      for (const mailboxId of dead) await it.store.deliver(mailboxId, sealed('a'), QUOTA)
      const alive = await it.create(5000)
      await it.store.deliver(alive, sealed('a'), QUOTA)
      it.now = START + 1000
      expect(await it.store.sweep(5)).toBe(5)
      expect(await it.store.sweep(5)).toBe(2)
      expect(await it.store.sweep(5)).toBe(0)
      expect(await it.store.changesSince(alive, 0, 10)).toHaveLength(1)
      expect(await it.store.health()).toMatchObject({ ok: true, mailboxes: 1 })
    })

    test('notifies watchers of removed mailboxes', async () => {
      const mailboxId = await it.create(1000)
      const abort = new AbortController()
      const bell = it.store.watch(mailboxId, abort.signal)[Symbol.asyncIterator]()
      await bell.next()
      const ring = bell.next()
      it.now = START + 1000
      await it.store.sweep(10)
      expect((await ring).done).toBe(false)
      abort.abort()
    })

    test('counts live mailboxes and the bytes they take', async () => {
      await Promise.all([it.create(), it.create(), it.create()])
      const health = await it.store.health()
      expect(health).toMatchObject({ ok: true, mailboxes: 3 })
      expect(health.bytesOnDisk).toBeGreaterThan(0)
    })

    test('deliveries continue during a sweep', async () => {
      for (let i = 0; i < 300; i++) await it.create(1000)
      const alive = await it.create(5000)
      it.now = START + 1000
      const sweeping = it.store.sweep(1000)
      const outcomes = await Promise.all(Array.from({ length: 30 }, (_, i) => it.store.deliver(alive, sealed(`s${i}`), ROOMY)))
      expect(outcomes.every(({ outcome }) => outcome === 'stored')).toBe(true)
      expect(await sweeping).toBe(300)
    })
  })
}
