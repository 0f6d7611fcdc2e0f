import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

test('networks are served in turn, each in its own order', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push([item.slice(0, 1)], item)
  expect(queue.size).toBe(6)
  const served = Array.from({ length: 7 }, () => queue.shift())
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined])
  expect(queue.size).toBe(0)
})

test('many small networks within a large one have one turn together', () => {
  const queue = new FairQueue<string>()
  for (const small of ['a1', 'a2', 'a3']) for (const item of ['x', 'y']) queue.push([small, 'a'], small + item)
  queue.push(['b1', 'b'], 'b1x')
  queue.push(['b2', 'b'], 'b2x')
  expect(Array.from({ length: 8 }, () => queue.shift())).toEqual(['a1x', 'b1x', 'a2x', 'b2x', 'a3x', 'a1y', 'a2y', 'a3y'])
})

test('items that are put back are served as if they had never been removed', () => {
  const queue = new FairQueue<string>()
  const push = (item: string) => queue.push([item.slice(0, 2), item.slice(0, 1)], item)
  for (const item of ['a1x', 'b1x', 'a1y', 'a2x', 'b1y']) push(item)
  const [first, ...others] = Array.from({ length: 4 }, () => queue.shift() ?? '')
  push('c1x')
  queue.putBack(others.map(item => ({ owner: [item.slice(0, 2), item.slice(0, 1)], item })))
  expect(queue.size).toBe(5)
  expect([first, ...Array.from({ length: 6 }, () => queue.shift())]).toEqual(['a1x', 'b1x', 'a2x', 'c1x', 'b1y', 'a1y', undefined])
})

test('what a large network has waiting is removed in the order of its turns', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1x', 'a1y', 'a2x', 'b1x']) queue.push([item.slice(0, 2), item.slice(0, 1)], item)
  expect(queue.removeLine('a')).toEqual(['a1x', 'a2x', 'a1y'])
  expect(queue.removeLine('a')).toEqual([])
  expect([queue.size, queue.shift(), queue.size]).toEqual([1, 'b1x', 0])
})
