import { expect, test } from 'vitest'
import { equalShares, ShareBudget } from './share-budget.ts'

const KIB = 1024

test('one network gets its share, and can use again what it has released', () => {
  const budget = new ShareBudget(equalShares(800, 10))
  const [first, second] = [budget.openLease(['a']), budget.openLease(['a'])]
  expect([first.grow(60), second.grow(40), second.grow(1), budget.hasRoom(['a'], 1)]).toEqual([true, true, false, false])
  expect([budget.hasRoom(['b'], 100), budget.hasRoom(['b'], 101)]).toEqual([true, false])
  first[Symbol.dispose]()
  expect([second.grow(60), budget.held, budget.heldBy('a')]).toEqual([true, 100, 100])
})

test('when the rest is used, the reserve accepts small requests, a few of each network', () => {
  const budget = new ShareBudget(equalShares(800, 10))
  for (const network of 'abcdefg') budget.openLease([network]).grow(100)
  expect([budget.hasRoom(['x'], 11), budget.hasRoom(['x'], 10)]).toEqual([false, true])
  const small = budget.openLease(['x'])
  expect([small.grow(6), small.grow(4), small.grow(1)]).toEqual([true, true, false])
  expect([budget.openLease(['x']).grow(3), budget.openLease(['x']).grow(1), budget.openLease(['y']).grow(10)]).toEqual([true, false, true])
})

test('a network that has used its share gets nothing of the reserve', () => {
  const budget = new ShareBudget(equalShares(800, 10))
  for (const network of 'abcdefg') budget.openLease([network]).grow(100)
  expect(budget.openLease(['a']).grow(1)).toBe(false)
})

test('exempt clients are still limited by the whole budget', () => {
  const budget = new ShareBudget(equalShares(800, 10))
  expect([budget.openLease([]).grow(700), budget.openLease([]).grow(50), budget.openLease(['a']).grow(10)]).toEqual([true, false, true])
})

test('a budget smaller than one large request accepts it alone', () => {
  const budget = new ShareBudget(equalShares(1000 * KIB, 10, 900 * KIB))
  expect(budget.openLease(['a']).grow(900 * KIB)).toBe(true)
})

test('releasing twice counts once', () => {
  const budget = new ShareBudget(equalShares(800, 10))
  const [kept, released] = [budget.openLease(['a']), budget.openLease(['a'])]
  expect([kept.grow(20), released.grow(30)]).toEqual([true, true])
  released[Symbol.dispose]()
  released[Symbol.dispose]()
  expect([budget.held, budget.heldBy('a')]).toEqual([20, 20])
  kept[Symbol.dispose]()
  expect([budget.held, budget.heldBy('a')]).toEqual([0, 0])
})

const isSettled = async (promise: Promise<unknown>) => {
  let settled = false
  void promise.then(() => {
    settled = true
  })
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  return settled
}

test('those who wait start in turn, and none passes one that has no room yet', async () => {
  const budget = new ShareBudget({ total: 20 })
  const held = [await budget.wait(['a'], 10), await budget.wait(['a'], 10)]
  const [large, small, ofOther] = [budget.wait(['a'], 15), budget.wait(['a'], 1), budget.wait(['b'], 1)]
  held[0]?.[Symbol.dispose]()
  expect([await isSettled(large), await isSettled(small), await isSettled(ofOther)]).toEqual([false, false, false])
  held[1]?.[Symbol.dispose]()
  expect([await isSettled(large), await isSettled(ofOther), await isSettled(small)]).toEqual([true, true, true])
})

test('a holder whose leases fill the budget waits behind those of others, one by one', async () => {
  const budget = new ShareBudget({ total: 1 })
  const order: string[] = []
  const use = async (holder: string) => {
    using _lease = await budget.wait([holder], 1)
    order.push(holder)
  }
  await Promise.all(['a', 'a', 'a', 'a', 'b', 'c'].map(use))
  expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'a'])
})

test('a holder over its share waits for itself, and nobody else does', async () => {
  const budget = new ShareBudget({ total: 3, perHolderMax: 1 })
  const first = await budget.wait(['a'], 1)
  const second = budget.wait(['a'], 1)
  expect([await isSettled(second), await isSettled(budget.wait(['b'], 1))]).toEqual([false, true])
  first[Symbol.dispose]()
  expect(await isSettled(second)).toBe(true)
})

test('what is larger than the whole budget gets it alone', async () => {
  const budget = new ShareBudget({ total: 10 })
  const held = await budget.wait(['a'], 30)
  const next = budget.wait(['b'], 1)
  expect([budget.held, await isSettled(next)]).toEqual([10, false])
  held[Symbol.dispose]()
  expect(await isSettled(next)).toBe(true)
})
