import { expect, test } from 'vitest'
import { ProblemError } from '../api/request.ts'
import { countAttempt } from './address-requests.ts'

test.each([
  ['network', false],
  ['unreadable_reply', false],
  ['bot_check_failed', false],
  ['rate_limited', false],
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
