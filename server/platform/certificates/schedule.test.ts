import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { renewalAt, retryAt } from './certificates.ts'

const MINUTE_MS = 60_000

test.each([
  [90, 60, 52.5],
  [6, 4, 3.5],
])('a certificate of %d days is renewed after %d days at the latest, %d at the earliest', (days, latest, earliest) => {
  const validity = { validFrom: 0, validTo: days * DAY_MS }
  expect(renewalAt(validity, 0)).toBe(latest * DAY_MS)
  expect(renewalAt(validity, 1)).toBe(earliest * DAY_MS)
})

test('pauses grow fourfold from a minute to twelve hours, and vary by a fifth', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 20].map(failures => retryAt(0, failures, 0, 0) / MINUTE_MS)
  expect(pauses).toEqual([1, 4, 16, 64, 256, 720, 720])
  expect(retryAt(0, 1, 0, 1)).toBe(1.2 * MINUTE_MS)
})

test('an authority that asks for a longer pause gets it', () => {
  expect(retryAt(0, 1, DAY_MS, 0)).toBe(DAY_MS)
  expect(retryAt(0, 6, MINUTE_MS, 0)).toBe(720 * MINUTE_MS)
})
