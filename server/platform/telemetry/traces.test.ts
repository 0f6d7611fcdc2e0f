import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { deliver } from '#test/harness/clients/smtp-client.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = { name: string; traceId: string; spanId: string; startTimeUnixNano: string; endTimeUnixNano: string; attributes: Attribute[] }

const bodies: string[] = []
const paths: string[] = []
const collector = createServer(async (incoming, outgoing) => {
  paths.push(`${incoming.method} ${incoming.url} ${incoming.headers['content-type']}`)
  bodies.push(await text(incoming))
  outgoing.end('{}')
})
let endpoint = ''
beforeAll(async () => {
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
  const address = collector.address()
  endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})
afterAll(() => void collector.close())

test('requests and messages become OTLP spans without any address, token or content', async () => {
  const server = await startTestServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` }, isClockRunning: true })
  const { email, token } = await server.createMailbox()
  expect(await deliver(server.app.smtpPort, email, 'Subject: Secret subject\r\n\r\nHello.', 'ann@sender.test')).toMatch(/^250/)
  const id = await server.firstId(token)
  await fetch(server.url(`${routes.messages}/${id}`), { headers: bearer(token) })
  // What is left is sent at the stop.
  await server[Symbol.asyncDispose]()
  expect(new Set(paths)).toEqual(new Set(['POST /v1/traces application/json']))
  const spans: Span[] = bodies.flatMap(body => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['POST /api/mailboxes', 'GET /api/mailbox/messages/:id', 'smtp message']),
  )
  for (const { traceId, spanId, startTimeUnixNano, endTimeUnixNano } of spans) {
    expect([traceId, spanId]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{16}$/)])
    const [start, end] = [BigInt(startTimeUnixNano), BigInt(endTimeUnixNano)]
    expect(end).toBeGreaterThan(start)
    expect(Math.abs(Number(end / 1_000_000n) - Date.now())).toBeLessThan(60_000)
  }
  const message = spans.find(({ name }) => name === 'smtp message')
  expect(message?.attributes).toEqual([{ key: 'mayfly.mail.outcome', value: { stringValue: 'delivered' } }])
  const all = bodies.join('')
  for (const secret of [email, email.split('@')[0] ?? '', token, id, 'Secret subject', 'ann@sender.test']) expect(all).not.toContain(secret)
})

test('while the collector is unreachable only spans are lost', async () => {
  const server = await startTestServer({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
    allowLog: [/does not take traces; they are dropped until it does/],
  })
  for (let requests = 0; requests < 5; requests++) expect((await fetch(server.url('/healthz'))).status).toBe(200)
  await server[Symbol.asyncDispose]()
})

test('a request is a child of the span in its traceparent, and is not traced if that was not sampled', async () => {
  bodies.length = 0
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const server = await startTestServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } })
  const ask = async (path: string, traceparent: string) =>
    expect((await fetch(server.url(path), { headers: { traceparent } })).status).toBeLessThan(500)
  await ask('/healthz', `00-${traceId}-00f067aa0ba902b7-01`)
  await ask('/readyz', `00-${traceId}-00f067aa0ba902b7-00`)
  const wrong = [`00-${traceId}-0000000000000000-01`, `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `ff-${traceId}-00f067aa0ba902b7-01`, 'x']
  for (const traceparent of [...wrong, `00-${traceId}-00f067aa0ba902b7-01-more`, `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`]) {
    await ask('/api/config', traceparent)
  }
  await server[Symbol.asyncDispose]()
  const spans: (Span & { parentSpanId?: string })[] = bodies.flatMap(body => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)
  expect(spans.map(({ name }) => name).toSorted()).toEqual([...Array.from({ length: 6 }, () => 'GET /api/config'), 'GET /healthz'])
  for (const { name, traceId: trace, parentSpanId } of spans) {
    const isChild = name === 'GET /healthz'
    expect([trace === traceId, parentSpanId]).toEqual([isChild, isChild ? '00f067aa0ba902b7' : undefined])
  }
})
