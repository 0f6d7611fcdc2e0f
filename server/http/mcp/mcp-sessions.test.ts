/** Which sessions `/mcp` keeps and ends, with requests by hand. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { apiKeyCreatedSchema } from '#contract/account.ts'
import { pathTo } from '#contract/path-to.ts'
import { problemSchema } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const tokens = ['evicted', 'busy', 'frequent', 'invalid', 'ordered', 'ending'].map(name => ({ name, token: `mft_${name.padEnd(43, 'x')}` }))
const API_TOKENS = tokens.map(({ name, token }) => `${name}:${createHash('sha256').update(token).digest('hex')}`).join(',')
const tokenOf = (name: string) => tokens.find(token => token.name === name)?.token ?? ''

const server = await untilEnd(startTestServer({ env: { MCP: 'on', API_TOKENS } }))

const clientInfo = { name: 'test', version: '1' }
const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } }
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

function ask(method: 'POST' | 'DELETE', credential: string, session: string | undefined, message?: unknown) {
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...bearer(credential),
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
  }
  return fetch(server.url(routes.mcp), { method, headers, ...(message ? { body: JSON.stringify(message) } : {}) })
}

/** The id of a new session. */
async function begin(credential: string): Promise<string> {
  const response = await ask('POST', credential, undefined, INITIALIZE)
  expect(response.status, await response.text()).toBe(200)
  return response.headers.get('mcp-session-id') ?? ''
}

async function statusOf(credential: string, session: string): Promise<number> {
  const response = await ask('POST', credential, session, LIST)
  await response.text()
  return response.status
}

const callTool = (credential: string, session: string, name: string, input: Record<string, unknown> = {}) =>
  ask('POST', credential, session, { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name, arguments: input } })

async function createInbox(credential: string, session: string): Promise<string> {
  const text = await (await callTool(credential, session, 'create_inbox')).text()
  return /[\w.-]+@mayfly\.test/.exec(text)?.[0] ?? ''
}

const countRows = (table: 'agent_sessions' | 'agent_inboxes') =>
  server.withDatabase(async ({ db }) => (await db.selectFrom(table).selectAll().execute()).length)

describe('the 51st session of an owner', () => {
  test('ends the one that was idle longest, not the oldest, which was just used', async () => {
    const token = tokenOf('evicted')
    const oldest = await begin(token)
    server.advance(10)
    const idle = await begin(token)
    server.advance(10)
    for (let n = 2; n < 50; n++) await begin(token)
    server.advance(10)
    expect(await statusOf(token, oldest)).toBe(200)
    await begin(token)
    expect([await statusOf(token, oldest), await statusOf(token, idle)]).toEqual([200, 404])
  })

  test('ends none with a call under way, and a session that its client ends takes its calls along', async () => {
    const token = tokenOf('busy')
    const busy = await begin(token)
    await createInbox(token, busy)
    const waiting = await callTool(token, busy, 'wait_for_message', { timeout_seconds: 300 })
    server.advance(10)
    for (let n = 0; n < 51; n++) await begin(token)
    expect(await statusOf(token, busy)).toBe(200)
    expect((await ask('DELETE', token, busy)).status).toBe(200)
    const ended = await Promise.race([waiting.text(), new Promise(resolve => setTimeout(resolve, 5000, 'still waiting'))])
    expect(ended).not.toContain('still waiting')
    expect(await statusOf(token, busy)).toBe(404)
  })
})

test('a session is in use until its call ends', async () => {
  const token = tokenOf('ending')
  const session = await begin(token)
  await createInbox(token, session)
  const waiting = await callTool(token, session, 'wait_for_message', { timeout_seconds: 1 })
  server.advance(10_000)
  expect(await waiting.text()).toContain('isError')
  const usedAt = () =>
    server.withDatabase(({ db }) => db.selectFrom('agent_sessions').select('used_at').where('owner', '=', 'token:ending').execute())
  await expect.poll(usedAt).toEqual([{ used_at: server.now() }])
})

test.each(['the key is revoked', 'the account is suspended'])('a call that waits returns no mail after %s', async end => {
  const account = await server.signedIn(`agent${end.length}@example.com`)
  const { key, id } = apiKeyCreatedSchema.parse(JSON.parse((await account.post(routes.accountApiKeys, { name: 'agent' })).text))
  const session = await begin(key)
  const address = await createInbox(key, session)
  const waiting = await callTool(key, session, 'wait_for_message', { timeout_seconds: 60 })
  if (end === 'the key is revoked') {
    const before = await countRows('agent_sessions')
    expect((await account.ask('DELETE', pathTo(routes.accountApiKey, { id }))).status).toBe(204)
    expect(await countRows('agent_sessions')).toBe(before - 1)
  } else {
    const suspend = { user_id: sql<string>`(select user_id from api_keys where id = ${id})`, since: 1 }
    await server.withDatabase(({ db }) => db.insertInto('suspensions').values(suspend).execute())
  }
  await server.deliver(address)
  const result = await waiting.text()
  expect(result).toContain('isError')
  expect(result).not.toContain('481516')
})

test('an owner can begin 120 sessions in a minute', async () => {
  const token = tokenOf('frequent')
  for (let n = 0; n < 120; n++) await begin(token)
  const refused = await ask('POST', token, undefined, INITIALIZE)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(problemSchema.parse(await refused.json()).code).toBe('rate_limited')
  server.advance(60_000)
  await begin(token)
})

test('only a valid request to initialize begins a session', async () => {
  const before = await countRows('agent_sessions')
  const { id: _id, ...notification } = INITIALIZE
  for (const wrong of [{ ...INITIALIZE, params: undefined }, { ...INITIALIZE, params: {} }, notification]) {
    const response = await ask('POST', tokenOf('invalid'), undefined, wrong)
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([400, null])
    await response.text()
  }
  expect(await countRows('agent_sessions')).toBe(before)
})

test('the newest inbox is the last one created, also within one millisecond', async () => {
  const token = tokenOf('ordered')
  const session = await begin(token)
  for (let n = 0; n < 6; n++) {
    const address = await createInbox(token, session)
    await server.deliver(address)
    const text = await (await callTool(token, session, 'wait_for_message', { timeout_seconds: 1 })).text()
    expect(text, `inbox ${n}`).toContain(address)
  }
})

test('a session belongs to one key of an account, and is removed with the account', async () => {
  const page = await server.signedIn('agents@example.com')
  const key = async (name: string) => apiKeyCreatedSchema.parse(JSON.parse((await page.post(routes.accountApiKeys, { name })).text)).key
  const [one, other] = [await key('one'), await key('other')]
  const before = [await countRows('agent_sessions'), await countRows('agent_inboxes')]
  const session = await begin(one)
  await createInbox(one, session)
  expect([await countRows('agent_sessions'), await countRows('agent_inboxes')]).toEqual(before.map(count => count + 1))
  expect([await statusOf(one, session), await statusOf(other, session)]).toEqual([200, 404])
  expect((await page.post(routes.authDeleteAccount, { password: 'correct horse' })).status).toBe(204)
  expect([await countRows('agent_sessions'), await countRows('agent_inboxes')]).toEqual(before)
})
