import { describe, expect, test } from 'vitest'
import { PASSWORD, type TestRooms } from '../test-rooms.ts'

export function passwordsSuite(rooms: TestRooms): void {
  describe('forgotten password', () => {
    test('the link sets the password once and ends every session', async () => {
      const email = 'reset@example.com'
      await rooms.confirmed(email)
      const headers = await rooms.signIn(email)
      rooms.accounts.passwords.forgot({ email: 'Reset@example.com', language: 'en' })
      const mail = await rooms.recorder.next(email)
      expect(mail.subject).toBe('Choose a new Mayfly password')
      const token = new URL(mail.link ?? '').hash.slice(1)
      await rooms.accounts.passwords.reset({ token, password: 'a new password' })
      expect(await rooms.isSignedIn(headers)).toBe(false)
      await expect(rooms.accounts.passwords.reset({ token, password: 'another one' })).rejects.toMatchObject({ code: 'link_expired' })
      await expect(rooms.accounts.sessions.signIn({ email, password: PASSWORD })).rejects.toMatchObject({ code: 'credentials_wrong' })
      await rooms.accounts.sessions.signIn({ email, password: 'a new password' })
    })

    test.each([true, false])('a reset revokes the API keys, and destroys the live addresses if requested: %s', async destroyMailboxes => {
      const email = `revoked-${destroyMailboxes}@example.com`
      const account = await rooms.newAccount(email)
      const { key } = await rooms.accounts.apiKeys.create(account.id, 'CI')
      const { token: mailboxToken } = await rooms.accounts.proMailboxes.create(account.id, {})
      rooms.accounts.passwords.forgot({ email, language: 'en' })
      await rooms.accounts.passwords.reset({ token: await rooms.tokenFor(email), password: 'a new password', destroyMailboxes })
      expect(await rooms.accounts.apiKeys.owner(key)).toBeUndefined()
      expect(await rooms.accounts.apiKeys.list(account.id)).toEqual([])
      expect(await rooms.accounts.proMailboxes.list(account.id)).toHaveLength(destroyMailboxes ? 0 : 1)
      expect((await rooms.core.mail.openMailbox(mailboxToken)) === undefined).toBe(destroyMailboxes)
    })

    test('a confirmation link cannot reset, and a reset link expires after an hour', async () => {
      const email = 'cross@example.com'
      await rooms.accounts.signUps.start({ email, password: PASSWORD, language: 'en' })
      const confirmation = await rooms.tokenFor(email)
      await expect(rooms.accounts.passwords.reset({ token: confirmation, password: PASSWORD })).rejects.toMatchObject({
        code: 'link_expired',
      })
      await rooms.accounts.signUps.confirm({ token: confirmation, password: PASSWORD })
      rooms.accounts.passwords.forgot({ email, language: 'en' })
      const reset = await rooms.tokenFor(email)
      rooms.now += 3_600_000
      await expect(rooms.accounts.passwords.reset({ token: reset, password: PASSWORD })).rejects.toMatchObject({ code: 'link_expired' })
    })

    test('an unknown address gets the same response and no mail', async () => {
      const before = rooms.recorder.mails.length
      rooms.accounts.passwords.forgot({ email: 'nobody@example.com', language: 'en' })
      await rooms.confirmed('marker@example.com')
      expect(rooms.recorder.mails.length).toBe(before + 1)
    })
  })

  describe('API keys', () => {
    test('a key acts for its account until it is revoked, and is stored as a hash', async () => {
      const { apiKeys } = rooms.accounts
      const { id } = await rooms.newAccount('keys@example.com')
      const created = await apiKeys.create(id, 'CI')
      expect(created.key).toMatch(/^mfk_[\w-]{43}$/)
      expect(await apiKeys.owner(created.key)).toEqual({ id: created.id, userId: id })
      const [listed] = await apiKeys.list(id)
      expect(listed).toMatchObject({ id: created.id, name: 'CI', prefix: created.key.slice(0, 12), lastUsedAt: expect.any(String) })
      const stored = await rooms.rows(({ db }) => db.selectFrom('api_keys').selectAll().execute())
      expect(JSON.stringify(stored)).not.toContain(created.key.slice(12))
      expect(await apiKeys.revoke('another user', created.id)).toBe(false)
      expect(await apiKeys.revoke(id, created.id)).toBe(true)
      expect(await apiKeys.owner(created.key)).toBeUndefined()
    })

    test('of thirty created at once, twenty succeed', async () => {
      const { id } = await rooms.newAccount('limit@example.com')
      const ends = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => rooms.accounts.apiKeys.create(id, `key ${index}`)))
      const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason.code] : []))
      expect(refused).toEqual(Array(10).fill('api_keys_max'))
    })
  })
}
