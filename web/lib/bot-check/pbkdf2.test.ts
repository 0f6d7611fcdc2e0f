import { pbkdf2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { pbkdf2 } from './pbkdf2.ts'

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 41 + length) & 0xff)

test.each([
  [1, 1, 1],
  [20, 16, 2],
  [20, 16, 5000],
  [64, 51, 7],
  [0, 0, 3],
] as const)('a password of %i bytes, a salt of %i, %i iterations: the same as OpenSSL', (password, salt, iterations) => {
  const derived = pbkdf2(bytes(password), bytes(salt), iterations)
  expect(Buffer.from(derived)).toEqual(pbkdf2Sync(bytes(password), bytes(salt), iterations, 32, 'sha256'))
})

test('a key longer than one block is refused', () => {
  expect(() => pbkdf2(bytes(65), bytes(16), 1)).toThrow(RangeError)
  expect(() => pbkdf2(bytes(20), bytes(52), 1)).toThrow(RangeError)
})
