/** Notifications, from the mail to the push service, over real HTTP. */
import { expect, test } from 'vitest'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { pushKeySchema, pushSubscribedSchema } from '#contract/notifications.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { decryptPush, newBrowserKeys, readVapid } from '#test/harness/clients/push-browser.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { startPushEndpoint } from '#test/harness/servers/push-endpoint.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const service = await untilEnd(startPushEndpoint())
const server = await untilEnd(startTestServer({ env: { PUSH_SERVICES: '127.0.0.1' }, isClockRunning: true }))

const newBrowser = (path: string) => {
  const browser = newBrowserKeys()
  const { p256dh, auth } = browser.keys
  return {
    ...browser,
    subscription: { endpoint: service.url + path, p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
  }
}
const ask = (by: MailboxCreated, body: object) => server.visitor(bearer(by.token)).post(routes.mailboxPush, body)
const subscribe = async (by: MailboxCreated, body: object) => pushSubscribedSchema.parse(JSON.parse((await ask(by, body)).text)).id
const pushedTo = (path: string) => service.pushed.filter(one => one.path === path)
const heard = async (path: string, count: number) => {
  await expect.poll(() => pushedTo(path).length).toBe(count)
  return pushedTo(path)
}
const storedRows = () =>
  server.withDatabase(async ({ db }) => (await db.selectFrom('push_subscriptions').select('id').execute()).map(({ id }) => id))

test('a notification is encrypted for the browser, signed, and contains only an id', async () => {
  const mailbox = await server.createMailbox()
  const browser = newBrowser('/one')
  const id = await subscribe(mailbox, browser.subscription)
  await server.deliver(mailbox.email)
  const [pushed] = await heard('/one', 1)
  if (!pushed) return expect.fail('it was heard')
  expect(JSON.parse(decryptPush(browser, pushed.body).toString())).toEqual({ id })
  const { claims, key } = readVapid(pushed.headers.authorization ?? '')
  expect(claims).toEqual({ aud: service.url, exp: expect.any(Number), sub: 'mailto:support@mayfly.test' })
  expect(claims.exp * 1000 - Date.now()).toBeLessThanOrEqual(24 * 3_600_000)
  expect(pushKeySchema.parse(await (await fetch(server.url(routes.pushKey))).json()).publicKey).toBe(key)
  expect(pushed.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', topic: id.replaceAll('-', '') })
  expect(Number(pushed.headers.ttl), 'the service drops it when the address ends').toBeLessThanOrEqual(600)
  for (const secret of [mailbox.email, mailbox.token, '481516', 'ann@sender.test'])
    expect(pushed.body.toString('latin1') + JSON.stringify(pushed.headers)).not.toContain(secret)
})

test('many mails cause one notification, and one more after the pause', async () => {
  const mailbox = await server.createMailbox()
  await subscribe(mailbox, newBrowser('/flood').subscription)
  for (let n = 0; n < 10; n++) await server.deliverRaw(mailbox.email, Buffer.from(`Subject: ${n}\r\n\r\n${n}`))
  await heard('/flood', 2)
  await server.createMailbox()
  expect(pushedTo('/flood')).toHaveLength(2)
})

test('browsers that unsubscribed, and those of destroyed and expired mailboxes, have no rows and get no notifications', async () => {
  const [left, destroyed, gone] = [await server.createMailbox(), await server.createMailbox(), await server.createMailbox()]
  const ids = await Promise.all([left, destroyed, gone].map((by, n) => subscribe(by, newBrowser(`/off-${n}`).subscription)))
  expect(await storedRows()).toEqual(expect.arrayContaining(ids))
  const stranger = server.visitor(bearer(destroyed.token))
  expect((await stranger.ask('DELETE', pathTo(routes.mailboxPushSubscription, { id: ids[0] ?? '' }))).code).toBe('not_found')
  const own = server.visitor(bearer(left.token))
  expect((await own.ask('DELETE', pathTo(routes.mailboxPushSubscription, { id: ids[0] ?? '' }))).status).toBe(204)
  expect((await stranger.ask('DELETE', routes.mailbox)).status).toBe(204)
  service.status = 410
  await server.deliver(gone.email)
  await heard('/off-2', 1)
  await expect.poll(storedRows).not.toEqual(expect.arrayContaining([expect.toBeOneOf(ids)]))
  service.status = 201
  await server.deliver(left.email)
  const ended = await server.createMailbox()
  const endedId = await subscribe(ended, newBrowser('/ended').subscription)
  server.advance(601_000)
  await expect.poll(storedRows).not.toContain(endedId)
  expect(pushedTo('/off-0')).toEqual([])
})

test('other services, invalid keys and one browser too many are refused, but not the same browser again', async () => {
  const mailbox = await server.createMailbox()
  const { subscription } = newBrowser('/many')
  for (const endpoint of ['https://127.0.0.2/', 'https://169.254.169.254/', 'https://fcm.googleapis.com/fcm/send/a', 'http://10.0.0.1/'])
    expect([(await ask(mailbox, { ...subscription, endpoint })).code, endpoint]).toEqual(['push_refused', endpoint])
  for (const wrong of [
    { endpoint: 'ftp://a/' },
    { endpoint: `${service.url}/${'x'.repeat(2000)}` },
    { p256dh: 'short' },
    { auth: '' },
    { more: 1 },
  ])
    expect((await ask(mailbox, { ...subscription, ...wrong })).code).toBe('invalid_request')
  expect((await ask(mailbox, { ...subscription, p256dh: 'B'.repeat(87) })).code).toBe('push_refused')
  for (let n = 0; n < 5; n++) expect((await ask(mailbox, newBrowser(`/many-${n}`).subscription)).status).toBe(201)
  const sixth = await ask(mailbox, newBrowser('/many-5').subscription)
  expect([sixth.status, sixth.code]).toEqual([409, 'push_subscriptions_max'])
  expect((await ask(mailbox, newBrowser('/many-4').subscription)).status).toBe(201)
  expect((await server.visitor().post(routes.mailboxPush, subscription)).code).toBe('token_required')
})

test('a server without push services has no key and refuses subscriptions', async () => {
  await using off = await startTestServer({ env: { PUSH_SERVICES: 'off' } })
  const { token } = await off.createMailbox()
  expect((await off.visitor().ask('GET', routes.pushKey)).code).toBe('push_refused')
  expect((await off.visitor(bearer(token)).post(routes.mailboxPush, newBrowser('/x').subscription)).code).toBe('push_refused')
})

test('nothing stored links the mailboxes of one browser; the same browser has one row in each', async () => {
  const [one, other] = [await server.createMailbox(), await server.createMailbox()]
  const { subscription } = newBrowser('/linked')
  await subscribe(one, subscription)
  const ids = [await subscribe(one, subscription), await subscribe(other, subscription)]
  const rows = await server.withDatabase(({ db }) => db.selectFrom('push_subscriptions').selectAll().execute())
  const [first, second] = ids.map(id => rows.find(row => row.id === id))
  expect([first?.browser_hash === second?.browser_hash, first?.sealed === second?.sealed]).toEqual([false, false])
  expect(rows.filter(row => row.mailbox_hash === first?.mailbox_hash)).toHaveLength(1)
})
