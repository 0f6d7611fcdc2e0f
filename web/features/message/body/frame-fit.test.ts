import { expect, test } from 'vitest'
import { INITIAL_FIT, nextFit } from './frame-document.ts'

const [PHONE, DESKTOP] = [390, 1280]

test('the height follows the content', () => {
  const fit = nextFit(INITIAL_FIT, 812.3, 640, DESKTOP)
  expect(fit.height).toBe(813)
  expect(nextFit(fit, 813, 640, DESKTOP)).toBe(fit)
})

test('a mail of 110vh converges in three steps instead of growing without end (X19)', () => {
  let fit = nextFit(INITIAL_FIT, 500, 640, DESKTOP)
  for (let i = 0; i < 100; i++) fit = nextFit(fit, fit.height * 1.1, 640, DESKTOP)
  expect(fit.steps).toBe(3)
  expect(fit.height).toBeLessThan(700)
})

test('the height is limited, and is adjusted again after a change of width', () => {
  let fit = nextFit(INITIAL_FIT, 10_000_000, 560, DESKTOP)
  expect(fit.height).toBe(20_000)
  expect(nextFit(INITIAL_FIT, 60_000, 375, PHONE).height).toBe(60_000)
  expect(nextFit(INITIAL_FIT, 10_000_000, 375, PHONE).height).toBe(200_000)
  for (let i = 0; i < 10; i++) fit = nextFit(fit, 1000 + i, 640, DESKTOP)
  expect(nextFit(fit, 300, 320, PHONE)).toEqual({ height: 300, width: 320, steps: 1 })
})
