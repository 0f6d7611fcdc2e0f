import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { asOwner, signUpsOwner } from '#server/database/rights.ts'
import { AuditLog } from '#server/operator/audit-log.ts'
import { Moderation } from '#server/operator/moderation.ts'
import { networksAround } from '#server/platform/net/ip-address.ts'
import { cookie, PASSWORD, type TestDatabaseFeatures } from '../harness/mayfly/start-database-features.ts'
import { testDatabaseAccess } from '../harness/mayfly/test-database-access.ts'

export function accountsSuite(features: TestDatabaseFeatures): void {
  describe('sign-up and confirmation', () => {
    test('a link is mailed, it confirms the account once, and sign-in works only after that', async () => {
      const email = 'ada@example.com'
      await features.accounts.signUps.start({ email, password: PASSWORD, language: 'es' })
      await expect(features.accounts.sessions.signIn({ email, password: PASSWORD })).rejects.toMatchObject({ code: 'email_not_confirmed' })
      await features.accounts.signUps.sendNewLink((await features.accounts.signUps.find({ email, password: PASSWORD })) ?? expect.fail())
      const first = await features.recorder.next(email)
      expect(first.subject).toBe('Confirma tu cuenta de Mayfly')
      expect(first.link).toMatch(/^https:\/\/mayfly\.example\/auth\/confirm\?lang=es#[\w-]{43}$/)
      expect(first.html).toContain('Confirmar mi dirección')
      const second = await features.recorder.nextToken(email)
      const firstToken = new URL(first.link ?? '').hash.slice(1)
      // Signing in too early sent a second mail; the link of the first one still works.
      await features.accounts.signUps.confirm({ token: firstToken, password: PASSWORD })
      for (const token of [firstToken, second]) {
        await expect(features.accounts.signUps.confirm({ token, password: PASSWORD }), 'links work once').rejects.toMatchObject({
          code: 'link_expired',
        })
      }
      const { session, setCookies } = await features.accounts.sessions.signIn({ email, password: PASSWORD })
      expect(session.email).toBe(email)
      expect(setCookies).toHaveLength(1)
    })

    test('of a hundred simultaneous uses of one link, one succeeds', async () => {
      const email = 'race@example.com'
      await features.accounts.signUps.start({ email, password: PASSWORD, language: 'en' })
      const token = await features.recorder.nextToken(email)
      const ends = await Promise.allSettled(
        Array.from({ length: 100 }, () => features.accounts.signUps.confirm({ token, password: PASSWORD })),
      )
      expect(ends.filter(end => end.status === 'fulfilled')).toHaveLength(1)
    })

    test('of the links of ten simultaneous sign-ups of one address, one confirms the account', async () => {
      const request = { email: 'ten@example.com', password: PASSWORD, language: 'en' as const }
      await Promise.all(Array.from({ length: 10 }, () => features.accounts.signUps.start(request)))
      const tokens = await Promise.all(Array.from({ length: 10 }, () => features.recorder.nextToken(request.email)))
      const confirmed = await Promise.allSettled(tokens.map(token => features.accounts.signUps.confirm({ token, password: PASSWORD })))
      expect(confirmed.filter(end => end.status === 'fulfilled')).toHaveLength(1)
      await features.accounts.sessions.signIn(request)
    })

    test('each sign-up has its own link and password, so a later sign-up by a stranger confirms nothing', async () => {
      const email = 'victim@example.com'
      const { signUps, sessions } = features.accounts
      await signUps.start({ email, password: 'the victim chose this', language: 'en' })
      const own = await features.recorder.nextToken(email)
      await signUps.start({ email, password: 'the attacker chose this', language: 'en' })
      const planted = await features.recorder.nextToken(email)
      // The victim clicks on the newest link and enters the password they chose.
      const attempt = signUps.confirm({ token: planted, password: 'the victim chose this' })
      await expect(attempt).rejects.toMatchObject({ code: 'credentials_wrong' })
      await expect(sessions.signIn({ email, password: 'the attacker chose this' })).rejects.toMatchObject({ code: 'email_not_confirmed' })
      await signUps.confirm({ token: own, password: 'the victim chose this' })
      await sessions.signIn({ email, password: 'the victim chose this' })
      await expect(sessions.signIn({ email, password: 'the attacker chose this' })).rejects.toMatchObject({ code: 'credentials_wrong' })
      const late = signUps.confirm({ token: planted, password: 'the attacker chose this' })
      await expect(late).rejects.toMatchObject({ code: 'link_expired' })
    })

    test('sign-ups of one address share a salt, so the time of a sign-in does not reveal how many are waiting', async () => {
      for (const email of ['salt@example.com', 'salt+tag@example.com', 'other-salt@example.com']) {
        for (const password of ['first password', 'second password'])
          await features.accounts.signUps.start({ email, password, language: 'en' })
      }
      const rows = await features.withDatabase(({ db }) => db.selectFrom('sign_ups').select(['email_key', 'password_hash']).execute())
      const readSalts = (key: string) => new Set(rows.filter(row => row.email_key === key).map(row => row.password_hash.split('.')[1]))
      const [one, other] = [readSalts('salt@example.com'), readSalts('other-salt@example.com')]
      expect([one.size, other.size]).toEqual([1, 1])
      expect(one).not.toEqual(other)
    })

    test('an address can have thirty thousand unconfirmed sign-ups', async () => {
      const email = 'crowded@example.com'
      await features.accounts.signUps.start({ email, password: PASSWORD, language: 'en' })
      await features.withDatabase(async ({ db }) => {
        const row = await db.selectFrom('sign_ups').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
        const copies = Array.from({ length: 29_999 }, (_, i) => ({ ...row, id: `${row.id}-${i}`, link_hash: `${row.link_hash}-${i}` }))
        for (let at = 0; at < copies.length; at += 500)
          await db
            .insertInto('sign_ups')
            .values(copies.slice(at, at + 500))
            .execute()
      })
      await expect(features.accounts.signUps.start({ email, password: PASSWORD, language: 'en' })).rejects.toMatchObject({
        code: 'rate_limited',
      })
      await features.accounts.signUps.confirm({ token: await features.recorder.nextToken(email), password: PASSWORD })
    })

    test('who signs up while too many sign-ups of the address wait is told of these, and not of an account', async () => {
      const email = 'queued@example.com'
      await features.withDatabase(async database => {
        const started = Promise.withResolvers<void>()
        const held = Promise.withResolvers<void>()
        const step = () => asOwner(database, signUpsOwner(email), () => Promise.resolve(started.resolve()).then(() => held.promise))
        const waiting = Array.from({ length: 101 }, step)
        await started.promise
        await expect(step()).rejects.toMatchObject({ code: 'rate_limited', detail: 'Too many sign-ups of this address wait.' })
        held.resolve()
        await Promise.all(waiting)
      })
    })

    test('a confirmed address cannot sign up again, not even with a tag or in capitals', async () => {
      await features.confirmed('owner@example.com')
      for (const email of ['owner@example.com', 'Owner+shop@Example.com', 'OWNER@EXAMPLE.COM']) {
        await expect(features.accounts.signUps.start({ email, password: PASSWORD, language: 'en' })).rejects.toMatchObject({
          code: 'account_exists',
        })
      }
    })

    test('a sign-up that is never confirmed is deleted', async () => {
      // The mail with its link waits longer than it is worth.
      features.heardLog.allow(/A mail was given up/)
      const email = 'forgotten@example.com'
      await features.accounts.signUps.start({ email, password: PASSWORD, language: 'en' })
      features.now += 8 * DAY_MS
      await features.sweep()
      await expect(features.accounts.sessions.signIn({ email, password: PASSWORD })).rejects.toMatchObject({ code: 'credentials_wrong' })
    })
  })

  describe('sessions', () => {
    test('the newest ten networks of an account are remembered for 90 days, only as hashes', async () => {
      const account = await features.newAccount('networks@example.com')
      const { knownNetworks } = features.accounts
      for (let network = 0; network < 12; network++) {
        features.now += 1000
        await knownNetworks.remember(account, networksAround(`198.51.100.${network}`))
      }
      const known = await Promise.all(Array.from({ length: 12 }, (_, network) => knownNetworks.has(account.email, `198.51.100.${network}`)))
      expect(known.map(Number).join('')).toBe('001111111111')
      expect(await knownNetworks.has('other@example.com', '198.51.100.5')).toBe(false)
      const stored = JSON.stringify(await features.withDatabase(({ db }) => db.selectFrom('known_networks').selectAll().execute()))
      expect(stored).not.toMatch(/198\.51|networks@/)
      features.now += 90 * DAY_MS
      expect(await knownNetworks.has(account.email, '198.51.100.11')).toBe(false)
      await features.sweep()
      expect(await features.withDatabase(({ db }) => db.selectFrom('known_networks').selectAll().execute())).toEqual([])
    })

    test('sign-ins from many addresses of one line make no other network unknown', async () => {
      const account = await features.newAccount('at.home@example.com')
      const { knownNetworks } = features.accounts
      const seen = async (ip: string) => {
        features.now += 1000
        await knownNetworks.remember(account, networksAround(ip))
      }
      const isKnown = (ip: string) => knownNetworks.has(account.email, networksAround(ip)[0])
      await seen('203.0.113.5')
      await seen('2001:db8:1:2::1')
      for (let n = 0; n < 12; n++) await seen(`2001:db8:7:${n.toString(16)}00::1`)
      for (let n = 0; n < 12; n++) await seen(`198.51.100.${n}`)
      expect(await Promise.all(['203.0.113.5', '2001:db8:1:2::1', '2001:db8:7:b00::1', '198.51.100.11'].map(isKnown))).toEqual(
        Array(4).fill(true),
      )
      expect(await Promise.all(['2001:db8:7:700::1', '198.51.100.4'].map(isKnown)), 'the oldest of a line go first').toEqual([false, false])
      for (let n = 0; n < 10; n++) await seen(`192.0.${n}.1`)
      expect(await isKnown('203.0.113.5'), 'ten other lines').toBe(false)
    })

    test('the database contains no token that opens a session', async () => {
      const email = 'hashed@example.com'
      await features.confirmed(email)
      const headers = await features.signIn(email)
      const token = headers.get('cookie')?.split('=')[1] ?? ''
      const stored = await features.withDatabase(({ db }) => db.selectFrom('sessions').selectAll().execute())
      expect(JSON.stringify(stored)).not.toContain(token)
      expect(await features.isSignedIn(headers)).toBe(true)
      for (const { id, token_hash } of stored)
        for (const value of [id, token_hash]) expect(await features.isSignedIn(cookie(value)), value).toBe(false)
      expect(await features.isSignedIn(cookie(token.replace(/^./, token.startsWith('A') ? 'B' : 'A')))).toBe(false)
    })

    test('a sign-up during the opening of the account is refused, and none is left after its deletion', async () => {
      const { signUps } = features.accounts
      const email = 'opening@example.com'
      const signUp = { email, password: PASSWORD, language: 'en' } as const
      await signUps.start(signUp)
      const token = await features.recorder.nextToken(email)
      const left = () => features.withDatabase(({ db }) => db.selectFrom('sign_ups').selectAll().where('email', '=', email).execute())
      const waiting = await left()
      features.whileVerifying = async () => {
        features.whileVerifying = undefined
        await signUps.confirm({ token, password: PASSWORD })
      }
      await expect(signUps.start({ ...signUp, password: 'of a stranger' })).rejects.toMatchObject({ code: 'account_exists' })
      expect(await left()).toEqual([])
      await features.withDatabase(({ db }) => db.insertInto('sign_ups').values(waiting).execute())
      const { signedIn } = await features.accounts.sessions.current(await features.signIn(email))
      await features.accounts.deleteOwnAccount(signedIn ?? expect.fail(), { password: PASSWORD })
      expect(await left()).toEqual([])
    })

    test('a suspension, a reset or a deletion during a sign-in leaves no session', async () => {
      const { accounts, operator } = features
      const { audit } = operator
      const email = 'meanwhile@example.com'
      const { id } = await features.newAccount(email)
      const token = async () => {
        accounts.passwords.forgot({ email, language: 'en' }, async () => true)
        return features.recorder.nextToken(email)
      }
      const signInWhile = async (work: () => Promise<unknown>) => {
        features.whileVerifying = async () => {
          features.whileVerifying = undefined
          await work()
        }
        return features.signIn(email)
      }
      const moderate = (action: 'suspend' | 'resume') =>
        features.withDatabase(database => {
          const access = testDatabaseAccess(database, { clock: () => features.now })
          return new Moderation({ ...access, audit })[action]('op', email)
        })
      await expect(signInWhile(() => moderate('suspend'))).rejects.toMatchObject({ code: 'account_suspended' })
      await moderate('resume')
      const link = await token()
      const reset = signInWhile(() => accounts.passwords.reset({ token: link, password: 'the new password' }))
      await expect(reset).rejects.toMatchObject({ code: 'credentials_wrong' })
      const back = await token()
      await accounts.knownNetworks.remember({ id, email }, networksAround('198.51.100.9'))
      expect(await accounts.knownNetworks.has(email, '198.51.100.9')).toBe(true)
      await accounts.passwords.reset({ token: back, password: PASSWORD })
      expect(await accounts.knownNetworks.has(email, '198.51.100.9'), 'an intruder guesses as a stranger again').toBe(false)
      await expect(signInWhile(() => accounts.deleteAccount(id))).rejects.toMatchObject({ code: 'credentials_wrong' })
      expect(await features.withDatabase(({ db }) => db.selectFrom('sessions').select('id').where('user_id', '=', id).execute())).toEqual(
        [],
      )
    })

    test('a deletion that was under way during a reset, by somebody with the old password, leaves the account', async () => {
      const { accounts } = features
      const email = 'rescued@example.com'
      await features.newAccount(email)
      const { signedIn } = await accounts.sessions.current(await features.signIn(email))
      if (!signedIn) throw new Error('signed in just now')
      accounts.passwords.forgot({ email, language: 'en' }, async () => true)
      const token = await features.recorder.nextToken(email)
      features.whileVerifying = async () => {
        features.whileVerifying = undefined
        await accounts.passwords.reset({ token, password: 'the new password' })
      }
      await expect(accounts.deleteOwnAccount(signedIn, { password: PASSWORD })).rejects.toMatchObject({ code: 'sign_in_required' })
      await accounts.sessions.signIn({ email, password: 'the new password' })
    })

    test('an account, the owner of its names and the record of its destruction change together', async () => {
      const { accounts, operator } = features
      const email = 'whole@example.com'
      const { id } = await features.newAccount(email)
      await accounts.proMailboxes.create(await features.session(id), { localPart: 'wholly.chosen' })
      const destroy = (clock: () => number) =>
        features.withDatabase(database => {
          const targets = { destroyAddress: async () => undefined, deleteAccount: accounts.deleteAccount }
          const access = testDatabaseAccess(database, { clock })
          return new Moderation({ ...access, audit: new AuditLog(access), targets }).destroyAccount('op', email)
        })
      const left = () =>
        features.withDatabase(async ({ db }) => ({
          users: (await db.selectFrom('users').select('id').where('id', '=', id).execute()).length,
          names: (await db.selectFrom('chosen_names').select('name_hash').where('owner_id', '=', id).execute()).length,
        }))
      // As if the process ended before its last write.
      const ended = () => {
        throw new Error('ended')
      }
      await expect(destroy(ended)).rejects.toThrow('ended')
      expect(await left()).toEqual({ users: 1, names: 1 })
      expect(await destroy(() => features.now)).toBe(true)
      expect(await left()).toEqual({ users: 0, names: 0 })
      expect(await operator.audit.list(1)).toEqual([expect.objectContaining({ action: 'account.destroy', subject: id })])
    })

    test('a session ends after 90 days even if it is used', async () => {
      const email = 'absolute@example.com'
      await features.confirmed(email)
      const headers = await features.signIn(email)
      const start = features.now
      for (let day = 6; day < 90; day += 6) {
        features.now = start + day * DAY_MS
        expect(await features.isSignedIn(headers), `day ${day}`).toBe(true)
      }
      features.now = start + 90 * DAY_MS
      expect(await features.isSignedIn(headers)).toBe(false)
      features.now = start
      expect(await features.isSignedIn(headers), 'and stays ended').toBe(false)
    })
  })
}
