/** Tests of every guarantee in server/store/store.ts, run against each implementation on its real engine. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MailStore } from '#server/store/store.ts'
import { mailboxRecord, START, type StoreFixture } from '../harness/mayfly/store-fixture.ts'
import { mailboxChangesSuite } from './mail-store-changes-suite.ts'
import { mailboxesSuite } from './mail-store-mailboxes-suite.ts'
import { messagesSuite } from './mail-store-messages-suite.ts'
import { selfRemovalSuite } from './mail-store-self-removal-suite.ts'
import { sweepSuite } from './mail-store-sweep-suite.ts'

/** What removes expired mailboxes: the sweep or the engine. `readsRaw`: it reads raw messages in the same step as the changes. */
type Engine = { readonly removal: 'swept' | 'by itself'; readonly readsRaw: boolean }

/** `open` returns an empty store on the given clock; disposing of it removes it. */
export function mailStoreSuite(name: string, open: (clock: () => number) => Promise<MailStore>, { removal, readsRaw }: Engine): void {
  describe(`mail store: ${name}`, () => {
    let store: MailStore | undefined
    const fixture: StoreFixture = {
      now: START,
      get store() {
        if (!store) throw new Error('a store is opened before each test')
        return store
      },
      async create(lifetimeMs = 600_000) {
        const mailbox = mailboxRecord(fixture.now + lifetimeMs)
        expect(await fixture.store.createMailbox(mailbox)).toBe('created')
        return mailbox.mailboxId
      },
    }
    beforeEach(async () => {
      fixture.now = START
      store = await open(() => fixture.now)
    })
    afterEach(() => fixture.store[Symbol.asyncDispose]())

    mailboxesSuite(fixture)
    messagesSuite(fixture)
    mailboxChangesSuite(fixture, readsRaw)
    if (removal === 'swept') sweepSuite(fixture)
    else selfRemovalSuite(fixture)

    test('publishes delivery progress to current subscribers of the mailbox only', async () => {
      const [mailboxId, other] = [await fixture.create(), await fixture.create()]
      const heard: string[] = []
      fixture.store.publishProgress(mailboxId, () => 'before anybody listens')
      const left = new AbortController()
      fixture.store.subscribeToProgress(mailboxId, progress => heard.push(progress), left.signal)
      fixture.store.subscribeToProgress(other, progress => heard.push(`other ${progress}`), left.signal)
      // An engine takes a moment to register subscribers.
      await expect
        .poll(() => {
          fixture.store.publishProgress(mailboxId, () => '{"step":"connected"}')
          return heard.length
        })
        .toBeGreaterThan(0)
      expect(new Set(heard)).toEqual(new Set(['{"step":"connected"}']))
      left.abort()
      const count = heard.length
      fixture.store.publishProgress(mailboxId, () => 'after everybody has left')
      expect(await fixture.store.changesSince(mailboxId, 0, 10)).toEqual([])
      expect(heard).toHaveLength(count)
    })

    test('rejects every call after disposal', async () => {
      const mailboxId = await fixture.create()
      await fixture.store[Symbol.asyncDispose]()
      await expect(fixture.store.findMailbox(mailboxId)).rejects.toMatchObject({ code: 'unavailable' })
    })
  })
}
