/** What Pro unlocks, over real HTTP: addresses that live longer, shared by the account's devices, and API keys. */
import { beforeEach, describe, expect, test } from 'vitest'
import { apiKeyCreatedSchema, apiKeysSchema, proMailboxesSchema } from '#contract/account.ts'
import { LIFETIME_SECONDS, NEW_ADDRESSES_PRO, PRO_LIFETIME_SECONDS, PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import { type MailboxCreated, mailboxCreatedSchema, messageListSchema } from '#contract/mailbox.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import type { Visitor } from '#test/harness/clients/visitor.ts'
import { receive } from '#test/harness/mayfly/start-mail.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

let users = 0
let email = ''
let visitor: Visitor
const site = await untilEnd(startTestServer({ env: { MAIL_DOMAINS: 'mayfly.test,box.test' } }))
beforeEach(async () => {
  email = `user${++users}@example.com`
  visitor = await site.signedIn(email)
})

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })

async function create(by: Visitor, request: Record<string, string> = {}): Promise<MailboxCreated> {
  const answer = await by.post(routes.mailboxes, request)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
  return mailboxCreatedSchema.parse(JSON.parse(answer.text))
}

async function list(by: Visitor): Promise<MailboxCreated[]> {
  return proMailboxesSchema.parse(JSON.parse((await by.ask('GET', routes.accountMailboxes)).text)).mailboxes
}

async function createKey(by: Visitor, name = 'CI') {
  const answer = await by.post(routes.accountApiKeys, { name })
  expect(answer.status).toBe(201)
  return apiKeyCreatedSchema.parse(JSON.parse(answer.text))
}

describe('addresses', () => {
  test('live for exactly their lifetime, and a second device of the account can read their mail', async () => {
    const made = await create(visitor, { localPart: 'Ada.Lovelace', domain: 'BOX.test' })
    expect(made).toMatchObject({
      email: 'ada.lovelace@box.test',
      secondsLeft: PRO_LIFETIME_SECONDS,
      lifetimeSeconds: PRO_LIFETIME_SECONDS,
      kept: true,
    })
    const phone = await site.signedIn(email)
    expect(await list(phone)).toEqual([made])
    const envelope = { from: 'a@b.test', recipients: [made.email], clientAddress: '127.0.0.1', helo: 'b.test', isEncrypted: false }
    expect(await receive(site.app.mail, envelope, Buffer.from('Subject: for both\r\n\r\nhello\r\n'))).toBe('delivered')
    const [shared] = await list(phone)
    const inbox = await phone.ask('GET', routes.messages, { headers: bearer(shared?.token ?? '') })
    expect(messageListSchema.parse(JSON.parse(inbox.text)).messages).toMatchObject([{ subject: 'for both' }])
    site.advance(PRO_LIFETIME_SECONDS * 1000 - 1)
    expect(await list(visitor)).toMatchObject([{ email: made.email, secondsLeft: 0.001 }])
    site.advance(1)
    expect(await list(visitor)).toEqual([])
    expect((await phone.ask('GET', routes.mailbox, { headers: bearer(made.token) })).code).toBe('mailbox_not_found')
  })

  test.each([
    [{ localPart: 'postmaster' }, 422, 'local_part_reserved'],
    [{ localPart: 'amber.otter.k3v9qx' }, 400, 'invalid_request'],
    [{ domain: 'elsewhere.test' }, 422, 'domain_not_served'],
    [{ localPart: 'ab' }, 400, 'invalid_request'],
  ])('%j cannot be chosen, and does not count as one of the ten', async (request, status, code) => {
    const answer = await visitor.post(routes.mailboxes, request)
    expect([answer.status, answer.code]).toEqual([status, code])
    expect(await list(visitor)).toEqual([])
  })

  test('cannot have the names of the service’s own addresses, whose mail goes to the operator', async () => {
    const own = { SUPPORT_EMAIL: 'ayuda@mayfly.test', MAIL_FROM: 'cartas@box.test' }
    await using service = await startTestServer({ env: { MAIL_DOMAINS: 'mayfly.test,box.test', ...own } })
    const account = await service.signedIn('ana@example.com')
    for (const localPart of ['ayuda', 'Ayuda', 'ayud4', 'cartas']) {
      expect((await account.post(routes.mailboxes, { localPart })).code, localPart).toBe('local_part_reserved')
    }
    for (const to of ['ayuda@mayfly.test', 'cartas@box.test']) {
      expect(await service.app.mail.checkRecipient(to)).toMatchObject({ kind: 'operator' })
    }
    // Without this configuration the name is free.
    expect((await create(visitor, { localPart: 'ayuda' })).email).toBe('ayuda@mayfly.test')
  })

  test('belong to one account: visitors cannot choose a name or list them, and accounts cannot see others’', async () => {
    await create(visitor)
    expect((await site.visitor().post(routes.mailboxes, { localPart: 'for.free' })).code).toBe('sign_in_required')
    expect((await site.visitor().ask('GET', routes.accountMailboxes)).code).toBe('sign_in_required')
    expect(await list(await site.signedIn('somebody.else@example.com'))).toEqual([])
  })

  test('are limited in number, and the next request says when to retry', async () => {
    for (let made = 0; made < NEW_ADDRESSES_PRO.max; made++) {
      const { token } = await create(visitor)
      await visitor.ask('DELETE', routes.mailbox, { headers: bearer(token) })
    }
    const refused = await visitor.post(routes.mailboxes, {})
    expect([refused.code, refused.headers.get('retry-after')]).toEqual(['rate_limited', String(NEW_ADDRESSES_PRO.windowSeconds)])
    site.advance(NEW_ADDRESSES_PRO.windowSeconds * 1000)
    await create(visitor)
  })

  test('that are refused do not count against that limit, and the refusal of one too many says when the first ends', async () => {
    for (let made = 0; made < PRO_MAILBOXES_MAX; made++) await create(visitor)
    const full = await visitor.post(routes.mailboxes, {})
    expect([full.status, full.code]).toEqual([409, 'mailboxes_max'])
    expect(['ratelimit', 'ratelimit-policy', 'retry-after'].map(name => full.headers.get(name))).toEqual([
      `"mailboxes";r=0;t=${PRO_LIFETIME_SECONDS}`,
      '"mailboxes";q=10',
      String(PRO_LIFETIME_SECONDS),
    ])
    for (let refused = 0; refused < NEW_ADDRESSES_PRO.max; refused++) await visitor.post(routes.mailboxes, {})
    const [first] = await list(visitor)
    await visitor.ask('DELETE', routes.mailbox, { headers: bearer(first?.token ?? '') })
    await create(visitor)
  })
})

describe('API keys', () => {
  test('are shown once, listed by name and first characters, usable, and invalid when revoked', async () => {
    const made = await createKey(visitor, '  Nightly tests  ')
    expect(made).toMatchObject({ name: 'Nightly tests', key: expect.stringMatching(/^mfk_[\w-]{43}$/), prefix: made.key.slice(0, 12) })
    const program = site.visitor(bearer(made.key))
    const address = await create(program, { localPart: `bot${users}` })
    expect(address.lifetimeSeconds, 'as long as a visitor’s').toBe(LIFETIME_SECONDS)
    expect(await list(visitor), 'apart from those that the account made on the site').toEqual([])
    const listed = await visitor.ask('GET', routes.accountApiKeys)
    expect(listed.text).not.toContain(made.key.slice(12))
    const { key: _, ...told } = made
    expect(apiKeysSchema.parse(JSON.parse(listed.text)).keys).toEqual([{ ...told, lastUsedAt: new Date(site.now()).toISOString() }])
    const path = pathTo(routes.accountApiKey, { id: made.id })
    expect((await visitor.ask('DELETE', path)).status).toBe(204)
    expect((await visitor.ask('DELETE', path)).code).toBe('not_found')
    expect((await program.post(routes.mailboxes, {})).code).toBe('api_token_invalid')
    expect((await visitor.ask('GET', routes.accountApiKeys)).text).toBe('{"keys":[]}')
  })

  test('can create and destroy addresses and nothing else, and are not accepted in the URL', async () => {
    const { key, id } = await createKey(visitor)
    const program = site.visitor(bearer(key))
    for (const [method, path, body] of [
      ['GET', routes.accountMailboxes],
      ['GET', routes.accountApiKeys],
      ['POST', routes.accountApiKeys, { name: 'another' }],
      ['DELETE', pathTo(routes.accountApiKey, { id })],
      ['POST', routes.authSignOutEverywhere],
      ['POST', routes.authDeleteAccount, { password: 'correct horse' }],
    ] as const) {
      expect((await program.ask(method, path, { ...(body && { body }) })).code, path).toBe('sign_in_required')
    }
    expect(await program.session()).toBeNull()
    const inUrl = await site.visitor().post(`${routes.mailboxes}?key=${key}&api_key=${key}`, { localPart: 'from.url' })
    expect(inUrl.code).toBe('invalid_request')
  })

  test('are limited to twenty, and another account can neither see nor revoke them', async () => {
    const asked = await Promise.all(Array.from({ length: 25 }, (_, i) => visitor.post(routes.accountApiKeys, { name: `k${i}` })))
    expect(asked.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), ...Array(5).fill(409)])
    const first = apiKeyCreatedSchema.parse(JSON.parse(asked.find(({ status }) => status === 201)?.text ?? ''))
    const other = await site.signedIn('another.account@example.com')
    expect((await other.ask('GET', routes.accountApiKeys)).text).toBe('{"keys":[]}')
    for (const id of [first.id, first.id.toUpperCase(), '%2e%2e', "' or 1=1 --", '*']) {
      expect((await other.ask('DELETE', pathTo(routes.accountApiKey, { id }))).status, id).toBe(404)
    }
    await create(site.visitor(bearer(first.key)))
    expect((await visitor.ask('DELETE', pathTo(routes.accountApiKey, { id: first.id }))).status).toBe(204)
    await createKey(visitor, 'in its place')
  })

  test('have names of 1 to 60 characters, which are shown unchanged', async () => {
    for (const name of ['', '   ', 'x'.repeat(61)])
      expect((await visitor.post(routes.accountApiKeys, { name })).code).toBe('invalid_request')
    for (const name of ['x', 'ñ'.repeat(60), '<script>alert(1)</script>']) expect((await createKey(visitor, name)).name).toBe(name)
  })
})

describe('keeping an address', () => {
  const keep = (by: Visitor, token: string) => by.post(routes.accountMailboxes, { token })

  test('makes the visitor’s live address one of the account, which a stream that is open says, and goes on', async () => {
    const made = await create(site.visitor())
    expect(made).not.toHaveProperty('kept')
    const stream = await fetch(site.url(routes.events), { headers: bearer(made.token) })
    site.advance(599_000)
    const answer = await keep(visitor, made.token)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const kept = mailboxCreatedSchema.parse(JSON.parse(answer.text))
    expect(kept).toMatchObject({ email: made.email, token: made.token, secondsLeft: PRO_LIFETIME_SECONDS - 599, kept: true })
    expect(await list(visitor)).toEqual([kept])
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let heard = ''
    const hear = async (event: string) => {
      while (!heard.includes(`event: ${event}\n`)) heard += (await reader?.read())?.value ?? expect.fail(heard)
    }
    await hear('extended')
    expect(heard).toContain(JSON.stringify({ type: 'extended', expiresAt: kept.expiresAt }))
    site.advance(2000)
    await site.deliver(made.email)
    await hear('message')
    expect(heard).not.toContain('expired')
    expect(heard.match(/event: extended/g)).toHaveLength(1)
    await reader?.cancel()
    const inbox = await visitor.ask('GET', routes.messages, { headers: bearer(made.token) })
    expect(messageListSchema.parse(JSON.parse(inbox.text)).messages).toHaveLength(1)
  })

  test('is refused without an account, from another site, for what has ended, and for what somebody else has', async () => {
    const [made, ended] = [await create(site.visitor()), await create(site.visitor())]
    expect((await keep(site.visitor(), made.token)).code).toBe('sign_in_required')
    expect((await visitor.post(routes.accountMailboxes, { token: made.token }, { 'sec-fetch-site': 'cross-site' })).code).toBe('forbidden')
    expect((await keep(visitor, 'no token')).code).toBe('invalid_request')
    await visitor.ask('DELETE', routes.mailbox, { headers: bearer(ended.token) })
    expect((await keep(visitor, ended.token)).code).toBe('mailbox_not_found')
    const { key } = await createKey(await site.signedIn('ci@example.com'))
    const ofKey = JSON.parse((await site.visitor().post(routes.mailboxes, {}, bearer(key))).text)
    expect((await keep(visitor, ofKey.token)).code).toBe('forbidden')
    expect(await list(visitor)).toEqual([])
  })

  test('counts as a new address of the account', async () => {
    const made = await create(site.visitor())
    for (let asked = 0; asked < NEW_ADDRESSES_PRO.max; asked++) expect((await keep(visitor, made.token)).status).toBe(200)
    expect((await keep(visitor, made.token)).code).toBe('rate_limited')
  })
})
