/** The numbers of the specification, section 9, repeated here so that nobody changes one by accident. */
import { expect, test } from 'vitest'
import { LANGUAGES } from './languages.ts'
import * as limits from './limits.ts'

// covers 1.07, 9.01, 9.02, 9.03, 9.04
test('an address lives 600 s, warns at 30 s, takes 2 s to be destroyed, and its inbox is fetched every 60 s', () => {
  expect([limits.LIFETIME_SECONDS, limits.WARNING_SECONDS, limits.DESTROYING_MS, limits.POLL_MS]).toEqual([600, 30, 2000, 60_000])
})

// covers 5.06, 9.08
test('5 generations per 300 s; auth 5 per 900 s, api 10 per 60 s, captcha 3 per 180 s', () => {
  expect(limits.GENERATION_LIMIT).toEqual({ attempts: 5, windowSeconds: 300 })
  expect(limits.AUTH_LIMIT).toEqual({ attempts: 5, windowSeconds: 900 })
  expect(limits.PUBLIC_WRITE_LIMIT).toEqual({ attempts: 10, windowSeconds: 60 })
  expect(limits.BOT_CHECK_FAILURE_LIMIT).toEqual({ attempts: 3, windowSeconds: 180 })
})

// covers 9.15
test('the languages are English and Spanish', () => {
  expect(LANGUAGES).toEqual(['en', 'es'])
})
