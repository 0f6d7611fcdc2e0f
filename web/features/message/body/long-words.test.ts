import { expect, test } from 'vitest'
import { splitLongWords } from './long-words.ts'

const MAX = 1000

const lengths = (text: string) => {
  const parts = splitLongWords(text)
  expect(parts.join('')).toBe(text)
  return parts.map(part => part.length)
}

test('a text of words stays one part', () => {
  for (const text of ['', 'word', 'words and\nlines '.repeat(10_000), 'a'.repeat(MAX), `${'a'.repeat(MAX)} ${'b'.repeat(MAX)}`])
    expect(splitLongWords(text)).toEqual([text])
})

test('a long word is parted after each thousand letters', () => {
  expect(lengths('a'.repeat(250_000))).toEqual(Array(250).fill(MAX))
  expect(lengths(`head ${'a'.repeat(MAX + 1)} tail`)).toEqual([5 + MAX, 6])
})

test('what belongs together is not parted', () => {
  const before = 'a'.repeat(MAX - 1)
  for (const whole of ['\u{1f600}', 'e\u0301\u0323', '\u{1f44d}\u{1f3fd}', '\u{1f469}\u200d\u{1f4bb}', '字。」'])
    expect(splitLongWords(`${before}${whole}${before}`).some(part => part.includes(whole))).toBe(true)
})

test('nothing goes on without a break: accents, joiners, dots, symbols', () => {
  for (const unit of ['\u0301', 'a\u200d', '.', '\u{1f600}', 'a\u00ad', '\u00a0'])
    expect(Math.max(...lengths(unit.repeat(50_000)))).toBeLessThanOrEqual(2 * MAX + 1)
})
