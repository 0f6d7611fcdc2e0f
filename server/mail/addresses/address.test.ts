import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isChoosable } from '#contract/text-patterns.ts'
import { formatAddress, generateLocalPart, normaliseAddress } from './address.ts'

const normal = (address: string) => {
  const parsed = normaliseAddress(address, 'mayfly.test')
  return parsed && formatAddress(parsed)
}

describe('two spellings of one address', () => {
  test.each([
    ['Jane@Mayfly.TEST', 'jane@mayfly.test'],
    ['jane@mayfly.test.', 'jane@mayfly.test'],
    ['jane+shop@mayfly.test', 'jane@mayfly.test'],
    ['jane+a+b@mayfly.test', 'jane@mayfly.test'],
    ['"jane"@mayfly.test', 'jane@mayfly.test'],
    ['"ja\\ne"@mayfly.test', 'jane@mayfly.test'],
    ['jane@exämple.test', 'jane@xn--exmple-cua.test'],
    ['jane@EXÄMPLE.test', 'jane@xn--exmple-cua.test'],
    ['jane@xn--EXMPLE-cua.test', 'jane@xn--exmple-cua.test'],
    ['Postmaster', 'postmaster@mayfly.test'],
    ['+tag@mayfly.test', '+tag@mayfly.test'],
    ['a@b@mayfly.test', 'a@b@mayfly.test'],
    ['victim%elsewhere.test@mayfly.test', 'victim%elsewhere.test@mayfly.test'],
  ])('%s is %s', (address, expected) => expect(normal(address)).toBe(expected))

  test.each(['', '@', '@mayfly.test', 'jane@', 'jane@.'])('%j is not an address', address => expect(normal(address)).toBeUndefined())

  test('normalising twice gives the same as once, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), text => {
        const once = normal(text)
        if (once !== undefined && !/["+]/.test(once)) expect(normal(once)).toBe(once)
      }),
    )
  })
})

describe('a generated local part', () => {
  test('is two short words and nine characters, cannot be chosen, and does not repeat', () => {
    const made = Array.from({ length: 5000 }, () => generateLocalPart())
    for (const localPart of made) {
      expect(localPart).toMatch(/^[a-z]{3,5}\.[a-z]{3,5}\.[0-9a-hjkmnp-tv-z]{9}$/)
      expect(isChoosable(localPart)).toBe(false)
    }
    expect(new Set(made).size).toBe(made.length)
  })

  test('takes its words from a list of 512 different ones of three to five letters', () => {
    const first = (word: number) => generateLocalPart(() => Buffer.from(word.toString(16).padStart(16, '0'), 'hex')).split('.')[0] ?? ''
    const words = Array.from({ length: 512 }, (_, word) => first(word))
    expect(new Set(words).size).toBe(512)
    expect(words.filter(word => !/^[a-z]{3,5}$/.test(word))).toEqual([])
  })

  test('uses all 63 bits', () => {
    expect(generateLocalPart(bytes => new Uint8Array(bytes))).toBe('acorn.acorn.000000000')
    expect(generateLocalPart(bytes => new Uint8Array(bytes).fill(255))).toBe('zone.zone.zzzzzzzzz')
    const flips = Array.from({ length: 63 }, (_, bit) =>
      generateLocalPart(() => Buffer.from((1n << BigInt(bit)).toString(16).padStart(16, '0'), 'hex')),
    )
    expect(new Set(flips).size).toBe(63)
  })
})
