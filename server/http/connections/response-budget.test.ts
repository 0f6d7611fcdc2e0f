import { expect, test } from 'vitest'
import { MIB } from '#contract/limits.ts'
import { networksAround } from '#server/platform/net/ip-address.ts'
import { ResponseBudget } from './response-budget.ts'

const SLOW = ['192.0.2.1', '198.51.100.1', '203.0.113.1', '192.88.98.1']

/** `take` returns how many responses of this size the reader gets, and `ended` has the ones that gave way, in order. */
function start() {
  const budget = new ResponseBudget(256 * MIB)
  const ended: string[] = []
  const take = (address: string, mib: number, count = 1) => {
    const taken: Disposable[] = []
    for (let i = 0; i < count; i++)
      try {
        taken.push(budget.take(networksAround(address), mib * MIB, () => ended.push(`${address} ${i}`)))
      } catch {
        break
      }
    return taken
  }
  return { take, ended }
}

test('slow readers who hold all memory give way to others, the longest unread response of whoever holds most first', () => {
  const { take, ended } = start()
  expect(SLOW.map(address => take(address, 19, 4).length)).toEqual([3, 3, 3, 2])
  const victims = ['100.20.30.40', '2001:db8:9:9900::9'].map(address => take(address, 20).length)
  expect(victims).toEqual([1, 1])
  expect(ended).toEqual(['192.0.2.1 0', '198.51.100.1 0'])
  expect(take('100.20.30.40', 38), 'who already has some gets no more than others keep').toHaveLength(0)
})

test('many networks with little each, and a network over its own share, cut off nobody', () => {
  const many = start()
  const granted = Array.from({ length: 30 }, (_, i) => many.take(`198.18.${i}.1`, 16).length)
  expect(granted.filter(Boolean)).toHaveLength(14)
  const full = start()
  expect(full.take('192.0.2.1', 30, 3)).toHaveLength(2)
  expect([many.ended, full.ended]).toEqual([[], []])
})

test('who asks again and again cuts off those that hold most, not an older response of another network', () => {
  const { take, ended } = start()
  take('100.20.30.40', 18)
  for (let round = 0; round < 3; round++) for (const address of [...SLOW, '192.31.196.1']) take(address, 19, 4)
  expect(ended.length).toBeGreaterThan(0)
  expect(ended).not.toContain('100.20.30.40 0')
  expect(take('2001:db8:9:9900::9', 20)).toHaveLength(1)
})

test('what was sent or gave way is free again, once', () => {
  const { take, ended } = start()
  const taken = SLOW.flatMap(address => take(address, 19, 3))
  expect(take('100.20.30.40', 20)).toHaveLength(1)
  for (const response of [...taken, ...taken]) response[Symbol.dispose]()
  expect(
    SLOW.map(address => take(address, 12, 4).length),
    'all of it but what the victim has',
  ).toEqual([4, 4, 4, 4])
  expect(ended).toHaveLength(1)
})
