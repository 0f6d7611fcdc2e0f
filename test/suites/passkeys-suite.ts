import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { accountOwner } from '#server/database/rights.ts'
import { Authenticator, CERTIFIED } from '../harness/clients/authenticator.ts'
import { PASSWORD, type TestDatabaseFeatures } from '../harness/mayfly/start-database-features.ts'

const ORIGIN = 'https://mayfly.example'
const REFUSED = { code: 'passkey_refused' }

export function passkeysSuite(features: TestDatabaseFeatures): void {
  /** A sign-up that waits for its link, and what created its passkey. */
  async function signUp(email: string) {
    const { ceremonies, signUps } = features.accounts
    const authenticator = new Authenticator(ORIGIN)
    const options = await ceremonies.offerCreation({ userId: randomUUID(), email, isSignUp: true })
    const { subject, credential } = await ceremonies.verifyCreation(authenticator.create(options))
    const signUpId = await signUps.startWithPasskey(
      { email, language: 'en' },
      { ...credential, transports: [...credential.transports], userId: subject.userId },
    )
    const caller = { accountId: subject.userId, signUpId }
    return { authenticator, caller, token: await features.recorder.nextToken(email) }
  }

  const use = async (authenticator: Authenticator) => authenticator.use(await features.accounts.ceremonies.offerUse())

  /** An account with a password and a passkey. */
  async function accountWithPasskey(email: string) {
    const account = await features.newAccount(email)
    const authenticator = new Authenticator(ORIGIN)
    const { sessionId } = await features.session(account.id)
    const right = { owner: accountOwner(account.id), sessionId }
    const { passkeys } = features.accounts
    const passkey = await passkeys.add(account.id, right, authenticator.create(await passkeys.offerAnother(account)), 'Firefox · Linux')
    return { account, authenticator, passkey, right }
  }

  const signIn = async (authenticator: Authenticator) =>
    features.accounts.sessions.signInWithPasskey(await use(authenticator), new Headers())

  describe('passkeys', () => {
    test('a sign-up with one is confirmed with it, and it opens the account from then on', async () => {
      const { sessions, signUps, passkeys } = features.accounts
      const email = 'passkey@example.com'
      const { authenticator, token } = await signUp(email)
      await expect(signIn(authenticator), 'before the link').rejects.toMatchObject(REFUSED)
      await expect(signUps.confirm({ token, password: PASSWORD })).rejects.toMatchObject({ code: 'credentials_wrong' })
      const account = await signUps.confirm({ token, passkey: await use(authenticator) })
      const { setCookies } = await sessions.beginConfirmed(account, new Headers())
      expect(await features.isSignedIn(new Headers({ cookie: setCookies[0]?.split(';')[0] ?? '' }))).toBe(true)
      expect((await signIn(authenticator)).account).toEqual({ id: account.id, email })
      await expect(sessions.signIn({ email, password: '' })).rejects.toMatchObject({ code: 'credentials_wrong' })
      expect(await passkeys.list(account.id)).toEqual([
        { id: expect.any(String), createdAt: expect.any(String), lastUsedAt: expect.any(String) },
      ])
    })

    test('the passkey of a stranger’s sign-up, planted before or after, opens no account of the address', async () => {
      const email = 'planted-passkey@example.com'
      const planted = await signUp(email)
      const own = await signUp(email)
      const { signUps } = features.accounts
      const attempt = signUps.confirm({ token: planted.token, passkey: await use(own.authenticator) })
      await expect(attempt, 'the owner presses the stranger’s link').rejects.toMatchObject(REFUSED)
      await signUps.confirm({ token: own.token, passkey: await use(own.authenticator) })
      await expect(signIn(planted.authenticator)).rejects.toMatchObject(REFUSED)
      const late = signUps.confirm({ token: planted.token, passkey: await use(planted.authenticator) })
      await expect(late).rejects.toMatchObject({ code: 'link_expired' })
    })

    test('a sign-up keeps an address until another opens the account, which ends the addresses of all others', async () => {
      const { accounts, testMail } = features
      const email = 'keeps-until@example.com'
      const [early, late, own] = [await signUp(email), await signUp(email), await signUp(email)]
      const keep = async ({ caller }: typeof own) => {
        const { token } = await testMail.mail.createAddress({ lifetimeSeconds: 600 })
        return await accounts.proMailboxes.keep(caller, token)
      }
      const [lost, kept] = [await keep(early), await keep(own)]
      const ownUse = await use(own.authenticator)
      const [{ id }, ...race] = await Promise.all([
        accounts.signUps.confirm({ token: own.token, passkey: ownUse }),
        ...Array.from({ length: 5 }, () => keep(late).catch(() => undefined)),
      ])
      await expect(keep(late), 'too late').rejects.toMatchObject({ code: 'sign_in_required' })
      await accounts.ownedMailboxes.destroyEnding()
      const ended = [lost, ...race.flatMap(mailbox => mailbox ?? [])]
      expect(await Promise.all(ended.map(({ token }) => testMail.mail.openMailbox(token)))).toEqual(ended.map(() => undefined))
      expect((await accounts.proMailboxes.list(id)).map(mailbox => mailbox.email)).toEqual([kept.email])
    })

    test('who lost the passkey before the link, or after it, gets in by a new password, which ends it', async () => {
      const { passwords, signUps, sessions, passkeys } = features.accounts
      const reset = async (email: string) => {
        passwords.forgot({ email, language: 'en' }, async () => true)
        await passwords.reset({ token: await features.recorder.nextToken(email), password: 'a new password' })
        return sessions.signIn({ email, password: 'a new password' })
      }
      const early = await signUp('lost-early@example.com')
      expect(await passkeys.list((await reset('lost-early@example.com')).account.id)).toEqual([])
      await expect(signIn(early.authenticator)).rejects.toMatchObject(REFUSED)

      const late = await signUp('lost-late@example.com')
      await signUps.confirm({ token: late.token, passkey: await use(late.authenticator) })
      await signIn(late.authenticator)
      await reset('lost-late@example.com')
      await expect(signIn(late.authenticator)).rejects.toMatchObject(REFUSED)
    })

    test('an answer counts once, within five minutes, and only for what was asked', async () => {
      const { sessions, ceremonies, passkeys } = features.accounts
      const { account, authenticator, right } = await accountWithPasskey('once-only@example.com')
      const answer = await use(authenticator)
      await sessions.signInWithPasskey(answer, new Headers())
      await expect(sessions.signInWithPasskey(answer, new Headers()), 'again').rejects.toMatchObject(REFUSED)
      const old = await use(authenticator)
      features.now += 300_000
      await expect(sessions.signInWithPasskey(old, new Headers()), 'too late').rejects.toMatchObject(REFUSED)
      const other = new Authenticator(ORIGIN)
      const options = await ceremonies.offerCreation({ userId: randomUUID(), email: 'else@example.com', isSignUp: true })
      const add = passkeys.add(account.id, right, other.create(options), undefined)
      await expect(add, 'the passkey of a sign-up').rejects.toMatchObject(REFUSED)
      const forUse = await ceremonies.offerUse()
      const crossed = other.create({ ...options, challenge: forUse.challenge })
      await expect(ceremonies.verifyCreation(crossed), 'a challenge for something else').rejects.toMatchObject(REFUSED)
    })

    test.each([
      ['another site', { origin: 'https://mayfly.example.evil.test' }],
      ['a user that was not verified', { flags: 0x01 }],
      ['another ceremony', { type: 'webauthn.create' }],
    ])('an answer is refused for %s', async (name, wrong) => {
      const { sessions, ceremonies } = features.accounts
      const { authenticator } = await accountWithPasskey(`refused-${randomUUID()}@example.com`)
      const answer = authenticator.use(await ceremonies.offerUse(), wrong)
      await expect(sessions.signInWithPasskey(answer, new Headers()), name).rejects.toMatchObject(REFUSED)
    })

    test('a forged signature, another passkey’s user and an attestation with a certificate are refused', async () => {
      const { sessions, ceremonies } = features.accounts
      const [one, two] = [await accountWithPasskey('one-key@example.com'), await accountWithPasskey('two-keys@example.com')]
      const [first, second] = [await use(one.authenticator), await use(two.authenticator)]
      const forged = { ...first, response: { ...first.response, signature: second.response.signature } }
      await expect(sessions.signInWithPasskey(forged, new Headers())).rejects.toMatchObject(REFUSED)
      const other = await use(one.authenticator)
      const ofOther = { ...other, response: { ...other.response, userHandle: second.response.userHandle } }
      await expect(sessions.signInWithPasskey(ofOther, new Headers())).rejects.toMatchObject(REFUSED)
      const options = await ceremonies.offerCreation({ userId: randomUUID(), email: 'x@example.com', isSignUp: true })
      const certified = new Authenticator(ORIGIN).create(options, { attestation: CERTIFIED })
      await expect(ceremonies.verifyCreation(certified)).rejects.toMatchObject({ ...REFUSED, cause: { message: 'an attestation' } })
    })

    test('a copied passkey is refused once the other was used more often, and of ten uses with one count one succeeds', async () => {
      const { authenticator } = await accountWithPasskey('copied@example.com')
      const { sessions, ceremonies } = features.accounts
      for (let uses = 0; uses < 3; uses++) await signIn(authenticator)
      authenticator.counter = 1
      await expect(signIn(authenticator)).rejects.toMatchObject(REFUSED)
      const offers = await Promise.all(Array.from({ length: 10 }, () => ceremonies.offerUse()))
      const answers = offers.map(offer => {
        authenticator.counter = 10
        return authenticator.use(offer)
      })
      const ends = await Promise.allSettled(answers.map(answer => sessions.signInWithPasskey(answer, new Headers())))
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(ends.flatMap(end => (end.status === 'rejected' ? [end.reason.code] : []))).toEqual(Array(9).fill('passkey_refused'))
    })

    test('it is listed, added ten times at most whoever adds them at once, removed, and proves only its own account', async () => {
      const { passkeys, requireProof } = features.accounts
      const { account, authenticator, passkey, right } = await accountWithPasskey('ten-keys@example.com')
      expect(passkey).toEqual({ id: expect.any(String), device: 'Firefox · Linux', createdAt: expect.any(String) })
      const others = Array.from({ length: 12 }, () => new Authenticator(ORIGIN))
      const created = await Promise.all(others.map(async other => other.create(await passkeys.offerAnother(account))))
      const ends = await Promise.allSettled(created.map(each => passkeys.add(account.id, right, each, undefined)))
      expect(ends.flatMap(end => (end.status === 'rejected' ? [end.reason.code] : []))).toEqual(Array(3).fill('passkeys_max'))
      await expect(passkeys.offerAnother(account)).rejects.toMatchObject({ code: 'passkeys_max' })

      await requireProof(account, { passkey: await use(authenticator) })
      const stranger = await accountWithPasskey('stranger-key@example.com')
      const proof = requireProof(account, { passkey: await use(stranger.authenticator) })
      await expect(proof).rejects.toMatchObject(REFUSED)
      expect(await passkeys.remove(stranger.account.id, right, passkey.id)).toBe(false)
      expect(await passkeys.remove(account.id, right, passkey.id)).toBe(true)
      await expect(signIn(authenticator)).rejects.toMatchObject(REFUSED)
    })

    test('none is added after the rights have ended, and the account’s end ends all of them', async () => {
      const { passkeys, passwords, deleteOwnAccount } = features.accounts
      const { account, authenticator, right } = await accountWithPasskey('ended-key@example.com')
      const late = new Authenticator(ORIGIN)
      const created = late.create(await passkeys.offerAnother(account))
      passwords.forgot({ email: account.email, language: 'en' }, async () => true)
      await passwords.reset({ token: await features.recorder.nextToken(account.email), password: PASSWORD })
      await expect(passkeys.add(account.id, right, created, undefined)).rejects.toMatchObject({ code: 'sign_in_required' })
      await expect(signIn(authenticator), 'a reset').rejects.toMatchObject(REFUSED)

      const deleted = await accountWithPasskey('deleted-key@example.com')
      await deleteOwnAccount(
        { account: deleted.account, sessionId: deleted.right.sessionId },
        { passkey: await use(deleted.authenticator) },
      )
      await expect(signIn(deleted.authenticator), 'a deletion').rejects.toMatchObject(REFUSED)
      features.now += 600_000
      await features.sweep()
      const left = await features.withDatabase(({ db }) => db.selectFrom('passkey_challenges').selectAll().execute())
      expect(left, 'challenges end').toEqual([])
    })
  })
}
