/** The numbers that visitors are promised, repeated here so that nobody changes one by accident. */
import { expect, test } from 'vitest'
import { limitsFor } from '#server/platform/limits/rate-limits.ts'
import { DESTROYING_MS } from '#web/lib/mailbox/address-machine.ts'
import { POLL_MS } from '#web/lib/mailbox/live-stream.ts'
import { newAddressLimit } from '#web/lib/mailbox/new-address-limit.ts'
import { LIFETIME_SECONDS, PRO_LIFETIME_SECONDS, WARNING_SECONDS } from './limits.ts'

test('an address lives 600 s, warns at 30 s, takes 2 s to be destroyed, and its inbox is fetched every 60 s', () => {
  expect([LIFETIME_SECONDS, WARNING_SECONDS, DESTROYING_MS, POLL_MS]).toEqual([600, 30, 2000, 60_000])
})

test('a Pro address lives 24 hours, as docs/privacy.md says', () => {
  expect(PRO_LIFETIME_SECONDS).toBe(24 * 60 * 60)
})

test('5 new addresses (text of the home page) per 300 s (also of the legal page)', () => {
  expect(newAddressLimit(false)).toEqual({ max: 5, windowSeconds: 300 })
  const { newAddresses } = limitsFor({ networkLimitFactor: 1, apiCreationsPerHour: 1 })
  expect(newAddresses).toMatchObject({ name: 'generation', max: 5, windowSeconds: 300 })
})
