/** What a stranger may not do with accounts, over real HTTP: forge, guess, probe, flood, smuggle. */
import { request as send } from 'node:http'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { describe, expect, test } from 'vitest'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { createPasswordHasher } from '#server/accounts/password-hasher.ts'
import { type Answer, PASSWORD, type Visitor } from '#test/harness/clients/visitor.ts'
import { CHEAP_HASH, startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

/** Password hashes started so far. They take nearly all the time of a response. */
let hashes = 0
const passwords = createPasswordHasher(CHEAP_HASH)
const counted = <A extends unknown[], R>(work: (...args: A) => R) => {
  return (...args: A): R => {
    hashes += 1
    return work(...args)
  }
}
const counting = { hash: counted(passwords.hash), indexOf: counted(passwords.indexOf), verify: counted(passwords.verify) }
const site = await untilEnd(startTestServer({ env: { PUBLIC_URL: 'https://mayfly.example' }, passwordHasher: counting }))
const owner = await site.signedIn('owner@example.com')

/** Every route that acts by cookie or on an account, with a body that it would take. */
const WRITES: [method: string, path: string, body?: Record<string, unknown>][] = [
  ['POST', routes.authSignUp, { email: 'new@example.com', password: PASSWORD, language: 'en' }],
  ['POST', routes.authSignIn, { email: 'owner@example.com', password: PASSWORD }],
  ['POST', routes.authConfirm, { token: 'A'.repeat(43), password: PASSWORD }],
  ['POST', routes.authForgotPassword, { email: 'owner@example.com', language: 'en' }],
  ['POST', routes.authResetPassword, { token: 'A'.repeat(43), password: PASSWORD }],
  ['POST', routes.authChangePassword, { currentPassword: PASSWORD, password: 'of a stranger' }],
  ['POST', routes.authDeleteAccount, { password: PASSWORD }],
  ['POST', routes.accountApiKeys, { name: 'CI' }],
  ['POST', routes.authSignOut],
  ['POST', routes.authSignOutEverywhere],
  ['DELETE', pathTo(routes.accountApiKey, { id: 'none' })],
]
const WITH_BODY = WRITES.flatMap(([method, path, body]) => (body ? [{ method, path, body }] : []))

describe('requests that another site makes a browser send', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: 'http://mayfly.example' },
    { origin: 'https://mayfly.example:8443' },
    { origin: 'https://mayfly.example.evil.test' },
    { origin: 'https://evilmayfly.example' },
    { origin: `http://127.0.0.1:${site.app.httpPort + 1}` },
    { origin: `http://127.0.0.1:${site.app.httpPort}.evil.test` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]

  const passkeys = [routes.authPasskeyOptions, routes.authPasskeySignIn, routes.authPasskeySignUpOptions, routes.authPasskeySignUp]
  const more = [routes.contact, ...passkeys, routes.accountPasskeyOptions, routes.accountPasskeys]
  const all: typeof WRITES = [...WRITES, ...more.map((path): (typeof WRITES)[number] => ['POST', path, {}])]

  test.each(all)('%s %s is refused before the body is read, and nothing changes', async (method, path, body) => {
    const mails = site.recorder.mails.length
    for (const headers of foreign) {
      const answer = await owner.ask(method, path, { ...(body && { body }), headers })
      expect([answer.status, answer.code], JSON.stringify(headers)).toEqual([403, 'forbidden'])
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect(await owner.session()).toMatchObject({ email: 'owner@example.com' })
    expect((await owner.ask('GET', routes.accountApiKeys)).text).toBe('{"keys":[]}')
    expect(site.recorder.mails).toHaveLength(mails)
  })

  test('a form of another site, which needs no preflight, is refused, and neither a GET nor a method header changes anything', async () => {
    const form = { origin: 'https://evil.test', 'content-type': 'application/x-www-form-urlencoded' }
    const body = `email=owner%40example.com&password=${encodeURIComponent(PASSWORD)}`
    expect((await site.visitor().ask('POST', routes.authSignIn, { body, headers: form })).status).toBe(403)
    for (const [method, path] of WRITES.filter(([, path]) => path !== routes.accountApiKeys)) {
      for (const headers of [{}, { 'x-http-method-override': method }, { 'x-method-override': method }]) {
        expect((await owner.ask('GET', path, { headers })).status, path).toBe(405)
      }
    }
    expect(await owner.session()).toMatchObject({ email: 'owner@example.com' })
  })

  test('no page of another site creates an address; one that an extension creates is a visitor’s, not the account’s', async () => {
    expect((await owner.ask('POST', routes.mailboxes, { body: {}, headers: { origin: 'https://evil.test' } })).code).toBe('forbidden')
    const headers = { origin: 'moz-extension://bcca2ebb-a7ca-43bf-9f2d-08e932988039' }
    const made = await owner.ask('POST', routes.mailboxes, { body: {}, headers })
    expect([made.status, JSON.parse(made.text).lifetimeSeconds]).toEqual([201, 600])
    expect((await owner.ask('POST', routes.mailboxes, { body: { localPart: 'forged' }, headers })).code).toBe('sign_in_required')
    expect((await owner.ask('GET', routes.accountMailboxes)).text).toBe('{"mailboxes":[]}')
  })

  test('our own pages are accepted', async () => {
    const headers = { origin: 'https://mayfly.example', 'sec-fetch-site': 'same-origin' }
    const visitor = site.visitor(headers)
    expect((await visitor.signIn('owner@example.com')).status).toBe(200)
    expect((await visitor.post(routes.authSignOut)).status).toBe(204)
    const asNamed = { headers: { origin: `http://127.0.0.1:${site.app.httpPort}` } }
    expect((await owner.ask('POST', routes.mailboxes, { body: {}, ...asNamed })).status).toBe(201)
  })
})

describe('request bodies', () => {
  const broken = (body: Record<string, unknown>): [string, unknown][] => [
    ['an unknown field', { ...body, admin: true }],
    ['a prototype', `{"__proto__":{"admin":true},${JSON.stringify(body).slice(1)}`],
    ...Object.keys(body).flatMap((name): [string, unknown][] => [
      [`${name} as a number`, { ...body, [name]: 1 }],
      [`${name} as an object`, { ...body, [name]: { $ne: null } }],
      [`${name} as a list`, { ...body, [name]: [body[name]] }],
      [`${name} as null`, { ...body, [name]: null }],
      [`${name} left out`, Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))],
      [`${name} too long`, { ...body, [name]: 'a'.repeat(300) }],
      [`${name} empty`, { ...body, [name]: '' }],
    ]),
    ['a list', [body]],
    ['null', 'null'],
    ['nothing', ' '],
    ['no JSON', '{'],
  ]

  test.each(WITH_BODY)('$method $path accepts only its own fields', async ({ method, path, body }) => {
    for (const [what, given] of broken(body)) {
      const answer = await owner.ask(method, path, { body: given })
      expect([answer.status, answer.code], what).toEqual([400, 'invalid_request'])
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(answer.text).not.toMatch(/SQL|zod|node:|\.ts/i)
    }
    expect(Reflect.get({}, 'admin')).toBeUndefined()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const answer = await owner.ask(method, path, { body, headers: { 'content-type': type } })
      expect([answer.status, answer.code], type).toEqual([415, 'unsupported_media_type'])
    }
    const packed = await owner.ask(method, path, { body, headers: { 'content-encoding': 'gzip' } })
    expect(packed.status).toBe(415)
    expect((await owner.ask(method, path, { body: { ...body, padding: 'a'.repeat(1_000_000) } })).code).toBe('body_too_large')
    expect(await owner.session()).toMatchObject({ email: 'owner@example.com' })
  })

  test('passwords have 6 to 128 characters, and an error names the field and its rule', async () => {
    for (const [password, rule] of [
      ['12345', 'passwordShort'],
      ['x'.repeat(129), 'passwordLong'],
    ]) {
      const answer = await site.visitor().post(routes.authSignUp, { email: 'rule@example.com', password, language: 'en' })
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'invalid_request', errors: [{ path: 'password', message: rule }] })
    }
    for (const password of ['123456', 'ñ'.repeat(128)])
      expect((await site.signUp(`len${password.length}@example.com`, password)).status).toBe(202)
  })
})

describe('whether somebody has an account is not revealed', () => {
  const shown = ({ status, headers, text }: Answer) => {
    const { date: _, ...rest } = Object.fromEntries(headers)
    return { status, headers: rest, text }
  }

  test('sign-in gives the same response for a wrong password, an unknown address and an unconfirmed one', async () => {
    await site.signUp('pending@example.com')
    const attempts = ['owner@example.com', 'unknown@example.com', 'pending@example.com', 'unknown@mayfly.test']
    const answers = await Promise.all(attempts.map(async email => shown(await site.visitor().signIn(email, 'not the password'))))
    expect(answers[0]).toMatchObject({ status: 401, text: expect.stringContaining('"code":"credentials_wrong"') })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  test('sign-in computes one hash for known and for unknown addresses', async () => {
    for (const email of ['owner@example.com', 'unknown@example.com', 'pending@example.com', 'unknown@mayfly.test']) {
      const before = hashes
      await site.visitor().signIn(email, 'not the password')
      expect(hashes - before, email).toBe(1)
    }
  })

  test('a password reset gets the same response for known, unknown and unconfirmed addresses', async () => {
    const ask = (email: string) => site.visitor().post(routes.authForgotPassword, { email, language: 'en' })
    const answers = await Promise.all(['owner@example.com', 'unknown@example.com', 'pending@example.com'].map(ask))
    expect(shown(answers[0] as Answer)).toMatchObject({ status: 202, text: '' })
    for (const answer of answers) expect(shown(answer)).toEqual(shown(answers[0] as Answer))
    expect((await site.recorder.next('owner@example.com')).subject).toBe('Choose a new Mayfly password')
    expect((await site.recorder.next('pending@example.com')).subject).toBe('Confirm your Mayfly account')
    expect((await site.recorder.next('pending@example.com')).subject).toBe('Choose a new Mayfly password')
    expect(site.recorder.mails.flatMap(({ recipients }) => recipients)).not.toContain('unknown@example.com')
  })

  test('a sign-up of an unconfirmed address gets the same response as a new one', async () => {
    const [again, fresh] = [await site.signUp('pending@example.com'), await site.signUp('fresh@example.com')]
    expect(shown(again)).toEqual(shown(fresh))
    expect(again.status).toBe(202)
  })
})

test('sign-up needs a solved check for its action, which can be used once', async () => {
  await using checked = await startTestServer({ env: { BOT_CHECK: 'pow' } })
  const visitor = checked.visitor()
  const solve = (action: string) => solved(visitor, action)
  const body = { email: 'person@example.com', password: PASSWORD, language: 'en' }
  expect((await visitor.post(routes.authSignUp, body)).code).toBe('bot_check_failed')
  expect((await visitor.post(routes.authSignUp, { ...body, botCheck: await solve('generate_email') })).code).toBe('bot_check_failed')
  const botCheck = await solve('signup')
  expect((await visitor.post(routes.authSignUp, { ...body, botCheck })).status).toBe(202)
  expect((await visitor.post(routes.authSignUp, { ...body, email: 'second@example.com', botCheck })).code).toBe('bot_check_failed')
  expect(checked.recorder.mails.flatMap(({ recipients }) => recipients)).not.toContain('second@example.com')
})

test('a page needs a check for every address, signed in or not, and an API key needs none', async () => {
  await using checked = await startTestServer({ env: { BOT_CHECK: 'pow' } })
  const visitor = checked.visitor()
  const email = 'pro@example.com'
  await visitor.post(routes.authSignUp, { email, password: PASSWORD, language: 'en', botCheck: await solved(visitor, 'signup') })
  await visitor.post(routes.authConfirm, { token: await checked.recorder.nextToken(email), password: PASSWORD })
  expect((await visitor.signIn(email)).status).toBe(200)
  const unchecked = await visitor.post(routes.mailboxes, { localPart: 'unchecked' })
  expect([unchecked.code, unchecked.text]).toEqual(['bot_check_failed', expect.stringContaining('API token')])
  const made = await visitor.post(routes.mailboxes, { localPart: 'checked', botCheck: await solved(visitor, 'generate_email') })
  expect([made.status, JSON.parse(made.text).email]).toEqual([201, 'checked@mayfly.test'])
  const { key } = JSON.parse((await visitor.post(routes.accountApiKeys, { name: 'CI' })).text)
  const program = checked.visitor({ authorization: `Bearer ${key}` })
  expect((await program.post(routes.mailboxes, { localPart: 'by.program' })).status).toBe(201)
})

async function solved(visitor: Visitor, action: string): Promise<string> {
  const challenge = JSON.parse((await visitor.ask('GET', `${routes.botCheckChallenge}?action=${action}`)).text) as Challenge
  return Buffer.from(JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })).toString('base64')
}

test('links in mails do not use the Host header', async () => {
  const body = JSON.stringify({ email: 'hosted@example.com', password: PASSWORD, language: 'en' })
  const status = await new Promise(resolve => {
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'content-type': 'application/json' }
    send({ port: site.app.httpPort, host: '127.0.0.1', path: routes.authSignUp, method: 'POST', headers }, reply =>
      resolve(reply.statusCode),
    ).end(body)
  })
  expect(status).toBe(202)
  const mail = await site.recorder.next('hosted@example.com')
  expect(mail.raw.toString()).not.toContain('evil.test')
  expect(mail.link).toMatch(/^https:\/\/mayfly\.example\//)
})

test('a session that was stolen makes an API key for a quarter of an hour at most, then with a proof only', async () => {
  const email = 'borrowed@example.com'
  const visitor = await site.signedIn(email)
  const create = (proof?: object) => visitor.post(routes.accountApiKeys, { name: 'CI', proof })
  site.advance(15 * 60_000 - 1)
  expect((await create()).status).toBe(201)
  site.advance(1)
  expect((await create()).code).toBe('proof_required')
  expect((await create({ password: 'not this one' })).code).toBe('credentials_wrong')
  expect((await create({ passkey: 'none' })).code).toBe('invalid_request')
  expect(JSON.parse((await visitor.ask('GET', routes.accountApiKeys)).text).keys).toHaveLength(1)
  const { key } = JSON.parse((await create({ password: PASSWORD })).text)
  expect((await site.visitor({ authorization: `Bearer ${key}` }).ask('GET', routes.mailboxes)).status).toBe(200)
  // Guesses are counted with those of the session's other forms.
  for (let n = 0; n < 28; n++) await create({ password: 'not this one' })
  expect((await create({ password: PASSWORD })).code).toBe('rate_limited')
})
