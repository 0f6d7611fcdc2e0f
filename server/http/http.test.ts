import { afterAll, expect, test } from 'vitest'
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
    security: [{}, { apiKey: [] }, { session: [] }],
  })
  expect(Object.keys(document.paths['/api/mailboxes'].post.responses)).toEqual(
    expect.arrayContaining(['401', '409', '413', '415', '422', '429']),
  )
  expect(document.components.securitySchemes).toMatchObject({ apiKey: { scheme: 'bearer' }, session: { name: 'mayfly_session' } })
  const wait = document.paths['/api/mailbox/wait'].get
  expect(Object.keys(wait.responses)).toEqual(expect.arrayContaining(['200', '204', '400', '401']))
  expect(wait.parameters.find(({ name }: { name: string }) => name === 'timeoutSeconds').schema).toMatchObject({
    type: 'number',
    maximum: 55,
  })
  expect(document.paths['/api/mailbox/messages/{id}/raw'].get.responses[200].content).toEqual({ 'message/rfc822': {} })
  const hidden: string[] = [routes.openapi, routes.docs]
  const wanted = Object.values(routes).filter(
    path => path.startsWith('/api/') && !path.startsWith('/api/operator/') && !hidden.includes(path),
  )
  expect(Object.keys(document.paths).sort()).toEqual([...new Set(wanted.map(path => path.replace(/:([a-zA-Z]+)/g, '{$1}')))].sort())
  const page = await (await fetch(server.url(routes.docs))).text()
  expect(page).toContain('POST /api/mailboxes')
  expect(page).not.toContain('<script')
})

test('without a built site the page says what to do, and health and readiness still respond', async () => {
  const page = await fetch(server.url('/'))
  expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('npm run build')])
  expect((await fetch(server.url(routes.healthz))).status).toBe(200)
  expect((await fetch(server.url(routes.readyz))).status).toBe(200)
})
