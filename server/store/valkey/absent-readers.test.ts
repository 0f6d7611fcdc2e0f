import { expect, test } from 'vitest'
import type { MailboxId } from '../store.ts'
import { AbsentReaders } from './client/subscriptions.ts'

const [one, other] = ['one', 'other'] as MailboxId[] as [MailboxId, MailboxId]

test('nothing is published to an unwatched mailbox for five seconds, or until somebody watches it', () => {
  let now = 0
  const absent = new AbsentReaders(() => now)
  expect(absent.isAbsent(one), 'never looked up').toBe(false)
  absent.recordListeners(one, 0)
  absent.recordListeners(other, 0)
  absent.recordListeners(other, 2)
  expect([one, other].map(id => absent.isAbsent(id))).toEqual([true, false])
  now = 4999
  expect(absent.isAbsent(one)).toBe(true)
  now = 5000
  expect(absent.isAbsent(one)).toBe(false)
})

test('ten thousand mailboxes are remembered', () => {
  const absent = new AbsentReaders(() => 0)
  for (let n = 0; n < 10_001; n++) absent.recordListeners(String(n) as MailboxId, 0)
  expect(absent.isAbsent('0' as MailboxId)).toBe(false)
  expect(absent.isAbsent('1' as MailboxId)).toBe(true)
})
