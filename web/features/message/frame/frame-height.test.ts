import { expect, test } from 'vitest'
import { HEIGHT_MAX_PX, INITIAL_FIT, nextFit, STEPS_MAX } from './frame-height.ts'

test('follows the content', () => {
  const fit = nextFit(INITIAL_FIT, 812.3, 640)
  expect(fit.height).toBe(813)
  expect(nextFit(fit, 813, 640)).toBe(fit)
})

// covers X19
test('a mail of 110vh converges in three steps instead of growing without end (X19)', () => {
  let fit = nextFit(INITIAL_FIT, 500, 640)
  for (let i = 0; i < 100; i++) fit = nextFit(fit, fit.height * 1.1, 640)
  expect(fit.steps).toBe(STEPS_MAX)
  expect(fit.height).toBeLessThan(700)
})

test('is capped, and a new width may be followed again', () => {
  let fit = nextFit(INITIAL_FIT, 10_000_000, 640)
  expect(fit.height).toBe(HEIGHT_MAX_PX.wide)
  expect(nextFit(INITIAL_FIT, 60_000, 375).height).toBe(60_000)
  expect(nextFit(INITIAL_FIT, 10_000_000, 375).height).toBe(HEIGHT_MAX_PX.narrow)
  for (let i = 0; i < 10; i++) fit = nextFit(fit, 1000 + i, 640)
  expect(nextFit(fit, 300, 320)).toEqual({ height: 300, width: 320, steps: 1 })
})
