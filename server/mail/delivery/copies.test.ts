import { expect, test } from 'vitest'
import { CopyBudget } from './copies.ts'

const LARGE = 1024 * 1024
const settled = async (promise: Promise<unknown>) => {
  let isSettled = false
  void promise.then(() => {
    isSettled = true
  })
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  return isSettled
}

test('large copies wait for memory, in order, and small ones never wait', async () => {
  const budget = new CopyBudget(2 * LARGE)
  const held = [await budget.acquire(LARGE), await budget.acquire(LARGE)]
  const third = budget.acquire(LARGE)
  const fourth = budget.acquire(LARGE)
  expect(await settled(third)).toBe(false)
  expect(await settled(budget.acquire(1000))).toBe(true)
  held[0]?.[Symbol.dispose]()
  expect(await settled(third)).toBe(true)
  expect(await settled(fourth)).toBe(false)
  held[1]?.[Symbol.dispose]()
  expect(await settled(fourth)).toBe(true)
})

test('a copy larger than the whole budget is processed alone', async () => {
  const budget = new CopyBudget(LARGE)
  const held = await budget.acquire(3 * LARGE)
  const next = budget.acquire(LARGE)
  expect(await settled(next)).toBe(false)
  held[Symbol.dispose]()
  expect(await settled(next)).toBe(true)
})
