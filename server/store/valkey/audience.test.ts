import { expect, test } from 'vitest'
import type { MailboxId } from '../store.ts'
import { Audience } from './audience.ts'

const [one, other] = ['one', 'other'] as MailboxId[] as [MailboxId, MailboxId]

test('nothing is published to an unwatched mailbox for five seconds, or until somebody watches it', () => {
  let now = 0
  const audience = new Audience(() => now)
  expect(audience.isAbsent(one), 'never looked up').toBe(false)
  audience.note(one, 0)
  audience.note(other, 0)
  audience.note(other, 2)
  expect([one, other].map(id => audience.isAbsent(id))).toEqual([true, false])
  now = 4999
  expect(audience.isAbsent(one)).toBe(true)
  now = 5000
  expect(audience.isAbsent(one)).toBe(false)
})

test('ten thousand mailboxes are remembered', () => {
  const audience = new Audience(() => 0)
  for (let n = 0; n < 10_001; n++) audience.note(String(n) as MailboxId, 0)
  expect(audience.isAbsent('0' as MailboxId)).toBe(false)
  expect(audience.isAbsent('1' as MailboxId)).toBe(true)
})
