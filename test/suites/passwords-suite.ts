import { describe, expect, test } from 'vitest'
import { PASSWORD, type SiteUnderTest } from '#test/site-under-test.ts'

export function passwordsSuite(it: SiteUnderTest): void {
  describe('forgotten password', () => {
    test('the link sets the password once and ends every session', async () => {
      const email = 'reset@example.com'
      await it.confirmed(email)
      const headers = await it.signIn(email)
      await it.site.accounts.forgotPassword({ email: 'Reset@example.com', language: 'en' })
      const mail = await it.recorder.next(email)
      expect(mail.subject).toBe('Choose a new Mayfly password')
      const token = new URL(mail.link ?? '').hash.slice(1)
      await it.site.accounts.resetPassword({ token, password: 'a new password' })
      expect(await it.isSignedIn(headers)).toBe(false)
      await expect(it.site.accounts.resetPassword({ token, password: 'another one' })).rejects.toMatchObject({ code: 'link_expired' })
      await expect(it.site.accounts.signIn({ email, password: PASSWORD })).rejects.toMatchObject({ code: 'credentials_wrong' })
      await it.site.accounts.signIn({ email, password: 'a new password' })
    })

    test('a confirmation link is no reset link, and a reset link dies after an hour', async () => {
      const email = 'cross@example.com'
      await it.site.accounts.signUp({ email, password: PASSWORD, language: 'en' })
      const confirmation = await it.tokenFor(email)
      await expect(it.site.accounts.resetPassword({ token: confirmation, password: PASSWORD })).rejects.toMatchObject({
        code: 'link_expired',
      })
      await it.site.accounts.confirm(confirmation)
      await it.site.accounts.forgotPassword({ email, language: 'en' })
      const reset = await it.tokenFor(email)
      it.now += 3_600_000
      await expect(it.site.accounts.resetPassword({ token: reset, password: PASSWORD })).rejects.toMatchObject({ code: 'link_expired' })
    })

    test('an unknown address gets the same answer and no mail', async () => {
      const before = it.recorder.mails.length
      expect(await it.site.accounts.forgotPassword({ email: 'nobody@example.com', language: 'en' })).toBeUndefined()
      await it.confirmed('marker@example.com')
      expect(it.recorder.mails.length).toBe(before + 1)
    })
  })

  describe('API keys', () => {
    test('a key acts for its account until it is revoked, and is kept as a hash', async () => {
      await it.confirmed('keys@example.com')
      const account = await it.site.accountOf(await it.signIn('keys@example.com'))
      const created = await it.site.apiKeys.create(account?.id ?? '', 'CI')
      expect(created.key).toMatch(/^mfk_[\w-]{43}$/)
      const headers = new Headers({ authorization: `Bearer ${created.key}` })
      expect(await it.site.accountOf(headers)).toEqual({ id: account?.id, by: 'api_key' })
      const [listed] = await it.site.apiKeys.list(account?.id ?? '')
      expect(listed).toMatchObject({ id: created.id, name: 'CI', prefix: created.key.slice(0, 12), lastUsedAt: expect.any(String) })
      const stored = await it.rows(({ db }) => db.selectFrom('api_keys').selectAll().execute())
      expect(JSON.stringify(stored)).not.toContain(created.key.slice(12))
      expect(await it.site.apiKeys.revoke('another user', created.id)).toBe(false)
      expect(await it.site.apiKeys.revoke(account?.id ?? '', created.id)).toBe(true)
      await expect(it.site.accountOf(headers)).rejects.toMatchObject({ code: 'sign_in_required' })
    })

    test('of thirty made at once, twenty are', async () => {
      await it.confirmed('limit@example.com')
      const account = await it.site.accountOf(await it.signIn('limit@example.com'))
      const ends = await Promise.allSettled(
        Array.from({ length: 30 }, (_, index) => it.site.apiKeys.create(account?.id ?? '', `key ${index}`)),
      )
      const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason.code] : []))
      expect(refused).toEqual(Array(10).fill('api_keys_max'))
    })
  })
}
