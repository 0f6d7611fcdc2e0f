import { expect, test } from 'vitest'
import { equalShares, ShareBudget } from './share-budget.ts'

const KIB = 1024

test('one network gets its share, and can use again what it has released', () => {
  const budget = new ShareBudget(equalShares(800, 10))
  const [first, second] = [budget.openLease('a'), budget.openLease('a')]
  expect([first.grow(60), second.grow(40), second.grow(1), budget.hasRoom('a', 1)]).toEqual([true, true, false, false])
  expect([budget.hasRoom('b', 100), budget.hasRoom('b', 101)]).toEqual([true, false])
  first[Symbol.dispose]()
  expect([second.grow(60), budget.used, budget.usedBy('a')]).toEqual([true, 100, 100])
})

test('when the rest is used, the reserve accepts small requests, a few of each network', () => {
  const budget = new ShareBudget(equalShares(800, 10))
  for (const network of 'abcdefg') budget.openLease(network).grow(100)
  expect([budget.hasRoom('x', 11), budget.hasRoom('x', 10)]).toEqual([false, true])
  const small = budget.openLease('x')
  expect([small.grow(6), small.grow(4), small.grow(1)]).toEqual([true, true, false])
  expect([budget.openLease('x').grow(3), budget.openLease('x').grow(1), budget.openLease('y').grow(10)]).toEqual([true, false, true])
})

test('a network that has used its share gets nothing of the reserve', () => {
  const budget = new ShareBudget(equalShares(800, 10))
  for (const network of 'abcdefg') budget.openLease(network).grow(100)
  expect(budget.openLease('a').grow(1)).toBe(false)
})

test('exempt clients are still limited by the whole budget', () => {
  const budget = new ShareBudget(equalShares(800, 10))
  expect([budget.openLease(undefined).grow(700), budget.openLease(undefined).grow(50), budget.openLease('a').grow(10)]).toEqual([
    true,
    false,
    true,
  ])
})

test('a budget smaller than one large request accepts it alone', () => {
  const budget = new ShareBudget(equalShares(1000 * KIB, 10, 900 * KIB))
  expect(budget.openLease('a').grow(900 * KIB)).toBe(true)
})

test('releasing twice counts once', () => {
  const budget = new ShareBudget(equalShares(800, 10))
  const [kept, released] = [budget.openLease('a'), budget.openLease('a')]
  expect([kept.grow(20), released.grow(30)]).toEqual([true, true])
  released[Symbol.dispose]()
  released[Symbol.dispose]()
  expect([budget.used, budget.usedBy('a')]).toEqual([20, 20])
  kept[Symbol.dispose]()
  expect([budget.used, budget.usedBy('a')]).toEqual([0, 0])
})
