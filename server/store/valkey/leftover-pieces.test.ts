/** A large message is stored in pieces. None is left where its removal or its delivery failed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliverTo, mailboxRecord, START, sealed } from '#test/harness/mayfly/store-fixture.ts'
import { findRedis, type RedisCluster, startRedisCluster } from '#test/harness/servers/redis-cluster.ts'
import type { MailStore } from '../store.ts'
import { openCluster } from './client/open-cluster.ts'
import { keySlot } from './client/topology.ts'
import { openValkeyStore } from './valkey-store.ts'

const MIB = 1024 * 1024
/** Three pieces. */
const LARGE_BYTES = 600_000

describe.skipIf(!findRedis())('pieces of large mail (needs redis-server on this machine)', () => {
  let cluster: RedisCluster
  let store: MailStore
  beforeAll(async () => {
    cluster = await startRedisCluster({ settings: ['--cluster-node-timeout', '60000'] })
    const connection = await openCluster({ urls: cluster.url.split(','), replicas: 1, isSynced: false })
    store = await openValkeyStore({ cluster: connection, clock: () => START, keyCheck: 'one' })
  })
  afterAll(async () => {
    await store?.[Symbol.asyncDispose]()
    await cluster?.[Symbol.asyncDispose]()
  })

  const masters = () => cluster.nodes.slice(0, 3)

  /** The names of those of a mailbox, on all masters. */
  async function pieces(mailboxId: string): Promise<string[]> {
    const found = await Promise.all(masters().map(node => node.call('KEYS', `mayfly:{${mailboxId}}*:*`)))
    return (found as Buffer[][]).flat().map(String)
  }

  async function createOne() {
    const record = mailboxRecord(START + 600_000)
    await store.createMailbox(record)
    return record.mailboxId
  }

  async function createWithLarge(text: string) {
    const mailboxId = await createOne()
    const message = sealed(text, LARGE_BYTES)
    await deliverTo(store, mailboxId, message)
    expect(await pieces(mailboxId)).toHaveLength(3)
    return { mailboxId, ...message }
  }

  test('go in the step that removes their message, also if no replica confirms it', { timeout: 60_000 }, async () => {
    const [deleted, destroyed] = [await createWithLarge('deleted'), await createWithLarge('destroyed')]
    for (const { pid } of cluster.nodes.slice(3)) process.kill(pid, 'SIGSTOP')
    const unconfirmed = await Promise.allSettled([
      store.deleteMessage(deleted.mailboxId, deleted.messageId),
      store.destroyMailbox(destroyed.mailboxId),
    ])
    for (const { pid } of cluster.nodes.slice(3)) process.kill(pid, 'SIGCONT')
    expect(unconfirmed).toMatchObject(Array(2).fill({ status: 'rejected', reason: { code: 'unavailable' } }))
    expect([...(await pieces(deleted.mailboxId)), ...(await pieces(destroyed.mailboxId))]).toEqual([])
  })

  test('go when the mailbox ends before they are a message', { timeout: 60_000 }, async () => {
    const mailboxId = await createOne()
    const { sealedRaw, ...message } = sealed('late', LARGE_BYTES)
    let ending: Promise<boolean> | undefined
    // It is cut when the mailbox has said that there is room.
    const cut = Object.assign(Buffer.from(sealedRaw), {
      subarray(start: number, end: number) {
        ending ??= store.destroyMailbox(mailboxId)
        return sealedRaw.subarray(start, end)
      },
    })
    expect(await deliverTo(store, mailboxId, { ...message, sealedRaw: cut })).toBe('mailbox_not_found')
    expect(await ending).toBe(true)
    expect(await pieces(mailboxId)).toEqual([])
  })

  test('of a delivery that failed in between go at the next sweep', { timeout: 60_000 }, async () => {
    const mailboxId = await createOne()
    for (const node of masters()) {
      const [, used] = /^used_memory:(\d+)/m.exec(String(await node.call('INFO', 'memory'))) ?? []
      await node.call('CONFIG', 'SET', 'maxmemory', Number(used) + 3 * MIB)
    }
    const refused = deliverTo(store, mailboxId, sealed('too large', 20 * MIB))
    await expect(refused).rejects.toMatchObject({ code: 'storage_full' })
    expect(await pieces(mailboxId)).not.toEqual([])
    await store.sweep(1)
    expect(await pieces(mailboxId)).toEqual([])
    for (const node of masters()) await node.call('CONFIG', 'SET', 'maxmemory', 0)
  })

  test('of a delivery that was stored but not confirmed stay', { timeout: 60_000 }, async () => {
    const mailboxId = await createOne()
    const { sealedRaw, ...message } = sealed('unconfirmed', LARGE_BYTES)
    const cut = Object.assign(Buffer.from(sealedRaw), {
      subarray(start: number, end: number) {
        for (const { pid } of cluster.nodes.slice(3)) process.kill(pid, 'SIGSTOP')
        return sealedRaw.subarray(start, end)
      },
    })
    const delivered = await Promise.allSettled([deliverTo(store, mailboxId, { ...message, sealedRaw: cut })])
    for (const { pid } of cluster.nodes.slice(3)) process.kill(pid, 'SIGCONT')
    expect(delivered).toMatchObject([{ status: 'rejected', reason: { code: 'unavailable' } }])
    await store.sweep(1)
    expect((await store.readMessage(mailboxId, message.messageId))?.sealedRaw).toEqual(new Uint8Array(sealedRaw))
  })

  test('at another node, to which their slot moves, go when it has moved', { timeout: 60_000 }, async () => {
    const { mailboxId, messageId } = await createWithLarge('moving')
    const slot = keySlot(`{${mailboxId}}`)
    const from = masters()[Math.floor((slot * 3) / 16_384)]
    const to = masters().find(node => node !== from)
    if (!from || !to) throw new Error('no masters')
    const move = async (key = '') => await from.call('MIGRATE', to.host, to.port, key, 0, 5000)
    await to.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', String(await from.call('CLUSTER', 'MYID')))
    await from.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', String(await to.call('CLUSTER', 'MYID')))
    const [first] = await pieces(mailboxId)
    await move(first)

    expect(await store.deleteMessage(mailboxId, messageId)).toBe(true)
    expect(await pieces(mailboxId)).toEqual([first])
    await store.sweep(1)
    expect(await pieces(mailboxId)).toEqual([first])
    // What cannot move on says nothing of the shard.
    await Promise.all(Array.from({ length: 12 }, createOne))

    await move(`mayfly:{${mailboxId}}`)
    for (const node of [to, from]) await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', String(await to.call('CLUSTER', 'MYID')))
    const sweep = async () => await store.sweep(1).then(() => pieces(mailboxId))
    await expect.poll(sweep).toEqual([])
  })
})
