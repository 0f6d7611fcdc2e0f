import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { PASSWORD, startDatabaseFeatures } from '#test/harness/mayfly/start-database-features.ts'

const features = startDatabaseFeatures(async () => undefined)

test('a password reset is answered before anything is looked up; the mail follows', async () => {
  const email = 'later@example.com'
  await features.confirmed(email)
  features.recorder.isDown = true
  features.accounts.passwords.forgot({ email, language: 'en' }, async () => true)
  // SQLite responds at once, so everything that a response could have waited for ends within a few turns of the loop.
  for (let turns = 0; turns < 10; turns++) await turn()
  expect(await features.outbox.waiting()).toBe(0)
  await expect.poll(() => features.outbox.waiting()).toBe(1)
  features.recorder.isDown = false
  features.now += 30_000
  await features.outbox.flush()
  expect((await features.recorder.next(email)).subject).toBe('Choose a new Mayfly password')
})

test.each(['reset', 'deletion'] as const)(
  'a %s is answered while the mail store is late with the mailboxes, which end when it is not',
  async kind => {
    const email = `${kind}@example.com`
    const { accounts, recorder, testMail } = features
    const account = await features.newAccount(email)
    const by = await features.session(account.id)
    const { token: mailboxToken } = await accounts.proMailboxes.create(by, {})
    accounts.passwords.forgot({ email, language: 'en' }, async () => true)
    const token = await recorder.nextToken(email)
    const { promise: isInTime, resolve: release } = Promise.withResolvers<void>()
    const { store } = testMail
    const destroy = store.destroyMailbox.bind(store)
    using _late = vi.spyOn(store, 'destroyMailbox').mockImplementation(async (...args) => {
      await isInTime
      return await destroy(...args)
    })
    if (kind === 'reset') await accounts.passwords.reset({ token, password: 'a new password', destroyMailboxes: true })
    else await accounts.deleteOwnAccount({ account, sessionId: by.sessionId }, { password: PASSWORD })
    expect(await accounts.proMailboxes.list(account.id)).toEqual([])
    expect(await testMail.mail.openMailbox(mailboxToken)).toBeDefined()
    release()
    await expect.poll(() => testMail.mail.openMailbox(mailboxToken)).toBeUndefined()
  },
)
