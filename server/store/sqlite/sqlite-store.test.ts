import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { mailboxRecord, START } from '#test/harness/mayfly/store-fixture.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { mailStoreSuite } from '#test/suites/mail-store-suite.ts'
import { openSqliteStore } from './sqlite-store.ts'

const openStore = (clock: () => number) => openSqliteStore({ folder: newFolder(), diskReserveBytes: 0, clock })

mailStoreSuite('sqlite', openStore, { removal: 'swept', readsRaw: true })

test('the sweep removes expired mailboxes from memory too', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let now = START
  await using store = await openStore(() => now)
  const create = async (expiresAt: number) => {
    const record = mailboxRecord(expiresAt)
    await store.createMailbox(record)
    return new WeakRef(record.tokenHash)
  }
  const [expired, live] = [await create(START + 1000), await create(START + 60_000)]
  now = START + 1000
  expect(await store.sweep(10)).toBe(1)
  const isKept = (record: WeakRef<object>) => {
    collect()
    return record.deref() !== undefined
  }
  await expect.poll(() => isKept(expired)).toBe(false)
  expect(isKept(live)).toBe(true)
})
