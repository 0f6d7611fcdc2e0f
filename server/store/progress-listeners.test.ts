import { expect, test } from 'vitest'
import { randomId } from '#test/harness/mayfly/store-fixture.ts'
import { ProgressListeners } from './notifier.ts'
import type { MailboxId } from './store.ts'

test('progress is written once for all subscribers, and not at all without one', () => {
  const listeners = new ProgressListeners()
  const mailboxId = randomId<MailboxId>()
  let written = 0
  const publish = () => listeners.publish(mailboxId, () => `progress ${++written}`)
  publish()
  expect(written).toBe(0)
  const heard: string[] = []
  const ending = new AbortController()
  listeners.subscribe(mailboxId, progress => heard.push(`first: ${progress}`), ending.signal)
  listeners.subscribe(mailboxId, progress => heard.push(`second: ${progress}`), ending.signal)
  publish()
  ending.abort()
  publish()
  expect(heard).toEqual(['first: progress 1', 'second: progress 1'])
  expect(written).toBe(1)
})
