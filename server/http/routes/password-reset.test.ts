/** A reset that must destroy live addresses while the mail store cannot: nothing is used up, and the same link works afterwards. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'

test('a reset that cannot destroy the addresses changes nothing, and its link works later', async () => {
  await using site = await startTestServer({ allowLog: [/mail.db or its log was deleted/, /The mail store does not take mail/] })
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
  expect((await reset()).status).toBe(503)
  expect([await openMailbox(), (await site.visitor().signIn(email)).status]).toEqual([200, 200])

  renameSync(`${path}.away`, path)
  expect((await reset()).status).toBe(204)
  expect([await openMailbox(), (await site.visitor().signIn(email)).status]).toEqual([404, 401])
  expect((await site.visitor().post(routes.authSignIn, { email, password: 'a new password' })).status).toBe(200)
  expect((await intruder.ask('GET', routes.accountApiKeys)).status).toBe(401)
  expect((await reset()).status).toBe(404)
})
