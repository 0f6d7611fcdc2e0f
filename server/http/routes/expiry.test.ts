import { afterEach, expect, test } from 'vitest'
import { mailboxCreatedSchema, messageListSchema } from '#contract/mailbox.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { startApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { HeardLog } from '#test/harness/heard-log.ts'
import { receive } from '#test/harness/mayfly/start-mail.ts'
import { newFolder } from '#test/harness/until-end.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function start(env: Record<string, string> = {}, allowLog: readonly RegExp[] = [], config: Partial<Config> = {}) {
  const folder = newFolder()
  const base = { HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, BOT_CHECK: 'off', DNS_SERVERS: 'off' }
  let now = Date.UTC(2026, 0, 1)
  const heardLog = new HeardLog(allowLog)
  const app = await startApp({ ...readConfig({ ...base, ...env }), ...config }, { log: heardLog.log, clock: () => now, siteFolder: folder })
  closing.push(async () => {
    await app[Symbol.asyncDispose]()
    heardLog.check()
  })
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${app.httpPort}${path}`, init)
  const create = (headers: Record<string, string> = {}) =>
    ask(routes.mailboxes, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', ...headers } })
  return {
    app,
    ask,
    create,
    pass(ms: number) {
      now += ms
    },
  }
}

const MAIL = [
  'From: a@b.test',
  'Subject: hello',
  'Content-Type: text/javascript',
  'Content-Disposition: attachment; filename=sw.js',
  '',
  'onfetch = 1',
  '',
]

async function withMail(env?: Record<string, string>) {
  const server = await start(env)
  const { email, token } = mailboxCreatedSchema.parse(await (await server.create()).json())
  const envelope = { from: 'a@b.test', recipients: [email], clientAddress: '127.0.0.1', helo: 'b.test', isEncrypted: false }
  expect(await receive(server.app.mail, envelope, Buffer.from(MAIL.join('\r\n')))).toBe('delivered')
  const headers = { authorization: `Bearer ${token}` }
  const { messages } = messageListSchema.parse(await (await server.ask(routes.messages, { headers })).json())
  const at = { id: messages[0]?.id ?? '', index: 0 }
  const link = await (await server.ask(pathTo(routes.attachmentLink, at), { method: 'POST', headers })).json()
  const reads: [string, string][] = [
    ['GET', routes.mailbox],
    ['GET', routes.messages],
    ['GET', pathTo(routes.message, at)],
    ['GET', pathTo(routes.raw, at)],
    ['GET', pathTo(routes.attachment, at)],
    ['POST', pathTo(routes.attachmentLink, at)],
    ['GET', routes.events],
    ['GET', routes.wait],
    ['DELETE', pathTo(routes.message, at)],
    ['DELETE', routes.mailbox],
    ['GET', new URL(String(link.url), 'http://x').pathname],
  ]
  const statuses = () => Promise.all(reads.map(async ([method, path]) => (await server.ask(path, { method, headers })).status))
  return { ...server, at, headers, statuses, link: new URL(String(link.url), 'http://x').pathname, reads }
}

test('every read of a destroyed mailbox fails at once, and its stream and long poll end', async () => {
  const { ask, headers, statuses, reads } = await withMail()
  const stream = await ask(routes.events, { headers })
  const waiting = ask(`${routes.wait}?subject=never&timeoutSeconds=50`, { headers })
  await ask(routes.mailbox, { method: 'DELETE', headers })
  expect(await statuses()).toEqual(reads.map(() => 404))
  expect(await stream.text()).toMatch(/event: expired\ndata: \{"type":"expired"\}\n\n$/)
  expect((await waiting).status).toBe(404)
})

test('every read of an expired mailbox fails from the exact millisecond of its expiry', async () => {
  const { ask, headers, statuses, reads, pass } = await withMail()
  pass(599_999)
  expect((await ask(routes.mailbox, { headers })).status).toBe(200)
  pass(1)
  expect(await statuses()).toEqual(reads.map(() => 404))
})

test('a stream reports the expiry when it happens', async () => {
  const { ask, headers, pass } = await withMail({ LIFETIME_SECONDS: '1' })
  const stream = await ask(routes.events, { headers })
  pass(1000)
  expect(await stream.text()).toMatch(/event: expired\ndata: \{"type":"expired"\}\n\n$/)
})

test('a script in a mail can be saved but never registered as a service worker', async () => {
  const { ask, headers, at, link } = await withMail()
  for (const answer of [
    await ask(pathTo(routes.attachment, at), { headers }),
    await ask(link, { headers: { 'service-worker': 'script' } }),
  ]) {
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.has('service-worker-allowed')).toBe(false)
  }
})

test('code of another site is served as text only', async () => {
  const { ask, headers } = await withMail()
  for (const text of ["' OR 1=1 --", '%', '_', '"*', 'NEAR(', '{a}\nDEL b', '\u001b[31m', '$ne']) {
    const value = encodeURIComponent(text)
    expect((await ask(`${routes.wait}?timeoutSeconds=0&subject=${value}`, { headers })).status).toBe(204)
    expect((await ask(pathTo(routes.message, { id: text }), { headers })).status).toBe(404)
    expect((await ask(pathTo(routes.message, { id: text }), { headers, method: 'DELETE' })).status).toBe(404)
    expect((await ask(pathTo(routes.download, { capability: text }))).status).toBe(404)
  }
  expect((await ask(`${routes.wait}?timeoutSeconds=0&subject=hello`, { headers })).status).toBe(200)
})

test('forged forwarding headers do not change the visitor’s network', async () => {
  const { create } = await start({}, [/sends X-Forwarded-For and is not trusted/])
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      create({ 'x-forwarded-for': `198.51.100.${i}`, 'x-real-ip': `198.51.100.${i}`, forwarded: `for=198.51.100.${i}` }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(35)
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('on a full disk the server is alive, not ready, and refuses new addresses with the reason', async () => {
  // The one line about it, however often the server is probed.
  const allowLog = [/The disk of .* is full: senders get 452/]
  const { ask, create } = await start({}, allowLog, { diskReserveBytes: 2 ** 40 })
  expect((await ask(routes.healthz)).status).toBe(200)
  for (let probes = 0; probes < 5; probes++) expect((await ask(routes.readyz)).status).toBe(503)
  expect((await create()).status).toBe(507)
})
