import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normaliseChosenLocalPart } from './chosen-addresses.ts'

const RESERVED = ['ssl', 'tls', 'admin', 'postmaster', 'hostmaster', 'webmaster', 'mailer-daemon', 'security', 'abuse', 'root-']
const OPERATOR_NAMES = new Set(['desk'])

/** The same name with each letter in either case. */
const inAnyCase = (name: string) =>
  fc
    .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
    .map(upper => [...name].map((letter, n) => (upper[n] ? letter.toUpperCase() : letter)).join(''))
const rest = fc.string({ unit: fc.constantFrom(...'abcxyz019-._'), maxLength: 20 })

test('a name that starts with a reserved word in any case is reserved, whatever follows', () => {
  fc.assert(
    fc.property(fc.constantFrom(...RESERVED).chain(inAnyCase), rest, (start, end) => {
      expect(() => normaliseChosenLocalPart(start + end, OPERATOR_NAMES)).toThrow(expect.objectContaining({ code: 'local_part_reserved' }))
    }),
  )
})

test('a name of the operator is reserved in any case and with any number or tag', () => {
  const suffix = fc.oneof(
    fc.constant(''),
    fc.nat().map(String),
    rest.map(tag => `+${tag}`),
  )
  fc.assert(
    fc.property(inAnyCase('desk'), suffix, (name, end) => {
      expect(() => normaliseChosenLocalPart(name + end, OPERATOR_NAMES)).toThrow(expect.objectContaining({ code: 'local_part_reserved' }))
    }),
  )
})

test('any other text is refused or gives a name that is its own normal form', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), rest), text => {
      let localPart: string
      try {
        localPart = normaliseChosenLocalPart(text, OPERATOR_NAMES)
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^(?:local_part_reserved|invalid_request)$/) })
        return
      }
      expect(localPart).toMatch(/^[a-z0-9._-]{3,32}$/)
      expect(normaliseChosenLocalPart(localPart, OPERATOR_NAMES)).toBe(localPart)
    }),
  )
})
