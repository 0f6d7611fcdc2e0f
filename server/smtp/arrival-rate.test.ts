import { expect, test } from 'vitest'
import { ArrivalRate } from './limits.ts'

const limits = { dataWindowMs: 60_000, dataBytesPerSecondMin: 1024 }

test('fast bytes at the start buy no time later, and a slow sender is noticed within a window', () => {
  const rate = new ArrivalRate(0)
  const tooSlowAt = (bytesAt: (ms: number) => number) => {
    for (let now = 1000; now <= 600_000; now += 1000) if (rate.sampleAndJudge(now, bytesAt(now), limits)) return now
    return undefined
  }
  expect(tooSlowAt(() => 24_000_000)).toBeLessThanOrEqual(70_000)
})

test('a slow but steady sender may take any time', () => {
  const rate = new ArrivalRate(0)
  for (let now = 1000; now <= 1_800_000; now += 1000) expect(rate.sampleAndJudge(now, (now / 1000) * 1100, limits)).toBe(false)
})

test('a pause shorter than the window is allowed if enough arrived around it', () => {
  const rate = new ArrivalRate(0)
  for (let now = 1000; now <= 300_000; now += 1000) {
    const received = Math.floor(now / 50_000) * 100_000
    expect(rate.sampleAndJudge(now, received, limits)).toBe(false)
  }
})
