import { expect, test } from 'vitest'
import { OperatorMailQuota } from './operator-mail-quota.ts'

test('one network may send the operator its share per hour', () => {
  let now = 0
  const quota = new OperatorMailQuota(() => now)
  const sent = Array.from({ length: 30 }, () => quota.take('192.0.2'))
  expect(sent.filter(Boolean)).toHaveLength(20)
  expect([quota.hasRoom('192.0.2'), quota.hasRoom('198.51.100')]).toEqual([false, true])
  now += 3_600_000
  expect(quota.hasRoom('192.0.2')).toBe(true)
})

test('when many networks flood together, a rare one still gets a message through', () => {
  const quota = new OperatorMailQuota(() => 0)
  for (let network = 0; network < 7; network++) for (let message = 0; message < 20; message++) quota.take(`10.0.${network}`)
  expect([quota.take('10.0.9'), quota.take('10.0.9'), quota.take('192.0.2')]).toEqual([true, false, true])
})
