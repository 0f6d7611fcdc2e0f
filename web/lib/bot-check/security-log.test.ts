import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '#test/harness/clients/memory-store.ts'
import type { KeyValue } from '../browser/storage.ts'
import { isSuspicious, logSecurityEvent, recentSecurityEvents, securityStats } from './security-log.ts'

const NOW = 1_700_000_000_000

function log(store: KeyValue, type: Parameters<typeof logSecurityEvent>[0], timestamp: number, userIdentifier = 'me'): void {
  logSecurityEvent(type, {}, { store, timestamp, userIdentifier })
}

describe('the security log', () => {
  test('keeps the last 100 events and shows the 10 newest, newest first', () => {
    const store = createMemoryStore()
    for (let i = 1; i <= 130; i++) log(store, 'captcha_success', NOW + i)
    expect(recentSecurityEvents(store, 1000)).toHaveLength(100)
    expect(recentSecurityEvents(store).map(event => event.timestamp - NOW)).toEqual([130, 129, 128, 127, 126, 125, 124, 123, 122, 121])
  })

  test('counts by type over the last hour unless told otherwise', () => {
    const store = createMemoryStore()
    log(store, 'captcha_failure', NOW - 3_600_000)
    log(store, 'captcha_failure', NOW - 3_599_999)
    log(store, 'rate_limit_hit', NOW)
    expect(securityStats(store, NOW)).toEqual({ captcha_success: 0, captcha_failure: 1, rate_limit_hit: 1 })
    expect(securityStats(store, NOW, 1000)).toEqual({ captcha_success: 0, captcha_failure: 0, rate_limit_hit: 1 })
  })

  test('more than 3 captcha failures within 300 s are suspicious, 3 are not', () => {
    const store = createMemoryStore()
    for (let i = 0; i < 3; i++) log(store, 'captcha_failure', NOW)
    expect(isSuspicious(store, 'me', NOW)).toBe(false)
    log(store, 'captcha_failure', NOW)
    expect(isSuspicious(store, 'me', NOW)).toBe(true)
    expect(isSuspicious(store, 'somebody else', NOW)).toBe(false)
    expect(isSuspicious(store, 'me', NOW + 300_000)).toBe(false)
  })

  test('2 rate-limit hits within 300 s are suspicious, 1 is not', () => {
    const store = createMemoryStore()
    log(store, 'rate_limit_hit', NOW - 299_999)
    expect(isSuspicious(store, 'me', NOW)).toBe(false)
    log(store, 'rate_limit_hit', NOW)
    expect(isSuspicious(store, 'me', NOW)).toBe(true)
  })
})
