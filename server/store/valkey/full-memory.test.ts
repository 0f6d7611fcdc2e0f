import { expect, test } from 'vitest'
import { deliverTo, mailboxRecord, START, sealed } from '#test/harness/mayfly/store-fixture.ts'
import { findRedis, startRedisCluster } from '#test/harness/servers/redis-cluster.ts'
import { openCluster } from './client/open-cluster.ts'
import { openValkeyStore } from './valkey-store.ts'

test.skipIf(!findRedis())(
  'when memory is full, small and large mail is refused, and removing still works (needs redis-server)',
  async () => {
    await using cluster = await startRedisCluster()
    const connection = await openCluster({ urls: cluster.url.split(','), replicas: 1, isSynced: false })
    await using store = await openValkeyStore({ cluster: connection, clock: () => START, keyCheck: 'one', countEveryMs: 0 })
    const { mailboxId } = await createOne(store)
    for (const text of ['kept', 'removed']) await deliverTo(store, mailboxId, sealed(text))
    const large = sealed('large', 600_000)
    await deliverTo(store, mailboxId, large)

    for (const node of cluster.nodes) await node.call('CONFIG', 'SET', 'maxmemory', 1_000_000)
    for (const refused of [sealed('small'), sealed('also large', 600_000)]) {
      await expect(deliverTo(store, mailboxId, refused)).rejects.toMatchObject({ code: 'storage_full' })
    }
    await expect(createOne(store)).rejects.toMatchObject({ code: 'storage_full' })
    expect(await store.health()).toMatchObject({ ok: true, roomBytes: 0 })
    expect(await store.deleteMessage(mailboxId, sealed('removed').messageId)).toBe(true)
    expect(await store.deleteMessage(mailboxId, large.messageId)).toBe(true)
    expect((await store.changesSince(mailboxId, 0, 10))?.map(({ messageId }) => messageId)).toEqual([sealed('kept').messageId])
    expect(await store.destroyMailbox(mailboxId)).toBe(true)

    for (const node of cluster.nodes) await node.call('CONFIG', 'SET', 'maxmemory', 0)
    const again = await createOne(store)
    expect(await deliverTo(store, again.mailboxId, sealed('small'))).toBe('stored')
  },
)

async function createOne(store: Awaited<ReturnType<typeof openValkeyStore>>) {
  const record = mailboxRecord(START + 600_000)
  await store.createMailbox(record)
  return record
}
