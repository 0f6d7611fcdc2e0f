import { expect, test } from 'vitest'
import { senderWarning } from './sender-warning.ts'

// covers X12
test.each([
  ['Ada', 'ada@sender.example', undefined],
  ['', 'ada@sender.example', undefined],
  ['ada@sender.example', 'ada@sender.example', undefined],
  ['ada@sender.example', 'bounce@mail.sender.example', undefined],
  ['Ada (via list@lists.example)', 'list@lists.example', undefined],
  ['security@bank.example', 'x7@evil.example', { kind: 'otherAddress', name: 'x7@evil.example' }],
  ['"Bank" <security@bank.example>', 'x7@evil.example', { kind: 'otherAddress', name: 'x7@evil.example' }],
  ['Apple', 'id@xn--80ak6aa92e.com', { kind: 'lookalike', name: 'xn--80ak6aa92e.com' }],
  ['Apple', 'id@аррӏе.com', { kind: 'lookalike', name: 'xn--80ak6aa92e.com' }],
  ['Stadt', 'info@münchen.example', undefined],
  ['a@b', '', undefined],
] as const)('X12 the sender %s <%s>', (name, address, warning) => {
  expect(senderWarning({ name, address })).toEqual(warning)
})
