import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { siteUnderTest } from '#test/site-under-test.ts'

const it = siteUnderTest(async () => undefined)

test('W23 nothing is looked up or made before a forgotten password is answered; the link comes later', async () => {
  const email = 'later@example.com'
  await it.confirmed(email)
  it.recorder.isDown = true
  await it.site.accounts.forgotPassword({ email, language: 'en' })
  // SQLite answers at once: all that an answer would have waited for is over within a few turns of the loop.
  for (let turns = 0; turns < 10; turns++) await turn()
  expect(await it.site.outbox.waiting()).toBe(0)
  await expect.poll(() => it.site.outbox.waiting(), { timeout: 20_000 }).toBe(1)
  it.recorder.isDown = false
  it.now += 30_000
  await it.site.outbox.flush()
  expect((await it.recorder.next(email)).subject).toBe('Choose a new Mayfly password')
})
