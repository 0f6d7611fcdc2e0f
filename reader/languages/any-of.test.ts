import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alternativesOf, anyOf } from './any-of.ts'

test('alternatives are grouped by their first letters', () => {
  expect(anyOf(['code', 'clave', 'token'])).toBe('c(?:ode|lave)|token')
})

test.each([
  ['a|b', ['a', 'b']],
  ['(?:sms|(?:tele|i)phone)-?(?:code|pin)|otp', ['sms-?(?:code|pin)', 'telephone-?(?:code|pin)', 'iphone-?(?:code|pin)', 'otp']],
  ['(?:the )?code', ['(?:the )?code']],
  [String.raw`[|(]a\||b`, [String.raw`[|(]a\|`, 'b']],
])('the alternatives of %s are %j', (source, alternatives) => {
  expect(alternativesOf(source)).toEqual(alternatives)
})

test('what may be absent, or is more than a letter, starts no group', () => {
  expect(anyOf(['v[eé]rif', 'valid', 'log ?in', '(?:para|pour) x'])).toBe('v(?:[eé]rif|alid)|log ?in|(?:para|pour) x')
})

test('finds what the plain list of alternatives finds', () => {
  const word = fc.stringMatching(/^[abc ]{1,5}[bc]?$/).map(letters => letters.replace(/^ ?$/, 'a'))
  const alternative = fc.oneof(
    word,
    fc.tuple(word, fc.constantFrom('?', '[ab]', '(?:a|b)', '.{0,2}c', '\\b')).map(([start, end]) => start + end),
  )
  fc.assert(
    fc.property(fc.array(alternative, { minLength: 1, maxLength: 6 }), fc.stringMatching(/^[abc ]{0,12}$/), (alternatives, text) => {
      expect(new RegExp(anyOf(alternatives), 'u').test(text)).toBe(new RegExp(alternatives.join('|'), 'u').test(text))
    }),
  )
})
