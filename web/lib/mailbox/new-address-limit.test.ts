import { afterEach, describe, expect, test, vi } from 'vitest'
import { createMemoryStore } from '#test/harness/clients/memory-store.ts'
import { allowanceFor, hasSpentAttempts, newAddressAllowance, noteRefusal, recordNewAddress } from './new-address-limit.ts'

const START = 1_700_000_000_000

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the limit of new addresses', () => {
  test('allows 5 attempts per 300 s and device, and says how many remain', () => {
    const store = createMemoryStore()
    expect(allowanceFor(store, 'me', START)).toEqual({ remaining: 5, secondsUntilReset: 0 })
    const remaining = [1, 2, 3, 4, 5].map(i => {
      recordNewAddress(false, store, 'me', START + i * 1000)
      return allowanceFor(store, 'me', START + i * 1000).remaining
    })
    expect(remaining).toEqual([4, 3, 2, 1, 0])
  })

  test('counts the seconds until the window that began with the first attempt ends', () => {
    const store = createMemoryStore()
    for (let i = 0; i < 5; i++) recordNewAddress(false, store, 'me', START + i * 10_000)
    expect(allowanceFor(store, 'me', START + 100_000)).toEqual({ remaining: 0, secondsUntilReset: 200 })
    expect(allowanceFor(store, 'me', START + 299_999)).toEqual({ remaining: 0, secondsUntilReset: 1 })
    expect(allowanceFor(store, 'me', START + 300_000)).toEqual({ remaining: 5, secondsUntilReset: 0 })
  })

  test('knows without a fingerprint whether somebody has used up their attempts, until the window ends', () => {
    const store = createMemoryStore()
    expect(hasSpentAttempts(store, START)).toBe(false)
    for (let i = 0; i < 4; i++) recordNewAddress(false, store, 'me', START)
    recordNewAddress(false, store, 'another', START)
    expect(hasSpentAttempts(store, START)).toBe(false)
    recordNewAddress(false, store, 'me', START + 1000)
    expect(hasSpentAttempts(store, START + 299_999)).toBe(true)
    expect(hasSpentAttempts(store, START + 300_000)).toBe(false)
  })

  test('counts devices separately, whatever their fingerprints contain', () => {
    const store = createMemoryStore()
    for (let i = 0; i < 5; i++) recordNewAddress(false, store, '__proto__', START)
    expect(allowanceFor(store, '__proto__', START).remaining).toBe(0)
    expect(allowanceFor(store, 'constructor', START).remaining).toBe(5)
  })

  test('a clock set back does not lock the visitor out', () => {
    const store = createMemoryStore()
    for (let i = 0; i < 5; i++) recordNewAddress(false, store, 'me', START)
    expect(allowanceFor(store, 'me', START - 3_600_000).remaining).toBe(5)
  })

  test('a manipulated record is ignored', () => {
    const store = createMemoryStore()
    store.setItem('mayfly.generation-limit', '[["me",{"count":"many"}]]')
    expect(allowanceFor(store, 'me', START).remaining).toBe(5)
  })

  test('a Pro account has its own numbers', () => {
    const store = createMemoryStore()
    const pro = { max: 30, windowSeconds: 300 }
    for (let i = 0; i < 6; i++) recordNewAddress(true, store, 'me', START)
    expect(allowanceFor(store, 'me', START, pro).remaining).toBe(24)
  })
})

test('a refusal of the server counts beside the browser’s own count, until its time is over, and for a visitor or an account', () => {
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0', language: 'en' })
  vi.stubGlobal('screen', { width: 360, height: 640 })
  vi.useFakeTimers({ toFake: ['Date'] })
  recordNewAddress(false)
  expect(newAddressAllowance(false)).toEqual({ remaining: 4, secondsUntilReset: 0 })
  noteRefusal(false, 60)
  expect(newAddressAllowance(false)).toEqual({ remaining: 0, secondsUntilReset: 60 })
  expect(newAddressAllowance(true)).toEqual({ remaining: 29, secondsUntilReset: 0 })
  vi.setSystemTime(Date.now() + 60_000)
  expect(newAddressAllowance(false)).toEqual({ remaining: 4, secondsUntilReset: 0 })
})
