import { expect, test } from 'vitest'
import { randomId } from '#test/harness/mayfly/store-fixture.ts'
import { Notes } from './notes.ts'
import type { MailboxId } from './store.ts'

test('a note is written once for all subscribers, and not at all without one', () => {
  const notes = new Notes()
  const mailboxId = randomId<MailboxId>()
  let written = 0
  const publish = () => notes.publish(mailboxId, () => `note ${++written}`)
  publish()
  expect(written).toBe(0)
  const heard: string[] = []
  const ending = new AbortController()
  notes.subscribe(mailboxId, note => heard.push(`first: ${note}`), ending.signal)
  notes.subscribe(mailboxId, note => heard.push(`second: ${note}`), ending.signal)
  publish()
  ending.abort()
  publish()
  expect(heard).toEqual(['first: note 1', 'second: note 1'])
  expect(written).toBe(1)
})
