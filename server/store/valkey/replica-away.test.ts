/** What a write leaves behind when its replica goes away while it waits for it. */
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createdAtOf, deliverTo, mailboxRecord, START, sealed } from '#test/harness/mayfly/store-fixture.ts'
import { findRedis, type RedisCluster, startRedisCluster, until } from '#test/harness/servers/redis-cluster.ts'
import type { Change, MailboxId } from '../store.ts'
import { openCluster } from './client/open-cluster.ts'
import { openValkeyStore } from './valkey-store.ts'

describe.skipIf(!findRedis())('a replica that goes away during a write (needs redis-server on this machine)', () => {
  test.each([
    { size: 'small', bytes: 1000 },
    { size: 'large', bytes: 300_000 },
  ])('$size mail that only a second attempt acknowledges is stored once and readable', { timeout: 60_000 }, async ({ size, bytes }) => {
    await using cluster = await startRedisCluster({ settings: ['--cluster-node-timeout', '60000'] })
    await using store = await openStore(cluster)
    const { mailboxId } = await createOne(store)
    const message = sealed(size, bytes)
    // A large one is cut when the mailbox has said that there is room: its replica is there until then.
    const sealedRaw = Object.assign(Buffer.from(message.sealedRaw), {
      subarray(start: number, end: number) {
        killReplicas(cluster)
        return message.sealedRaw.subarray(start, end)
      },
    })
    if (size === 'small') killReplicas(cluster)
    const delivered = await deliverTo(store, mailboxId, { ...message, sealedRaw }, { messagesMax: 1, bytesMax: bytes })
    expect(delivered).toBe('stored')
    expect(await store.changesSince(mailboxId, 0, 10)).toHaveLength(1)
    expect((await store.readMessage(mailboxId, message.messageId))?.sealedRaw).toEqual(new Uint8Array(message.sealedRaw))
    expect(await store.findMailbox(mailboxId)).toMatchObject({ messageCount: 1, bytes })
    // The attempt of another process does not take the pieces along either.
    expect(await deliverTo(store, mailboxId, message)).toBe('duplicate')
    expect(await store.readMessage(mailboxId, message.messageId)).toBeDefined()
  })

  test('who watches a mailbox is told of a change that its replica has not confirmed', { timeout: 60_000 }, async () => {
    await using cluster = await startRedisCluster({ settings: ['--cluster-node-timeout', '60000'] })
    await using store = await openStore(cluster, 1)
    const { messageId } = sealed('watched')
    const changes = [
      { change: (id: MailboxId) => store.deleteMessage(id, messageId), after: [] },
      {
        change: (id: MailboxId) => store.addAuthentication(id, messageId, Buffer.from('pass'), createdAtOf(id)),
        after: ['message with pass'],
      },
      { change: (id: MailboxId) => store.destroyMailbox(id), after: undefined },
    ]
    const stop = new AbortController()
    const watched = await Promise.all(
      changes.map(async ({ change, after }) => {
        const { mailboxId } = await createOne(store)
        const seen: unknown[] = []
        const read = async () => (await store.changesSince(mailboxId, 0, 10))?.map(describeChange)
        const watching = (async () => {
          for await (const _ of store.watch(mailboxId, stop.signal)) seen.push(await read())
        })()
        await deliverTo(store, mailboxId, sealed('watched'))
        await until(async () => isDeepStrictEqual(seen.at(-1), ['message']))
        return { mailboxId, change, seen, after, watching }
      }),
    )
    for (const { pid } of cluster.nodes.slice(3)) process.kill(pid, 'SIGSTOP')
    const unconfirmed = await Promise.allSettled(watched.map(({ mailboxId, change }) => change(mailboxId)))
    expect(unconfirmed).toMatchObject(watched.map(() => ({ status: 'rejected', reason: { code: 'unavailable' } })))
    for (const { seen, after } of watched) await until(async () => isDeepStrictEqual(seen.at(-1), after))
    stop.abort()
    await Promise.all(watched.map(({ watching }) => watching))
  })

  test('mail is read on while every write is refused for its few replicas (min-replicas-to-write)', { timeout: 60_000 }, async () => {
    await using cluster = await startRedisCluster()
    await using store = await openStore(cluster)
    // With so many, some are in each shard, as is what processes share of their health.
    const mailboxes = await Promise.all(Array.from({ length: 12 }, () => createOne(store)))
    const { messageId } = sealed('kept')
    for (const { mailboxId } of mailboxes) await deliverTo(store, mailboxId, sealed('kept'))
    for (const node of cluster.nodes) await node.call('CONFIG', 'SET', 'min-replicas-to-write', 5)
    const deliver = async ({ mailboxId }: { mailboxId: MailboxId }) => {
      for (const name of ['large', 'larger'])
        await expect(deliverTo(store, mailboxId, sealed(name, 300_000))).rejects.toMatchObject({ code: 'unavailable' })
    }
    let isRefusing = true
    const refused = Promise.all(mailboxes.map(deliver)).finally(() => {
      isRefusing = false
    })
    while (isRefusing) {
      const { ok } = await store.health()
      expect(ok).toBe(true)
      for (const { mailboxId } of mailboxes) {
        expect(await store.findMailbox(mailboxId)).toMatchObject({ messageCount: 1 })
        expect(await store.changesSince(mailboxId, 0, 10)).toHaveLength(1)
        expect(await store.readMessage(mailboxId, messageId)).toBeDefined()
      }
    }
    await refused
  })
})

function describeChange(change: Change): string {
  const { type } = change
  return type === 'message' && change.sealedAuthentication ? `${type} with ${Buffer.from(change.sealedAuthentication)}` : type
}

function killReplicas({ nodes }: RedisCluster): void {
  for (const { pid, isRunning } of nodes.slice(3)) if (isRunning) process.kill(pid, 'SIGKILL')
}

async function openStore({ url }: RedisCluster, replicas: 1 | 'auto' = 'auto') {
  const cluster = await openCluster({ urls: url.split(','), replicas, isSynced: false })
  return await openValkeyStore({ cluster, clock: () => START, keyCheck: 'one' })
}

async function createOne(store: Awaited<ReturnType<typeof openStore>>) {
  const record = mailboxRecord(START + 600_000)
  await store.createMailbox(record)
  return record
}
