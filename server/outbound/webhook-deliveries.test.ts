/** The cost of sending webhooks while many wait, by the statements that SQLite gets and its own plans for them. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CompiledQuery, type KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/database/database.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import { testDatabaseAccess } from '#test/harness/mayfly/test-database-access.ts'
import { testTelemetry } from '#test/harness/mayfly/test-telemetry.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { RequestTargets } from './guarded-request.ts'
import { WebhookDeliveries } from './webhook-deliveries.ts'
import { WebhookRegistry } from './webhook-registry.ts'

const OWNERS = 20
const MAILS = 12

let database: Database
let deliveries: WebhookDeliveries
let webhooks: { id: string; owner: string }[]
let statements: CompiledQuery[]
let open: ServerResponse[]
let isAnswering: boolean
const receiver = createServer((request, response) => {
  request.resume()
  if (isAnswering) response.writeHead(204).end()
  else open.push(response)
})

beforeEach(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  database = await openDatabase({ databaseUrl: undefined, dataDir: newFolder() })
  ;[statements, open, isAnswering] = [[], [], false]
  const { db } = database
  const recording: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const access = testDatabaseAccess({ ...database, db: db.withPlugin(recording) })
  const targets = new RequestTargets(['127.0.0.1'])
  const registry = new WebhookRegistry({ ...access, targets, isLive: async () => true })
  deliveries = new WebhookDeliveries({ ...access, registry, targets, hasMail: async () => true, telemetry: testTelemetry() })
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const owners = Array.from({ length: OWNERS }, (_, at) => `token:t${at}`)
  webhooks = await Promise.all(owners.map(async owner => ({ owner, id: (await registry.create({ kind: 'account', owner }, { url })).id })))
})
afterEach(async () => {
  await deliveries[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  receiver.closeAllConnections()
  receiver.close()
})

const waiting = async () => (await database.db.selectFrom('webhook_deliveries').select('id').execute()).length

async function enqueueAll(mails: number): Promise<string[]> {
  const mail = { mailboxId: 'm' as MailboxId, messageId: 'a' as MessageId, expiresAt: Number.MAX_SAFE_INTEGER }
  const mailsOf = ({ id, owner }: { id: string; owner: string }) =>
    Array.from({ length: mails }, () => deliveries.enqueue([id], () => ({ type: 'message.received' }), { ...mail, owner }))
  return (await Promise.all(webhooks.flatMap(mailsOf))).flat()
}

test('a delivery is found by its webhook, and nothing reads all that wait', async () => {
  isAnswering = true
  await deliveries.confirm(await enqueueAll(MAILS))
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0)
  const plans = new Map<string, string>()
  for (const { sql, parameters } of statements.filter(({ sql }) => /"webhook_deliveries"/.test(sql) && !/^insert/.test(sql))) {
    const { rows } = await database.db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]))
    plans.set(sql, rows.map(({ detail }) => detail).join('; '))
  }
  const byItsWebhook = /webhook_deliveries USING (COVERING )?INDEX webhook_deliveries_webhook \(webhook_id=\?( AND next_attempt_at<\?)?\)/
  const byItsId = /webhook_deliveries USING (COVERING )?INDEX sqlite_autoindex_webhook_deliveries_1 \(id=\?\)/
  const whatBecameDue = /delivery USING INDEX webhook_deliveries_next \(next_attempt_at>\? AND next_attempt_at<\?\)/
  for (const [sql, plan] of plans) {
    expect(plan, sql).toMatch(new RegExp([byItsWebhook, byItsId, whatBecameDue].map(({ source }) => source).join('|')))
    if (!whatBecameDue.test(plan)) expect(plan, sql).not.toMatch(/webhook_deliveries_next|SCAN webhook_deliveries|TEMP B-TREE FOR ORDER/)
  }
  expect([...plans.values()].some(plan => byItsWebhook.test(plan))).toBe(true)
})

test('what may be sent at once is claimed at once, and removed together', async () => {
  const ids = await enqueueAll(1)
  statements = []
  await deliveries.confirm(ids)
  await expect.poll(() => open.length, { timeout: 60_000 }).toBe(OWNERS)
  const claims = statements.filter(({ sql }) => /attempts \+ 1/.test(sql))
  // The one that found them all, and perhaps one that found that no more are due.
  expect(claims.length).toBeLessThanOrEqual(2)
  isAnswering = true
  for (const response of open) response.writeHead(204).end()
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0)
  expect(statements.filter(({ sql }) => /^delete/.test(sql)).length).toBeLessThan(OWNERS / 2)
})
