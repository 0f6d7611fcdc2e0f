import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startTestRooms } from '#test/test-rooms.ts'

const rooms = startTestRooms(async () => undefined)

test('a password reset is answered before anything is looked up; the mail follows', async () => {
  const email = 'later@example.com'
  await rooms.confirmed(email)
  rooms.recorder.isDown = true
  rooms.accounts.passwords.forgot({ email, language: 'en' })
  // SQLite answers at once: all that an answer would have waited for is over within a few turns of the loop.
  for (let turns = 0; turns < 10; turns++) await turn()
  expect(await rooms.outbox.waiting()).toBe(0)
  await expect.poll(() => rooms.outbox.waiting(), { timeout: 20_000 }).toBe(1)
  rooms.recorder.isDown = false
  rooms.now += 30_000
  await rooms.outbox.flush()
  expect((await rooms.recorder.next(email)).subject).toBe('Choose a new Mayfly password')
})
