/** Webhooks from the mail to the receiver, over real HTTP. */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiKeyCreatedSchema } from '#contract/account.ts'
import { mailboxCreatedSchema } from '#contract/mailbox.ts'
import { webhookCreatedSchema, webhooksSchema } from '#contract/notifications.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { openDatabase } from '#server/database/database.ts'
import { AuditLog } from '#server/operator/audit-log.ts'
import { Moderation } from '#server/operator/moderation.ts'
import type { Visitor } from '#test/harness/clients/visitor.ts'
import { bearer, startTestServer, type TestServer } from '#test/harness/mayfly/start-test-server.ts'
import { testDatabaseAccess } from '#test/harness/mayfly/test-database-access.ts'

const TOKEN = `mft_${'w'.repeat(43)}`
const FLOODING_TOKEN = `mft_${'f'.repeat(43)}`
type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }

let server: TestServer
let ci: Visitor
let hook = ''
const received: Received[] = []
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
  response.writeHead(204).end()
})
beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const [sha256, floodingSha256] = [TOKEN, FLOODING_TOKEN].map(token => createHash('sha256').update(token).digest('hex'))
  const API_TOKENS = `ci:${sha256},flooding:${floodingSha256}`
  server = await startTestServer({ env: { API_TOKENS, WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' }, isClockRunning: true })
  ci = server.visitor(bearer(TOKEN))
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  receiver.close()
})

const mailbox = async (by = ci) => mailboxCreatedSchema.parse(JSON.parse((await by.post(routes.mailboxes, {})).text))
const create = async (by: Visitor, path: string, url: string) => webhookCreatedSchema.parse(JSON.parse((await by.post(path, { url })).text))
/** A new API key of the account, and a program that has it. */
async function newKey(account: Visitor) {
  const { id, key } = apiKeyCreatedSchema.parse(JSON.parse((await account.post(routes.accountApiKeys, { name: 'ci' })).text))
  return { id, program: server.visitor(bearer(key)) }
}
const heard = async (path: string, count: number) => {
  await expect.poll(() => received.filter(one => one.path === path).length).toBe(count)
  return received.filter(one => one.path === path)
}
/** As standardwebhooks.com describes it for receivers. */
function expectedSignature(secret: string, { headers, body }: Received): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

test('a mail triggers the webhooks of its mailbox and of its token, signed, with ids, times and the address that it was sent to', async () => {
  const made = await mailbox()
  const account = await create(ci, routes.webhooks, `${hook}/account`)
  const own = await create(server.visitor(bearer(made.token)), routes.mailboxWebhooks, `${hook}/mailbox`)
  await server.deliver(made.email)
  const [[one], [two]] = [await heard('/account', 1), await heard('/mailbox', 1)]
  if (!one || !two) return expect.fail('both were heard')
  expect([one.headers['webhook-signature'], two.headers['webhook-signature']]).toEqual([
    expectedSignature(account.secret, one),
    expectedSignature(own.secret, two),
  ])
  expect(Math.abs(Number(one.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
  expect(JSON.parse(one.body)).toEqual({
    type: 'message.received',
    timestamp: expect.stringMatching(/Z$/),
    data: {
      mailboxId: made.id,
      messageId: await server.firstId(made.token),
      receivedAt: expect.stringMatching(/Z$/),
      envelopeTo: [made.email],
    },
  })
  for (const secret of [made.token, '481516', 'ann@sender.test']) expect(one.body + JSON.stringify(one.headers)).not.toContain(secret)
  const other = await mailbox()
  await server.deliver(other.email)
  await heard('/account', 2)
  expect(await heard('/mailbox', 1), 'another mailbox rings its own only').toHaveLength(1)
})

test('a webhook is listed without its secret, tested, given a new one and removed, by its owner only', async () => {
  const { id, secret } = await create(ci, routes.webhooks, `${hook}/life`)
  const listed = await ci.ask('GET', routes.webhooks)
  expect(webhooksSchema.parse(JSON.parse(listed.text)).webhooks).toContainEqual(
    expect.objectContaining({ id, url: `${hook}/life`, failures: 0 }),
  )
  expect(listed.text).not.toContain('whsec_')
  const tested = await ci.post(pathTo(routes.webhookTest, { id }))
  expect(JSON.parse(tested.text)).toEqual({ delivered: true, status: 204, reason: 'status_204' })
  const rotated = webhookCreatedSchema.parse(JSON.parse((await ci.post(pathTo(routes.webhookRotate, { id }))).text))
  await ci.post(pathTo(routes.webhookTest, { id }))
  const [, second] = await heard('/life', 2)
  if (!second) return expect.fail('the second was heard')
  expect(second.headers['webhook-signature']).toBe(`${expectedSignature(rotated.secret, second)} ${expectedSignature(secret, second)}`)
  const { token } = await mailbox()
  const stranger = server.visitor(bearer(token))
  for (const path of [routes.mailboxWebhookTest, routes.mailboxWebhookRotate])
    expect((await stranger.post(pathTo(path, { id }))).code).toBe('not_found')
  expect((await stranger.ask('DELETE', pathTo(routes.mailboxWebhook, { id }))).code).toBe('not_found')
  expect((await ci.ask('DELETE', pathTo(routes.webhook, { id }))).status).toBe(204)
  expect((await ci.ask('DELETE', pathTo(routes.webhook, { id }))).code).toBe('not_found')
})

test('an API key sees and changes the webhooks that it made, which go with it; the account sees and removes those of all', async () => {
  const [account, stranger] = [await server.signedIn('two-keys@example.com'), await server.signedIn('no-hooks@example.com')]
  const [good, leaked] = [await newKey(account), await newKey(account)]
  const { id } = await create(good.program, routes.webhooks, `${hook}/good`)
  const planted = await create(leaked.program, routes.webhooks, `${hook}/planted`)
  const list = async (by: Visitor, path: string = routes.accountWebhooks) =>
    webhooksSchema.parse(JSON.parse((await by.ask('GET', path)).text)).webhooks.map(listed => listed.id)
  expect([await list(good.program, routes.webhooks), await list(leaked.program, routes.webhooks)]).toEqual([[id], [planted.id]])
  for (const path of [routes.webhookTest, routes.webhookRotate])
    expect((await leaked.program.post(pathTo(path, { id }))).code).toBe('not_found')
  expect((await leaked.program.ask('DELETE', pathTo(routes.webhook, { id }))).code).toBe('not_found')
  expect([await list(account), await list(stranger)]).toEqual([[id, planted.id], []])
  expect((await account.ask('DELETE', pathTo(routes.accountApiKey, { id: leaked.id }))).status).toBe(204)
  const [left, ...others] = JSON.parse((await account.ask('GET', routes.accountWebhooks)).text).webhooks
  expect([left, others], 'without its secret').toEqual([{ id, url: `${hook}/good`, createdAt: expect.any(String), failures: 0 }, []])
  const path = pathTo(routes.accountWebhook, { id })
  expect((await stranger.ask('DELETE', path)).code).toBe('not_found')
  expect((await account.ask('DELETE', path)).status).toBe(204)
  expect(await list(account)).toEqual([])
  expect((await good.program.ask('GET', routes.accountWebhooks)).code).toBe('sign_in_required')
})

test('an account makes and changes sixty webhooks and API keys in a minute', async () => {
  const account = await server.signedIn('many-hooks@example.com')
  const { program } = await newKey(account)
  const { id } = await create(program, routes.webhooks, `${hook}/many`)
  for (let n = 2; n < 60; n++) expect((await program.post(pathTo(routes.webhookRotate, { id }))).status).toBe(200)
  expect((await program.post(pathTo(routes.webhookRotate, { id }))).code).toBe('rate_limited')
  expect((await account.post(routes.accountApiKeys, { name: 'another' })).code).toBe('rate_limited')
  expect((await account.ask('DELETE', pathTo(routes.accountWebhook, { id }))).status, 'what ends a right').toBe(204)
})

test('the token of a mailbox uses up neither what its owner may change nor what other mailboxes may', async () => {
  const account = await server.signedIn('handed-out@example.com')
  const { program } = await newKey(account)
  const [first, second] = [await mailbox(program), await mailbox(program)].map(({ token }) => server.visitor(bearer(token)))
  if (!first || !second) throw new Error('two mailboxes')
  const { id } = await create(first, routes.mailboxWebhooks, `${hook}/handed-out`)
  for (let n = 2; n <= 10; n++) expect((await first.post(pathTo(routes.mailboxWebhookRotate, { id }))).status).toBe(200)
  expect((await first.post(pathTo(routes.mailboxWebhookRotate, { id }))).code).toBe('rate_limited')
  for (let n = 0; n < 70; n++) expect((await first.ask('DELETE', pathTo(routes.mailboxWebhook, { id: 'none' }))).code).toBe('not_found')
  expect((await first.ask('DELETE', pathTo(routes.mailboxWebhook, { id }))).status).toBe(204)
  await create(second, routes.mailboxWebhooks, `${hook}/handed-out`)
  await create(program, routes.webhooks, `${hook}/handed-out`)
  expect((await account.post(routes.accountApiKeys, { name: 'another' })).status).toBe(201)
})

test('whoever has the token of one mailbox, and slow receivers, delays no webhook of another mailbox and of the account', async () => {
  const account = await server.signedIn('slow-guest@example.com')
  const { program } = await newKey(account)
  const [shared, other] = [await mailbox(program), await mailbox(program)]
  const held: ServerResponse[] = []
  const silent = createServer((_, response) => void held.push(response))
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const slowHook = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const guest = server.visitor(bearer(shared.token))
  for (let n = 0; n < 5; n++) await create(guest, routes.mailboxWebhooks, `${slowHook}/${n}`)
  await create(server.visitor(bearer(other.token)), routes.mailboxWebhooks, `${hook}/beside`)
  await create(program, routes.webhooks, `${hook}/above`)
  try {
    for (let n = 0; n < 3; n++) await server.deliverRaw(shared.email, Buffer.from(`Subject: ${n}\r\n\r\nHello\r\n`))
    await expect.poll(() => held.length).toBe(2)
    await server.deliver(other.email)
    await heard('/beside', 1)
    await heard('/above', 4)
    expect(held, 'none of the slow requests had ended').toHaveLength(2)
  } finally {
    silent.closeAllConnections()
    silent.close()
    await guest.ask('DELETE', routes.mailbox)
  }
})

test('a webhook of one API key is told no address of the mailboxes that the other keys of the account made', async () => {
  const account = await server.signedIn('two-makers@example.com')
  const [{ program: maker }, { program: other }] = [await newKey(account), await newKey(account)]
  const made = await mailbox(maker)
  await create(maker, routes.webhooks, `${hook}/maker`)
  await create(other, routes.webhooks, `${hook}/no-maker`)
  await server.deliver(made.email)
  const [[told], [untold]] = [await heard('/maker', 1), await heard('/no-maker', 1)]
  if (!told || !untold) return expect.fail('both were heard')
  const { envelopeTo, ...rest } = JSON.parse(told.body).data
  expect(envelopeTo).toEqual([made.email])
  expect(JSON.parse(untold.body).data).toEqual(rest)
})

test('the webhooks of a suspended account are not sent, and its mailboxes get no new ones', async () => {
  const email = 'suspended-hooks@example.com'
  const account = await server.signedIn(email)
  const { program } = await newKey(account)
  const made = await mailbox(program)
  const own = server.visitor(bearer(made.token))
  let mails = 0
  const deliver = () => server.deliverRaw(made.email, Buffer.from(`Subject: ${++mails}\r\n\r\nHello\r\n`))
  await create(program, routes.webhooks, `${hook}/suspended`)
  await deliver()
  await heard('/suspended', 1)
  await using database = await openDatabase({ dataDir: server.folder })
  const access = testDatabaseAccess(database)
  const moderation = new Moderation({ ...access, audit: new AuditLog(access) })
  expect(await moderation.suspend('cli', email)).toBe(true)
  await deliver()
  expect((await own.post(routes.mailboxWebhooks, { url: `${hook}/suspended` })).code).toBe('forbidden')
  expect(await moderation.resume('cli', email)).toBe(true)
  await deliver()
  const told = (await heard('/suspended', 2)).map(({ body }) => JSON.parse(body).data.messageId)
  const { messages } = JSON.parse((await own.ask('GET', routes.messages)).text)
  const ids = messages.map((message: { id: string }) => message.id)
  expect(ids).toHaveLength(3)
  expect(told).toEqual([ids[2], ids[0]])
})

test('private targets are refused with the reason, and visitors cannot have webhooks', async () => {
  for (const [url, detail] of [
    ['https://169.254.169.254/', 'private'],
    ['https://[::ffff:10.0.0.1]/', 'private'],
    ['http://93.184.216.34/', 'private'],
    ['https://u:p@hooks.example/', 'signature'],
  ] as const) {
    const refused = await ci.post(routes.webhooks, { url })
    expect([refused.status, refused.code, JSON.parse(refused.text).detail], url).toEqual([
      403,
      'webhook_target_refused',
      expect.stringContaining(detail),
    ])
  }
  for (const url of ['', 'hooks.example', 'file:///etc/passwd', 'https://hooks.example:99999/', 'https://[::1/'])
    expect((await ci.post(routes.webhooks, { url })).code).toBe('invalid_request')
  const { token } = await server.createMailbox()
  expect((await server.visitor(bearer(token)).post(routes.mailboxWebhooks, { url: hook })).code).toBe('forbidden')
  expect((await server.visitor().post(routes.webhooks, { url: hook })).code).toBe('api_token_required')
})

test('a test and a failed delivery tell alike of a name that is private, is not there, and of a port that is closed', async () => {
  const told = async (url: string) => {
    const owner = server.visitor(bearer((await mailbox()).token))
    const { id } = await create(owner, routes.mailboxWebhooks, url)
    return JSON.parse((await owner.post(pathTo(routes.mailboxWebhookTest, { id }))).text)
  }
  for (const url of ['https://ip6-localhost/', 'https://no-such-host.invalid/', 'https://127.0.0.1:1/', 'http://localhost:1/'])
    expect(await told(url), url).toEqual({ delivered: false, reason: 'unreachable' })

  const made = await mailbox()
  const owner = server.visitor(bearer(made.token))
  await create(owner, routes.mailboxWebhooks, 'https://ip6-localhost/')
  await server.deliver(made.email)
  const listed = async () => webhooksSchema.parse(JSON.parse((await owner.ask('GET', routes.mailboxWebhooks)).text)).webhooks
  await expect.poll(async () => (await listed())[0]?.lastFailure).toBe('unreachable')
})

test('a mailbox can have five, and the number of tests is limited', async () => {
  const flooding = server.visitor(bearer(FLOODING_TOKEN))
  const owner = server.visitor(bearer((await mailbox(flooding)).token))
  const asked = await Promise.all(Array.from({ length: 8 }, (_, n) => owner.post(routes.mailboxWebhooks, { url: `${hook}/${n}` })))
  expect(asked.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(3).fill(409)])
  const { id } = webhookCreatedSchema.parse(JSON.parse(asked.find(({ status }) => status === 201)?.text ?? ''))
  const tested = async (by: Visitor, path: string, id: string, times: number) => {
    const statuses = []
    for (let n = 0; n < times; n++) statuses.push((await by.post(pathTo(path, { id }))).status)
    return statuses
  }
  expect(await tested(owner, routes.mailboxWebhookTest, id, 11)).toEqual([...Array(10).fill(200), 429])
  // Thousands of mailboxes would make this server flood a stranger.
  const [another, third] = [await mailbox(flooding), await mailbox(flooding)].map(({ token }) => server.visitor(bearer(token)))
  if (!another || !third) return expect.fail('two more')
  const { id: otherId } = await create(another, routes.mailboxWebhooks, `${hook}/other`)
  expect(await tested(another, routes.mailboxWebhookTest, otherId, 10)).toEqual(Array(10).fill(200))
  const { id: thirdId } = await create(third, routes.mailboxWebhooks, `${hook}/third`)
  expect(await tested(third, routes.mailboxWebhookTest, thirdId, 1), 'another mailbox of the same token').toEqual([429])
  const { id: ownId } = await create(flooding, routes.webhooks, `${hook}/own`)
  expect(await tested(flooding, routes.webhookTest, ownId, 21), 'the token itself').toEqual([...Array(20).fill(200), 429])
})

test('a webhook of a destroyed mailbox is gone, with its waiting deliveries; that of another one stays', async () => {
  const [ended, other] = [await mailbox(), await mailbox()]
  const { id } = await create(server.visitor(bearer(ended.token)), routes.mailboxWebhooks, `${hook}/ended`)
  const { id: kept } = await create(server.visitor(bearer(other.token)), routes.mailboxWebhooks, `${hook}/kept`)
  await server.withDatabase(({ db }) => {
    const later = Date.now() + 3_600_000
    const of = { account: '', mailbox_hash: '', expires_at: later }
    const waits = { ...of, sealed_body: '', is_confirmed: 1, attempts: 1, next_attempt_at: later }
    return db
      .insertInto('webhook_deliveries')
      .values([id, kept].map(webhook => ({ ...waits, id: `of ${webhook}`, webhook_id: webhook })))
      .execute()
  })
  expect((await server.visitor(bearer(ended.token)).ask('DELETE', routes.mailbox)).status).toBe(204)
  const left = () =>
    server.withDatabase(async ({ db }) => ({
      webhooks: (await db.selectFrom('webhooks').select('id').where('id', 'in', [id, kept]).execute()).map(row => row.id),
      deliveries: (await db.selectFrom('webhook_deliveries').select('webhook_id').where('webhook_id', 'in', [id, kept]).execute()).map(
        row => row.webhook_id,
      ),
    }))
  await expect.poll(left).toEqual({ webhooks: [kept], deliveries: [kept] })
})
