/** Passkeys over real HTTP: who may ask for what, how often, and where they cannot work. */

import { describe, expect, test } from 'vitest'
import { signedUpSchema } from '#contract/account.ts'
import { PRO_LIFETIME_SECONDS } from '#contract/limits.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { Authenticator } from '#test/harness/clients/authenticator.ts'
import { PASSWORD, type Visitor } from '#test/harness/clients/visitor.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const ORIGIN = 'https://mayfly.example'

const site = await untilEnd(startTestServer({ env: { PUBLIC_URL: ORIGIN, OPERATORS: 'op@example.com' } }))

const json = async (visitor: Visitor, path: string, body?: unknown) => JSON.parse((await visitor.post(path, body)).text)

describe('an account with a passkey alone', () => {
  test('is opened by its link and the passkey, which then signs in, adds another and deletes the account', async () => {
    const email = 'alone@example.com'
    const visitor = site.visitor({ 'user-agent': 'Firefox/140.0 (Linux)' })
    const authenticator = new Authenticator(ORIGIN)
    const passkey = authenticator.create(await json(visitor, routes.authPasskeySignUpOptions, { email }))
    expect((await visitor.post(routes.authPasskeySignUp, { passkey, language: 'es' })).status).toBe(202)
    expect((await visitor.post(routes.authPasskeySignUp, { passkey, language: 'es' })).code, 'again').toBe('passkey_refused')
    const mail = await site.recorder.next(email)
    expect(mail.subject).toBe('Confirma tu cuenta de Mayfly')
    const use = async () => authenticator.use(await json(visitor, routes.authPasskeyOptions))
    const confirmed = await visitor.post(routes.authConfirm, { token: new URL(mail.link ?? '').hash.slice(1), passkey: await use() })
    expect(confirmed.status).toBe(204)
    expect(await visitor.session()).toMatchObject({ email })

    await visitor.post(routes.authSignOut)
    expect(await visitor.session()).toBeNull()
    const signedIn = await visitor.post(routes.authPasskeySignIn, { passkey: await use() })
    expect(JSON.parse(signedIn.text)).toEqual({ session: { email, expiresAt: expect.any(String) } })
    expect(signedIn.headers.getSetCookie()[0]).toMatch(/^__Host-mayfly_session=.*HttpOnly/)

    const listed = async () =>
      JSON.parse((await visitor.ask('GET', routes.accountPasskeys)).text).passkeys as { id: string; device: string }[]
    const [first] = await listed()
    const second = new Authenticator(ORIGIN)
    expect((await visitor.post(routes.accountPasskeyOptions, { password: PASSWORD })).code, 'it has none').toBe('credentials_wrong')
    const options = await json(visitor, routes.accountPasskeyOptions, { passkey: await use() })
    expect(options.excludeCredentials).toEqual([{ id: passkey.id, type: 'public-key', transports: ['internal'] }])
    expect((await visitor.post(routes.accountPasskeys, { passkey: second.create(options) })).status).toBe(201)
    const passkeys = await listed()
    expect(passkeys.map(({ device }) => device)).toEqual(['Firefox · Linux', 'Firefox · Linux'])
    // Both were created at one moment of the test's clock.
    const added = passkeys.find(({ id }) => id !== first?.id)
    const removal = pathTo(routes.accountPasskeyRemoval, { id: added?.id ?? '' })
    expect((await visitor.post(removal, {})).code, 'without a proof').toBe('invalid_request')
    expect((await visitor.post(removal, { password: PASSWORD })).code, 'it has none').toBe('credentials_wrong')
    expect((await visitor.post(removal, { passkey: new Authenticator(ORIGIN).create(options) })).code, 'no use').toBe('invalid_request')
    expect(await listed()).toHaveLength(2)
    expect((await visitor.post(removal, { passkey: await use() })).status).toBe(204)
    expect((await visitor.post(removal, { passkey: await use() })).code).toBe('not_found')

    expect((await visitor.post(routes.authDeleteAccount, { passkey: await use() })).status).toBe(204)
    expect((await visitor.post(routes.authPasskeySignIn, { passkey: await use() })).code).toBe('passkey_refused')
  })

  test('a registered address and one of ours are refused before a passkey is created', async () => {
    await site.account('has-one@example.com')
    const visitor = site.visitor()
    expect((await visitor.post(routes.authPasskeySignUpOptions, { email: 'has-one@example.com' })).code).toBe('account_exists')
    expect((await visitor.post(routes.authPasskeySignUpOptions, { email: 'me@mayfly.test' })).code).toBe('email_not_allowed')
  })
})

describe('a sign-up that keeps an address', () => {
  async function signUp(email: string, mailboxToken: string) {
    const visitor = site.visitor()
    const authenticator = new Authenticator(ORIGIN)
    const passkey = authenticator.create(await json(visitor, routes.authPasskeySignUpOptions, { email }))
    const answer = await visitor.post(routes.authPasskeySignUp, { passkey, language: 'en', mailboxToken })
    expect(answer.status).toBe(202)
    return { visitor, authenticator, ...signedUpSchema.parse(JSON.parse(answer.text)) }
  }

  test('has it for a day before it is confirmed, and in the list of its account afterwards', async () => {
    const made = await json(site.visitor(), routes.mailboxes, {})
    const { visitor, authenticator, mailbox } = await signUp('keeps@example.com', made.token)
    expect(mailbox).toMatchObject({ email: made.email, token: made.token, lifetimeSeconds: PRO_LIFETIME_SECONDS, kept: true })
    expect((await visitor.ask('GET', routes.accountMailboxes)).code).toBe('sign_in_required')
    site.advance(600_000)
    const read = await visitor.ask('GET', routes.mailbox, { headers: { authorization: `Bearer ${made.token}` } })
    expect(JSON.parse(read.text)).toMatchObject({ email: made.email, secondsLeft: PRO_LIFETIME_SECONDS - 600 })
    const token = new URL((await site.recorder.next('keeps@example.com')).link ?? '').hash.slice(1)
    const passkey = authenticator.use(await json(visitor, routes.authPasskeyOptions))
    expect((await visitor.post(routes.authConfirm, { token, passkey })).status).toBe(204)
    const { mailboxes } = JSON.parse((await visitor.ask('GET', routes.accountMailboxes)).text)
    expect(mailboxes).toMatchObject([{ email: made.email, kept: true }])
  })

  test.each(['a new password', 'a sign-up with another passkey'])('loses it when the account is opened by %s', async how => {
    const email = `${how.replaceAll(' ', '-')}@example.com`
    const made = await json(site.visitor(), routes.mailboxes, {})
    const { visitor } = await signUp(email, made.token)
    const nextToken = async () => new URL((await site.recorder.next(email)).link ?? '').hash.slice(1)
    await nextToken()
    if (how === 'a new password') {
      expect((await visitor.post(routes.authForgotPassword, { email, language: 'en' })).status).toBe(202)
      const reset = { token: await nextToken(), password: PASSWORD }
      expect((await visitor.post(routes.authResetPassword, reset)).status).toBe(204)
    } else {
      const own = await json(site.visitor(), routes.mailboxes, {})
      const { authenticator } = await signUp(email, own.token)
      const passkey = authenticator.use(await json(visitor, routes.authPasskeyOptions))
      expect((await visitor.post(routes.authConfirm, { token: await nextToken(), passkey })).status).toBe(204)
      const { mailboxes } = JSON.parse((await visitor.ask('GET', routes.accountMailboxes)).text)
      expect(mailboxes).toMatchObject([{ email: own.email, kept: true }])
    }
    const headers = { authorization: `Bearer ${made.token}` }
    const read = async () => (await site.visitor().ask('GET', routes.mailbox, { headers })).status
    await expect.poll(read, { timeout: 30_000 }).toBe(404)
  })

  test('is a sign-up all the same if the address has ended, and takes none that another sign-up has', async () => {
    const made = await json(site.visitor(), routes.mailboxes, {})
    expect((await signUp('first@example.com', made.token)).mailbox).toBeDefined()
    expect((await signUp('second@example.com', made.token)).mailbox).toBeUndefined()
    await site.visitor().ask('DELETE', routes.mailbox, { headers: { authorization: `Bearer ${made.token}` } })
    expect((await signUp('third@example.com', made.token)).mailbox).toBeUndefined()
    for (const name of ['second', 'third']) expect((await site.recorder.next(`${name}@example.com`)).link).toContain('/auth/confirm')
  })
})

test('a passkey signs an operator in, and does not replace the second factor', async () => {
  const visitor = await site.signedIn('op@example.com')
  const authenticator = new Authenticator(ORIGIN)
  const options = await json(visitor, routes.accountPasskeyOptions, { password: PASSWORD })
  await visitor.post(routes.accountPasskeys, { passkey: authenticator.create(options) })
  const other = site.visitor()
  const passkey = authenticator.use(await json(other, routes.authPasskeyOptions))
  expect((await other.post(routes.authPasskeySignIn, { passkey })).status).toBe(200)
  expect((await other.ask('GET', routes.operatorOverview)).code).toBe('second_factor_required')
})

test('a borrowed browser cannot add one', async () => {
  const visitor = await site.signedIn('borrowed@example.com')
  expect((await visitor.post(routes.accountPasskeyOptions, { password: 'a guess' })).code).toBe('credentials_wrong')
  expect((await site.visitor().post(routes.accountPasskeyOptions, { password: PASSWORD })).code).toBe('sign_in_required')
})

test.each([
  ['http://192.0.2.7:8080', 'Passkeys need a host name'],
  ['http://[2001:db8::7]', 'Passkeys need a host name'],
  ['http://mail.example', 'Passkeys need https'],
])('at %s the response says why passkeys cannot work', async (PUBLIC_URL, reason) => {
  await using server = await startTestServer({ env: { PUBLIC_URL } })
  const answer = await server.visitor().post(routes.authPasskeyOptions)
  expect([answer.status, answer.code]).toEqual([409, 'passkeys_unavailable'])
  expect(JSON.parse(answer.text).detail).toContain(reason)
})

test('at localhost they work without https, and asking for them is limited as signing in is', async () => {
  await using server = await startTestServer({ env: { PUBLIC_URL: 'http://localhost:8080', NETWORK_LIMIT_FACTOR: '1' } })
  const visitor = server.visitor()
  for (let asked = 0; asked < 5; asked++) expect((await json(visitor, routes.authPasskeyOptions)).rpId).toBe('localhost')
  const sixth = await visitor.post(routes.authPasskeyOptions)
  expect([sixth.code, sixth.headers.get('retry-after')]).toEqual(['rate_limited', '900'])
})
