import { expect, test } from 'vitest'
import { parseAddresses } from './addresses.ts'

test('a second comment is read past, not waited for', () => {
  expect(parseAddresses('a@b.test (first) (second)')).toEqual([{ name: 'first', address: 'a@b.test' }])
})

test.each([
  ['Pete(A nice \\) chap) <pete(his account)@silly.test(his host)>', 'Pete', 'pete@silly.test'],
  ['John Doe <jdoe@machine(comment).example>', 'John Doe', 'jdoe@machine.example'],
  ['Mr. Smith smith@test.example', 'Mr. Smith', 'smith@test.example'],
  ['<"a b"@test.example>', '', '"a b"@test.example'],
])('%s: comments inside an address count for nothing', (field, name, address) => {
  expect(parseAddresses(field)).toEqual([{ name, address }])
})

test.each([
  ['<a@x.test .bank.test>', 'a@x.test .bank.test'],
  ['a@x.test .bank.test', 'a@x.test'],
  ['<a@x.test\u00a0@bank.test>', 'a@x.test\u00a0@bank.test'],
])('%s: white space makes no longer domain, as the verdict about the sender does not see it', (field, address) => {
  expect(parseAddresses(field)[0]?.address).toBe(address)
})
