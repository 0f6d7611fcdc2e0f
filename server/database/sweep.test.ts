import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { routes } from '#contract/routes.ts'
import { startApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { createLog } from '#server/platform/log.ts'
import type { MailboxId } from '#server/store/store.ts'
import { HeardLog } from '#test/harness/heard-log.ts'
import { SECRET, sweepAll, testDatabaseAccess } from '#test/harness/mayfly/test-database-access.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { createSecretBox } from '../platform/cryptography.ts'
import { type DatabaseAccess, openDatabase } from './database.ts'
import { endWebhooks, forgetMailboxes, hashMailbox } from './mailbox-rows.ts'
import { Sweep } from './sweep.ts'

type Row = Readonly<Record<string, string | number>>

/** A site database with two rows in each table that has this column, without the rows that they refer to. */
async function fillTables(column: string, rows: (table: string) => readonly [Row, Row]) {
  const folder = newFolder()
  const database = await openDatabase({ databaseUrl: undefined, dataDir: folder })
  const file = new DatabaseSync(join(folder, 'site.db'), { enableForeignKeyConstraints: false })
  const all = file.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  const tables = all.map(({ name }) => String(name)).filter(table => columnsOf(table).some(({ name }) => name === column))
  function columnsOf(table: string) {
    return file.prepare(`PRAGMA table_info(${table})`).all()
  }
  let unique = 0
  for (const table of tables) {
    for (const row of rows(table)) {
      const values = columnsOf(table).map(({ name, type }) => row[String(name)] ?? (type === 'integer' ? ++unique : `${++unique}`))
      file.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values)
    }
  }
  return {
    database,
    tables,
    left: () => Object.fromEntries(tables.map(table => [table, file.prepare(`SELECT ${column} FROM ${table}`).all()])),
    async [Symbol.asyncDispose]() {
      file.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('every table whose rows expire is swept', async () => {
  const now = Date.now()
  await using filled = await fillTables('expires_at', () => [{ expires_at: now }, { expires_at: now + 1 }])
  expect(filled.tables.length).toBeGreaterThan(5)
  await sweepAll(testDatabaseAccess(filled.database, { clock: () => now }))
  expect(filled.left()).toEqual(Object.fromEntries(filled.tables.map(table => [table, [{ expires_at: now + 1 }]])))
})

test('a sweep that takes longer than the pause between two is the only one', async () => {
  await using filled = await fillTables('expires_at', () => [{ expires_at: 1 }, { expires_at: 2 }])
  let [running, most, ended] = [0, 0, 0]
  const destroyEnding = async () => {
    most = Math.max(most, ++running)
    await sleep(20)
    running--
    ended++
  }
  const access = testDatabaseAccess(filled.database)
  await using _sweep = new Sweep({ ...access, contactDays: 365, limitNames: async () => undefined, destroyEnding, everyMs: 1 })
  await expect.poll(() => ended).toBeGreaterThan(3)
  expect(most).toBe(1)
})

const MAILBOX = 'destroyed' as MailboxId
test.each<[string, { expires_at: number }, (access: DatabaseAccess) => Promise<unknown>]>([
  ['expire', { expires_at: 1 }, sweepAll],
  ['are about a destroyed mailbox', { expires_at: 4 }, access => forgetMailboxes(access, [MAILBOX])],
  [
    'wait for a webhook whose owner ends',
    { expires_at: 4 },
    async access => {
      await access.db.transaction().execute(step => endWebhooks(step, 'owner', 'ended'))
      await sweepAll(access)
    },
  ],
])('while thousands of rows that %s are removed, others have their turns', async (_, ends, remove) => {
  await using filled = await fillTables('expires_at', () => [{ expires_at: 4 }, { expires_at: 5 }])
  const { db } = filled.database
  const access = testDatabaseAccess(filled.database, { clock: () => 3 })
  const row = await db.selectFrom('webhook_deliveries').selectAll().limit(1).executeTakeFirstOrThrow()
  const webhook = await db.selectFrom('webhooks').selectAll().limit(1).executeTakeFirstOrThrow()
  await db
    .insertInto('webhooks')
    .values({ ...webhook, id: 'w', owner: 'ended' })
    .execute()
  await db.deleteFrom('webhook_deliveries').execute()
  const about = { webhook_id: 'w', mailbox_hash: hashMailbox(access.secretBox, 'webhook_deliveries', MAILBOX) }
  const ids = Array.from({ length: 16_000 }, (_, n) => ({ ...row, ...about, ...ends, id: `msg_${n}` }))
  for (let from = 0; from < ids.length; from += 1000)
    await db
      .insertInto('webhook_deliveries')
      .values(ids.slice(from, from + 1000))
      .execute()
  let isOver = false
  const leftAtTurns: number[] = []
  const countLeft = db.selectFrom('webhook_deliveries').select(({ fn }) => fn.countAll<number>().as('count'))
  const others = async () => {
    while (!isOver) {
      leftAtTurns.push((await countLeft.executeTakeFirstOrThrow()).count)
      await setImmediate()
    }
  }
  const turns = others()
  await remove(access)
  isOver = true
  await turns
  expect((await countLeft.executeTakeFirstOrThrow()).count).toBe(0)
  const between = leftAtTurns.filter(left => left > 0 && left < 16_000)
  expect(new Set(between).size).toBeGreaterThanOrEqual(3)
})

test('no table has a row of a destroyed mailbox, and each knows a mailbox by another hash', async () => {
  const secretBox = createSecretBox(SECRET)
  const hash = (table: string, mailboxId: string) => hashMailbox(secretBox, table as never, mailboxId as MailboxId)
  const of = (table: string, mailboxId: string) => ({ mailbox_hash: hash(table, mailboxId) })
  await using filled = await fillTables('mailbox_hash', table => [of(table, 'destroyed'), of(table, 'other')])
  const { tables, database } = filled
  expect(new Set(tables.map(table => hash(table, 'other'))).size).toBe(tables.length)
  await forgetMailboxes(testDatabaseAccess(database), ['destroyed' as MailboxId])
  expect(filled.left()).toEqual(Object.fromEntries(tables.map(table => [table, [of(table, 'other')]])))
})

test('an outage is logged once, and its end', async () => {
  await using filled = await fillTables('expires_at', () => [{}, {}])
  const lines: string[] = []
  let [isAway, sweeps] = [true, 0]
  const destroyEnding = async () => {
    sweeps++
    if (isAway) throw new Error('a part of the mail store is away')
  }
  const log = createLog('info', { json: line => lines.push(line) })
  const access = testDatabaseAccess(filled.database, { log })
  const whileAway = async (state: boolean) => {
    isAway = state
    const after = sweeps + 3
    await expect.poll(() => sweeps).toBeGreaterThanOrEqual(after)
  }
  await using _ = new Sweep({ ...access, contactDays: 365, limitNames: async () => undefined, destroyEnding, everyMs: 20 })
  for (const state of [true, false, true, false]) await whileAway(state)
  const outage = [/could not be removed; it stays closed, and is tried again/, /removed again/].map(text => expect.stringMatching(text))
  expect(lines).toEqual([...outage, ...outage])
})

test('a start deletes what is older than CONTACT_DAYS, and logs how much of what', async () => {
  using heardLog = new HeardLog()
  const folder = newFolder()
  const base = { HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, BOT_CHECK: 'off', DNS_SERVERS: 'off' }
  const config = readConfig({ ...base, CONTACT_DAYS: '20' })
  let now = Date.now() - 21 * DAY_MS
  const clock = () => now
  {
    await using app = await startApp(config, { log: heardLog.log, clock, siteFolder: folder })
    await sendMessage(app.httpPort, 'Sent 21 days ago')
    now += 2 * DAY_MS
    await sendMessage(app.httpPort, 'Sent 19 days ago')
    expect(readSubjects(folder)).toEqual(['Sent 21 days ago', 'Sent 19 days ago'])
  }
  now += 19 * DAY_MS
  const lines: unknown[][] = []
  const log = Object.assign(heardLog.log, { info: (...line: unknown[]) => void lines.push(line) })
  {
    await using _ = await startApp(config, { log, clock, siteFolder: folder })
    await expect.poll(() => readSubjects(folder)).toEqual(['Sent 19 days ago'])
  }
  const deleted = { contact_messages: 1, abuse_reports: 0, operator_messages: 0, contactDays: 20 }
  expect(lines).toContainEqual([deleted, 'Old messages to the operator were deleted'])
})

async function sendMessage(port: number, subject: string): Promise<void> {
  const form = { name: 'Ada L.', email: 'ada@example.com', subject, message: 'For how long is this kept?' }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}${routes.contact}`, { method: 'POST', headers, body: JSON.stringify(form) })
  expect(response.status).toBeLessThan(300)
}

function readSubjects(folder: string): unknown[] {
  const database = new DatabaseSync(join(folder, 'site.db'), { readOnly: true })
  try {
    return database
      .prepare('select subject from contact_messages order by id')
      .all()
      .map(({ subject }) => subject)
  } finally {
    database.close()
  }
}
