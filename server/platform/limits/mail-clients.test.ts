import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Clock } from '../clock.ts'
import { createMemoryLimits } from './limiter.ts'
import { Clients, OperatorMailQuota } from './mail-clients.ts'

const options = (nowMs: Clock) => ({
  trusted: ['127.0.0.1', '10.0.0.0/8', '::1'],
  connectionsPerClientMax: 2,
  nowMs,
  sharedLimits: createMemoryLimits(nowMs),
})

test('a client gets its number of connections, and can open new ones after closing', () => {
  const clients = new Clients(options(() => 0))
  const [first, second, third] = [1, 2, 3].map(() => clients.acquireConnection(clients.identify('192.0.2.1')))
  expect([first, second, third].map(lease => lease !== undefined)).toEqual([true, true, false])
  expect(clients.acquireConnection(clients.identify('192.0.2.2'))).toBeDefined()
  first?.[Symbol.dispose]()
  expect(clients.acquireConnection(clients.identify('192.0.2.1'))).toBeDefined()
  expect([1, 2, 3].map(() => clients.acquireConnection(clients.identify('10.9.8.7')) !== undefined)).toEqual([true, true, true])
})

test('a network that only names unknown recipients runs out of attempts, and gets them back with time, sooner if it delivers', async () => {
  let now = 0
  const clients = new Clients(options(() => now))
  for (let named = 0; named < 1000; named++) clients.countUnknownRecipient(clients.identify(`192.0.2.${named % 250}`))
  expect(clients.mayNameRecipients(clients.identify('192.0.2.7'))).toBe(false)
  expect(clients.mayNameRecipients(clients.identify('198.51.100.7'))).toBe(true)
  now += 500
  expect(clients.mayNameRecipients(clients.identify('192.0.2.7'))).toBe(true)
  clients.countUnknownRecipient(clients.identify('192.0.2.7'))
  expect(clients.mayNameRecipients(clients.identify('192.0.2.7'))).toBe(false)
  clients.countDelivery(clients.identify('192.0.2.8'), ['jane'])
  await nextTurn()
  expect(clients.mayNameRecipients(clients.identify('192.0.2.7'))).toBe(true)
})

test('trusted clients may try any number of unknown recipients', () => {
  const clients = new Clients(options(() => 0))
  for (let named = 0; named < 1100; named++) clients.countUnknownRecipient(clients.identify('127.0.0.1'))
  expect(clients.mayNameRecipients(clients.identify('127.0.0.1'))).toBe(true)
})

test('a mailbox restores attempts of a network once, however often mail is delivered', async () => {
  const clients = new Clients(options(() => 0))
  const harvester = clients.identify('192.0.2.7')
  for (let named = 0; named < 1000; named++) clients.countUnknownRecipient(harvester)
  let answered = 0
  for (let round = 0; round < 100; round++) {
    clients.countDelivery(harvester, ['own'])
    await nextTurn()
    for (; clients.mayNameRecipients(harvester); answered++) clients.countUnknownRecipient(harvester)
  }
  expect(answered).toBe(20)
})

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
