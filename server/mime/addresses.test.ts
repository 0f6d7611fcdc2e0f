import { expect, test } from 'vitest'
import { parseAddresses } from '#server/mime/addresses.ts'

test('a second comment is read past, not waited for', () => {
  expect(parseAddresses('a@b.test (first) (second)')).toEqual([{ name: 'first', address: 'a@b.test' }])
})
