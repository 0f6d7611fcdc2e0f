import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Change, REMOVALS_LISTED } from '#server/store/store.ts'
import { createdAtOf, deliverTo, describeChanges, QUOTA, type StoreFixture, sealed } from '../harness/mayfly/store-fixture.ts'

/** `readsRaw`: the engine reads raw messages in the same step as the changes. */
export function mailboxChangesSuite(fixture: StoreFixture, readsRaw: boolean): void {
  describe('changesSince', () => {
    test('returns what came after a cursor, oldest first, in steps of any size', async () => {
      const mailboxId = await fixture.create()
      const sent = Array.from({ length: 7 }, (_, i) => sealed(`m${i}`))
      for (const message of sent) await deliverTo(fixture.store, mailboxId, message)
      for (const limit of [1, 2, 7, 100]) {
        const seen: Change[] = []
        for (;;) {
          const step = (await fixture.store.changesSince(mailboxId, seen.at(-1)?.cursor ?? 0, limit)) ?? []
          seen.push(...step)
          if (step.length < limit) break
        }
        expect(describeChanges(seen)).toEqual(sent.map(({ messageId }) => `message ${messageId}`))
      }
    })

    test('returns a removal once, and to a new reader only existing messages', async () => {
      const mailboxId = await fixture.create()
      await deliverTo(fixture.store, mailboxId, sealed('a'), QUOTA)
      const cursor = (await fixture.store.findMailbox(mailboxId))?.cursor ?? 0
      await deliverTo(fixture.store, mailboxId, sealed('b'), QUOTA)
      await fixture.store.deleteMessage(mailboxId, sealed('a').messageId)
      expect(describeChanges(await fixture.store.changesSince(mailboxId, cursor, 10))).toEqual([
        `message ${sealed('b').messageId}`,
        `removed ${sealed('a').messageId}`,
      ])
      expect(describeChanges(await fixture.store.changesSince(mailboxId, 0, 10))).toEqual([`message ${sealed('b').messageId}`])
    })

    test('returns only the last removals, so that repeated deliveries and removals do not grow the mailbox', async () => {
      const mailboxId = await fixture.create()
      const texts = Array.from({ length: REMOVALS_LISTED + 20 }, (_, i) => `mail ${i}`)
      await deliverTo(fixture.store, mailboxId, sealed('seen'))
      for (const text of texts)
        await Promise.all([
          deliverTo(fixture.store, mailboxId, sealed(text)),
          fixture.store.deleteMessage(mailboxId, sealed(text).messageId),
        ])
      const told = await fixture.store.changesSince(mailboxId, 1, 10_000)
      expect(describeChanges(told)).toEqual(texts.slice(-REMOVALS_LISTED).map(text => `removed ${sealed(text).messageId}`))
      expect(describeChanges(await fixture.store.changesSince(mailboxId, 0, 10))).toEqual([`message ${sealed('seen').messageId}`])
    })

    test('returns a message again, once, with its authentication result', async () => {
      const mailboxId = await fixture.create()
      for (const text of ['a', 'b']) await deliverTo(fixture.store, mailboxId, sealed(text), QUOTA)
      const cursor = (await fixture.store.findMailbox(mailboxId))?.cursor ?? 0
      expect(await fixture.store.addAuthentication(mailboxId, sealed('a').messageId, Buffer.from('results'), createdAtOf(mailboxId))).toBe(
        true,
      )
      const changes = await fixture.store.changesSince(mailboxId, cursor, 10)
      expect(describeChanges(changes)).toEqual([`message ${sealed('a').messageId}`])
      expect(changes?.[0]).toMatchObject({ arrivalCursor: 1, cursor: cursor + 1 })
      expect(changes?.[0]?.type === 'message' && Buffer.from(changes[0].sealedAuthentication ?? []).toString()).toBe('results')
      expect(await fixture.store.changesSince(mailboxId, 0, 10)).toHaveLength(2)
    })

    test('keeps the order of changes, whatever comes, is removed, comes again or is authenticated', async () => {
      const step = fc.tuple(fc.constantFrom('deliver', 'remove', 'authenticate'), fc.constantFrom('a', 'b', 'c', 'd', 'e'))
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
          const mailboxId = await fixture.create()
          const { messageId: first } = sealed('first')
          await deliverTo(fixture.store, mailboxId, sealed('first'), QUOTA)
          const told = [`message ${first}`]
          const cursors = [(await fixture.store.findMailbox(mailboxId))?.cursor ?? 0]
          for (const [what, text] of steps) {
            const { messageId } = sealed(text)
            const isChanged =
              what === 'deliver'
                ? (await deliverTo(fixture.store, mailboxId, sealed(text))) === 'stored'
                : what === 'remove'
                  ? await fixture.store.deleteMessage(mailboxId, messageId)
                  : await fixture.store.addAuthentication(mailboxId, messageId, Buffer.from('results'), createdAtOf(mailboxId))
            const isThere = told.findLast(change => change.endsWith(messageId))?.startsWith('message') ?? false
            expect(isChanged).toBe(isThere !== (what === 'deliver'))
            if (!isChanged) continue
            told.push(`${what === 'remove' ? 'removed' : 'message'} ${messageId}`)
            cursors.push((await fixture.store.findMailbox(mailboxId))?.cursor ?? 0)
          }
          const isLatest = (change: string, i: number) => told.findLastIndex(one => one.slice(8) === change.slice(8)) === i
          const latest = told.map((change, i) => (isLatest(change, i) ? change : ''))
          for (const [i, cursor] of cursors.entries()) {
            const changes = describeChanges(await fixture.store.changesSince(mailboxId, cursor, 100))
            expect(changes).toEqual(latest.slice(i + 1).filter(change => change !== ''))
          }
          const all = describeChanges(await fixture.store.changesSince(mailboxId, 0, 100))
          expect(all).toEqual(latest.filter(change => change.startsWith('message')))
        }),
        { numRuns: 20 },
      )
    })

    test('returns raw messages only when asked, and all or none of them', async () => {
      const mailboxId = await fixture.create()
      const sent = [sealed('a'), sealed('b')]
      for (const message of sent) await deliverTo(fixture.store, mailboxId, message, QUOTA)
      await fixture.store.deleteMessage(mailboxId, sealed('b').messageId)
      await deliverTo(fixture.store, mailboxId, sealed('c'), QUOTA)
      const rawOf = async (rawBytesMax?: number) =>
        (await fixture.store.changesSince(mailboxId, 1, 10, rawBytesMax))?.map(change => change.type === 'message' && change.sealedRaw)
      const raw = Buffer.from(sealed('c').sealedRaw)
      const [removed, found] = (await rawOf(raw.byteLength)) ?? []
      expect(removed).toBe(false)
      expect(found && Buffer.from(found)).toEqual(readsRaw ? raw : undefined)
      expect(await rawOf(raw.byteLength - 1)).toEqual([false, undefined])
      expect(await rawOf()).toEqual([false, undefined])
    })

    test('starts over for an unknown cursor', async () => {
      const mailboxId = await fixture.create()
      await deliverTo(fixture.store, mailboxId, sealed('a'), QUOTA)
      expect(await fixture.store.changesSince(mailboxId, 1_000_000, 10)).toHaveLength(1)
    })
  })

  describe('watch', () => {
    test('notifies at the start and after each kind of change, and ends with its signal', async () => {
      const mailboxId = await fixture.create()
      const abort = new AbortController()
      const bell = fixture.store.watch(mailboxId, abort.signal)[Symbol.asyncIterator]()
      expect((await bell.next()).done).toBe(false)
      const changes = [
        () => deliverTo(fixture.store, mailboxId, sealed('a'), QUOTA),
        () => fixture.store.addAuthentication(mailboxId, sealed('a').messageId, Buffer.from('v'), createdAtOf(mailboxId)),
        () => fixture.store.deleteMessage(mailboxId, sealed('a').messageId),
        () => fixture.store.destroyMailbox(mailboxId),
      ]
      for (const change of changes) {
        const ring = bell.next()
        await change()
        expect((await ring).done).toBe(false)
      }
      const last = bell.next()
      abort.abort()
      expect((await last).done).toBe(true)
    })

    test('merges notifications before the next read, and the reader misses nothing', async () => {
      const mailboxId = await fixture.create()
      const abort = new AbortController()
      let rings = 0
      let cursor = 0
      const seen: string[] = []
      for await (const _ of fixture.store.watch(mailboxId, abort.signal)) {
        rings += 1
        if (rings === 1) await Promise.all(Array.from({ length: 50 }, (_, i) => deliverTo(fixture.store, mailboxId, sealed(`b${i}`))))
        for (const change of (await fixture.store.changesSince(mailboxId, cursor, 100)) ?? []) {
          seen.push(change.messageId)
          cursor = change.cursor
        }
        if (seen.length >= 50 && rings >= 2) abort.abort()
      }
      expect(new Set(seen).size).toBe(50)
      expect(seen).toHaveLength(50)
    })

    test('does not notify watchers of another mailbox', async () => {
      const [mine, other] = [await fixture.create(), await fixture.create()]
      const abort = new AbortController()
      const bell = fixture.store.watch(mine, abort.signal)[Symbol.asyncIterator]()
      await bell.next()
      let rang = false
      const ring = bell.next().then(({ done }) => {
        rang = !done
      })
      await deliverTo(fixture.store, other, sealed('a'), QUOTA)
      await fixture.store.findMailbox(other)
      expect(rang).toBe(false)
      abort.abort()
      await ring
    })

    test('notifies every watcher of a mailbox', async () => {
      const mailboxId = await fixture.create()
      const abort = new AbortController()
      const bells = Array.from({ length: 5 }, () => fixture.store.watch(mailboxId, abort.signal)[Symbol.asyncIterator]())
      await Promise.all(bells.map(bell => bell.next()))
      const rings = Promise.all(bells.map(bell => bell.next()))
      await deliverTo(fixture.store, mailboxId, sealed('a'), QUOTA)
      expect((await rings).every(({ done }) => !done)).toBe(true)
      abort.abort()
    })
  })
}
