/**
 * Two servers on one cluster and one PostgreSQL: any request of an agent's MCP session may reach either, also after one of them is gone.
 */
import { createHash, randomBytes } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { bearer, startTestServer, type TestServer } from '../harness/mayfly/start-test-server.ts'
import { findPostgres, type Postgres, startPostgres } from '../harness/servers/postgres.ts'
import { findRedis, startRedisCluster } from '../harness/servers/redis-cluster.ts'

const [postgresBin, hasRedis] = [findPostgres(), findRedis() !== undefined]
const TOKEN = `mft_${'m'.repeat(43)}`

describe.skipIf(!postgresBin || !hasRedis)('two processes (need redis-server and PostgreSQL)', () => {
  const stack = new AsyncDisposableStack()
  let postgres: Postgres
  let [a, b] = [] as unknown as [TestServer, TestServer]
  beforeAll(async () => {
    const cluster = stack.use(await startRedisCluster({ replicas: 0 }))
    postgres = stack.use(await startPostgres(postgresBin ?? ''))
    const env = {
      MAIL_STORE_URL: cluster.url,
      MAIL_STORE_REPLICAS: '0',
      DATABASE_URL: await postgres.createDatabase(),
      SECRET: randomBytes(32).toString('hex'),
      MCP: 'on',
      API_TOKENS: `agents:${createHash('sha256').update(TOKEN).digest('hex')}`,
    }
    a = stack.use(await startTestServer({ env, isClockRunning: true }))
    b = await startTestServer({ env, isClockRunning: true })
  })
  afterAll(() => stack.disposeAsync())

  /** Sends each request of its session to the server that `next` names. */
  async function connectAgent(next: () => TestServer) {
    const client = new Client({ name: 'test', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(a.url(routes.mcp)), {
      requestInit: { headers: bearer(TOKEN) },
      fetch: (_, init) => fetch(next().url(routes.mcp), init),
    })
    await client.connect(transport)
    const call = async (name: string, input: Record<string, unknown> = {}) => {
      const { structuredContent, isError } = await client.callTool({ name, arguments: input })
      return { structured: structuredContent as Record<string, string>, isError: isError === true }
    }
    return { client, transport, call, [Symbol.asyncDispose]: () => client.close() }
  }

  test('an agent whose requests alternate signs up, and goes on when one process is gone', async () => {
    let requests = 0
    let isOneGone = false
    await using agent = await connectAgent(() => (isOneGone || requests++ % 2 === 0 ? a : b))
    const first = (await agent.call('create_inbox')).structured.address ?? ''
    const second = (await agent.call('create_inbox')).structured.address ?? ''
    for (const address of [first, second]) await a.deliver(address)
    for (let round = 0; round < 2; round++) {
      for (const inbox of [first, second])
        expect((await agent.call('wait_for_code', { inbox })).structured).toMatchObject({ code: '481516' })
    }
    const waiting = agent.call('wait_for_message', { inbox: first, subject: 'later', timeout_seconds: 20 })
    await b.deliverRaw(first, Buffer.from(`From: ann@sender.test\r\nTo: ${first}\r\nSubject: later\r\n\r\nHello.\r\n`))
    expect((await waiting).structured).toMatchObject({ message: { subject: 'later' } })

    await b[Symbol.asyncDispose]()
    isOneGone = true
    expect((await agent.call('list_messages', { inbox: first })).structured.messages).toHaveLength(2)
    expect((await agent.call('delete_inbox', { inbox: second })).structured).toEqual({ deleted: true })
    expect((await agent.call('list_messages', { inbox: second })).isError).toBe(true)
    expect((await agent.call('list_messages')).isError, 'the newest that is left').toBe(false)
    const session = agent.transport.sessionId ?? ''
    await agent.transport.terminateSession()
    const headers = { ...bearer(TOKEN), accept: 'application/json, text/event-stream', 'mcp-session-id': session }
    expect((await a.post(routes.mcp, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }), headers)).status).toBe(404)
  })
})
