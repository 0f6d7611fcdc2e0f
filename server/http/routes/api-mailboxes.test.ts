/** What scripts do with an API token or an API key, over real HTTP. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { apiKeyCreatedSchema } from '#contract/account.ts'
import { NEW_ADDRESSES_PER_NETWORK } from '#contract/limits.ts'
import { apiMailboxesSchema, mailboxCreatedSchema, mailboxesCreatedSchema } from '#contract/mailbox.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import type { Visitor } from '#test/harness/clients/visitor.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const TOKEN = `mft_${'t'.repeat(43)}`
const OTHER = `mft_${'o'.repeat(43)}`
const pair = (name: string, token: string) => `${name}:${createHash('sha256').update(token).digest('hex')}`
const env = { API_TOKENS: `${pair('ci', TOKEN)},${pair('other', OTHER)}`, NETWORK_LIMIT_FACTOR: '1', BOT_CHECK: 'pow' }

const server = await untilEnd(startTestServer({ env, allowLog: [/sends X-Forwarded-For and is not trusted/] }))
const ci = server.visitor(bearer(TOKEN))

async function create(by: Visitor, body: Record<string, unknown> = {}) {
  const answer = await by.post(routes.mailboxes, body)
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([201, expect.any(String)])
  return mailboxCreatedSchema.parse(JSON.parse(answer.text))
}
const openStream = (token: string) => fetch(server.url(routes.events), { headers: bearer(token) })
const list = async (by: Visitor, query = '') =>
  apiMailboxesSchema.parse(JSON.parse((await by.ask('GET', `${routes.mailboxes}${query}`)).text))

describe('an API token', () => {
  test('creates a mailbox without a bot check, with the requested lifetime, and receives mail in it', async () => {
    const made = await create(ci, { lifetimeSeconds: 90 })
    expect(made).toMatchObject({ lifetimeSeconds: 90, secondsLeft: 90, id: expect.any(String) })
    await server.deliver(made.email)
    expect(await server.firstId(made.token)).not.toBe('')
    expect((await create(ci)).lifetimeSeconds, 'left out, it is short').toBe(600)
    server.advance(90_000)
    expect((await ci.ask('GET', routes.mailbox, { headers: bearer(made.token) })).code).toBe('mailbox_not_found')
  })

  test('allows 2,000 tests in an hour from one network, with or without cleaning up', async () => {
    const before = (await list(ci)).mailboxes.length
    for (let batch = 0; batch < 20; batch++) {
      const answer = await ci.post(routes.mailboxBatch, { count: 100, lifetimeSeconds: 3600 })
      expect(answer.status).toBe(201)
      expect(mailboxesCreatedSchema.parse(JSON.parse(answer.text)).mailboxes).toHaveLength(100)
    }
    for (let one = 0; one < 20; one++) await create(ci)
    expect(JSON.parse((await ci.ask('DELETE', routes.mailboxes)).text)).toEqual({ destroyed: before + 2020 })
    expect((await list(ci)).mailboxes).toEqual([])
  }, 120_000)

  test.each([9, 86_401, 60.5, '60', null, -1])('gets an error that names the lifetime %j', async lifetimeSeconds => {
    const answer = await ci.post(routes.mailboxes, { lifetimeSeconds })
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'invalid_request', errors: [{ path: 'lifetimeSeconds' }] })
  })

  test('learns of 300 taken names in an hour and of no more, and creates others all the same', async () => {
    await using own = await startTestServer({ env })
    const [holder, nosy] = [own.visitor(bearer(TOKEN)), own.visitor(bearer(OTHER))]
    expect((await holder.post(routes.mailboxes, { localPart: 'taken.name' })).status).toBe(201)
    const probe = async () => (await nosy.post(routes.mailboxes, { localPart: 'taken.name' })).code
    const codes = await Promise.all(Array.from({ length: 300 }, probe))
    expect(new Set(codes)).toEqual(new Set(['local_part_taken']))
    expect(await probe()).toBe('rate_limited')
    expect((await nosy.post(routes.mailboxes, {})).status).toBe(201)
  })

  test.each([0, 101, 1.5, '3'])('gets an error that names the batch of %j', async count => {
    expect(JSON.parse((await ci.post(routes.mailboxBatch, { count })).text)).toMatchObject({ errors: [{ path: 'count' }] })
  })

  test('lists its mailboxes without their tokens, and destroys one whose token was lost', async () => {
    const [first, second] = [await create(ci, { lifetimeSeconds: 30 }), await create(ci, { localPart: 'buyer.one' })]
    const { mailboxes } = await list(ci)
    expect(mailboxes.find(({ id }) => id === first.id)).toMatchObject({ email: first.email, lifetimeSeconds: 30, secondsLeft: 30 })
    expect(mailboxes.find(({ id }) => id === second.id)?.email).toBe('buyer.one@mayfly.test')
    expect(JSON.stringify(mailboxes)).not.toContain(first.token)
    const path = pathTo(routes.mailboxById, { id: first.id ?? '' })
    expect((await server.visitor(bearer(OTHER)).ask('DELETE', path)).code).toBe('mailbox_not_found')
    expect((await ci.ask('DELETE', path)).status).toBe(204)
    expect((await ci.ask('DELETE', path)).code).toBe('mailbox_not_found')
    expect((await ci.ask('GET', routes.mailbox, { headers: bearer(first.token) })).code).toBe('mailbox_not_found')
    expect((await ci.ask('DELETE', routes.mailbox, { headers: bearer(second.token) })).status).toBe(204)
    expect((await list(ci)).mailboxes.map(({ id }) => id)).not.toContain(second.id)
  })

  test('lists in pages, and unknown query parameters are refused', async () => {
    for (let made = 0; made < 3; made++) await create(ci)
    const page = await list(ci, '?limit=2')
    expect(page.mailboxes).toHaveLength(2)
    expect((await list(ci, `?limit=2&cursor=${page.nextCursor}`)).mailboxes[0]?.id).not.toBe(page.mailboxes[1]?.id)
    for (const query of ['?limit=0', '?limit=501', '?limit=x', '?cursor=x', '?page=2']) {
      expect((await ci.ask('GET', `${routes.mailboxes}${query}`)).code, query).toBe('invalid_request')
    }
  })

  test('can wait with more mailboxes at once than a network may', async () => {
    const answer = await ci.post(routes.mailboxBatch, { count: 100 })
    const more = await ci.post(routes.mailboxBatch, { count: 100 })
    const { mailboxes } = mailboxesCreatedSchema.parse({
      mailboxes: [answer, more].flatMap(({ text }) => mailboxesCreatedSchema.parse(JSON.parse(text)).mailboxes),
    })
    const streams = mailboxes.map(({ token }) => openStream(token))
    expect((await Promise.all(streams)).map(({ status }) => status)).toEqual(Array(200).fill(200))
    const [eleventh] = mailboxes
    const beyond = await openStream(eleventh?.token ?? '')
    expect(beyond.status, 'the network holds 200, the token has a share of its own').toBe(200)
    for (const stream of [...(await Promise.all(streams)), beyond]) await stream.body?.cancel()
  }, 60_000)

  test('has its own hourly limit, separate from other tokens', async () => {
    await using small = await startTestServer({ env: { ...env, API_MAILBOXES_MAX: '2' }, config: { apiCreationsPerHour: 3 } })
    const [one, two] = [small.visitor(bearer(TOKEN)), small.visitor(bearer(OTHER))]
    await create(one)
    await create(one)
    const full = await one.post(routes.mailboxes, {})
    expect([full.code, JSON.parse(full.text).detail]).toEqual(['api_mailboxes_max', '2 mailboxes are live, and 2 may be.'])
    expect(['ratelimit', 'ratelimit-policy', 'retry-after'].map(name => full.headers.get(name))).toEqual([
      '"api-mailboxes";r=0;t=600',
      '"api-mailboxes";q=2',
      '600',
    ])
    for (let n = 0; n < 4; n++) expect((await one.post(routes.mailboxBatch, { count: 2 })).status).not.toBe(201)
    await one.ask('DELETE', routes.mailboxes)
    await create(one, { localPart: 'taken.name' })
    expect((await two.post(routes.mailboxes, { localPart: 'taken.name' })).code).toBe('local_part_taken')
    const refused = await one.post(routes.mailboxes, {})
    expect([refused.code, refused.headers.get('retry-after')]).toEqual(['rate_limited', '3600'])
    expect(refused.headers.get('ratelimit-policy')).toBe('"api-creations";q=3;w=3600')
    for (let n = 0; n < 2; n++) await create(two)
    expect((await two.post(routes.mailboxes, {})).code, 'what was refused cost nothing').toBe('api_mailboxes_max')
  })
})

describe('missing and wrong credentials', () => {
  test('without one the 401 says what to send, and with a wrong one that it is wrong', async () => {
    const without = await server.visitor().ask('GET', routes.mailboxes)
    expect([without.status, without.code, without.headers.get('www-authenticate')]).toEqual([
      401,
      'api_token_required',
      'Bearer realm="account"',
    ])
    for (const wrong of ['x', 'mft_', `mft_${'x'.repeat(43)}`, `${TOKEN}x`, TOKEN.toUpperCase()]) {
      const answer = await server.visitor({ ...bearer(wrong), 'x-forwarded-for': '192.0.2.9' }).ask('GET', routes.mailboxes)
      expect([answer.status, answer.code], wrong.slice(0, 6)).toEqual([401, 'api_token_invalid'])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="account", error="invalid_token"')
    }
  })

  test('a mailbox token cannot list, an API token opens no mailbox, and each error names the mistake', async () => {
    const { token } = await create(ci)
    const lists = await server.visitor(bearer(token)).ask('GET', routes.mailboxes)
    expect(JSON.parse(lists.text)).toMatchObject({ code: 'api_token_invalid', detail: 'A mailbox token opens its own mailbox only.' })
    const opens = await ci.ask('GET', routes.messages)
    expect(JSON.parse(opens.text)).toMatchObject({ code: 'token_required', detail: 'API keys and API tokens open no mailbox.' })
  })

  test('a visitor cannot choose a lifetime, refusals cost nothing, and the rate limit of a network mentions tokens', async () => {
    await using open = await startTestServer({ env: { NETWORK_LIMIT_FACTOR: '1' } })
    const visitor = open.visitor()
    const refusal = await visitor.post(routes.mailboxes, { lifetimeSeconds: 60 })
    expect([refusal.status, JSON.parse(refusal.text)]).toEqual([
      401,
      expect.objectContaining({
        code: 'sign_in_required',
        detail: '`localPart` needs a session, an API key or an API token; `lifetimeSeconds` and `failure` a key or token.',
      }),
    ])
    for (let n = 0; n <= NEW_ADDRESSES_PER_NETWORK.max; n++)
      expect((await visitor.post(routes.mailboxes, { domain: 'no.test' })).code).toBe('domain_not_served')
    for (let made = 0; made < NEW_ADDRESSES_PER_NETWORK.max; made++) await create(visitor)
    const refused = await visitor.post(routes.mailboxes, {})
    expect(refused.code).toBe('rate_limited')
    expect(JSON.parse(refused.text).detail).toContain('NETWORK_LIMIT_FACTOR')
  })
})

describe('an API key', () => {
  test('shares quota and list with the other keys of its account, and is revoked with the account', async () => {
    const email = 'keys@example.com'
    await using site = await startTestServer()
    const page = await site.signedIn(email)
    const key = async (name: string) => {
      const made = apiKeyCreatedSchema.parse(JSON.parse((await page.post(routes.accountApiKeys, { name })).text))
      return site.visitor(bearer(made.key))
    }
    const [one, two] = [await key('one'), await key('two')]
    const made = await create(one)
    expect((await list(one)).mailboxes).toMatchObject([{ id: made.id, email: made.email }])
    const [seen] = (await list(two)).mailboxes
    expect([seen?.id, seen?.email], 'sealed to the key that made it').toEqual([made.id, undefined])
    expect((await page.post(routes.mailboxes, { lifetimeSeconds: 60 })).code, 'a page has no use for it').toBe('invalid_request')
    const other = await create(two)
    expect((await one.ask('DELETE', pathTo(routes.mailboxById, { id: other.id ?? '' }))).status).toBe(204)
    expect((await page.post(routes.authDeleteAccount, { password: 'correct horse' })).status).toBe(204)
    expect((await site.visitor(bearer(made.token)).ask('GET', routes.mailbox)).code).toBe('mailbox_not_found')
    expect((await one.post(routes.mailboxes, {})).code).toBe('api_token_invalid')
  })
})

describe('an Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': `${name}-8e03978e-40d5-43e8` })

  test('returns the same mailbox for the same request, also for twenty at once, and another key another mailbox', async () => {
    const ask = (name: string) => ci.post(routes.mailboxes, { lifetimeSeconds: 60 }, key(name))
    const first = mailboxCreatedSchema.parse(JSON.parse((await ask('one')).text))
    server.advance(10_000)
    const again = mailboxCreatedSchema.parse(JSON.parse((await ask('one')).text))
    expect(again).toEqual({ ...first, secondsLeft: 50 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('two')))
    const made = answers.filter(({ status }) => status === 201).map(({ text }) => mailboxCreatedSchema.parse(JSON.parse(text)).token)
    expect(new Set(made).size).toBe(1)
    expect(answers.every(({ status, code }) => status === 201 || code === 'idempotency_key_in_use')).toBe(true)
    expect(made[0]).not.toBe(first.token)
    server.advance(60_000)
    expect(mailboxCreatedSchema.parse(JSON.parse((await ask('one')).text)).token, 'its mailbox has ended').not.toBe(first.token)
  })

  test('returns no mailbox that was destroyed, and its row goes with the mailbox', async () => {
    const hashes = async () => {
      const rows = await server.withDatabase(({ db }) => db.selectFrom('idempotent_requests').select('key_hash').execute())
      return rows.map(({ key_hash }) => key_hash)
    }
    const before = await hashes()
    const rows = async () => (await hashes()).filter(hash => !before.includes(hash))
    const single = () => ci.post(routes.mailboxes, { lifetimeSeconds: 60 }, key('six'))
    const batch = () => ci.post(routes.mailboxBatch, { count: 3, lifetimeSeconds: 60 }, key('seven'))
    const first = mailboxCreatedSchema.parse(JSON.parse((await single()).text))
    const several = mailboxesCreatedSchema.parse(JSON.parse((await batch()).text)).mailboxes
    expect(await rows()).toHaveLength(2)
    expect((await ci.ask('DELETE', routes.mailbox, { headers: bearer(first.token) })).status).toBe(204)
    const again = mailboxCreatedSchema.parse(JSON.parse((await single()).text))
    expect(again.token).not.toBe(first.token)
    expect((await ci.ask('DELETE', pathTo(routes.mailboxById, { id: several[1]?.id ?? '' }))).status).toBe(204)
    await expect.poll(rows).toHaveLength(1)
    expect((await batch()).text).not.toContain(several[0]?.token)
    await ci.ask('DELETE', routes.mailboxes)
    await expect.poll(rows).toEqual([])
  })

  test('is refused for another request, and is separate for each token', async () => {
    const first = await ci.post(routes.mailboxes, { lifetimeSeconds: 60 }, key('three'))
    expect((await ci.post(routes.mailboxes, { lifetimeSeconds: 61 }, key('three'))).code).toBe('idempotency_key_reused')
    expect((await ci.post(routes.mailboxBatch, { count: 2 }, key('three'))).code).toBe('idempotency_key_reused')
    const other = await server.visitor(bearer(OTHER)).post(routes.mailboxes, { lifetimeSeconds: 60 }, key('three'))
    expect([other.status, other.text === first.text]).toEqual([201, false])
    for (const wrong of ['short', 'x'.repeat(256), 'with a space in it'])
      expect((await ci.post(routes.mailboxes, {}, { 'idempotency-key': wrong })).code).toBe('invalid_request')
  })

  test('is separate for each API key of an account', async () => {
    await using site = await startTestServer()
    const page = await site.signedIn('two.keys@example.com')
    const ask = async (name: string) => {
      const made = apiKeyCreatedSchema.parse(JSON.parse((await page.post(routes.accountApiKeys, { name })).text))
      const by = site.visitor(bearer(made.key))
      return async (path: string, body: object) => (await by.post(path, body, key('eight'))).text
    }
    const [one, two] = [await ask('one'), await ask('two')]
    const first = mailboxCreatedSchema.parse(JSON.parse(await one(routes.mailboxes, {})))
    expect(mailboxCreatedSchema.parse(JSON.parse(await one(routes.mailboxes, {}))).token).toBe(first.token)
    expect(mailboxCreatedSchema.parse(JSON.parse(await two(routes.mailboxes, {}))).token).not.toBe(first.token)
    expect(await two(routes.mailboxBatch, { count: 2 }), 'it is the own request of this key that differs').toContain(
      'idempotency_key_reused',
    )
  })

  test('returns a whole batch again, does not repeat a failure, and stores no token unencrypted', async () => {
    const batch = () => ci.post(routes.mailboxBatch, { count: 3, lifetimeSeconds: 60 }, key('four'))
    const first = await batch()
    expect((await batch()).text).toBe(first.text)
    const refuse = (domain: string) => ci.post(routes.mailboxes, { domain }, key('five'))
    expect((await refuse('elsewhere.test')).code).toBe('domain_not_served')
    expect((await refuse('mayfly.test')).status).toBe(201)
    const rows = JSON.stringify(await server.withDatabase(({ db }) => db.selectFrom('idempotent_requests').selectAll().execute()))
    const { mailboxes } = mailboxesCreatedSchema.parse(JSON.parse(first.text))
    for (const { token } of mailboxes) expect(rows).not.toContain(token)
  })
})

test('a page of another site may use all of this with a token, and its cookies are ignored', async () => {
  const page = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
  for (const path of [routes.mailboxes, routes.mailboxBatch, pathTo(routes.mailboxById, { id: 'x' }), routes.messages]) {
    const asked = await fetch(server.url(path), { method: 'OPTIONS', headers: { ...page, 'access-control-request-method': 'POST' } })
    expect([asked.status, asked.headers.get('access-control-allow-origin')], path).toEqual([204, '*'])
    expect(asked.headers.get('access-control-allow-headers')).toContain('idempotency-key')
    expect(asked.headers.has('access-control-allow-credentials')).toBe(false)
  }
  const made = await ci.post(routes.mailboxes, {}, page)
  expect([made.status, made.headers.get('access-control-allow-origin')]).toEqual([201, '*'])
})
