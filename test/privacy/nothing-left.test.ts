/**
 * A mailbox and an account leave nothing behind, in any table: a row of each is made, and all of them go. A new table fails this test until
 * it is told what makes a row of it, or why its rows are about neither.
 */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { apiKeyCreatedSchema } from '#contract/account.ts'
import { apiMailboxesSchema, type MailboxCreated, mailboxCreatedSchema } from '#contract/mailbox.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { askServer } from '#server/operator/control.ts'
import { sharedFolder, untilEnd } from '#test/harness/until-end.ts'
import { newBrowserKeys } from '../harness/clients/push-browser.ts'
import type { Answer, Visitor } from '../harness/clients/visitor.ts'
import { bearer, startTestServer } from '../harness/mayfly/start-test-server.ts'
import { startPushEndpoint } from '../harness/servers/push-endpoint.ts'
import { copyFolder } from './erasure/forensics.ts'

const EMAIL = 'ada@sender.test'
/** Why their rows are neither of a mailbox nor of an account. */
const OF_NEITHER: Readonly<Record<string, string>> = {
  passkey_challenges: 'ends within ten minutes, whoever asked',
  about: 'facts about the database',
  kysely_migration: 'facts about the database',
  kysely_migration_lock: 'facts about the database',
  sqlite_sequence: 'the last number of each table',
  sign_ups: 'of addresses without an account; the confirmation removes them',
  outbox: 'mail on its way out, removed when it was sent',
  contact_messages: 'of whoever wrote, kept for CONTACT_DAYS',
  operator_messages: 'of whoever wrote, kept for CONTACT_DAYS',
  abuse_reports: 'of whoever wrote, kept for CONTACT_DAYS',
  blog_post_views: 'counts',
  minute_figures: 'counts',
  blocks: 'of the operator',
  settings: 'of the operator',
  mail_domains: 'of the operator; until when addresses live there, rounded up to ten minutes',
  api_tokens: 'of the operator, until they are revoked',
  audit_log: 'of the operator, without content, kept for a time of its own',
}
/** What stays on purpose, without anything that opens or names a mailbox. */
const STAYS: Readonly<Record<string, string>> = {
  mailbox: 'keeps the hashed name from being given out again until its expiry',
  chosen_names: 'keeps the hashed chosen name from being given to somebody else',
  second_factors: 'keeps whoever reads the mail of an operator from getting rid of it with the account',
}

const folder = sharedFolder()
const service = await untilEnd(startPushEndpoint())
const env = { MCP: 'on', PUSH_SERVICES: '127.0.0.1', WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' }
const server = await untilEnd(startTestServer({ env, isClockRunning: true }))

type Rows = ReadonlyMap<string, ReadonlySet<number>>

/** The row ids of every table, from a copy: the server has its mail to itself. */
function rows(): Rows {
  const copy = mkdtempSync(join(folder, 'copy-'))
  copyFolder(server.folder, copy)
  const found = new Map<string, ReadonlySet<number>>()
  for (const name of ['mail.db', 'site.db']) {
    using db = new DatabaseSync(join(copy, name))
    for (const { table } of db.prepare(`SELECT name AS "table" FROM sqlite_schema WHERE type = 'table'`).all()) {
      const ids = isWithoutRowId(db, String(table)) ? [] : db.prepare(`SELECT rowid AS id FROM "${table}"`).all()
      found.set(String(table), new Set(ids.map(({ id }) => Number(id))))
    }
  }
  return found
}

function isWithoutRowId(db: DatabaseSync, table: string): boolean {
  return Boolean(db.prepare('SELECT wr FROM pragma_table_list WHERE name = ?').get(table)?.wr)
}

/** Tables with rows that `before` did not have, apart from those of neither. */
function tablesWithNew(before: Rows): string[] {
  const tables = [...rows()].filter(([table, ids]) => !(table in OF_NEITHER) && ids.difference(before.get(table) ?? new Set()).size > 0)
  return tables.map(([table]) => table).sort()
}

function parsed<Value>(schema: { parse(value: unknown): Value }, { status, text }: Answer): Value {
  if (status !== 201) throw new Error(`answered ${status}: ${text}`)
  return schema.parse(JSON.parse(text))
}

/** A mailbox with mail, a webhook, a notified browser and the kept result of its request. */
async function makeMailbox(by: Visitor): Promise<MailboxCreated> {
  const mailbox = parsed(mailboxCreatedSchema, await by.post(routes.mailboxes, {}, { 'idempotency-key': 'only-this-once-ever' }))
  const own = server.visitor(bearer(mailbox.token))
  // Nobody listens there, so its deliveries wait.
  expect((await own.post(routes.mailboxWebhooks, { url: 'http://127.0.0.1:1/' })).status).toBe(201)
  const { p256dh, auth } = newBrowserKeys().keys
  const browser = { endpoint: `${service.url}/one`, p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') }
  expect((await own.post(routes.mailboxPush, browser)).status).toBe(201)
  await server.deliver(mailbox.email)
  return mailbox
}

/** Everything that an account can have. */
async function makeAccount() {
  const pro = await server.signedIn(EMAIL)
  const { key } = parsed(apiKeyCreatedSchema, await pro.post(routes.accountApiKeys, { name: 'a key' }))
  const byKey = server.visitor(bearer(key))
  expect((await byKey.post(routes.webhooks, { url: 'http://127.0.0.1:1/account' })).status).toBe(201)
  const chosen = parsed(mailboxCreatedSchema, await pro.post(routes.mailboxes, { localPart: 'chosen-by-ada' }))
  await server.deliver(chosen.email)
  const agent = new Client({ name: 'test', version: '1' })
  await agent.connect(new StreamableHTTPClientTransport(new URL(server.url(routes.mcp)), { requestInit: { headers: bearer(key) } }))
  expect((await agent.callTool({ name: 'create_inbox', arguments: {} })).isError).toBeFalsy()
  await agent.close()
  expect((await pro.post(routes.authForgotPassword, { email: EMAIL, language: 'en' })).status).toBe(202)
  await server.recorder.nextToken(EMAIL)
  // What only an operator has.
  await server.withDatabase(async ({ db }) => {
    const session = await db.selectFrom('sessions').select('id').executeTakeFirstOrThrow()
    const factor = {
      person: 'hash',
      sealed_secret: '',
      confirmed_at: null,
      last_step: 0,
      failures: 0,
      locked_until: 0,
      recovery_hashes: '',
    }
    await db.insertInto('second_factors').values(factor).execute()
    const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const times = { created_at: Date.now(), last_used_at: null }
    const passkey = { id: 'a', user_id: id, credential_id: 'a', public_key: 'a', counter: 0, transports: '[]', device: null, ...times }
    await db.insertInto('passkeys').values(passkey).execute()
    await db
      .insertInto('verified_sessions')
      .values({ token_hash: 'hash', session_id: session.id, person: 'hash', expires_at: Date.now() + 60_000 })
      .execute()
  })
  return byKey
}

/** By the key's list, all but one. */
async function destroyInboxes(byKey: Visitor, kept: string): Promise<void> {
  const { mailboxes } = apiMailboxesSchema.parse(JSON.parse((await byKey.ask('GET', routes.mailboxes)).text))
  const others = mailboxes.filter(({ email }) => email !== kept)
  expect(others).toHaveLength(1)
  for (const { id } of others) expect((await byKey.ask('DELETE', pathTo(routes.mailboxById, { id }))).status).toBe(204)
}

/** Last, because a suspended account cannot make anything. */
async function suspend(): Promise<string[]> {
  await server.withDatabase(async ({ db }) => {
    const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    await db.insertInto('suspensions').values({ user_id: id, since: Date.now() }).execute()
  })
  return ['suspensions']
}

test('a destroyed mailbox and a deleted account leave no row in any table', async () => {
  const atFirst = rows()
  const byKey = await makeAccount()
  const withAccount = rows()
  const mailbox = await makeMailbox(byKey)
  await expect.poll(() => tablesWithNew(withAccount)).toContain('webhook_deliveries')
  const all = tablesWithNew(atFirst)
  // While the session of the agent that made it goes on.
  await destroyInboxes(byKey, mailbox.email)
  await expect.poll(() => rows().get('agent_inboxes')?.size).toBe(0)
  const made = new Set([...all, ...(await suspend())])
  const unmade = [...rows().keys()].filter(table => !(table in OF_NEITHER || made.has(table)))
  expect(unmade, 'make a row of this table here, or say in OF_NEITHER why it is about neither').toEqual([])

  expect((await server.visitor(bearer(mailbox.token)).ask('DELETE', routes.mailbox)).status).toBe(204)
  await expect.poll(() => tablesWithNew(withAccount).filter(table => !(table in STAYS))).toEqual(['suspensions'])
  // By the operator: a suspended account has no session to do it with.
  expect(await askServer(server.folder, { destroyAccount: EMAIL })).toEqual({ isDone: true })
  await expect.poll(() => tablesWithNew(atFirst).filter(table => !(table in STAYS))).toEqual([])
})
