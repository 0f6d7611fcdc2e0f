import { expect, test } from 'vitest'
import { parseSrcset } from './srcset.ts'

test.each([
  ['', []],
  [' , ,', []],
  ['a.png', [['a.png', '']]],
  [
    'a.png 1x, b.png 2x',
    [
      ['a.png', '1x'],
      ['b.png', '2x'],
    ],
  ],
  [
    'a.png, b.png 1.5x',
    [
      ['a.png', ''],
      ['b.png', '1.5x'],
    ],
  ],
  [
    'a.png .5x,\n b.png 640w ',
    [
      ['a.png', '.5x'],
      ['b.png', '640w'],
    ],
  ],
  [
    'w_1,h_2/a.png 1x,b.png 2x',
    [
      ['w_1,h_2/a.png', '1x'],
      ['b.png', '2x'],
    ],
  ],
  ['a.png 1y, b.png 2x', [['b.png', '2x']]],
  ['a.png 1.x, b.png 1x 2w, c.png 3x', [['c.png', '3x']]],
] as const)('%j', (srcset, candidates) => {
  expect(parseSrcset(srcset).map(({ url, size }) => [url, size])).toEqual(candidates)
})

test('a set beyond its limits is read in part or not at all', () => {
  expect(parseSrcset(`a.png 1x, ${'b'.repeat(16_384)}.png 2x`)).toEqual([])
  expect(parseSrcset('a.png 1x, '.repeat(100))).toHaveLength(32)
})
