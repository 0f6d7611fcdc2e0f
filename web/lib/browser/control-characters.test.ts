import { expect, test } from 'vitest'
import { withoutControls } from './control-characters.ts'

test.each([
  ['Ada Lovelace', 'Ada Lovelace', 'Ada Lovelace'],
  ['Ada\u0000\u0007 Love\u007flace\u0085', 'Ada Lovelace', 'Ada Lovelace'],
  ['one\ttwo\r\nthree\u2028four', 'one two three four', 'one\ttwo\r\nthree\u2028four'],
  ['Ada\u202e ecalevoL\u200f', 'Ada ecalevoL', 'Ada\u202e ecalevoL\u200f'],
  ['¿Qué tal?\u000b 😀', '¿Qué tal? 😀', '¿Qué tal? 😀'],
])('%j has no control characters afterwards', (text, line, lines) => {
  expect(withoutControls(text, { isOneLine: true })).toBe(line)
  expect(withoutControls(text, { isOneLine: false })).toBe(lines)
})
