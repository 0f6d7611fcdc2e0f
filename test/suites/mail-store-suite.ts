/** Every promise of the mail store port, run against each adapter on its real engine. */
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

/** `open` gives an empty store on the clock it is handed; disposing of the result removes it again. */
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

    test('refuses everything once it is disposed of', async () => {
      const mailboxId = await it.create()
      await it.store[Symbol.asyncDispose]()
      await expect(it.store.findMailbox(mailboxId)).rejects.toMatchObject({ code: 'unavailable' })
    })
  })
}
