/** The life of an account over real HTTP: sign up, confirm, sign in, stay, sign out, new password, delete. */

import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { routes } from '#contract/routes.ts'
import { PASSWORD } from '#test/harness/clients/visitor.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const site = await untilEnd(startTestServer({ env: { PUBLIC_URL: 'https://mayfly.example' } }))

describe('sign-up and confirmation', () => {
  test('the link works by POST only, once, and signs in who knows the password', async () => {
    await site.signUp('once@example.com')
    const token = await site.recorder.nextToken('once@example.com')
    const scanner = site.visitor()
    for (const path of [`/auth/confirm?lang=en`, `${routes.authConfirm}?token=${token}`]) await scanner.ask('GET', path)
    expect((await scanner.ask('GET', routes.authConfirm)).status).toBe(405)
    const answers = [await scanner.post(routes.authConfirm, { token, password: PASSWORD })]
    answers.push(await scanner.post(routes.authConfirm, { token, password: PASSWORD }))
    expect(answers.map(({ status, code }) => [status, code])).toEqual([
      [204, undefined],
      [404, 'link_expired'],
    ])
    expect(answers.map(({ headers }) => headers.has('set-cookie'))).toEqual([true, false])
    expect(JSON.parse((await scanner.ask('GET', routes.authSession)).text)).toMatchObject({ session: { email: 'once@example.com' } })
  })

  test('a sign-in before confirmation keeps the first link, links work for one purpose only and expire after 24 hours', async () => {
    const email = 'newest@example.com'
    const visitor = site.visitor()
    await site.signUp(email)
    const old = await site.recorder.nextToken(email)
    expect((await visitor.signIn(email)).code).toBe('email_not_confirmed')
    const token = await site.recorder.nextToken(email)
    // Known, so it is the password that is wrong.
    expect((await visitor.post(routes.authConfirm, { token: old, password: 'not this one' })).code).toBe('credentials_wrong')
    expect((await visitor.post(routes.authResetPassword, { token, password: 'another one' })).code).toBe('link_expired')
    site.advance(DAY_MS)
    for (const link of [old, token]) {
      expect((await visitor.post(routes.authConfirm, { token: link, password: PASSWORD })).code).toBe('link_expired')
    }
    expect((await visitor.post(routes.authConfirm, { token: 'A'.repeat(43), password: PASSWORD })).code).toBe('link_expired')
  })

  test('our own domains and invalid addresses cannot sign up, and a registered one is told so', async () => {
    await site.account('owner@example.com')
    expect((await site.signUp('me@mayfly.test')).code).toBe('email_not_allowed')
    expect((await site.signUp('me@sub.mayfly.test')).code).toBe('email_not_allowed')
    const answer = await site.signUp('owner@example.com')
    expect([answer.status, answer.code, JSON.parse(answer.text).title]).toEqual([
      409,
      'account_exists',
      'This email is already registered.',
    ])
    const bad = [
      '"<svg/onload=alert(1)>"@x.test',
      'a@b',
      'a@b.test\r\nBcc: v@x.test',
      `${'a'.repeat(250)}@b.test`,
      'a b@c.test',
      'á@b.test',
      '',
    ]
    for (const email of bad) expect((await site.signUp(email)).code, email).toBe('invalid_request')
  })
})

describe('sessions', () => {
  test('the cookie is HttpOnly, Secure, SameSite and bound to the host, and its response is not cached', async () => {
    await site.account('cookie@example.com')
    const visitor = site.visitor()
    const answer = await visitor.signIn('cookie@example.com')
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toEqual({ session: { email: 'cookie@example.com', expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) } })
    const cookies = answer.headers.getSetCookie()
    expect(cookies).toHaveLength(1)
    const [pair, ...attributes] = (cookies[0] ?? '').split('; ')
    expect(pair).toMatch(/^__Host-mayfly_session=[\w-]{43}$/)
    expect(attributes.map(attribute => attribute.toLowerCase()).sort()).toEqual([
      'httponly',
      'max-age=604800',
      'path=/',
      'samesite=lax',
      'secure',
    ])
    for (const { headers } of [answer, await visitor.ask('GET', routes.authSession), await visitor.ask('GET', routes.accountApiKeys)]) {
      expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['no-store', 'Cookie'])
    }
  })

  test('without https the cookie has a plain name, and is still HttpOnly and SameSite', async () => {
    await using plain = await startTestServer()
    await plain.account('plain@example.com')
    const visitor = plain.visitor()
    const [cookie] = (await visitor.signIn('plain@example.com')).headers.getSetCookie()
    expect(cookie).toMatch(/^mayfly_session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
    expect((await visitor.post(routes.authSignOut)).headers.has('clear-site-data'), 'browsers refuse it there').toBe(false)
  })

  test('a session identifier chosen by a stranger opens nothing, and each sign-in creates a new one', async () => {
    await site.account('fixed@example.com')
    const visitor = site.visitor()
    const values: string[] = []
    visitor.cookies.set('__Host-mayfly_session', 'chosen-by-a-stranger.c2lnbmF0dXJl')
    for (let time = 0; time < 2; time++) {
      await visitor.signIn('fixed@example.com')
      values.push(visitor.cookies.get('__Host-mayfly_session') ?? '')
    }
    expect(new Set(values).size).toBe(2)
    expect(values).not.toContain('chosen-by-a-stranger.c2lnbmF0dXJl')
    const thief = site.visitor()
    thief.cookies.set('__Host-mayfly_session', 'chosen-by-a-stranger.c2lnbmF0dXJl')
    expect(await thief.session()).toBeNull()
    thief.cookies.set('__Host-mayfly_session', values[0] ?? '')
    expect(await thief.session(), 'the session that the browser had before ended with its next sign-in').toBeNull()
    expect(await visitor.session()).toMatchObject({ email: 'fixed@example.com' })
  })

  test('unknown, long and duplicate cookies are ignored without an error', async () => {
    const visitor = site.visitor()
    for (const value of ['x'.repeat(10_000), '%', '%00', '.', 'a.b.c', '{}', '"', '']) {
      visitor.cookies.set('__Host-mayfly_session', value)
      expect(await visitor.session(), value.slice(0, 20)).toBeNull()
      expect((await visitor.ask('GET', routes.accountMailboxes)).status).toBe(401)
    }
    const headers = { cookie: '__Host-mayfly_session=a; __Host-mayfly_session=b; __Host-mayfly_session=' }
    expect((await site.visitor().ask('GET', routes.authSession, { headers })).text).toBe('{"session":null}')
  })

  test('a session in use is extended, and an unused one ends', async () => {
    const visitor = await site.signedIn('refresh@example.com')
    const setEnd = (millis: number) =>
      site.withDatabase(async ({ db }) => {
        const user = db.selectFrom('users').select('id').where('email', '=', 'refresh@example.com')
        await db.updateTable('sessions').set({ expires_at: millis }).where('user_id', '=', user).execute()
      })
    await setEnd(Date.now() + 3 * DAY_MS)
    const answer = await visitor.ask('GET', routes.authSession)
    expect(answer.headers.getSetCookie()).toHaveLength(1)
    const { expiresAt } = JSON.parse(answer.text).session
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 6.9 * DAY_MS)
    expect((await visitor.ask('GET', routes.authSession)).headers.getSetCookie(), 'only when it is due').toEqual([])

    await setEnd(Date.now() - 1)
    expect(await visitor.session()).toBeNull()
  })

  test('sign-out ends this session and sign-out everywhere all of them, at once and on the server', async () => {
    const [one, two, three] = [
      await site.signedIn('devices@example.com'),
      await site.signedIn('devices@example.com'),
      await site.signedIn('devices@example.com'),
    ]
    const stolen = site.visitor()
    for (const [name, value] of one.cookies) stolen.cookies.set(name, value)
    const out = await one.post(routes.authSignOut)
    expect(out.headers.get('clear-site-data'), 'pages are forgotten, the visitor’s own mailbox in local storage is not').toBe('"cache"')
    expect([out.status, out.headers.getSetCookie()[0]]).toEqual([204, expect.stringContaining('__Host-mayfly_session=; Max-Age=0')])
    expect(one.cookies.size).toBe(0)
    expect(await stolen.session()).toBeNull()
    expect(await two.session()).toMatchObject({ email: 'devices@example.com' })
    expect((await two.post(routes.authSignOutEverywhere)).status).toBe(204)
    expect([await two.session(), await three.session()]).toEqual([null, null])
    expect((await three.post(routes.authSignOutEverywhere)).code).toBe('sign_in_required')
    expect((await three.post(routes.authSignOut)).status, 'signing out twice is no fault').toBe(204)
  })
})

test('the list of devices names browser and system, and each can be signed out; those of another account cannot', async () => {
  const email = 'list@example.com'
  await site.account(email)
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const phone = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36'
  const visitors = [firefox, phone, ''].map(agent => site.visitor({ 'user-agent': agent }))
  for (const visitor of visitors) {
    await visitor.signIn(email)
    site.advance(1000)
  }
  const [own, other] = visitors
  const list = async () => JSON.parse((await own?.ask('GET', routes.accountSessions))?.text ?? '').sessions
  const sessions: { id: string; device?: string; isCurrent: boolean; createdAt: string }[] = await list()
  expect(new Set(sessions.map(({ device, isCurrent }) => `${device}, ${isCurrent}`))).toEqual(
    new Set(['Firefox · Linux, true', 'Chrome · Android, false', 'undefined, false']),
  )
  const stored = await site.withDatabase(({ db }) => db.selectFrom('sessions').selectAll().execute())
  expect(JSON.stringify(stored), 'nothing else of what the browser says').not.toMatch(/Pixel 9|x86_64|rv:140|[/]140/)

  const phoneId = sessions.find(({ device }) => device === 'Chrome · Android')?.id ?? ''
  const path = routes.accountSession.replace(':id', phoneId)
  const stranger = await site.signedIn('stranger@example.com')
  expect((await stranger.ask('DELETE', path)).code).toBe('not_found')
  expect((await own?.ask('DELETE', path, { headers: { 'sec-fetch-site': 'cross-site' } }))?.code).toBe('forbidden')
  expect(await other?.session()).toMatchObject({ email })
  expect((await own?.ask('DELETE', path))?.status).toBe(204)
  expect([await other?.session(), (await list()).length]).toEqual([null, 2])
  expect((await own?.ask('DELETE', path))?.code).toBe('not_found')
})

describe('forgotten password', () => {
  test('a link sets the password once, ends every session and every other link, and expires after an hour', async () => {
    const email = 'forgot@example.com'
    const before = await site.signedIn(email)
    const visitor = site.visitor()
    const ask = async () => {
      expect((await visitor.post(routes.authForgotPassword, { email, language: 'en' })).status).toBe(202)
      return await site.recorder.nextToken(email)
    }
    // Whoever knows the address asks for the newer one.
    const [older, newer] = [await ask(), await ask()]
    const uses = await Promise.all(
      Array.from({ length: 5 }, () => site.visitor().post(routes.authResetPassword, { token: older, password: 'the new one' })),
    )
    expect(uses.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404])
    expect((await visitor.post(routes.authResetPassword, { token: newer, password: 'another one' })).code).toBe('link_expired')
    expect(await before.session()).toBeNull()
    expect((await visitor.signIn(email)).code).toBe('credentials_wrong')
    expect((await visitor.signIn(email, 'the new one')).status).toBe(200)

    const late = await ask()
    site.advance(3_600_000)
    expect((await visitor.post(routes.authResetPassword, { token: late, password: 'too late!' })).code).toBe('link_expired')
    expect((await site.visitor().signIn(email, 'the new one')).status).toBe(200)
  })

  test('a confirmation link sets no password, and a reset confirms the address that it was mailed to', async () => {
    const email = 'unconfirmed@example.com'
    await site.signUp(email)
    const confirmation = await site.recorder.nextToken(email)
    expect((await site.visitor().post(routes.authResetPassword, { token: confirmation, password: 'stolen it' })).code).toBe('link_expired')
    await site.visitor().post(routes.authForgotPassword, { email, language: 'en' })
    const token = await site.recorder.nextToken(email)
    await site.visitor().post(routes.authForgotPassword, { email, language: 'en' })
    const newer = await site.recorder.nextToken(email)
    expect((await site.visitor().post(routes.authResetPassword, { token, password: 'chosen anew' })).status).toBe(204)
    expect((await site.visitor().post(routes.authResetPassword, { token: newer, password: 'and again' })).code).toBe('link_expired')
    expect((await site.visitor().signIn(email, 'chosen anew')).status).toBe(200)
  })
})

test('the name of an API key has no control characters and no marks that turn the direction of text', async () => {
  const visitor = await site.signedIn('names@example.com')
  for (const name of ['ci\u202egnp', 'ci\u2066', '\u200fci', 'c\ni', 'c\u0085i']) {
    const refused = await visitor.post(routes.accountApiKeys, { name })
    expect(refused.code).toBe('invalid_request')
    expect(JSON.parse(refused.text).errors).toMatchObject([{ path: 'name', message: expect.stringContaining('direction of text') }])
  }
  for (const name of ['  עברית  ', '👩‍💻 ci', 'می‌خواهم'])
    expect((await visitor.post(routes.accountApiKeys, { name })).status, name).toBe(201)
})

test('changing the password needs the one before, and ends the other sessions, not passkeys and API keys', async () => {
  const email = 'changing@example.com'
  const [visitor, other] = [await site.signedIn(email), await site.signedIn(email)]
  const { key } = JSON.parse((await visitor.post(routes.accountApiKeys, { name: 'CI' })).text)
  const change = (currentPassword: string, password: string, by = visitor) =>
    by.post(routes.authChangePassword, { currentPassword, password })
  expect((await change('not this one', 'the new one')).code).toBe('credentials_wrong')
  expect((await change(PASSWORD, 'short')).code).toBe('invalid_request')
  expect((await change(PASSWORD, 'the new one', site.visitor())).code).toBe('sign_in_required')
  expect(await other.session()).toMatchObject({ email })

  const { cookies } = visitor
  const copy = site.visitor({ cookie: [...cookies].map(pair => pair.join('=')).join('; ') })
  expect(await copy.session()).toMatchObject({ email })
  expect((await change(PASSWORD, 'the new one')).status).toBe(204)
  expect(await copy.session(), 'a copied cookie').toBeNull()
  const [ofKey, warning] = [await site.recorder.next(email), await site.recorder.next(email)]
  expect([ofKey.subject, warning.subject]).toEqual(['An API key was created for your Mayfly account', 'Your Mayfly password was changed'])
  expect(warning.raw.toString()).toContain('/auth/forgot-password?lang=')
  expect([await visitor.session(), await other.session()]).toEqual([expect.objectContaining({ email }), null])
  expect((await site.visitor().signIn(email)).code).toBe('credentials_wrong')
  expect((await site.visitor().signIn(email, 'the new one')).status).toBe(200)
  const made = await site.visitor().ask('POST', routes.mailboxes, { body: {}, headers: { authorization: `Bearer ${key}` } })
  expect(made.status).toBe(201)

  // One of two changes with the same password comes true.
  const both = await Promise.all(['of one tab', 'of another'].map(password => change('the new one', password)))
  expect(both.map(({ status }) => status).toSorted()).toEqual([204, 401])
})

test('an intruder who changes the password again and again voids no link that was mailed to the owner', async () => {
  const email = 'rescued@example.com'
  const intruder = await site.signedIn(email)
  await site.visitor().post(routes.authForgotPassword, { email, language: 'en' })
  const token = await site.recorder.nextToken(email)
  for (const [currentPassword, password] of [
    [PASSWORD, 'the first'],
    ['the first', 'the second'],
  ] as const)
    expect((await intruder.post(routes.authChangePassword, { currentPassword, password })).status).toBe(204)
  expect((await site.visitor().post(routes.authResetPassword, { token, password: 'by the link' })).status).toBe(204)
  expect(await intruder.session()).toBeNull()
  expect((await site.visitor().signIn(email, 'the second')).code).toBe('credentials_wrong')
  expect((await site.visitor().signIn(email, 'by the link')).status).toBe(200)
})

test('deleting the account needs its password and ends sessions, keys, addresses and the account', async () => {
  const email = 'leaving@example.com'
  const [visitor, other] = [await site.signedIn(email), await site.signedIn(email)]
  const { key } = JSON.parse((await visitor.post(routes.accountApiKeys, { name: 'CI' })).text)
  const { token } = JSON.parse((await visitor.post(routes.mailboxes, {})).text)
  expect((await visitor.post(routes.authDeleteAccount, { password: 'not this one' })).code).toBe('credentials_wrong')
  expect(await visitor.session()).toMatchObject({ email })
  const gone = await visitor.post(routes.authDeleteAccount, { password: PASSWORD })
  expect([gone.status, visitor.cookies.size]).toEqual([204, 0])
  expect(await other.session()).toBeNull()
  expect((await site.visitor().signIn(email)).code).toBe('credentials_wrong')
  const bearer = (credential: string) => ({ headers: { authorization: `Bearer ${credential}` } })
  expect((await site.visitor().ask('GET', routes.mailbox, bearer(token))).status).toBe(404)
  expect((await site.visitor().ask('POST', routes.mailboxes, { body: {}, ...bearer(key) })).code).toBe('api_token_invalid')
  const left = await site.withDatabase(({ db }) =>
    db
      .selectFrom('users')
      .select('email' as never)
      .execute(),
  )
  expect(JSON.stringify(left)).not.toContain(email)
})
