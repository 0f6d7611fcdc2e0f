import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { Clock } from '#server/platform/clock.ts'
import { Clients } from '#server/platform/limits/clients.ts'
import { createMemoryLimits } from '#server/platform/limits/limiter.ts'
import { OPERATOR_MAIL_MS, operatorMailBudget, UnknownRecipientQuota } from './sender-quotas.ts'

const clients = new Clients(['127.0.0.1'])
const quota = (nowMs: Clock) => new UnknownRecipientQuota(createMemoryLimits(nowMs), nowMs)

test('a network that only names unknown recipients runs out of attempts, and gets them back with time, sooner if it delivers', async () => {
  let now = 0
  const unknown = quota(() => now)
  for (let named = 0; named < 1500; named++) unknown.countUnknown(clients.identify(`192.0.2.${named % 250}`))
  expect(unknown.usedUpBy(clients.identify('192.0.2.7'))).toBe('192.0.2.0/24')
  expect(unknown.mayNameMore(clients.identify('198.51.100.7'))).toBe(true)
  now += 500
  expect(unknown.mayNameMore(clients.identify('192.0.2.7'))).toBe(true)
  unknown.countUnknown(clients.identify('192.0.2.7'))
  expect(unknown.mayNameMore(clients.identify('192.0.2.7'))).toBe(false)
  unknown.countDelivery(clients.identify('192.0.2.8'), ['jane'])
  await nextTurn()
  expect(unknown.mayNameMore(clients.identify('192.0.2.7'))).toBe(true)
})

test('recipients of a network without attempts get their turns one after the other, and no turn that comes too late', () => {
  let now = 0
  const unknown = quota(() => now)
  const harvester = clients.identify('192.0.2.7')
  for (let named = 0; named < 1000; named++) unknown.countUnknown(harvester)
  const turns = (msMax: number) => Array.from({ length: 4 }, () => unknown.takeTurn(harvester, msMax))
  expect(turns(1500)).toEqual([500, 1000, 1500, undefined])
  now += 1000
  expect(turns(1500)).toEqual([1000, 1500, undefined, undefined])
})

test('a recipient that only lookups of others keep waiting waits for the end of one, or as long as it may', async () => {
  const unknown = quota(() => 0)
  const sender = clients.identify('192.0.2.7')
  expect(unknown.lookupEnd(sender, 60_000)).toBeUndefined()
  for (let named = 0; named < 998; named++) unknown.countUnknown(sender)
  const lookups = [1, 2].map(() => Promise.withResolvers<string>())
  const isUnknown = (found: string) => found === 'unknown'
  const found = Promise.allSettled(lookups.map(({ promise }) => unknown.whileLookingUp(sender, () => promise, isUnknown)))
  expect(unknown.mayNameMore(sender)).toBe(false)
  await unknown.lookupEnd(sender, 20)
  expect(unknown.mayNameMore(sender)).toBe(false)
  expect(unknown.lookupEnd(sender, 0)).toBeUndefined()
  const done: string[] = []
  const waiting = ['one', 'two'].map(name => unknown.lookupEnd(sender, 60_000)?.then(() => done.push(name)))
  lookups[0]?.resolve('known')
  await waiting[0]
  expect([done, unknown.mayNameMore(sender)]).toEqual([['one'], true])
  lookups[1]?.reject(new Error('no store'))
  await waiting[1]
  expect([done, await found]).toMatchObject([
    ['one', 'two'],
    [{ value: 'known' }, { status: 'rejected' }],
  ])
  for (let named = 0; named < 2; named++) unknown.countUnknown(sender)
  expect(unknown.lookupEnd(sender, 60_000), 'it needs a turn').toBeUndefined()
})

test('trusted clients may try any number of unknown recipients', () => {
  const unknown = quota(() => 0)
  for (let named = 0; named < 1100; named++) unknown.countUnknown(clients.identify('127.0.0.1'))
  expect(unknown.mayNameMore(clients.identify('127.0.0.1'))).toBe(true)
})

test('a mailbox restores attempts of a network once, however often mail is delivered', async () => {
  const unknown = quota(() => 0)
  const harvester = clients.identify('192.0.2.7')
  for (let named = 0; named < 1000; named++) unknown.countUnknown(harvester)
  let answered = 0
  for (let round = 0; round < 100; round++) {
    unknown.countDelivery(harvester, ['own'])
    await nextTurn()
    for (; unknown.mayNameMore(harvester); answered++) unknown.countUnknown(harvester)
  }
  expect(answered).toBe(20)
})

test('one network may send the operator its share per hour', () => {
  vi.useFakeTimers()
  try {
    const budget = operatorMailBudget()
    const sent = Array.from({ length: 30 }, () => budget.acquireFor(['192.0.2'], 1, OPERATOR_MAIL_MS))
    expect(sent.filter(Boolean)).toHaveLength(20)
    expect([budget.hasRoom(['192.0.2'], 1), budget.hasRoom(['198.51.100'], 1)]).toEqual([false, true])
    vi.advanceTimersByTime(OPERATOR_MAIL_MS)
    expect(budget.hasRoom(['192.0.2'], 1)).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

test('when many networks flood together, a rare one still gets a message through', () => {
  const budget = operatorMailBudget()
  const take = (network: string) => budget.acquireFor([network], 1, OPERATOR_MAIL_MS)
  for (let network = 0; network < 7; network++) for (let message = 0; message < 20; message++) take(`10.0.${network}`)
  expect([take('10.0.9'), take('10.0.9'), take('192.0.2')]).toEqual([true, false, true])
})
