import { expect, test } from 'vitest'
import { valueTokens } from './css-tokens.ts'

test('a value of millions of characters is refused, and throws nothing', () => {
  expect(valueTokens(`url("a"${' '.repeat(20_000_000)}b)`)).toBeUndefined()
})
