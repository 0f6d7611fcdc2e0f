import { expect, test } from 'vitest'
import { checkLimit, createMemoryLimits, enforceLimit, type SharedLimits } from './limiter.ts'

const LIMIT = { name: 'test', max: 2, windowSeconds: 60 }

test('attempts run out, the remaining wait is returned, and the window ends exactly', async () => {
  let now = 1000
  const limiter = createMemoryLimits(() => now)
  expect([await limiter.take(LIMIT, 'a'), await limiter.take(LIMIT, 'a')].map(left => left?.remaining)).toEqual([1, 0])
  await expect(enforceLimit(limiter, LIMIT, 'a')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60 })
  await expect(enforceLimit(limiter, LIMIT, 'b')).resolves.toBeUndefined()
  now += 59_999
  await expect(checkLimit(limiter, LIMIT, 'a')).rejects.toMatchObject({ retryAfterSeconds: 1 })
  now += 1
  expect(await limiter.take(LIMIT, 'a')).toEqual({ remaining: 1, retryAfterSeconds: 0 })
})

test('several attempts are taken together or not at all', async () => {
  const limiter = createMemoryLimits(() => 0)
  await limiter.take(LIMIT, 'a')
  expect(await limiter.take(LIMIT, 'a', 2)).toBeUndefined()
  await expect(checkLimit(limiter, LIMIT, 'a', 2)).rejects.toMatchObject({ remaining: 1, retryAfterSeconds: 60 })
  expect(await limiter.take(LIMIT, 'a')).toEqual({ remaining: 0, retryAfterSeconds: 60 })
  await expect(enforceLimit(limiter, LIMIT, 'b', 3)).rejects.toMatchObject({ remaining: 2, retryAfterSeconds: 60 })
  expect(await limiter.take(LIMIT, 'b', 2)).toEqual({ remaining: 0, retryAfterSeconds: 60 })
})

test('an attempt is counted when its window ends while it is refused', async () => {
  let now = 0
  const limits = createMemoryLimits(() => now)
  await limits.take(LIMIT, 'a', 2)
  const peek: SharedLimits['peek'] = (...args) => {
    now = 60_000
    return limits.peek(...args)
  }
  await enforceLimit({ take: limits.take, peek }, LIMIT, 'a')
  expect(await limits.peek(LIMIT, 'a')).toMatchObject({ remaining: 1 })
})

test('what a process counts alone is enforced, also while a full shard can still be read', async () => {
  const [alone, shard] = [createMemoryLimits(() => 0), createMemoryLimits(() => 0)]
  const limiter = { take: alone.take, peek: shard.peek }
  await enforceLimit(limiter, LIMIT, 'a', 2)
  await expect(enforceLimit(limiter, LIMIT, 'a')).rejects.toMatchObject({ code: 'rate_limited', remaining: 0, retryAfterSeconds: 60 })
})

test('of a hundred simultaneous attempts exactly the allowed number succeed', async () => {
  const limiter = createMemoryLimits(() => 0)
  const taken = await Promise.all(Array.from({ length: 100 }, () => limiter.take(LIMIT, 'a')))
  expect(taken.filter(Boolean)).toHaveLength(2)
})

test('the number of keys is bounded by removing the oldest', async () => {
  const limiter = createMemoryLimits(() => 0, { keysMax: 100 })
  for (let i = 0; i < 1000; i++) await limiter.take(LIMIT, `key ${i}`)
  const left = await Promise.all(Array.from({ length: 1000 }, (_, i) => limiter.peek(LIMIT, `key ${i}`)))
  expect(left.filter(({ remaining }) => remaining < LIMIT.max).length).toBeLessThanOrEqual(100)
  expect((await limiter.peek(LIMIT, 'key 999')).remaining).toBe(1)
})

test('of many simultaneous callers one is the first until the mark expires', async () => {
  let now = 1000
  const limits = createMemoryLimits(() => now)
  const all = () => Promise.all(Array.from({ length: 20 }, () => limits.once('test', 'nonce', 500)))
  expect((await all()).filter(Boolean)).toHaveLength(1)
  expect(await limits.once('test', 'another', 500)).toBe(true)
  expect(await limits.once('other', 'nonce', 500)).toBe(true)
  now += 500
  expect((await all()).filter(Boolean)).toHaveLength(1)
  expect(await limits.once('test', 'too late', 0)).toBe(false)
})

test('when there are too many marks, none is given twice, and later ones still are given', async () => {
  let now = 0
  const limits = createMemoryLimits(() => now, { marksMax: 100 })
  const first = async (from: number, lifetimeMs: number) =>
    (await Promise.all(Array.from({ length: 150 }, (_, i) => limits.once('test', `${from + i}`, lifetimeMs)))).filter(Boolean).length
  expect(await first(0, 1000)).toBe(101)
  expect(await first(0, 1000)).toBe(0)
  now += 10
  expect(await first(1000, 1000)).toBe(101)
})

test('a bucket is emptied, refills with time, and tokens can be returned', async () => {
  let now = 0
  const limits = createMemoryLimits(() => now)
  const bucket = { name: 'test', capacity: 10, perSecond: 5 }
  expect(await limits.takeTokens(bucket, 'a', 10)).toBe(0)
  expect(await limits.takeTokens(bucket, 'a', 4)).toBe(-4)
  expect(await limits.takeTokens({ ...bucket, name: 'other' }, 'a', 1)).toBe(9)
  now += 500
  expect(await limits.takeTokens(bucket, 'a', 0)).toBe(2.5)
  expect(await limits.takeTokens(bucket, 'a', -100)).toBe(10)
})

test('a flood from many networks empties no count of an account, and no window that is full', async () => {
  const limits = createMemoryLimits(() => 0, { keysMax: 100 })
  const [ofAccount, ofNetwork] = [LIMIT, { ...LIMIT, name: 'network', isPerNetwork: true }]
  for (let n = 0; n < LIMIT.max; n++)
    for (const [limit, key] of [
      [ofAccount, 'account'],
      [ofNetwork, 'full'],
    ] as const)
      await limits.take(limit, key)
  for (let n = 0; n < 1000; n++) await limits.take(ofNetwork, `network ${n}`)
  expect(await limits.take(ofAccount, 'account')).toBeUndefined()
  expect(await limits.take(ofNetwork, 'full')).toBeUndefined()
})

test('a key as long as its client likes takes no more memory than a short one', async () => {
  const limits = createMemoryLimits(() => 0)
  const bucket = { name: 'test', capacity: 1, perSecond: 0 }
  const before = process.memoryUsage().rss
  const keyOf = (n: number) => Buffer.alloc(20_000, `${n} `).toString('latin1')
  for (let n = 0; n < 10_000; n++) await limits.takeTokens(bucket, keyOf(n), 1)
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  expect([await limits.takeTokens(bucket, keyOf(0), 1), await limits.takeTokens(bucket, keyOf(10_000), 1)]).toEqual([-1, 0])
})
