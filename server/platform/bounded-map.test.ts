import { expect, test } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

test('a full map drops the oldest entry', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('c', 3)
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([undefined, 2, 3, 2])
})

test('setting an entry again makes it the newest', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4])
})

test('delete and clear remove entries', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.delete('a')
  expect([map.get('a'), map.size]).toEqual([undefined, 1])
  map.clear()
  expect(map.size).toBe(0)
})
