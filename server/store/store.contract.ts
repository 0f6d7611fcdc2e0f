/** Every promise of the mail store port, run against each adapter on its real engine. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mailboxRecord, START, type StoreUnderTest } from '#test/store-under-test.ts'
import { changePromises } from './contract/changes.contract.ts'
import { mailboxPromises } from './contract/mailboxes.contract.ts'
import { messagePromises } from './contract/messages.contract.ts'
import { sweepPromises } from './contract/sweeping.contract.ts'
import type { MailStore } from './store.ts'

/** `open` gives an empty store on the clock it is handed; disposing of the result removes it again. */
export function storeContract(name: string, open: (clock: () => number) => Promise<MailStore>): void {
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

    mailboxPromises(it)
    messagePromises(it)
    changePromises(it)
    sweepPromises(it)

    test('refuses everything once it is disposed of', async () => {
      const mailboxId = await it.create()
      await it.store[Symbol.asyncDispose]()
      await expect(it.store.findMailbox(mailboxId)).rejects.toMatchObject({ code: 'unavailable' })
    })
  })
}
