import { expect, test } from 'vitest'
import { parseAddresses } from '#server/mime/addresses.ts'

test('a second comment is read past, not waited for', () => {
  expect(parseAddresses('a@b.test (first) (second)')).toEqual([{ name: 'first', address: 'a@b.test' }])
})

test.each([
  ['Pete(A nice \\) chap) <pete(his account)@silly.test(his host)>', 'Pete', 'pete@silly.test'],
  ['John Doe <jdoe@machine(comment).  example>', 'John Doe', 'jdoe@machine.example'],
  ['jdoe@test  . example', '', 'jdoe@test.example'],
  ['Mr. Smith smith@test.example', 'Mr. Smith', 'smith@test.example'],
  ['<"a b"@test.example>', '', '"a b"@test.example'],
])('%s: comments and spaces inside an address count for nothing', (field, name, address) => {
  expect(parseAddresses(field)).toEqual([{ name, address }])
})

test('a hundred thousand dots and spaces are read in one go', () => {
  expect(parseAddresses(`<a@b${' .'.repeat(50_000)} test>`)).toEqual([{ name: '', address: `a@b${'.'.repeat(50_000)}test` }])
})
