/** Limits on a real cluster, counted by two clients as in two processes. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRedis } from '#test/harness/servers/redis-cluster.ts'
import { sharedCluster } from '#test/harness/servers/shared-cluster.ts'
import type { Cluster } from './client/cluster.ts'
import { openCluster } from './client/open-cluster.ts'
import { createValkeyLimits } from './valkey-limiter.ts'

describe.skipIf(!findRedis())('limits on a cluster (needs redis-server)', () => {
  const stack = new AsyncDisposableStack()
  const secret = randomBytes(32).toString('hex')
  let clusters: Cluster[] = []
  type ValkeyLimits = ReturnType<typeof createValkeyLimits>
  let limits: ValkeyLimits[] = []
  const [one, other] = [() => limits[0] as ValkeyLimits, () => limits[1] as ValkeyLimits]
  beforeAll(async () => {
    const urls = (await sharedCluster()).split(',')
    clusters = await Promise.all([1, 2].map(() => openCluster({ urls, replicas: 'auto', isSynced: false })))
    for (const cluster of clusters) stack.use(cluster)
    limits = clusters.map(cluster => createValkeyLimits({ cluster, secret, clock: Date.now }))
  })
  afterAll(() => stack.disposeAsync())

  test('attempts through two processes count together, and the window ends', async () => {
    const limit = { name: 'test', max: 10, windowSeconds: 2 }
    expect(await one().peek(limit, 'a')).toEqual({ remaining: 10, retryAfterSeconds: 0 })
    const taken = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? one() : other()).take(limit, 'a')))
    expect(taken.filter(Boolean)).toHaveLength(10)
    expect(new Set(taken.map(allowance => allowance?.remaining))).toEqual(new Set([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, undefined]))
    expect((await other().peek(limit, 'a')).retryAfterSeconds).toBeGreaterThan(0)
    expect(await one().take(limit, 'b')).toEqual({ remaining: 9, retryAfterSeconds: 0 })
    expect(await one().take({ ...limit, name: 'other' }, 'a')).toEqual({ remaining: 9, retryAfterSeconds: 0 })
    expect(await one().take(limit, 'b', 10)).toBeUndefined()
    expect(await one().take(limit, 'b', 9)).toMatchObject({ remaining: 0 })
    await expect.poll(async () => (await one().peek(limit, 'a')).remaining).toBe(10)
    expect(await one().take(limit, 'a')).toEqual({ remaining: 9, retryAfterSeconds: 0 })
  })

  test('of many simultaneous callers one is the first until the mark expires', async () => {
    const all = () => Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? one() : other()).once('test', 'nonce', 500)))
    expect((await all()).filter(Boolean)).toHaveLength(1)
    expect(await one().once('test', 'another', 500)).toBe(true)
    await sleep(600)
    expect((await all()).filter(Boolean)).toHaveLength(1)
    expect(await one().once('test', 'too late', 0)).toBe(false)
  })

  test('both processes empty a bucket, it refills with time, and tokens can be returned', async () => {
    // So slow that a busy machine refills less than one while it asks.
    const bucket = { name: 'test', capacity: 10, perSecond: 0.02 }
    expect(await one().takeTokens(bucket, 'a', 6)).toBe(4)
    expect(await other().takeTokens(bucket, 'a', 4)).toBeLessThan(1)
    expect(await other().takeTokens(bucket, 'a', 4)).toBeLessThan(0)
    const fast = { ...bucket, name: 'fast', perSecond: 5 }
    const before = await one().takeTokens(fast, 'a', 10)
    await sleep(500)
    expect(await other().takeTokens(fast, 'a', 0)).toBeGreaterThan(before + 2)
    expect(await one().takeTokens(bucket, 'a', -100)).toBe(10)
  })

  test('every key expires, and none contains what is limited', async () => {
    await one().take({ name: 'test', max: 5, windowSeconds: 60 }, '192.0.2.77')
    await one().takeTokens({ name: 'test', capacity: 5, perSecond: 0.1 }, '192.0.2.77', 2)
    await one().once('test', '192.0.2.77', 60_000)
    const [cluster] = clusters as [Cluster]
    const found = cluster.topology.shards.map(({ master }) => cluster.callMaster(master, 'KEYS', 'mayfly:limit:*'))
    const keys = ((await Promise.all(found)) as Buffer[][]).flat().map(String)
    expect(keys.length).toBeGreaterThanOrEqual(3)
    expect(keys.filter(key => key.includes('192'))).toEqual([])
    for (const key of keys) expect(Number(await cluster.call(key, 'PTTL')), key).not.toBe(-1)
  })
})
