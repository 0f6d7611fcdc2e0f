/** The HTTP edge on the real application: real sockets, real SMTP door, real store in a temporary folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailboxCreated, mailboxCreatedSchema, mailboxSchema, messageListSchema } from '#contract/mailbox.ts'
import { pathTo, routes } from '#contract/routes.ts'
import { type App, startApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { createLog } from '#server/log.ts'

let app: App
let folder: string
const url = (path: string) => `http://127.0.0.1:${app.httpPort}${path}`
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const ATTACHMENT = Buffer.from('<script>alert(1)</script>')
const mailTo = (email: string) =>
  Buffer.from(
    [
      'From: Ann <ann@sender.test>',
      `To: ${email}`,
      'Subject: =?utf-8?q?Your_code_is_481516?=',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Your code is 481516.',
      '--b',
      'Content-Type: text/html',
      "Content-Disposition: attachment; filename*=utf-8''x%0d%0aSet-Cookie%3A%20a%3Db%22%3B%C3%B1.html",
      'Content-Transfer-Encoding: base64',
      '',
      ATTACHMENT.toString('base64'),
      '--b--',
      '',
    ].join('\r\n'),
  )

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-http-'))
  const env = {
    HTTP_PORT: '0',
    SMTP_PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    BOT_CHECK: 'off',
    NETWORK_LIMIT_FACTOR: '1000',
    AUTHENTICATE_MAIL: 'off',
  }
  app = await startApp(readConfig(env), { log: createLog('silent'), siteFolder: join(folder, 'no-site') })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function createMailbox(): Promise<MailboxCreated> {
  const response = await post(routes.mailboxes, '{}')
  expect(response.status).toBe(201)
  return mailboxCreatedSchema.parse(await response.json())
}

function post(path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  return fetch(url(path), { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
}

async function deliver(email: string): Promise<Buffer> {
  const raw = mailTo(email)
  const envelope = { from: 'ann@sender.test', recipients: [email], clientAddress: '127.0.0.1', helo: 'sender.test', secure: false }
  expect(await app.mail.receive(envelope, raw)).toBe('delivered')
  return raw
}

async function firstId(token: string): Promise<string> {
  const list = messageListSchema.parse(await (await fetch(url(routes.messages), { headers: bearer(token) })).json())
  return list.messages[0]?.id ?? ''
}

/** Raw bytes on a socket until the peer closes it or `bytesMin` have come. */
function exchange(text: string, bytesMin = Number.POSITIVE_INFINITY): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(app.httpPort, '127.0.0.1', () => socket.write(text))
    let heard = ''
    socket.on('data', chunk => {
      heard += chunk
      if (heard.length >= bytesMin) socket.destroy()
    })
    socket.on('close', () => resolve(heard))
    socket.on('error', reject)
  })
}

test('an address receives mail, shows it, hands out its bytes and is destroyed', async () => {
  const { email, token, secondsLeft } = await createMailbox()
  expect(secondsLeft).toBeGreaterThan(590)
  const raw = await deliver(email)
  const id = await firstId(token)
  const message = await (await fetch(url(pathTo(routes.message, { id })), { headers: bearer(token) })).json()
  expect(message).toMatchObject({ subject: 'Your code is 481516', from: { name: 'Ann', address: 'ann@sender.test' } })
  const downloaded = await fetch(url(pathTo(routes.raw, { id })), { headers: bearer(token) })
  expect(downloaded.headers.get('content-type')).toBe('message/rfc822')
  expect(Buffer.from(await downloaded.arrayBuffer()).includes(raw)).toBe(true)
  expect((await fetch(url(pathTo(routes.message, { id })), { method: 'DELETE', headers: bearer(token) })).status).toBe(204)
  expect(await firstId(token)).toBe('')
  expect((await fetch(url(routes.mailbox), { method: 'DELETE', headers: bearer(token) })).status).toBe(204)
  expect((await fetch(url(routes.mailbox), { headers: bearer(token) })).status).toBe(404)
})

test('W02 missing, malformed, wrong and destroyed tokens get one and the same answer', async () => {
  const destroyed = await createMailbox()
  await fetch(url(routes.mailbox), { method: 'DELETE', headers: bearer(destroyed.token) })
  const answers = await Promise.all(
    [{}, { authorization: 'Bearer x' }, bearer('A'.repeat(64)), bearer(destroyed.token)].map(async headers => {
      const response = await fetch(url(routes.messages), { headers })
      const { date: _, ...rest } = Object.fromEntries(response.headers)
      return { status: response.status, headers: rest, body: await response.text() }
    }),
  )
  expect(answers[0]?.status).toBe(404)
  for (const answer of answers) expect(answer).toEqual(answers[0])
})

test('W32 of a hundred who destroy one mailbox at once, one has done it', async () => {
  const { token } = await createMailbox()
  const all = await Promise.all(Array.from({ length: 100 }, () => fetch(url(routes.mailbox), { method: 'DELETE', headers: bearer(token) })))
  const statuses = all.map(({ status }) => status).sort()
  expect(statuses).toEqual([204, ...Array.from({ length: 99 }, () => 404)])
})

test('a mailbox tells how long it was made for, however little is left', async () => {
  const { token } = await app.mail.createAddress({ lifetimeSeconds: 86_400 })
  const { lifetimeSeconds } = mailboxSchema.parse(await (await fetch(url(routes.mailbox), { headers: bearer(token) })).json())
  expect(lifetimeSeconds).toBe(86_400)
  const short = await app.mail.createAddress({ lifetimeSeconds: 30 })
  expect(await (await fetch(url(routes.mailbox), { headers: bearer(short.token) })).json()).toMatchObject({ lifetimeSeconds: 30 })
})

test('W03 the messages of one mailbox do not exist for another, by any verb', async () => {
  const [mine, other] = [await createMailbox(), await createMailbox()]
  await deliver(other.email)
  const id = await firstId(other.token)
  for (const method of ['GET', 'DELETE', 'HEAD']) {
    expect((await fetch(url(pathTo(routes.message, { id })), { method, headers: bearer(mine.token) })).status).toBe(404)
  }
  for (const path of [routes.raw, routes.attachment, routes.attachmentLink]) {
    const method = path === routes.attachmentLink ? 'POST' : 'GET'
    expect((await fetch(url(pathTo(path, { id, index: 0 })), { method, headers: bearer(mine.token) })).status).toBe(404)
  }
  expect(await firstId(other.token)).toBe(id)
})

test('W04 an attachment link is dead when altered and when its mailbox is gone', async () => {
  const { email, token } = await createMailbox()
  await deliver(email)
  const link = pathTo(routes.attachmentLink, { id: await firstId(token), index: 0 })
  const made = await (await fetch(url(link), { method: 'POST', headers: bearer(token) })).json()
  const path = new URL(String(made.url), url('/')).pathname
  expect((await fetch(url(path))).status).toBe(200)
  expect((await fetch(url(`${path.slice(0, -2)}AA`))).status).toBe(404)
  expect((await fetch(url(`${path}A`))).status).toBe(404)
  await fetch(url(routes.mailbox), { method: 'DELETE', headers: bearer(token) })
  expect((await fetch(url(path))).status).toBe(404)
})

test('W05 W06 an attachment can only be saved, under one clean name', async () => {
  const { email, token } = await createMailbox()
  await deliver(email)
  const response = await fetch(url(pathTo(routes.attachment, { id: await firstId(token), index: 0 })), { headers: bearer(token) })
  expect(Buffer.from(await response.arrayBuffer())).toEqual(ATTACHMENT)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
  })
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w .()+-]+"; filename\*=UTF-8''[\w%.~!-]+$/)
  expect(response.headers.has('set-cookie')).toBe(false)
})

test('a download resumes where it stopped', async () => {
  const { email, token } = await createMailbox()
  const raw = await deliver(email)
  const path = url(pathTo(routes.raw, { id: await firstId(token) }))
  const whole = await fetch(path, { headers: bearer(token) })
  const all = Buffer.from(await whole.arrayBuffer())
  const range = { range: 'bytes=10-', 'if-range': whole.headers.get('etag') ?? '' }
  const part = await fetch(path, { headers: { ...bearer(token), ...range } })
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer())).toEqual(all.subarray(10))
  expect((await fetch(path, { headers: { ...bearer(token), range: `bytes=${raw.length + 9999}-` } })).status).toBe(416)
})

test('W07 W09 writes of another site are refused on routes that act by cookie', async () => {
  for (const origin of [
    'https://evil.test',
    'null',
    `http://127.0.0.1:${app.httpPort + 1}`,
    `http://127.0.0.1:${app.httpPort}.evil.test`,
  ]) {
    expect((await post(routes.authSignIn, '{"email":"a@b.test","password":"secret1"}', { origin })).status).toBe(403)
    expect((await post(routes.contact, '{}', { origin })).status).toBe(403)
  }
  expect((await post(routes.contact, '{}', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await post(routes.contact, '{}', { origin: `http://127.0.0.1:${app.httpPort}` })).status).toBe(400)
})

test('W08 other sites may call the token API, never with credentials, and nothing else', async () => {
  const origin = { origin: 'https://evil.test' }
  const open = await fetch(url(routes.mailbox), { headers: origin })
  expect(open.headers.get('access-control-allow-origin')).toBe('*')
  expect(open.headers.has('access-control-allow-credentials')).toBe(false)
  for (const path of [routes.authSession, routes.accountMailboxes, routes.blogViews]) {
    const response = await fetch(url(path), { headers: origin })
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
  }
  const preflight = await fetch(url(routes.authSignIn), {
    method: 'OPTIONS',
    headers: { ...origin, 'access-control-request-method': 'POST' },
  })
  expect(preflight.headers.has('access-control-allow-origin')).toBe(false)
})

test('W10 W11 every answer carries the security headers', async () => {
  for (const path of ['/', routes.config, '/api/nothing', routes.healthz]) {
    const { headers } = await fetch(url(path))
    expect(headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.has('strict-transport-security')).toBe(false)
  }
  const frame = await fetch(url(routes.mailFrame))
  expect(frame.headers.get('content-security-policy')).toBe(
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  )
  expect((await fetch(url(`${routes.mailFrame}?images=1`))).headers.get('content-security-policy')).toContain('img-src data: https: http:')
})

test('W14 malformed requests are answered 400 and closed', async () => {
  const malformed = [
    'POST /api/mailboxes HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nA\0b: c\r\n\r\n',
    'NONSENSE\r\n\r\n',
  ]
  for (const text of malformed) expect(await exchange(text)).toMatch(/^HTTP\/1\.1 400 /)
})

test('W13 W14 what no host can be, two of them, or none, is refused in our own words; an unknown one is answered like any other', async () => {
  const ask = (target: string, hosts: string) => exchange(`GET ${target} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)
  for (const hosts of ['', 'Host:\r\n', 'Host: a b\r\n', 'Host: [\r\n', 'Host: u:p@evil\r\n', 'Host: a\r\nHost: b\r\n']) {
    const refused = await ask(routes.config, hosts)
    expect(refused).toMatch(/^HTTP\/1\.1 400 /)
    expect(refused).toContain('"code":"invalid_request"')
  }
  const unknown = await ask(routes.docs, 'Host: evil.test\r\nX-Forwarded-Host: evil.test\r\n')
  expect(unknown).toMatch(/^HTTP\/1\.1 200 /)
  expect(unknown).not.toContain('evil.test')
})

test('W15 downloads that are broken off give their room back', async () => {
  const { email, token } = await createMailbox()
  const raw = Buffer.alloc(12 * 1024 * 1024, `${'A'.repeat(76)}\r\n`)
  const envelope = { from: 'ann@sender.test', recipients: [email], clientAddress: '127.0.0.1', helo: 'sender.test', secure: false }
  expect(await app.mail.receive(envelope, raw)).toBe('delivered')
  const path = pathTo(routes.raw, { id: await firstId(token) })
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
  // Thirty times 12 MiB are more than all downloads may hold; half of them are pipelined behind one that is not read.
  for (let i = 0; i < 15; i++) {
    await new Promise<void>(resolve => {
      const socket = connect(app.httpPort, '127.0.0.1', () =>
        socket.write(request + request, () => setTimeout(() => socket.resetAndDestroy(), 20)),
      )
      socket.once('close', () => resolve())
    })
  }
  const whole = async () => {
    const response = await fetch(url(path), { headers: bearer(token) })
    return { status: response.status, bytes: (await response.arrayBuffer()).byteLength > raw.length }
  }
  // The reads that nobody waits for any more are done first, one after the other.
  await expect.poll(whole, { timeout: 60_000, interval: 200 }).toEqual({ status: 200, bytes: false })
}, 90_000)

test('W15 headers without end are cut off', async () => {
  const heard = await exchange(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`)
  expect(heard).toMatch(/^HTTP\/1\.1 431 /)
})

test.each([
  ['deep nesting', '['.repeat(20_000), 400],
  ['a body over the limit', `{"domain":"${'a'.repeat(40_000)}"}`, 413],
  ['a huge number', '{"domain":1e999999}', 400],
  ['a byte order mark', '\uFEFF{}', 400],
  ['an array', '[]', 400],
  ['null', 'null', 400],
  ['nothing', '', 400],
])('W16 %s', async (_, body, status) => {
  const response = await post(routes.mailboxes, body)
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
})

test('W16 other media types, compressed bodies and bytes that are no UTF-8', async () => {
  expect((await post(routes.mailboxes, '{}', { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await post(routes.mailboxes, '{}', { 'content-encoding': 'gzip' })).status).toBe(415)
  expect((await post(routes.mailboxes, new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(400)
})

test.each(['{"__proto__":{"admin":1}}', '{"constructor":{"prototype":{"admin":1}}}', '{"domain":{}}', '{"domain":[]}', '{"ttl":"1e9"}'])(
  'W17 %s',
  async body => {
    expect((await post(routes.mailboxes, body)).status).toBe(400)
    expect(Reflect.get({}, 'admin')).toBeUndefined()
  },
)

test('W20 a stream resumes without a miss or a double, ends with expired, and six are enough for one mailbox', async () => {
  const { email, token } = await createMailbox()
  await deliver(email)
  const streams = await Promise.all(Array.from({ length: 6 }, () => fetch(url(routes.events), { headers: bearer(token) })))
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  const seventh = await fetch(url(routes.events), { headers: bearer(token) })
  expect([seventh.status, seventh.headers.has('retry-after')]).toEqual([429, true])
  await Promise.all(streams.slice(1).map(stream => stream.body?.cancel()))

  const heard = listen(streams[0])
  expect(await heard.until('event: message')).toMatch(/id: \d+\nevent: message\ndata: \{"type":"message"/)
  const cursor = /id: (\d+)/.exec(heard.text())?.[1] ?? ''
  const resumed = listen(await fetch(url(routes.events), { headers: { ...bearer(token), 'last-event-id': cursor } }))
  await fetch(url(routes.mailbox), { method: 'DELETE', headers: bearer(token) })
  expect(await resumed.end()).toBe(':\n\nevent: expired\ndata: {"type":"expired"}\n\n')
  expect(await heard.end()).toMatch(/event: expired\ndata: \{"type":"expired"\}\n\n$/)
})

test('a long poll answers with the first message that matches, 204 when none came', async () => {
  const { email, token } = await createMailbox()
  const waiting = fetch(url(`${routes.wait}?subject=CODE&from=ann&timeoutSeconds=20`), { headers: bearer(token) })
  await deliver(email)
  expect(await (await waiting).json()).toMatchObject({ subject: 'Your code is 481516', text: expect.stringContaining('481516') })
  expect((await fetch(url(`${routes.wait}?subject=other&timeoutSeconds=0`), { headers: bearer(token) })).status).toBe(204)
  expect((await fetch(url(`${routes.wait}?after=yesterday`), { headers: bearer(token) })).status).toBe(400)
  expect((await fetch(url(`${routes.wait}?from=a&from=b`), { headers: bearer(token) })).status).toBe(400)
})

test('W21 answers about a mailbox are kept by nobody', async () => {
  const { token } = await createMailbox()
  const { headers } = await fetch(url(routes.messages), { headers: bearer(token) })
  expect(headers.get('cache-control')).toBe('no-store')
  expect((await fetch(url(`${routes.messages}/x.css`), { headers: bearer(token) })).status).toBe(404)
})

test('W34 unknown paths and verbs are problems in JSON, and metrics are for this machine only', async () => {
  for (const path of ['/api/nothing', '/api/mailbox/nothing', '/api/../api/none']) {
    const response = await fetch(url(path))
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
  }
  const wrongVerb = await fetch(url(routes.mailboxes), { method: 'PUT' })
  expect([wrongVerb.status, wrongVerb.headers.get('allow')]).toEqual([405, 'POST'])
  expect((await fetch(url(routes.metrics))).status).toBe(200)
  expect(await (await fetch(url(routes.metrics))).text()).toContain('mayfly_http_request_seconds')
  expect((await fetch(url(routes.metrics), { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(404)
})

test('W37 an image of another site gets nothing from the API', async () => {
  // Node's own fetch writes this header itself, so the request is written by hand.
  const request = `GET ${routes.config} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nConnection: close\r\n\r\n`
  expect(await exchange(request)).toMatch(/^HTTP\/1\.1 403 /)
})

test('the API describes itself, for programs and for people', async () => {
  const document = await (await fetch(url(routes.openapi))).json()
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(['/api/mailboxes', '/api/mailbox/messages/{id}', '/api/mailbox/events']),
  )
  expect(document.paths['/api/mailboxes'].post.requestBody.content['application/json'].schema).toBeDefined()
  const hidden: string[] = [routes.openapi, routes.docs]
  const wanted = Object.values(routes).filter(path => path.startsWith('/api/') && !hidden.includes(path))
  expect(Object.keys(document.paths).sort()).toEqual([...new Set(wanted.map(path => path.replace(/:([a-zA-Z]+)/g, '{$1}')))].sort())
  const page = await (await fetch(url(routes.docs))).text()
  expect(page).toContain('POST /api/mailboxes')
  expect(page).not.toContain('<script')
})

test('without a built site the page says what to do, and health and readiness answer', async () => {
  const page = await fetch(url('/'))
  expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('npm run build')])
  expect((await fetch(url(routes.healthz))).status).toBe(200)
  expect((await fetch(url(routes.readyz))).status).toBe(200)
})

function listen(response: Response | undefined) {
  const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const read = async () => {
    const step = await reader?.read()
    text += step?.value ?? ''
    return step?.done ?? true
  }
  return {
    text: () => text,
    async until(wanted: string) {
      while (!text.includes(wanted)) if (await read()) break
      return text
    },
    async end() {
      while (!(await read()));
      return text
    },
  }
}
