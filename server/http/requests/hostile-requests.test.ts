import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { routes } from '#contract/routes.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { saidBy } from '#test/harness/said-by.ts'

const server = await startTestServer({ isClockRunning: true })
afterAll(() => server[Symbol.asyncDispose]())

test('other sites may call routes that use tokens, without credentials, and no other routes', async () => {
  const origin = { origin: 'https://evil.test' }
  const open = await fetch(server.url(routes.mailbox), { headers: origin })
  expect(open.headers.get('access-control-allow-origin')).toBe('*')
  expect(open.headers.has('access-control-allow-credentials')).toBe(false)
  for (const path of [routes.authSession, routes.accountMailboxes, routes.blogViews]) {
    const response = await fetch(server.url(path), { headers: origin })
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
  }
  const preflight = await fetch(server.url(routes.authSignIn), {
    method: 'OPTIONS',
    headers: { ...origin, 'access-control-request-method': 'POST' },
  })
  expect(preflight.headers.has('access-control-allow-origin')).toBe(false)
})

test('U+0000 and half a character are refused in every path, query and body', async () => {
  const account = await server.signedIn('odd-texts@example.com')
  const paths = Object.entries(routes).filter(([, path]) => path.includes('/:'))
  expect(paths.length).toBeGreaterThan(10)
  for (const [name, path] of paths) {
    const odd = path.replace(/:\w+/g, 'a%00')
    const answers = await Promise.all((['GET', 'POST', 'DELETE'] as const).map(method => account.ask(method, odd)))
    const taken = answers.filter(({ status }) => status !== 405 && status !== 404)
    expect(taken.length, name).toBeGreaterThan(0)
    for (const { code } of taken) expect(code, name).toBe('invalid_request')
  }
  expect((await account.ask('GET', `${routes.blogViews}?slugs=%00`)).code).toBe('invalid_request')
  for (const text of ['a\0b', '\ud800', 'x\udfff'])
    expect((await account.post(routes.accountApiKeys, { name: text })).text).toContain('"path":"name"')
  expect((await account.post(routes.accountApiKeys, { name: '\\u0000 😀' })).status).toBe(201)
})

test('ten of thousands of parameters are named, and a known one may be there only once', async () => {
  const ask = async (query: string) => (await fetch(server.url(`${routes.config}?${query}`))).json()
  expect((await ask('a&'.repeat(5000))).errors).toHaveLength(10)
  const repeated = await (await fetch(server.url(`${routes.botCheckChallenge}?${'action=contact&'.repeat(1000)}`))).json()
  expect(repeated.errors[0]).toEqual({ path: 'action', message: 'must be given only once' })
})

test('every response has the security headers', async () => {
  for (const path of ['/', routes.config, '/api/nothing', routes.healthz]) {
    const { headers } = await fetch(server.url(path))
    expect(headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.has('strict-transport-security')).toBe(false)
  }
  const frame = await fetch(server.url(routes.mailFrame))
  expect(frame.headers.get('content-security-policy')).toBe(
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  )
  expect(frame.headers.get('referrer-policy')).toBe('no-referrer')
  expect((await fetch(server.url(`${routes.mailFrame}?images=1`))).headers.get('content-security-policy')).toContain(
    'img-src data: https: http:',
  )
})

test('every response says how caches may keep it, once', async () => {
  const asked: [string, RequestInit?][] = [
    ...[
      '/',
      '/ad',
      '/nothing',
      '/robots.txt',
      '/.well-known/security.txt',
      routes.config,
      routes.openapi,
      routes.healthz,
      routes.mailFrame,
      '/api/nothing',
    ].map(path => [path] as [string]),
    [routes.config, { method: 'DELETE' }],
    [routes.mailbox, { method: 'OPTIONS', headers: { origin: 'https://evil.test', 'access-control-request-method': 'GET' } }],
    [routes.authSignOut, { method: 'POST' }],
    [routes.mailbox, { method: 'HEAD' }],
    ['/', { method: 'PUT' }],
  ]
  for (const [path, init] of asked) {
    const { status, headers } = await fetch(server.url(path), { redirect: 'manual', ...init })
    expect(headers.get('cache-control'), `${init?.method ?? 'GET'} ${path}: ${status}`).toMatch(
      /^(?:private, |public, )?(?:no-store|no-cache|max-age)/,
    )
  }
  for (const text of ['NONSENSE\r\n\r\n', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n'])
    expect(await server.exchange(text)).toMatch(/^cache-control: no-store\r$/im)
})

test('an invalid Host, two of them or none are refused with our own text, and an unknown one is served', async () => {
  const ask = (target: string, hosts: string) => server.exchange(`GET ${target} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)
  for (const hosts of ['', 'Host:\r\n', 'Host: a b\r\n', 'Host: [\r\n', 'Host: u:p@evil\r\n', 'Host: a\r\nHost: b\r\n']) {
    const refused = await ask(routes.config, hosts)
    expect(refused).toMatch(/^HTTP\/1\.1 400 /)
    expect(refused).toContain('"code":"invalid_request"')
  }
  const unknown = await ask(routes.docs, 'Host: evil.test\r\nX-Forwarded-Host: evil.test\r\n')
  expect(unknown).toMatch(/^HTTP\/1\.1 200 /s)
  expect(unknown).not.toContain('evil.test')
})

test.each([
  ['deep nesting', '['.repeat(20_000), 400],
  ['a body over the limit', `{"domain":"${'a'.repeat(40_000)}"}`, 413],
  ['a huge number', '{"domain":1e999999}', 400],
  ['a byte order mark', '\uFEFF{}', 400],
  ['an array', '[]', 400],
  ['null', 'null', 400],
  ['nothing', '', 400],
])('%s', async (_, body, status) => {
  const response = await server.post(routes.mailboxes, body)
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
})

// Apache and Varnish send all of a body before they read the response, and lose the response if the connection is reset meanwhile.
test.each(['Content-Length: 600000', 'Transfer-Encoding: chunked'])(
  'a body over the limit is refused while it still arrives, and its connection takes the rest and ends: %s',
  async framing => {
    const socket = connect({ port: server.app.httpPort, host: '127.0.0.1', allowHalfOpen: true })
    const heard = saidBy(socket)
    const closed = once(socket, 'close')
    const part = 'a'.repeat(60_000)
    const isChunked = framing.includes('chunked')
    socket.write(`POST ${routes.mailboxes} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`)
    for (let sent = 0; sent < 10; sent++) {
      socket.write(isChunked ? `${part.length.toString(16)}\r\n${part}\r\n` : part)
      if (sent === 0) await expect.poll(heard).toMatch(/^HTTP\/1\.1 413 .*connection: close.*body_too_large/is)
      await sleep(100)
    }
    socket.end(`${isChunked ? '0\r\n\r\n' : ''}GET ${routes.healthz} HTTP/1.1\r\nHost: x\r\n\r\n`)
    // A reset connection would be an error here, and the second request belongs to nobody.
    await closed
    expect(heard().match(/HTTP\/1\.1 /g)).toHaveLength(1)
  },
  30_000,
)

test('other media types, compressed bodies and invalid UTF-8 are refused', async () => {
  expect((await server.post(routes.mailboxes, '{}', { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await server.post(routes.mailboxes, '{}', { 'content-encoding': 'gzip' })).status).toBe(415)
  expect((await server.post(routes.mailboxes, new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(400)
})

test.each(['{"__proto__":{"admin":1}}', '{"constructor":{"prototype":{"admin":1}}}', '{"domain":{}}', '{"domain":[]}', '{"ttl":"1e9"}'])(
  '%s',
  async body => {
    expect((await server.post(routes.mailboxes, body)).status).toBe(400)
    expect(Reflect.get({}, 'admin')).toBeUndefined()
  },
)

test.each([
  ['[]', '', 'must be an object'],
  ['{"domain":1}', 'domain', 'must be a string'],
])('the wrong type of %s is named with its article, whatever language zod has in this process', async (body, path, message) => {
  const { localeError } = z.config()
  for (const language of [{ localeError }, z.locales.en()]) {
    z.config(language)
    const response = await server.post(routes.mailboxes, body)
    expect(await response.json()).toMatchObject({ code: 'invalid_request', errors: [{ path, message }] })
  }
  z.config({ localeError })
})

test('an image tag of another site gets nothing from the API', async () => {
  // Node's own fetch writes this header itself, so the request is written by hand.
  const request = `GET ${routes.config} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nConnection: close\r\n\r\n`
  expect(await server.exchange(request)).toMatch(/^HTTP\/1\.1 403 /)
})

test('a policy of MTA-STS is not served while the certificate of the mail port is one that no sender can verify', async () => {
  const request = 'GET /.well-known/mta-sts.txt HTTP/1.1\r\nHost: mta-sts.mayfly.test\r\nConnection: close\r\n\r\n'
  expect(await server.exchange(request)).toMatch(/^HTTP\/1\.1 404 /)
})
