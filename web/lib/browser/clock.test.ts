import { afterEach, expect, test, vi } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { pageClock } from './clock.ts'

afterEach(() => vi.useRealTimers())

test('a page sleeps for 60 days, which is more than a timer can wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let isOver = false
  void pageClock.sleep(60 * DAY_MS, new AbortController().signal).then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(60 * DAY_MS - 1)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isOver).toBe(true)
})

test('a sleep that is aborted in its second step never ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const leaving = new AbortController()
  void pageClock.sleep(60 * DAY_MS, leaving.signal)
  await vi.advanceTimersByTimeAsync(30 * DAY_MS)
  leaving.abort()
  expect(vi.getTimerCount()).toBe(0)
})
