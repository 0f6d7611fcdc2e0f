import { afterEach, expect, test, vi } from 'vitest'
import { ProblemError } from '../api/request.ts'
import { countAttempt } from './address-requests.ts'
import { newAddressAllowance, noteRefusal, recordNewAddress } from './new-address.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
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

test.each([
  ['network', false],
  ['unreadable_reply', false],
  ['bot_check_failed', false],
  ['rate_limited', true],
  ['internal', true],
] as const)('a new address that fails with %s is an attempt: %s', async (code, isOne) => {
  let counted = 0
  const failed = countAttempt(
    () => Promise.reject(new ProblemError(code)),
    () => counted++,
  )
  await expect(failed).rejects.toMatchObject({ code })
  expect(counted).toBe(isOne ? 1 : 0)
})
