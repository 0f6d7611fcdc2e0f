import { expect, test } from 'vitest'
import { hashText } from './hash-text.ts'

test('the hash is 64-bit FNV-1a', () => {
  // Test vectors of the FNV reference page (draft-eastlake-fnv).
  expect(hashText('')).toBe('cbf29ce484222325')
  expect(hashText('a')).toBe('af63dc4c8601ec8c')
  expect(hashText('foobar')).toBe('85944171f73967e8')
})
