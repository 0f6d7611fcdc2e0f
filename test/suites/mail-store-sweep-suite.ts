import { describe, expect, test } from 'vitest'
import { deliverTo, QUOTA, START, type StoreFixture, sealed } from '../harness/mayfly/store-fixture.ts'

export function sweepSuite(fixture: StoreFixture): void {
  describe('sweep and health', () => {
    test('removes expired mailboxes up to the given number, and no live ones', async () => {
      const dead = await Promise.all(Array.from({ length: 7 }, () => fixture.create(1000)))
      for (const mailboxId of dead) await deliverTo(fixture.store, mailboxId, sealed('a'), QUOTA)
      const alive = await fixture.create(5000)
      await deliverTo(fixture.store, alive, sealed('a'), QUOTA)
      fixture.now = START + 1000
      expect(await fixture.store.sweep(5)).toBe(5)
      expect(await fixture.store.sweep(5)).toBe(2)
      expect(await fixture.store.sweep(5)).toBe(0)
      expect(await fixture.store.changesSince(alive, 0, 10)).toHaveLength(1)
      expect(await fixture.store.health()).toMatchObject({ ok: true, mailboxes: 1 })
    })

    test('notifies watchers of removed mailboxes', async () => {
      const mailboxId = await fixture.create(1000)
      const abort = new AbortController()
      const bell = fixture.store.watch(mailboxId, abort.signal)[Symbol.asyncIterator]()
      await bell.next()
      const ring = bell.next()
      fixture.now = START + 1000
      await fixture.store.sweep(10)
      expect((await ring).done).toBe(false)
      abort.abort()
    })

    test('deliveries continue during a sweep', async () => {
      for (let i = 0; i < 300; i++) await fixture.create(1000)
      const alive = await fixture.create(5000)
      fixture.now = START + 1000
      const sweeping = fixture.store.sweep(1000)
      const outcomes = await Promise.all(Array.from({ length: 30 }, (_, i) => deliverTo(fixture.store, alive, sealed(`s${i}`))))
      expect(outcomes.every(outcome => outcome === 'stored')).toBe(true)
      expect(await sweeping).toBe(300)
    })
  })
}
