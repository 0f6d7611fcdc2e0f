/** Tests of every guarantee in server/store/store.ts, run against each implementation on its real engine. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MailStore } from '#server/store/store.ts'
import { mailboxRecord, START, type StoreUnderTest } from '#test/store-under-test.ts'
import { mailboxChangesSuite } from './mail-store-changes-suite.ts'
import { mailboxesSuite } from './mail-store-mailboxes-suite.ts'
import { messagesSuite } from './mail-store-messages-suite.ts'
import { selfRemovalSuite } from './mail-store-self-removal-suite.ts'
import { sweepSuite } from './mail-store-sweep-suite.ts'

/** What removes expired mailboxes: the sweep, or the engine by itself. */
type Removal = 'swept' | 'by itself'

/** `open` returns an empty store on the given clock; disposing of it removes it. */
export function mailStoreSuite(name: string, open: (clock: () => number) => Promise<MailStore>, removal: Removal = 'swept'): void {
  describe(`mail store: ${name}`, () => {
    let store: MailStore | undefined
    const it: StoreUnderTest = {
      now: START,
      get store() {
        if (!store) throw new Error('a store is opened before each test')
        return store
      },
      async create(lifetimeMs = 600_000) {
        const mailbox = mailboxRecord(it.now + lifetimeMs)
        expect(await it.store.createMailbox(mailbox)).toBe('created')
        return mailbox.mailboxId
      },
    }
    beforeEach(async () => {
      it.now = START
      store = await open(() => it.now)
    })
    afterEach(() => it.store[Symbol.asyncDispose]())

    mailboxesSuite(it)
    messagesSuite(it)
    mailboxChangesSuite(it)
    if (removal === 'swept') sweepSuite(it)
    else selfRemovalSuite(it)

    test('publishes notes to current subscribers of the mailbox only', async () => {
      const [mailboxId, other] = [await it.create(), await it.create()]
      const heard: string[] = []
      it.store.publish(mailboxId, 'before anybody listens')
      const left = new AbortController()
      it.store.subscribe(mailboxId, note => heard.push(note), left.signal)
      it.store.subscribe(other, note => heard.push(`other ${note}`), left.signal)
      // An engine takes a moment to know who listens.
      await expect
        .poll(() => {
          it.store.publish(mailboxId, '{"step":"connected"}')
          return heard.length
        })
        .toBeGreaterThan(0)
      expect(new Set(heard)).toEqual(new Set(['{"step":"connected"}']))
      left.abort()
      const count = heard.length
      it.store.publish(mailboxId, 'after everybody has left')
      expect(await it.store.changesSince(mailboxId, 0, 10)).toEqual([])
      expect(heard).toHaveLength(count)
    })

    test('rejects every call after disposal', async () => {
      const mailboxId = await it.create()
      await it.store[Symbol.asyncDispose]()
      await expect(it.store.findMailbox(mailboxId)).rejects.toMatchObject({ code: 'unavailable' })
    })
  })
}
