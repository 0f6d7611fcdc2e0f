import { describe, expect, test } from 'vitest'
import { AppError } from '#server/errors.ts'
import { cookie, DAY_MS, PASSWORD, type SiteUnderTest } from '#test/site-under-test.ts'

export function accountsSuite(it: SiteUnderTest): void {
  describe('sign-up and confirmation', () => {
    test('the mail carries a link, the link opens the account once, and only then can one sign in', async () => {
      const email = 'ada@example.com'
      await it.site.accounts.signUp({ email, password: PASSWORD, language: 'es' })
      await expect(it.site.accounts.signIn({ email, password: PASSWORD })).rejects.toMatchObject({ code: 'email_not_confirmed' })
      await it.site.accounts.mailConfirmation(email)
      const first = await it.recorder.next(email)
      expect(first.subject).toBe('Confirma tu cuenta de Mayfly')
      expect(first.link).toMatch(/^https:\/\/mayfly\.example\/auth\/confirm\?lang=es#[\w-]{43}$/)
      expect(first.html).toContain('Confirmar mi dirección')
      const second = await it.tokenFor(email)
      const firstToken = new URL(first.link ?? '').hash.slice(1)
      await expect(it.site.accounts.confirm(firstToken), 'only the newest link works').rejects.toMatchObject({ code: 'link_expired' })
      await it.site.accounts.confirm(second)
      await expect(it.site.accounts.confirm(second), 'a link works once').rejects.toMatchObject({ code: 'link_expired' })
      const { session, setCookies } = await it.site.accounts.signIn({ email, password: PASSWORD })
      expect(session.email).toBe(email)
      expect(setCookies).toHaveLength(1)
      expect(setCookies[0]).toMatch(/^__Host-mayfly_session=/)
      for (const flag of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(setCookies[0]).toContain(flag)
      expect(setCookies[0]).not.toContain('Domain=')
    })

    test('of a hundred uses of one link at once, one counts', async () => {
      const email = 'race@example.com'
      await it.site.accounts.signUp({ email, password: PASSWORD, language: 'en' })
      const token = await it.tokenFor(email)
      const ends = await Promise.allSettled(Array.from({ length: 100 }, () => it.site.accounts.confirm(token)))
      expect(ends.filter(end => end.status === 'fulfilled')).toHaveLength(1)
    })

    test('of ten sign-ups at once for one address, one makes the account', async () => {
      const request = { email: 'ten@example.com', password: PASSWORD, language: 'en' as const }
      const ends = await Promise.allSettled(Array.from({ length: 10 }, () => it.site.accounts.signUp(request)))
      const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason] : []))
      expect(refused.every(reason => reason instanceof AppError && reason.code === 'account_exists')).toBe(true)
      // One that comes after another has ended replaces it, unconfirmed as it is: of all links that were mailed, one opens an account.
      const tokens = await Promise.all(Array.from({ length: 10 - refused.length }, () => it.tokenFor(request.email)))
      const confirmed = await Promise.allSettled(tokens.map(token => it.site.accounts.confirm(token)))
      expect(confirmed.filter(end => end.status === 'fulfilled')).toHaveLength(1)
      await it.site.accounts.signIn(request)
    })

    test('a link dies after a day', async () => {
      const email = 'late@example.com'
      await it.site.accounts.signUp({ email, password: PASSWORD, language: 'en' })
      const token = await it.tokenFor(email)
      it.now += DAY_MS
      await expect(it.site.accounts.confirm(token)).rejects.toMatchObject({ code: 'link_expired' })
    })

    test('an unconfirmed sign-up is replaced by the next one, password and link', async () => {
      const email = 'again@example.com'
      await it.site.accounts.signUp({ email, password: 'first password', language: 'en' })
      const first = await it.tokenFor(email)
      await it.site.accounts.signUp({ email, password: 'second password', language: 'en' })
      await expect(it.site.accounts.confirm(first)).rejects.toMatchObject({ code: 'link_expired' })
      await it.site.accounts.confirm(await it.tokenFor(email))
      await expect(it.site.accounts.signIn({ email, password: 'first password' })).rejects.toMatchObject({ code: 'credentials_wrong' })
      await it.site.accounts.signIn({ email, password: 'second password' })
    })

    test('a confirmed address cannot sign up again, nor with a tag or in capitals', async () => {
      await it.confirmed('owner@example.com')
      for (const email of ['owner@example.com', 'Owner+shop@Example.com', 'OWNER@EXAMPLE.COM']) {
        await expect(it.site.accounts.signUp({ email, password: PASSWORD, language: 'en' })).rejects.toMatchObject({
          code: 'account_exists',
        })
      }
    })

    test('addresses of our own domains cannot sign up', async () => {
      for (const email of ['me@mayfly.test', 'me@BOX.test', 'me@sub.mayfly.test']) {
        await expect(it.site.accounts.signUp({ email, password: PASSWORD, language: 'en' })).rejects.toMatchObject({
          code: 'email_not_allowed',
        })
      }
    })

    test('a sign-up that is never confirmed is forgotten', async () => {
      const email = 'forgotten@example.com'
      await it.site.accounts.signUp({ email, password: PASSWORD, language: 'en' })
      it.now += 8 * DAY_MS
      await it.site.sweep()
      await expect(it.site.accounts.signIn({ email, password: PASSWORD })).rejects.toMatchObject({ code: 'credentials_wrong' })
    })
  })

  describe('sessions', () => {
    test('wrong password and unknown address answer alike', async () => {
      await it.confirmed('known@example.com')
      const attempts = [
        { email: 'known@example.com', password: 'not the password' },
        { email: 'unknown@example.com', password: PASSWORD },
      ]
      for (const attempt of attempts) {
        await expect(it.site.accounts.signIn(attempt)).rejects.toMatchObject({ code: 'credentials_wrong', detail: undefined })
      }
    })

    test('sign-out ends this session, sign-out everywhere ends all', async () => {
      const email = 'many@example.com'
      await it.confirmed(email)
      const [one, two, three] = await Promise.all([it.signIn(email), it.signIn(email), it.signIn(email)])
      await it.site.accounts.signOut(one)
      expect(await it.isSignedIn(one)).toBe(false)
      expect(await it.isSignedIn(two)).toBe(true)
      const { setCookies } = await it.site.accounts.signOutEverywhere(two)
      expect(setCookies.find(cookie => cookie.startsWith('__Host-mayfly_session='))).toContain('Max-Age=0')
      expect([await it.isSignedIn(two), await it.isSignedIn(three)]).toEqual([false, false])
    })

    test('the database holds no token that would open a session, signed or not', async () => {
      const email = 'hashed@example.com'
      await it.confirmed(email)
      const headers = await it.signIn(email)
      const value = decodeURIComponent(headers.get('cookie')?.split('=')[1] ?? '')
      const [token, signature] = value.split('.')
      const stored = await it.rows(({ db }) => db.selectFrom('sessions').selectAll().execute())
      expect(JSON.stringify(stored)).not.toContain(token)
      expect(await it.isSignedIn(headers)).toBe(true)
      expect(await it.isSignedIn(cookie(token ?? ''))).toBe(false)
      expect(await it.isSignedIn(cookie(`${token}.${signature?.replace(/^./, signature.startsWith('A') ? 'B' : 'A')}`))).toBe(false)
    })

    test('a visitor without the cookie is nobody, and a strange cookie too', async () => {
      expect(await it.site.accountOf(new Headers())).toBeUndefined()
      expect(await it.site.accountOf(cookie('x'.repeat(10_000)))).toBeUndefined()
    })

    test('however much used, a session ends after 90 days', async () => {
      const email = 'absolute@example.com'
      await it.confirmed(email)
      const headers = await it.signIn(email)
      it.now += 91 * DAY_MS
      expect(await it.isSignedIn(headers)).toBe(false)
      it.now = Date.now()
      expect(await it.isSignedIn(headers), 'and stays ended').toBe(false)
    })
  })
}
