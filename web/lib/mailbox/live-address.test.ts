import { describe, expect, test } from 'vitest'
import type { Mailbox } from '#contract/mailbox.ts'
import { createMemoryStore } from '#test/harness/clients/memory-store.ts'
import { createPageClock } from '#test/harness/clients/page-clock.ts'
import { ProblemError } from '../api/request.ts'
import { ADDRESS_KEY } from '../browser/storage.ts'
import { createAddressStore } from './address-store.ts'
import { createLiveAddress } from './live-address.ts'

const mailbox: Mailbox = {
  email: 'reed.amber.x7k2@mayfly.test',
  expiresAt: '2026-11-21T10:10:00.000Z',
  secondsLeft: 600,
  lifetimeSeconds: 600,
}
const created = { ...mailbox, token: 't' }

function openPage({ read = async () => mailbox }: { read?: (token: string) => Promise<Mailbox> } = {}) {
  const store = createMemoryStore()
  const { time, clock, pass, timers } = createPageClock()
  const woken = new Set<() => void>()
  const watchWake = (onWake: () => void, signal: AbortSignal) => {
    woken.add(onWake)
    signal.addEventListener('abort', () => woken.delete(onWake))
  }
  const addresses = createAddressStore(store, clock, read)
  const live = createLiveAddress({ addresses, clock, watchWake })
  let changes = 0
  const unsubscribe = live.subscribe(() => {
    changes += 1
  })
  const sleep = (ms: number) => {
    time.asleepMs += ms
  }
  const wake = () => {
    for (const onWake of woken) onWake()
  }
  return { live, addresses, store, pass, sleep, wake, unsubscribe, changes: () => changes, pending: () => timers() + woken.size }
}

describe('the live address', () => {
  test('is there from its creation until the millisecond of its end, and its end is reported', async () => {
    const page = openPage()
    expect(page.live.get()).toBeUndefined()
    page.addresses.save(created, 0)
    expect(page.live.get()).toMatchObject({ email: mailbox.email })
    await page.pass(599_999)
    expect(page.live.get()).toBeDefined()
    const before = page.changes()
    await page.pass(1)
    expect(page.live.get()).toBeUndefined()
    expect(page.changes()).toBe(before + 1)
  })

  test('stays in storage at its end, where the home page looks for it', async () => {
    const page = openPage()
    page.addresses.save(created, 0)
    await page.pass(600_000)
    expect(page.store.getItem(ADDRESS_KEY)).not.toBeNull()
  })

  test('follows another tab that deletes it or changes to another one', () => {
    const page = openPage()
    page.addresses.save(created, 0)
    page.addresses.adopt(JSON.stringify({ ...created, email: 'other@mayfly.test', token: 'other', savedAt: 0 }))
    expect(page.live.get()).toMatchObject({ email: 'other@mayfly.test' })
    page.addresses.adopt(null)
    expect(page.live.get()).toBeUndefined()
  })

  test('is over by the wall clock too, for a machine that slept', async () => {
    const page = openPage({ read: () => Promise.reject(new ProblemError('network')) })
    page.addresses.save(created, 0)
    page.sleep(600_000)
    const before = page.changes()
    page.wake()
    expect(page.changes()).toBe(before + 1)
    expect(page.live.get()).toBeUndefined()
    await page.live.check()
    expect(page.live.get()).toBeUndefined()
  })

  test('takes the time left from the server after a sleep, with one request', async () => {
    let requests = 0
    const page = openPage({
      read: async () => {
        requests += 1
        return { ...mailbox, secondsLeft: 300 }
      },
    })
    page.addresses.save(created, 0)
    page.wake()
    page.wake()
    await page.live.check()
    expect(requests).toBe(1)
    await page.pass(299_999)
    expect(page.live.get()).toBeDefined()
    await page.pass(1)
    expect(page.live.get()).toBeUndefined()
  })

  test('is still kept for others after the server was asked', async () => {
    const page = openPage()
    page.addresses.save({ ...created, kept: true }, 0)
    page.wake()
    await page.live.check()
    expect(page.addresses.get()?.kept).toBe(true)
  })

  test('is no longer shown when the server does not know it, and one created afterwards is', async () => {
    const page = openPage({ read: () => Promise.reject(new ProblemError('mailbox_not_found')) })
    page.addresses.save(created, 0)
    const before = page.changes()
    await page.live.check()
    expect(page.live.get()).toBeUndefined()
    expect(page.changes()).toBe(before + 1)
    expect(page.store.getItem(ADDRESS_KEY), 'the home page removes it').not.toBeNull()
    page.addresses.save({ ...created, token: 'next' }, 0)
    expect(page.live.get()).toMatchObject({ token: 'next' })
  })

  test('is kept while the server cannot be reached', async () => {
    const page = openPage({ read: () => Promise.reject(new ProblemError('network')) })
    page.addresses.save(created, 0)
    await page.live.check()
    expect(page.live.get()).toBeDefined()
  })

  test('leaves no timer behind', () => {
    const page = openPage()
    page.addresses.save(created, 0)
    expect(page.pending()).toBe(2)
    page.unsubscribe()
    expect(page.pending()).toBe(0)
  })
})
