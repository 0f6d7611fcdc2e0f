/** Limits of attempts, over real HTTP with a clock that the test sets. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createPasswordHasher, type PasswordHasher } from '#server/accounts/password-hasher.ts'
import { type Answer, PASSWORD, type Visitor } from '#test/harness/clients/visitor.ts'
import { CHEAP_HASH, startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

/** Five attempts of one network in 15 minutes. */
const WINDOW_MS = 15 * 60_000

const site = await untilEnd(startTestServer({ env: { NETWORK_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1' } }))

let networks = 0
/** A visitor of a new network. */
const stranger = () => {
  networks += 1
  return site.visitor({ 'x-forwarded-for': `10.${networks >> 8}.${networks & 255}.1` })
}
const codes = (answers: readonly Answer[]) => answers.map(({ status }) => status)

async function times(count: number, ask: (time: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let time = 0; time < count; time++) answers.push(await ask(time))
  return answers
}

const token = 'A'.repeat(43)
test.each([
  ['sign-in', routes.authSignIn, (n: number) => ({ email: `in${n}@example.com`, password: PASSWORD }), 401],
  ['sign-up', routes.authSignUp, (n: number) => ({ email: `up${n}@example.com`, password: PASSWORD, language: 'en' }), 202],
  ['forgotten password', routes.authForgotPassword, (n: number) => ({ email: `f${n}@example.com`, language: 'en' }), 202],
  ['confirmation', routes.authConfirm, () => ({ token, password: PASSWORD }), 404],
  ['new password', routes.authResetPassword, () => ({ token, password: PASSWORD }), 404],
])(
  '%s: five attempts in 900 s from one network, then the remaining wait is returned, exact to the millisecond',
  async (_, path, body, status) => {
    const visitor = stranger()
    const answers = await times(7, time => visitor.post(path, body(time)))
    expect(codes(answers)).toEqual([...Array(5).fill(status), 429, 429])
    expect(answers[5]?.code).toBe('rate_limited')
    expect(answers[5]?.headers.get('retry-after')).toBe('900')
    expect((await stranger().post(path, body(8))).status, 'another network is not meant').toBe(status)
    site.advance(899_999)
    expect((await visitor.post(path, body(9))).headers.get('retry-after')).toBe('1')
    site.advance(1)
    expect((await visitor.post(path, body(9))).status).toBe(status)
  },
)

test('a password reset and its link do not use up sign-in attempts', async () => {
  const visitor = stranger()
  await times(6, () => visitor.post(routes.authForgotPassword, { email: 'a@example.com', language: 'en' }))
  await times(6, () => visitor.post(routes.authConfirm, { token, password: PASSWORD }))
  expect((await visitor.signIn('a@example.com')).status).toBe(401)
})

test('an invalid body uses up no attempt', async () => {
  const visitor = stranger()
  await times(6, () => visitor.post(routes.authSignIn, { email: 'not an address', password: PASSWORD }))
  expect((await visitor.signIn('a@example.com')).status).toBe(401)
})

test('forwarding headers are read only from the trusted proxy, from the right, and IPv6 counts by its /64', async () => {
  const from = (header: Record<string, string>) => site.visitor(header).signIn('rotate@example.com')
  const forged = await times(6, time => from({ 'x-forwarded-for': `203.0.113.${time}, 198.51.100.77`, 'x-real-ip': `203.0.113.${time}` }))
  expect(codes(forged)).toEqual([401, 401, 401, 401, 401, 429])
  const sixes = await times(6, time => from({ 'x-forwarded-for': `2001:db8:1:2:${time}::1` }))
  expect(codes(sixes)).toEqual([401, 401, 401, 401, 401, 429])
})

test('a network sends the operator twenty messages and reports in a day, so that it cannot push out those of others', async () => {
  const form = { name: 'Ann', email: 'ann@sender.test', subject: 'A question', message: 'How long does an address live?' }
  const report = { kind: 'spam', address: 'someone@mayfly.test', message: 'It sends me advertisements.' }
  const visitor = stranger()
  const expectMinute = async (path: string, body: object, status: number) => {
    expect(codes(await times(10, () => visitor.post(path, body)))).toEqual(Array(10).fill(status))
    site.advance(60_000)
  }
  await expectMinute(routes.contact, form, 202)
  await expectMinute(routes.reports, report, 202)
  expect((await visitor.post(routes.contact, form)).headers.get('retry-after')).toBe(`${86_400 - 120}`)
  expect((await visitor.post(routes.reports, report)).code).toBe('rate_limited')
  expect((await stranger().post(routes.contact, form)).status).toBe(202)
})

test('an account can be tried thirty times in 900 s from all unknown networks together, and its owner is not locked out', async () => {
  await site.account('target@example.com')
  for (const email of ['target@example.com', 'unknown@example.com', 'Target+tag@example.com']) {
    const answers = await times(31, () => stranger().signIn(email, 'a guess'))
    expect(codes(answers), email).toEqual(email.includes('tag') ? Array(31).fill(429) : [...Array(30).fill(401), 429])
  }
  expect((await stranger().signIn('target@example.com')).code).toBe('rate_limited')
  site.advance(WINDOW_MS)
  expect((await stranger().signIn('target@example.com')).status).toBe(200)
})

test('strangers who use up the attempts of an account do not lock out its owner on a network used before', async () => {
  const email = 'locked.out@example.com'
  await site.account(email)
  const owner = stranger()
  expect((await owner.signIn(email)).status).toBe(200)
  for (let network = 0; network < 6; network++) {
    const attacker = stranger()
    await times(5, () => attacker.signIn(email, 'a guess'))
  }
  expect((await stranger().signIn(email)).code).toBe('rate_limited')
  // Signed in, and now on a journey.
  const changed = { currentPassword: PASSWORD, password: PASSWORD }
  expect((await owner.post(routes.authChangePassword, changed, { 'x-forwarded-for': '10.9.1.1' })).status).toBe(204)
  expect((await owner.signIn(email)).status).toBe(200)
})

test('a wrong password is answered alike, and costs a hash, whether or not the account exists and knows the network', async () => {
  const [email, unknown] = ['at.home@example.com', 'nobody.at.home@example.com']
  let [guesses, hashes] = [0, 0]
  const hasher = createPasswordHasher(CHEAP_HASH)
  const passwordHasher: PasswordHasher = {
    ...hasher,
    indexOf(...attempt) {
      hashes += 1
      return hasher.indexOf(...attempt)
    },
  }
  await using office = await startTestServer({ env: { NETWORK_LIMIT_FACTOR: '100', TRUST_PROXY: '127.0.0.1' }, passwordHasher })
  await office.account(email)
  const from = (network: string) => office.visitor({ 'x-forwarded-for': network })
  expect((await from('203.0.113.1').signIn(email)).status).toBe(200)
  hashes = 0
  /** The responses to wrong passwords, for the account and for nobody. */
  const guess = (visitor: Visitor, count: number) =>
    Promise.all(
      [email, unknown].map(async address => {
        const answers = await times(count, () => visitor.signIn(address, 'a guess'))
        return answers.map(({ status, text, headers }) => [status, text, headers.get('ratelimit'), headers.get('retry-after')])
      }),
    )
  for (const inTurn of [
    ['198.51.100.1', '203.0.113.1'],
    ['203.0.113.1', '198.51.100.1'],
    ['203.0.113.1', '203.0.113.1', '198.51.100.1'],
  ]) {
    office.advance(WINDOW_MS)
    for (const network of inTurn) {
      const [ofAccount, ofNobody = []] = await guess(from(network), inTurn.length === 2 ? 31 : 16)
      expect(ofAccount, `${network} of ${inTurn}`).toEqual(ofNobody)
      guesses += 2 * ofNobody.length
    }
  }
  expect(hashes).toBe(guesses)
})

test('strangers who ask for links to an account and guess its password do not lock out its owner on an unknown network', async () => {
  const email = 'away@example.com'
  await site.account(email)
  await times(31, () => stranger().signIn(email, 'a guess'))
  await times(15, () => stranger().post(routes.authForgotPassword, { email, language: 'en' }))
  const owner = stranger()
  expect((await owner.signIn(email)).code).toBe('rate_limited')
  expect((await owner.post(routes.authForgotPassword, { email, language: 'en' })).status).toBe(202)
  const links: string[] = []
  for (let mail = 0; mail < 3; mail++) links.push(await site.recorder.nextToken(email))
  expect((await owner.post(routes.authResetPassword, { token: links[0], password: 'a new password' })).status).toBe(204)
  expect((await owner.signIn(email, 'a new password')).status, 'their network is known now').toBe(200)
  expect((await stranger().signIn(email, 'a new password')).code).toBe('rate_limited')
  expect((await owner.post(routes.authForgotPassword, { email, language: 'en' })).status).toBe(202)
  await site.recorder.nextToken(email)
})

test('strangers who sign up with an address do not keep its owner from an account', async () => {
  const email = 'not.yet@example.com'
  const signUp = { email, password: 'of a stranger', language: 'en' }
  expect(codes(await times(15, () => stranger().post(routes.authSignUp, signUp)))).toEqual(Array(15).fill(202))
  for (let mail = 0; mail < 10; mail++) await site.recorder.next(email)
  const owner = stranger()
  expect((await owner.post(routes.authSignUp, { ...signUp, password: PASSWORD })).status).toBe(202)
  const reset = { token: await site.recorder.nextToken(email), password: PASSWORD }
  expect((await owner.post(routes.authResetPassword, reset)).status).toBe(204)
  expect((await owner.signIn(email)).status).toBe(200)
})

test('strangers who ask for mails to an address do not keep the password of its sign-up from opening the account', async () => {
  const [owner, email] = [stranger(), 'not.confirmed@example.com']
  expect((await owner.post(routes.authSignUp, { email, password: PASSWORD, language: 'es' })).status).toBe(202)
  await times(9, () => stranger().post(routes.authSignUp, { email, password: 'of a stranger', language: 'en' }))
  for (let mail = 0; mail < 10; mail++) await site.recorder.next(email)
  expect((await owner.signIn('Not.Confirmed+shop@example.com')).code).toBe('email_not_confirmed')
  const mail = await site.recorder.next(email)
  expect(mail.subject).toBe('Elige una nueva contraseña de Mayfly')
  const reset = { token: new URL(mail.link ?? '').hash.slice(1), password: 'the next one' }
  expect((await owner.post(routes.authResetPassword, reset)).status).toBe(204)
  expect((await owner.signIn(email, 'the next one')).status).toBe(200)
})

test('strangers who ask for links to tags of an address use up none of the mails to its owner', async () => {
  const [plain, fresh] = ['plain@example.com', 'fresh@example.com']
  await site.account(plain)
  const forgot = (email: string) => stranger().post(routes.authForgotPassword, { email, language: 'en' })
  await times(3, time => forgot(`plain+${time}@example.com`))
  await times(3, () => forgot(fresh))
  expect((await forgot(plain)).status).toBe(202)
  expect((await site.recorder.next(plain)).subject).toContain('Choose a new')

  const signUp = (email: string) => stranger().post(routes.authSignUp, { email, password: PASSWORD, language: 'en' })
  await times(10, time => signUp(`fresh+${time}@example.com`))
  expect((await signUp(fresh)).status).toBe(202)
  expect((await site.recorder.next(fresh)).subject).toContain('Confirm your')
  expect((await forgot(fresh)).status).toBe(202)
  expect((await site.recorder.next(fresh)).subject, 'requests before the sign-up sent no mail').toContain('Choose a new')
})

test('all tags of an address together get no more mails than one address', async () => {
  const signUp = (time: number) => ({ email: `many+${time}@example.com`, password: PASSWORD, language: 'en' })
  expect(codes(await times(12, time => stranger().post(routes.authSignUp, signUp(time))))).toEqual(Array(12).fill(202))
  const toTags = () => site.recorder.mails.filter(({ recipients }) => recipients.some(recipient => recipient.startsWith('many+')))
  await expect.poll(() => toTags().length).toBe(10)
  // A link to set a password would be mailed at most 1.25 s after the response.
  await sleep(1500)
  expect(toTags()).toHaveLength(10)
})

test('all spellings of an address by dots together get no more mails than one, and those of another name have their own', async () => {
  const signUp = (email: string) => stranger().post(routes.authSignUp, { email, password: PASSWORD, language: 'en' })
  const name = 'dottedpersonname'
  for (let at = 1; at <= 14; at++) expect((await signUp(`${name.slice(0, at)}.${name.slice(at)}@example.com`)).status).toBe(202)
  expect((await signUp('another.name@example.com')).status).toBe(202)
  await site.recorder.next('another.name@example.com')
  const toSpellings = () => site.recorder.mails.filter(({ recipients }) => recipients.some(to => to.replaceAll('.', '').startsWith(name)))
  await expect.poll(() => toSpellings().length).toBe(10)
})

test('a sign-in beside the opening of the account is refused as any other, also after ten mails', async () => {
  const [email, tagged] = ['opening@example.com', 'opening+shop@example.com']
  const signUp = { password: PASSWORD, language: 'en' }
  await stranger().post(routes.authSignUp, { ...signUp, email })
  const token = await site.recorder.nextToken(email)
  await times(10, () => stranger().post(routes.authSignUp, { ...signUp, email: tagged }))
  const waiting = await site.withDatabase(({ db }) =>
    db.selectFrom('sign_ups').selectAll().where('email', '=', tagged).executeTakeFirstOrThrow(),
  )
  expect((await stranger().post(routes.authConfirm, { token, password: PASSWORD })).status).toBe(204)
  // The sign-in has read this row just before the link opened the account.
  await site.withDatabase(({ db }) => db.insertInto('sign_ups').values(waiting).execute())
  expect((await stranger().signIn(tagged)).code).toBe('email_not_confirmed')
})

test.each([
  { form: 'delete', path: routes.authDeleteAccount, body: (password: string) => ({ password }) },
  { form: 'change', path: routes.authChangePassword, body: (currentPassword: string) => ({ currentPassword, password: 'the next one' }) },
])('the password of the form to $form can be tried thirty times in 900 s, and its owner can still use it', async ({ form, path, body }) => {
  const email = `to.${form}@example.com`
  await site.account(email)
  const owner = stranger()
  expect((await owner.signIn(email)).status).toBe(200)
  site.advance(WINDOW_MS)
  const tryIt = (password: string, headers = {}) => owner.post(path, body(password), headers)
  const guesses = await times(31, time => tryIt('a guess', { 'x-forwarded-for': `10.9.0.${time}` }))
  expect(codes(guesses)).toEqual([...Array(30).fill(401), 429])
  expect((await tryIt(PASSWORD)).status).toBe(204)
})

test('many networks together cannot flood an address with our mails', async () => {
  await site.account('flooded@example.com')
  site.advance(WINDOW_MS)
  const before = site.recorder.mails.length
  const forgot = (email: string) => times(15, () => stranger().post(routes.authForgotPassword, { email, language: 'en' }))
  expect(codes(await forgot('flooded@example.com'))).toEqual(Array(15).fill(202))
  expect(codes(await forgot('no.account@example.com')), 'told alike whether or not there is an account').toEqual(Array(15).fill(202))
  const signUp = { email: 'never.asked@example.com', password: PASSWORD, language: 'en' }
  expect(codes(await times(20, () => stranger().post(routes.authSignUp, signUp)))).toEqual(Array(20).fill(202))
  for (let mail = 0; mail < 3; mail++) await site.recorder.next('flooded@example.com')
  for (let mail = 0; mail < 13; mail++) await site.recorder.next('never.asked@example.com')
  // Links to set a password are mailed at most 1.25 s after the response.
  await sleep(1500)
  expect(site.recorder.mails).toHaveLength(before + 3 + 13)
  expect((await stranger().signIn('never.asked@example.com')).code, 'the right password asks for no more').toBe('email_not_confirmed')
  await sleep(1500)
  expect(site.recorder.mails).toHaveLength(before + 3 + 13)
})
