import { expect, test } from 'vitest'
import { parseAddresses, parseSender } from './addresses.ts'

test('a second comment is skipped in linear time', () => {
  expect(parseAddresses('a@b.test (first) (second)')).toEqual([{ name: 'first', address: 'a@b.test' }])
})

test.each([
  ['Pete(A nice \\) chap) <pete(his account)@silly.test(his host)>', 'Pete', 'pete@silly.test'],
  ['John Doe <jdoe@machine(comment).example>', 'John Doe', 'jdoe@machine.example'],
  ['Mr. Smith smith@test.example', 'Mr. Smith', 'smith@test.example'],
  ['<"a b"@test.example>', '', '"a b"@test.example'],
])('%s: comments inside an address are ignored', (field, name, address) => {
  expect(parseAddresses(field)).toEqual([{ name, address }])
})

test.each([
  ['<a@x.test .bank.test>', 'a@x.test.bank.test'],
  ['a@x.test .bank.test', 'a@x.test.bank.test'],
  ['<a @ x . test>', 'a@x.test'],
  ['a @ x.test', 'a@x.test'],
  ['j . doe @ x . test', 'j.doe@x.test'],
  ['"a @ b" @ x.test', '"a @ b"@x.test'],
  ['<a@x.test\u00a0@bank.test>', 'a@x.test\u00a0@bank.test'],
])('%s: white space around the parts of an address is obsolete, but valid', (field, address) => {
  expect(parseAddresses(field)[0]?.address).toBe(address)
})

test.each([
  ['Team ,_<no-reply@host.test>', 'Team, _', 'no-reply@host.test'],
  ['Decathlon, Decathlon <a@b.test>', 'Decathlon, Decathlon', 'a@b.test'],
  ['Support; Bank <a@b.test>', 'Support; Bank', 'a@b.test'],
  ['Deals @ Shop, now <a@b.test>', 'Deals @ Shop, now', 'a@b.test'],
  ['=?utf-8?Q?Caf=C3=A9?=, Paris <a@b.test>', 'Café, Paris', 'a@b.test'],
  ['boss@bank.test, Mallory <mallory@evil.test>', 'Mallory', 'mallory@evil.test'],
  ['root', 'root', ''],
  ['<MAILER-DAEMON>', 'MAILER-DAEMON', ''],
  ['Mail <>', 'Mail', ''],
  ['Facebook, <>', 'Facebook', ''],
  ['Name <a@b,com>', 'Name', 'a@b,com'],
  ['Name,(<a@b.test>)', 'Name', 'a@b.test'],
  ['=?utf-8?Q?Bank=0D=0A=0D=0A__of_Ada=2C?= <a@b.test>', 'Bank of Ada', 'a@b.test'],
  ['jane@x.test (Jane)', 'Jane', 'jane@x.test'],
  ['', '', ''],
  ['Name <<a@b.test>>', 'Name', 'a@b.test'],
  ['Name a@b.test>', 'Name', 'a@b.test'],
  ['Name [a@b.test]', 'Name', 'a@b.test'],
  ["'a@b.test'", '', 'a@b.test'],
  ['"Name <a@b.test>', 'Name', 'a@b.test'],
  ['"a@b.test"', '', 'a@b.test'],
  ['Name <mailto:a@b.test>', 'Name', 'a@b.test'],
  ['"Bank <security@bank.test>" evil@x.test', 'Bank <security@bank.test>', 'evil@x.test'],
  ['"evil@x.test"evil@x.test', 'evil@x.test', 'evil@x.test'],
  ['Netflix: Support <evil@x.test>', 'Netflix: Support', 'evil@x.test'],
  ['PayPal:<evil@x.test>', 'PayPal', 'evil@x.test'],
  ['Team: Ann <a@b.test>;', 'Ann', 'a@b.test'],
  ['\u202emoc.knab <evil@x.test>', 'moc.knab', 'evil@x.test'],
])('the sender of %j is %j <%s>', (field, name, address) => {
  expect(parseSender(field)).toEqual({ name, address })
})

test.each([
  ['=?utf-8?b?xb5vZmlh?=@example.org', '', 'žofia@example.org'],
  ['<=?utf-8?b?xb5vZmlh?=@example.org>', '', 'žofia@example.org'],
  ['=?utf-8?b?xb1vZmlh?= <=?utf-8?q?=C5=BEofia?=@example.org>', 'Žofia', 'žofia@example.org'],
  ['=?utf-8?b?xb1vZmlh?= =?utf-8?b?xb5vZmlh?=@example.org', 'Žofia', 'žofia@example.org'],
  ['=?utf-8?b?xb5vZmlh?=@example.org (Sales)', 'Sales', 'žofia@example.org'],
  ['"=?utf-8?b?xb5vZmlh?="@example.org', '', 'žofia@example.org'],
  ['"Sales, Žofia" <"=?utf-8?b?xb5vZmlh?="@example.org>', 'Sales, Žofia', 'žofia@example.org'],
  ['=?utf-8?q?mary=2Eann?=@example.org', '', 'mary.ann@example.org'],
  ['shop+=?iso-8859-2?q?=BEofia?=@example.org', '', 'shop+žofia@example.org'],
  ['=?utf-8?b?xb4=?==?utf-8?b?b2ZpYQ==?=@example.org', '', 'žofia@example.org'],
  ['=?utf-8?q?boss=40bank=2Etest?=@example.org', 'boss@bank.test@example.org', ''],
  ['<=?utf-8?q?boss=40bank=2Etest?=@example.org>', '', '=?utf-8?q?boss=40bank=2Etest?=@example.org'],
  ['<=?utf-8?q?a_b?=@example.org>', '', '=?utf-8?q?a_b?=@example.org'],
  ['=?utf-8?q?boss=40bank=2Etest?=', 'boss@bank.test', ''],
])('the coded local part of %s is decoded if it is a plain one', (field, name, address) => {
  expect(parseSender(field)).toEqual({ name, address })
  expect(parseAddresses(`Bob <bob@x.test>, ${field}`)[1]).toEqual({ name, address })
})

test('an unquoted comma is part of the name in lists too, and a group keeps its members', () => {
  expect(parseAddresses('Doe, Jane <j@x.test>, b@x.test')).toEqual([
    { name: 'Doe, Jane', address: 'j@x.test' },
    { name: '', address: 'b@x.test' },
  ])
  expect(parseAddresses('Friends: Bob; Jane <j@x.test>')).toEqual([
    { name: 'Bob', address: '' },
    { name: 'Jane', address: 'j@x.test' },
  ])
})

test.each(['@', '>', '=', ':', 'a,', '=?', '"a"@b '])('a field of 120 kB made of %j is read in linear time and bounded in length', part => {
  const field = part.repeat(120_000 / part.length)
  expect(parseAddresses(field).length).toBeLessThanOrEqual(1000)
  expect(parseSender(`${field}, Bank <a@b.test>`).name.length).toBeLessThan(130_000)
})

test('of a list with too many names only the beginning is read, and then a bare address is not called the sender', () => {
  const names = 'a,'.repeat(5000)
  expect(parseSender(`forged@bank.test, ${names} <real@x.test>`)).toEqual({ name: expect.any(String), address: '' })
  expect(parseSender(`Shop <shop@x.test>, ${names} <other@x.test>`)).toEqual({ name: 'Shop', address: 'shop@x.test' })
})

test.each([
  ['"Bob \\" x@y.test', { name: 'Bob "', address: 'x@y.test' }],
  ['say "hi x@y.test', { name: 'say hi', address: 'x@y.test' }],
  ['"a\\" b"@c.test', { name: '', address: '"a\\" b"@c.test' }],
  ['"say \\"hi\\" \\"you ann@c.test', { name: 'say "hi" "you', address: 'ann@c.test' }],
])('%j: quotes that close nothing only separate words', (field, expected) => {
  expect(parseSender(field)).toEqual(expected)
})
