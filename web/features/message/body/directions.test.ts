import { expect, test } from 'vitest'
import { splitDirections } from './directions.ts'

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
