import { expect, test } from 'vitest'
import { findNames, nameParts } from './name-parts.ts'

test.each([
  ['a host', 'pay-pal.com.secure.example', ['pay-pal', '.com', '.secure', '.example']],
  ['an address', 'ada.l@mail.example', ['ada', '.l', '@mail', '.example']],
  ['a part that begins with its sign', '@mail.example', ['@mail', '.example']],
  ['signs in a row', 'a..b@@c.', ['a', '.', '.b', '@', '@c', '.']],
  ['a line break of a sender', 'a\n.b', ['a\n', '.b']],
  ['nothing', '', []],
])('%s is cut before its dots and its @, and nothing is lost', (_, name, parts) => {
  expect(nameParts(name)).toEqual(parts)
  expect(nameParts(name).join('')).toBe(name)
})

test('more labels than a host can have are one part, so that boxes are not nested without end', () => {
  const name = 'a.'.repeat(100_000)
  expect(nameParts(name)).toHaveLength(128)
  expect(nameParts(name).join('')).toBe(name)
})

test('a sentence is cut around the names in it', () => {
  expect(findNames('Sent by a-long.host-name.example, on 3. May.')).toEqual([
    'Sent',
    ' ',
    'by',
    ' ',
    ['a-long', '.host-name', '.example,'],
    '',
    ' ',
    'on',
    ' ',
    '3.',
    ' ',
    'May.',
  ])
  expect(findNames('See https://www.shop-of-ada.example/a/b?c=d')).toEqual([
    'See',
    ' ',
    ['https://www', '.shop-of-ada', '.example'],
    ['/a'],
    ['/b'],
    ['?c=d'],
  ])
})
