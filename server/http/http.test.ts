import { request } from 'node:http'
import { afterAll, expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { version } from '#server/platform/installation.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'

const server = await startTestServer({ isClockRunning: true, allowLog: [/sends X-Forwarded-For and is not trusted/] })
afterAll(() => server[Symbol.asyncDispose]())

test('responses about a mailbox are not cached', async () => {
  const { token } = await server.createMailbox()
  const { headers } = await fetch(server.url(routes.messages), { headers: bearer(token) })
  expect(headers.get('cache-control')).toBe('no-store')
  expect((await fetch(server.url(`${routes.messages}/x.css`), { headers: bearer(token) })).status).toBe(404)
})

test('unknown paths and methods are JSON problems, and metrics are for this machine only', async () => {
  for (const path of ['/api/nothing', '/api/mailbox/nothing', '/api/../api/none']) {
    const response = await fetch(server.url(path))
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
  }
  const wrongVerb = await fetch(server.url(routes.mailboxes), { method: 'PUT' })
  expect([wrongVerb.status, wrongVerb.headers.get('allow')]).toEqual([405, 'POST, GET, HEAD, DELETE'])
  expect((await fetch(server.url(routes.metrics))).status).toBe(200)
  const metrics = await (await fetch(server.url(routes.metrics))).text()
  expect(metrics).toContain('mayfly_http_request_seconds')
  expect(metrics).toMatch(new RegExp(`^mayfly_build_info\\{version="${version}",commit="[^"]+",node="${process.versions.node}"\\} 1$`, 'm'))
  expect((await fetch(server.url(routes.metrics), { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(404)
})

test('metrics are for who asks directly, not for a visitor with an address of the proxies', async () => {
  await using proxied = await startTestServer({ env: { TRUST_PROXY: '127.0.0.0/8', METRICS_FROM: '127.0.0.0/8' } })
  const status = async (headers?: HeadersInit) => (await fetch(proxied.url(routes.metrics), headers && { headers })).status
  expect([await status(), await status({ 'x-forwarded-for': '127.0.0.9' }), await status({ 'x-forwarded-for': '192.0.2.9' })]).toEqual([
    200, 404, 404,
  ])
})

test('metrics are not for a page whose name was made to lead to this machine', async () => {
  const { hostname, port } = new URL(server.url('/'))
  const status = async (host: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    request({ hostname, port, path: routes.metrics, headers: { host } }, reply => {
      reply.resume()
      resolve(reply.statusCode)
    })
      .once('error', reject)
      .end()
    return await promise
  }
  for (const host of ['rebinding.example', 'rebinding.example:8080', '10.0.0.1.rebinding.example'])
    expect(await status(host), host).toBe(404)
  for (const host of ['10.0.0.1:8080', '[::1]:8080', 'mayfly:8080', 'mayfly.default.svc.cluster.local'])
    expect(await status(host), host).toBe(200)
})

test('the API is described for programs and for people', async () => {
  const document = await (await fetch(server.url(routes.openapi))).json()
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(['/api/mailboxes', '/api/mailbox/messages/{id}', '/api/mailbox/events']),
  )
  expect(document.paths['/api/mailboxes'].post.requestBody.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/CreateMailbox',
  })
  expect(document.components.schemas.CreateMailbox).toMatchObject({
    type: 'object',
    properties: { localPart: { type: 'string', minLength: 3, maxLength: 32 } },
    additionalProperties: false,
  })
  expect(document.paths['/api/mailboxes'].post).toMatchObject({
    operationId: 'createMailbox',
    security: [{}, { apiCredential: [] }, { sessionCookie: [] }],
  })
  expect(Object.keys(document.paths['/api/mailboxes'].post.responses)).toEqual(
    expect.arrayContaining(['401', '409', '413', '415', '422', '429']),
  )
  expect(document.components.securitySchemes).toMatchObject({
    apiCredential: { scheme: 'bearer' },
    sessionCookie: { name: 'mayfly_session' },
  })
  const wait = document.paths['/api/mailbox/wait'].get
  expect(Object.keys(wait.responses)).toEqual(expect.arrayContaining(['200', '204', '400', '401']))
  expect(wait.parameters.find(({ name }: { name: string }) => name === 'timeoutSeconds').schema).toMatchObject({
    type: 'number',
    maximum: 55,
  })
  expect(document.paths['/api/mailbox/messages/{id}/raw'].get.responses[200].content).toEqual({
    'message/rfc822': { schema: { type: 'string', format: 'binary' } },
  })
  const hidden: string[] = [routes.openapi, routes.docs]
  const wanted = Object.values(routes).filter(
    path => path.startsWith('/api/') && !path.startsWith('/api/operator/') && !hidden.includes(path),
  )
  expect(Object.keys(document.paths).sort()).toEqual([...new Set(wanted.map(path => path.replace(/:([a-zA-Z]+)/g, '{$1}')))].sort())
  const page = await (await fetch(server.url(routes.docs))).text()
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(Object.values)
  const drawn = [...page.matchAll(/<details class="operation" id="operation-(\w+)">/g)].map(([, id]) => id)
  expect(drawn.sort()).toEqual(operations.map(({ operationId }) => operationId).sort())
  expect(page, 'the content security policy allows no inline script').not.toMatch(/<script(?![^>]*src=)/)
})

test('the page of the description is in the language of the visitor, compressed, and not sent again to who has it', async () => {
  const ask = (headers: Record<string, string>) => fetch(server.url(routes.docs), { headers })
  const spanish = await ask({ 'accept-language': 'es', 'accept-encoding': 'br' })
  expect([spanish.headers.get('content-language'), spanish.headers.get('content-encoding')]).toEqual(['es', 'br'])
  expect(await spanish.text()).toContain('Referencia de la API')
  const again = await ask({ 'accept-language': 'es', 'accept-encoding': 'br', 'if-none-match': spanish.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
  expect((await ask({ 'accept-language': 'xx' })).headers.get('content-language')).toBe('en')
})

test('the description of the API is drawn once, not for each request', async () => {
  const read = () => Promise.all([routes.openapi, routes.docs].map(async path => (await fetch(server.url(path))).text()))
  const first = await read()
  const drawn: unknown[] = []
  const note = (value: object | undefined) => {
    if (value && ('openapi' in value || '/api/mailboxes' in value)) drawn.push(value)
  }
  const { entries } = Object
  const { stringify } = JSON
  const spies = [
    vi.spyOn(Object, 'entries').mockImplementation((value: object) => {
      note(value)
      return entries(value)
    }),
    vi.spyOn(JSON, 'stringify').mockImplementation((value, ...more) => {
      if (typeof value === 'object') note(value ?? undefined)
      return stringify(value, ...(more as []))
    }),
  ]
  expect(await read()).toEqual(first)
  for (const spy of spies) spy.mockRestore()
  expect(drawn).toEqual([])
})

test('without a built site the page says what to do, and health and readiness still respond', async () => {
  const page = await fetch(server.url('/'))
  expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('npm run build')])
  expect((await fetch(server.url(routes.healthz))).status).toBe(200)
  expect((await fetch(server.url(routes.readyz))).status).toBe(200)
})
