import { expect, test } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

test('a full map drops the entry that was set longest ago', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('c', 3)
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([undefined, 2, 3, 2])
})

test('an entry that is set again counts as new', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4])
})

test('nothing is left after delete and clear', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.delete('a')
  expect([map.get('a'), map.size]).toEqual([undefined, 1])
  map.clear()
  expect(map.size).toBe(0)
})
