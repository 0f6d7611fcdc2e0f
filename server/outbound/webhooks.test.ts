/** Whether each mail is recorded for webhooks, also while a process does not know yet whether there is any. On a real database. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/database/database.ts'
import type { Arrival } from '#server/mail/delivery/envelope.ts'
import { createLog } from '#server/platform/log.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import { testDatabaseAccess } from '#test/harness/mayfly/test-database-access.ts'
import { testTelemetry } from '#test/harness/mayfly/test-telemetry.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { type OpenWebhooks, openWebhooks } from './webhooks.ts'

const OWNER = 'token:t'
const clock = () => Date.UTC(2026, 0, 1)

let database: Database
let opened: OpenWebhooks
let webhooks: OpenWebhooks['registry']
let events: OpenWebhooks['events']
let logged: string[]

beforeEach(async () => {
  database = await openDatabase({ databaseUrl: undefined, dataDir: newFolder() })
  logged = []
  const log = createLog('info', { terminal: { write: line => logged.push(line) } })
  const config = { webhookAllowPrivate: ['127.0.0.1'], proxy: undefined }
  const findApiMailbox = async (mailboxId: MailboxId) => ({
    id: `api ${mailboxId}`,
    owner: OWNER,
    apiKeyId: undefined,
    expiresAt: clock() + 600_000,
  })
  const store = { readMessage: async () => undefined }
  opened = openWebhooks(testDatabaseAccess(database, { clock, log }), {
    config,
    findApiMailbox,
    store,
    isLive: async () => true,
    telemetry: testTelemetry(),
  })
  webhooks = opened.registry
  events = opened.events
})
afterEach(async () => {
  await opened[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const createWebhook = () => webhooks.create({ kind: 'account', owner: OWNER }, { url: 'http://127.0.0.1:9/' })
const arrival = (to: string): Arrival => ({
  mailboxId: to as MailboxId,
  messageId: `mail to ${to}` as MessageId,
  receivedAt: clock(),
  envelopeTo: [to],
})
const enqueueTo = async (...to: string[]) => {
  const enqueued = await Promise.all(to.map(name => events.enqueueArrival(arrival(name))))
  return enqueued.map(settle => settle !== undefined)
}
const recorded = async () => (await database.db.selectFrom('webhook_deliveries').select('id').execute()).length

test('the first mail of a process is recorded for each of its recipients, as is mail that comes before the answer', async () => {
  await createWebhook()
  expect(await enqueueTo('one', 'two', 'three')).toEqual([true, true, true])
  expect(await recorded()).toBe(3)
})

test('mail that comes while another process creates the first webhook is recorded for all recipients or none', async () => {
  expect(await enqueueTo('one', 'two')).toEqual([false, false])
  expect(events.mayEnqueueArrivals).toBe(false)
  await createWebhook()
  await expect.poll(() => events.mayEnqueueArrivals).toBe(true)
  const first = events.enqueueArrival(arrival('one'))
  expect(events.mayEnqueueArrivals).toBe(true)
  expect(await Promise.all([first, ...['two', 'three'].map(name => events.enqueueArrival(arrival(name)))])).not.toContain(undefined)
  expect(await recorded()).toBe(3)
})

test('a webhook of this process is heard at once, even if a query that missed it is still running', async () => {
  const before = events.enqueueArrival(arrival('one'))
  events.webhookCreated()
  await before
  await createWebhook()
  expect(await enqueueTo('two', 'three')).toEqual([true, true])
})

test('a database that does not answer is reported if there are webhooks', async () => {
  /** Whether it is logged that mail did not wait for the database. */
  const isReported = async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const holding = database.db.transaction().execute(() => {
      begin()
      return held
    })
    await begun
    expect(await enqueueTo('one')).toEqual([false])
    const isLogged = logged.splice(0).some(line => line.includes('Webhooks of messages are not sent'))
    release()
    await holding
    return isLogged
  }
  expect(await enqueueTo('one')).toEqual([false])
  await expect.poll(() => events.mayEnqueueArrivals).toBe(true)
  expect(await isReported()).toBe(false)
  await createWebhook()
  events.webhookCreated()
  expect(await isReported()).toBe(true)
})

test('when the database cannot be asked, each lost webhook is logged, and the next mail asks again', async () => {
  await createWebhook()
  await database.db.schema.alterTable('webhooks').renameTo('webhooks_away').execute()
  expect(await enqueueTo('one', 'two')).toEqual([false, false])
  expect(logged.filter(line => line.includes('Webhooks could not be told of a message'))).toHaveLength(2)
  await database.db.schema.alterTable('webhooks_away').renameTo('webhooks').execute()
  expect(await enqueueTo('three')).toEqual([true])
})
