import { expect, test } from 'vitest'
import { checkLimit, createMemoryLimiter, enforceLimit } from './limiter.ts'

const LIMIT = { name: 'test', max: 2, windowSeconds: 60 }

test('attempts run out, the remaining wait is returned, and the window ends exactly', async () => {
  let now = 1000
  const limiter = createMemoryLimiter(() => now)
  expect([await limiter.take(LIMIT, 'a'), await limiter.take(LIMIT, 'a')].map(left => left?.remaining)).toEqual([1, 0])
  await expect(enforceLimit(limiter, LIMIT, 'a')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60 })
  await expect(enforceLimit(limiter, LIMIT, 'b')).resolves.toBeUndefined()
  now += 59_999
  await expect(checkLimit(limiter, LIMIT, 'a')).rejects.toMatchObject({ retryAfterSeconds: 1 })
  now += 1
  expect(await limiter.take(LIMIT, 'a')).toEqual({ remaining: 1, retryAfterSeconds: 0 })
})

test('several attempts are taken together or not at all', async () => {
  const limiter = createMemoryLimiter(() => 0)
  await limiter.take(LIMIT, 'a')
  expect(await limiter.take(LIMIT, 'a', 2)).toBeUndefined()
  await expect(checkLimit(limiter, LIMIT, 'a', 2)).rejects.toMatchObject({ remaining: 1, retryAfterSeconds: 60 })
  expect(await limiter.take(LIMIT, 'a')).toEqual({ remaining: 0, retryAfterSeconds: 60 })
  await expect(enforceLimit(limiter, LIMIT, 'b', 3)).rejects.toMatchObject({ remaining: 2, retryAfterSeconds: 60 })
  expect(await limiter.take(LIMIT, 'b', 2)).toEqual({ remaining: 0, retryAfterSeconds: 60 })
})

test('of a hundred simultaneous attempts exactly the allowed number succeed', async () => {
  const limiter = createMemoryLimiter(() => 0)
  const taken = await Promise.all(Array.from({ length: 100 }, () => limiter.take(LIMIT, 'a')))
  expect(taken.filter(Boolean)).toHaveLength(2)
})

test('the number of keys is bounded by removing the oldest', async () => {
  const limiter = createMemoryLimiter(() => 0, 100)
  for (let i = 0; i < 1000; i++) await limiter.take(LIMIT, `key ${i}`)
  const left = await Promise.all(Array.from({ length: 1000 }, (_, i) => limiter.peek(LIMIT, `key ${i}`)))
  expect(left.filter(({ remaining }) => remaining < LIMIT.max).length).toBeLessThanOrEqual(100)
  expect((await limiter.peek(LIMIT, 'key 999')).remaining).toBe(1)
})
