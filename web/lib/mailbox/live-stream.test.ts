import { expect, test } from 'vitest'
import { backoffMs } from './live-stream.ts'

test('reconnects wait longer after each failure, up to half a minute, at random times', () => {
  expect([1, 2, 3, 20].map(failures => backoffMs(failures, 1))).toEqual([750, 1250, 2250, 30_250])
  expect([1, 20].map(failures => backoffMs(failures, 0))).toEqual([250, 250])
})
