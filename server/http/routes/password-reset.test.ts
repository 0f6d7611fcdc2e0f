/** A reset that must destroy live addresses while the mail store cannot: it is not held up, and they end when the store is back. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'

test('a reset ends all rights at once, and the addresses as soon as the mail store can destroy them', async () => {
  await using site = await startTestServer({
    allowLog: [/mail.db or its log was deleted/, /The mail store does not take mail/, /could not be destroyed yet/],
  })
  const email = 'robbed@example.com'
  const intruder = await site.signedIn(email)
  const created = await intruder.post(routes.mailboxes, {})
  expect(created.status).toBe(201)
  const { token: mailboxToken } = JSON.parse(created.text) as { token: string }
  const openMailbox = async () => (await fetch(site.url(routes.mailbox), { headers: bearer(mailboxToken) })).status
  expect((await site.visitor().post(routes.authForgotPassword, { email, language: 'en' })).status).toBe(202)
  const token = await site.recorder.nextToken(email)
  const reset = () => site.visitor().post(routes.authResetPassword, { token, password: 'a new password', destroyMailboxes: true })

  // The store notices that its file was moved, and accepts no writes.
  const path = join(site.folder, 'mail.db')
  renameSync(path, `${path}.away`)
  expect((await reset()).status).toBe(204)
  expect((await intruder.ask('GET', routes.accountApiKeys)).status).toBe(401)
  expect((await site.visitor().signIn(email)).status).toBe(401)
  const owner = site.visitor()
  expect((await owner.post(routes.authSignIn, { email, password: 'a new password' })).status).toBe(200)
  expect(JSON.parse((await owner.ask('GET', routes.accountMailboxes)).text)).toEqual({ mailboxes: [] })

  renameSync(`${path}.away`, path)
  await expect.poll(openMailbox).toBe(404)
  expect((await reset()).status).toBe(404)
})
