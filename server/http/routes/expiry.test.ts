/** A mailbox that has ended says so, and hostile content of a mail or a request gets nowhere. */
import { expect, test } from 'vitest'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const MAIL = [
  'From: a@b.test',
  'Subject: hello',
  'Content-Type: text/javascript',
  'Content-Disposition: attachment; filename=sw.js',
  '',
  'onfetch = 1',
  '',
]
const ENDED = /event: expired\ndata: \{"type":"expired"\}\n\n$/

const server = await untilEnd(startTestServer())

/** A mailbox with a mail. `ask` has its token; `statuses` makes every request that reads or changes it. */
async function withMail() {
  const { email, token } = await server.createMailbox()
  await server.deliverRaw(email, Buffer.from(MAIL.join('\r\n')))
  const ask = (path: string, method = 'GET') => fetch(server.url(path), { method, headers: bearer(token) })
  const at = { id: await server.firstId(token), index: 0 }
  const { url: link } = (await (await ask(pathTo(routes.attachmentLink, at), 'POST')).json()) as { url: string }
  const requests: [path: string, method?: string][] = [
    [routes.mailbox],
    [routes.messages],
    [pathTo(routes.message, at)],
    [pathTo(routes.raw, at)],
    [pathTo(routes.attachment, at)],
    [pathTo(routes.attachmentLink, at), 'POST'],
    [routes.events],
    [routes.wait],
    [pathTo(routes.message, at), 'DELETE'],
    [routes.mailbox, 'DELETE'],
    [link],
  ]
  const statuses = async () => new Set(await Promise.all(requests.map(async request => (await ask(...request)).status)))
  return { ask, at, link, statuses }
}

test('every read of a destroyed mailbox fails at once, and its stream and long poll end', async () => {
  const { ask, statuses } = await withMail()
  const stream = await ask(routes.events)
  const waiting = ask(`${routes.wait}?subject=never&timeoutSeconds=50`)
  await ask(routes.mailbox, 'DELETE')
  expect(await statuses()).toEqual(new Set([404]))
  expect(await stream.text()).toMatch(ENDED)
  expect((await waiting).status).toBe(404)
})

test('every read of an expired mailbox fails from the exact millisecond of its expiry', async () => {
  const { ask, statuses } = await withMail()
  server.advance(599_999)
  expect((await ask(routes.mailbox)).status).toBe(200)
  server.advance(1)
  expect(await statuses()).toEqual(new Set([404]))
})

test('a stream reports the expiry when it happens', async () => {
  const { token } = await server.app.mail.createAddress({ lifetimeSeconds: 1 })
  const stream = await fetch(server.url(routes.events), { headers: bearer(token) })
  server.advance(1000)
  expect(await stream.text()).toMatch(ENDED)
})

test('a script in a mail can be saved but never registered as a service worker', async () => {
  const { ask, at, link } = await withMail()
  for (const answer of [
    await ask(pathTo(routes.attachment, at)),
    await fetch(server.url(link), { headers: { 'service-worker': 'script' } }),
  ]) {
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.has('service-worker-allowed')).toBe(false)
  }
})

test('code of another site is served as text only', async () => {
  const { ask } = await withMail()
  for (const text of ["' OR 1=1 --", '%', '_', '"*', 'NEAR(', '{a}\nDEL b', '\u001b[31m', '$ne']) {
    expect((await ask(`${routes.wait}?timeoutSeconds=0&subject=${encodeURIComponent(text)}`)).status).toBe(204)
    for (const method of ['GET', 'DELETE']) expect((await ask(pathTo(routes.message, { id: text }), method)).status).toBe(404)
    expect((await ask(pathTo(routes.download, { capability: text }))).status).toBe(404)
  }
  expect((await ask(`${routes.wait}?timeoutSeconds=0&subject=hello`)).status).toBe(200)
})

test('forged forwarding headers do not change the visitor’s network', async () => {
  const allowLog = [/sends X-Forwarded-For and is not trusted/]
  await using strict = await startTestServer({ env: { NETWORK_LIMIT_FACTOR: '1' }, allowLog })
  const forge = (address: string) => ({ 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` })
  const asked = Array.from({ length: 40 }, (_, i) => strict.post(routes.mailboxes, '{}', forge(`198.51.100.${i}`)))
  const answers = Map.groupBy(await Promise.all(asked), ({ status }) => status)
  expect([answers.get(201)?.length, answers.get(429)?.length]).toEqual([5, 35])
  for (const { headers } of answers.get(429) ?? []) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('on a full disk the server is alive, not ready, and refuses new addresses with the reason', async () => {
  // The one line about it, however often the server is probed.
  const allowLog = [/The disk of .* is full: senders get 452/]
  await using full = await startTestServer({ allowLog, config: { diskReserveBytes: 2 ** 40 } })
  expect((await fetch(full.url(routes.healthz))).status).toBe(200)
  for (let probes = 0; probes < 5; probes++) expect((await fetch(full.url(routes.readyz))).status).toBe(503)
  expect((await full.post(routes.mailboxes, '{}')).status).toBe(507)
})
