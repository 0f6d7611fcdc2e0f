/** Mails that tell the owner of an account what was done to it, by them or by an intruder. */
import { expect, test } from 'vitest'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { Authenticator } from '#test/harness/clients/authenticator.ts'
import { PASSWORD } from '#test/harness/clients/visitor.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const ORIGIN = 'https://mayfly.example'
const DAY_MS = 86_400_000

const site = await untilEnd(startTestServer({ env: { PUBLIC_URL: ORIGIN } }))

async function accountIn(language: 'en' | 'es', email: string) {
  const visitor = site.visitor()
  expect((await visitor.post(routes.authSignUp, { email, password: PASSWORD, language })).status).toBe(202)
  const token = await site.recorder.nextToken(email)
  expect((await visitor.post(routes.authConfirm, { token, password: PASSWORD })).status).toBe(204)
  return visitor
}

test.each([
  [
    'en',
    'An API key was created for your Mayfly account',
    'A passkey was added to your Mayfly account',
    'A passkey was removed from your Mayfly account',
    'An API key of your Mayfly account was revoked',
    'Your Mayfly password was changed',
    'Your Mayfly password was set anew',
    'Your Mayfly account was deleted',
  ],
  [
    'es',
    'Se ha creado una clave de API para tu cuenta de Mayfly',
    'Se ha añadido una llave de acceso a tu cuenta de Mayfly',
    'Se ha quitado una llave de acceso de tu cuenta de Mayfly',
    'Se ha revocado una clave de API de tu cuenta de Mayfly',
    'Se ha cambiado tu contraseña de Mayfly',
    'Se ha elegido una nueva contraseña de Mayfly',
    'Se ha eliminado tu cuenta de Mayfly',
  ],
] as const)(
  'a key or passkey that is made or ends, and a new password, is mailed to the owner, in %s and without a secret',
  async (language, ...subjects) => {
    const email = `owner.${language}@example.com`
    const visitor = await accountIn(language, email)
    const { key, id: keyId } = JSON.parse((await visitor.post(routes.accountApiKeys, { name: 'CI of the intruder' })).text)
    const mails = [await site.recorder.next(email)]

    const options = JSON.parse((await visitor.post(routes.accountPasskeyOptions, { password: PASSWORD })).text)
    const passkey = new Authenticator(ORIGIN).create(options)
    const added = await visitor.post(routes.accountPasskeys, { passkey })
    expect(added.status).toBe(201)
    mails.push(await site.recorder.next(email))

    const removal = pathTo(routes.accountPasskeyRemoval, { id: JSON.parse(added.text).id })
    expect((await visitor.post(removal, { password: 'not this one' })).code, 'tells nothing').toBe('credentials_wrong')
    expect((await visitor.post(removal, { password: PASSWORD })).status).toBe(204)
    mails.push(await site.recorder.next(email))
    expect((await visitor.ask('DELETE', pathTo(routes.accountApiKey, { id: keyId }))).status).toBe(204)
    mails.push(await site.recorder.next(email))

    const changed = { currentPassword: PASSWORD, password: 'another password' }
    expect((await visitor.post(routes.authChangePassword, changed)).status).toBe(204)
    mails.push(await site.recorder.next(email))

    await visitor.post(routes.authForgotPassword, { email, language })
    const token = await site.recorder.nextToken(email)
    const reset = { token, password: 'a third password' }
    expect((await visitor.post(routes.authResetPassword, reset)).status).toBe(204)
    mails.push(await site.recorder.next(email))

    expect((await visitor.signIn(email, reset.password)).status).toBe(200)
    expect((await visitor.post(routes.authDeleteAccount, { password: reset.password })).status).toBe(204)
    mails.push(await site.recorder.next(email))

    expect(mails.map(({ subject }) => subject)).toEqual(subjects)
    for (const { text, html, link, recipients } of mails) {
      expect(recipients).toEqual([email])
      expect(link).toMatch(new RegExp(`^${ORIGIN}/(auth/forgot-password|contact)\\?lang=${language}$`))
      for (const secret of [key, key.slice(0, 12), passkey.id, token, changed.password, reset.password, 'CI of the intruder'])
        expect(`${text}${html}`).not.toContain(secret)
    }
  },
)

test('what was done just before the account was deleted is told too, since each mail is kept in the step of its change', async () => {
  const email = 'hasty@example.com'
  const visitor = await accountIn('en', email)
  const waiting = () => site.withDatabase(({ db }) => db.selectFrom('outbox').select('id').execute())
  await expect.poll(waiting).toEqual([])
  site.heardLog.allow(/The relay did not take a mail/)
  site.recorder.isDown = true
  expect((await visitor.post(routes.accountApiKeys, { name: 'CI' })).status).toBe(201)
  expect((await visitor.post(routes.authDeleteAccount, { password: PASSWORD })).status).toBe(204)
  expect(await waiting()).toHaveLength(2)
  site.recorder.isDown = false
  site.advance(60_000)
  await accountIn('en', 'another@example.com')
  const told = [await site.recorder.next(email), await site.recorder.next(email)].map(({ subject }) => subject)
  expect(told.toSorted()).toEqual(['An API key was created for your Mayfly account', 'Your Mayfly account was deleted'])
})

test('an account that a link to set a password opens tells nothing, and neither does what is refused', async () => {
  const email = 'forgetful@example.com'
  await site.visitor().post(routes.authSignUp, { email, password: PASSWORD, language: 'en' })
  await site.recorder.nextToken(email)
  const visitor = site.visitor()
  await visitor.post(routes.authForgotPassword, { email, language: 'en' })
  expect((await visitor.post(routes.authResetPassword, { token: await site.recorder.nextToken(email), password: PASSWORD })).status).toBe(
    204,
  )
  expect((await visitor.signIn(email)).status).toBe(200)
  const wrong = { currentPassword: 'not this one', password: 'another password' }
  expect((await visitor.post(routes.authChangePassword, wrong)).code).toBe('credentials_wrong')
  expect((await visitor.post(routes.accountApiKeys, { name: '' })).code).toBe('invalid_request')
  expect((await visitor.post(routes.accountApiKeys, { name: 'CI' })).status).toBe(201)
  expect((await site.recorder.next(email)).subject).toBe('An API key was created for your Mayfly account')
})

test('twenty keys that are made at once, and revoked at once, send the owner five mails of each kind', async () => {
  const email = 'hurried@example.com'
  const visitor = await accountIn('en', email)
  const makeKey = async () => JSON.parse((await visitor.post(routes.accountApiKeys, { name: 'CI' })).text).id
  const ids = await Promise.all(Array.from({ length: 20 }, makeKey))
  const revoked = await Promise.all(ids.map(id => visitor.ask('DELETE', pathTo(routes.accountApiKey, { id }))))
  expect(revoked.map(({ status }) => status)).toEqual(Array(20).fill(204))
  const changed = { currentPassword: PASSWORD, password: 'another password' }
  expect((await visitor.post(routes.authChangePassword, changed)).status).toBe(204)
  const subjects = () => site.recorder.mails.filter(({ recipients }) => recipients.includes(email)).map(({ subject }) => subject)
  await expect.poll(() => subjects().at(-1)).toBe('Your Mayfly password was changed')
  expect(subjects().filter(subject => subject === 'An API key was created for your Mayfly account')).toHaveLength(5)
  expect(subjects().filter(subject => subject === 'An API key of your Mayfly account was revoked')).toHaveLength(5)
})

test('an intruder who makes many keys sends the owner five mails a day, and no other kind of mail less', async () => {
  const email = 'flooded@example.com'
  const visitor = await accountIn('en', email)
  const makeKeys = async (count: number, proof?: { password: string }) => {
    for (let made = 0; made < count; made++) {
      const { id } = JSON.parse((await visitor.post(routes.accountApiKeys, { name: 'CI', proof })).text)
      expect((await visitor.ask('DELETE', `${routes.accountApiKeys}/${id}`)).status).toBe(204)
    }
  }
  const subjects = () => site.recorder.mails.filter(({ recipients }) => recipients.includes(email)).map(({ subject }) => subject)
  const ofKey = 'An API key was created for your Mayfly account'
  const ofEnd = 'An API key of your Mayfly account was revoked'
  const mailed = (count: number) => Array.from({ length: count }, () => [ofKey, ofEnd]).flat()
  await makeKeys(12)
  const changed = { currentPassword: PASSWORD, password: 'another password' }
  expect((await visitor.post(routes.authChangePassword, changed)).status).toBe(204)
  const ofPassword = 'Your Mayfly password was changed'
  await expect.poll(subjects).toEqual(['Confirm your Mayfly account', ...mailed(5), ofPassword])
  site.advance(DAY_MS)
  await makeKeys(1, { password: 'another password' })
  await expect.poll(subjects).toEqual(['Confirm your Mayfly account', ...mailed(5), ofPassword, ...mailed(1)])
})
