import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startDatabaseFeatures } from '#test/harness/mayfly/start-database-features.ts'

const features = startDatabaseFeatures(async () => undefined)

test('a password reset is answered before anything is looked up; the mail follows', async () => {
  const email = 'later@example.com'
  await features.confirmed(email)
  features.recorder.isDown = true
  features.accounts.passwords.forgot({ email, language: 'en' })
  // SQLite responds at once, so everything that a response could have waited for ends within a few turns of the loop.
  for (let turns = 0; turns < 10; turns++) await turn()
  expect(await features.outbox.waiting()).toBe(0)
  await expect.poll(() => features.outbox.waiting(), { timeout: 20_000 }).toBe(1)
  features.recorder.isDown = false
  features.now += 30_000
  await features.outbox.flush()
  expect((await features.recorder.next(email)).subject).toBe('Choose a new Mayfly password')
})
