import { expect, test } from 'vitest'
import { cutBefore, splitDirections } from './directions.ts'

const lengths = (text: string) => {
  const parts = splitDirections(text)
  expect(parts.join('')).toBe(text)
  return parts.map(part => part.length)
}

test('text of one direction, and a page of both, stays one paragraph', () => {
  for (const text of [
    '',
    'word '.repeat(50_000),
    'שלום עולם '.repeat(50_000),
    'مرحبا بالعالم '.repeat(50_000),
    'שלום world '.repeat(200),
    '字 α б '.repeat(50_000),
  ])
    expect(splitDirections(text)).toEqual([text])
})

test.each(['(א[a', 'אב ab ', '\u2067a\u2066א', 'a\u200f', '\u202ea\u202c', 'مa', 'א1', 'א\u{1d41a}', '\u{1e900}a', '(א)[a]{א}'])(
  '%s repeated is parted often enough, and nothing is lost',
  unit => {
    expect(Math.max(...lengths(unit.repeat(50_000)))).toBeLessThanOrEqual(500 * unit.length)
  },
)

test('a word and what belongs to a letter stays together', () => {
  for (const part of splitDirections('אב ab '.repeat(5000)).slice(0, -1)) expect(part).toMatch(/ $/)
  for (const part of splitDirections('\u05d0\u05b7a\u0301'.repeat(5000))) expect(part).toMatch(/^[^\p{M}]/u)
  for (const part of splitDirections('\u{1e900}a'.repeat(5000))) expect(part.isWellFormed()).toBe(true)
})

test('no emoji and no flag is cut in two', () => {
  for (const letter of ['\u{1f469}\u200d\u{1f469}\u200d\u{1f467}', '\u{1f1e9}\u{1f1ea}', '\u{1f44d}\u{1f3fd}', 'e\u0301'])
    for (let end = 200; end < 220; end++)
      expect([letter, end, cutBefore(letter.repeat(200), 0, end) % letter.length]).toEqual([letter, end, 0])
  expect(cutBefore('\u{1f1e9}'.repeat(1000), 0, 501)).toBeLessThan(700)
  expect(cutBefore('a\u200d'.repeat(1000), 0, 501)).toBeLessThan(700)
})

test('a long URL stays whole', () => {
  const url = `https://shop.example/${'x'.repeat(1500)}`
  expect(cutBefore(`${'word '.repeat(500)}${url} word`, 0, 3000)).toBe(2500)
})
