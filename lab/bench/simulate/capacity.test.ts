import { expect, test } from 'vitest'
import { COSTS, dayShapes, demandAt, sizeFor } from './capacity.ts'
import { drawSvg, drawText } from './plot.ts'

test('the hours of each day average to the requested rate, except for a flood', () => {
  for (const name of ['ordinary', 'codes'] as const) {
    const { hours } = dayShapes[name]
    expect(hours).toHaveLength(24)
    expect(hours.reduce((sum, share) => sum + share, 0) / 24).toBeCloseTo(1, 1)
  }
})

test('demand grows with messages, and memory with the messages of one lifetime', () => {
  const [one, ten] = [1, 10].map(mean => demandAt(mean * 1000, dayShapes.ordinary, 9))
  expect((ten?.processCores ?? 0) / (one?.processCores ?? 1)).toBeCloseTo(10)
  expect((ten?.memoryBytes ?? 0) / (one?.memoryBytes ?? 1)).toBeCloseTo(10)
  expect(one?.memoryBytes).toBeGreaterThan(1000 * 1.5 * 600 * COSTS.memoryBytes.message)
})

test('machines are sized by the worst hour, with at least three shards', () => {
  const day = (mean: number) => Array.from({ length: 24 }, (_, hour) => demandAt(mean, dayShapes.flood, hour))
  expect(sizeFor(day(1))).toMatchObject({ shards: 3 })
  const { processCores } = sizeFor(day(1000))
  const worst = demandAt(1000, dayShapes.flood, 14)
  expect(processCores * 0.6).toBeGreaterThanOrEqual(worst.processCores)
})

test('what idle processes take of a master is not there for mail', () => {
  const busiest = demandAt(100_000, dayShapes.ordinary, 9)
  expect(sizeFor([busiest]).shards).toBeGreaterThan(Math.ceil(busiest.engineCores / 0.6))
})

test('the plots show every hour', () => {
  const values = Array.from({ length: 24 }, (_, hour) => hour + 1)
  expect(drawText(values).split('\n')).toHaveLength(24)
  const svg = drawSvg(values.map(messagesPerSecond => ({ messagesPerSecond, peakPerSecond: messagesPerSecond * 2 })))
  expect(svg.match(/<polyline points="([^"]*)"/)?.[1]?.split(' ')).toHaveLength(24)
})
