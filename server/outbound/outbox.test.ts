/** Outgoing mail at a stop, and what it costs while many wait, by the statements that SQLite gets and its own plans for them. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { CompiledQuery, type KyselyPlugin } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/database/database.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { HeardLog } from '#test/harness/heard-log.ts'
import { testDatabaseAccess } from '#test/harness/mayfly/test-database-access.ts'
import { testTelemetry } from '#test/harness/mayfly/test-telemetry.ts'
import { startMailRecorder } from '#test/harness/servers/mail-recorder.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { createMailOut } from './mail-out.ts'
import { Outbox } from './outbox.ts'

test('a relay that does not reply keeps no server from stopping, and every mail is due at the next start', async () => {
  const connected: unknown[] = []
  const relay = createServer(socket => void connected.push(socket.on('error', () => undefined)))
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void relay.close())
  using heardLog = new HeardLog()
  const config = readConfig({ SMTP_RELAY_URL: `smtp://127.0.0.1:${(relay.address() as AddressInfo).port}`, DATA_DIR: newFolder() })
  await using database = await openDatabase({ ...config, log: heardLog.log })
  const access = testDatabaseAccess(database, { log: heardLog.log })
  await using mailOut = createMailOut(config)
  const outbox = new Outbox({ ...access, mailOut, telemetry: testTelemetry() })
  for (const subject of ['one', 'two', 'three'])
    await outbox.enqueue({ to: 'ada@example.com', subject, text: '' }, { givesUpAfterMs: 600_000 })
  await expect.poll(() => connected.length).toBe(1)
  await outbox[Symbol.asyncDispose]()
  expect(connected).toHaveLength(1)
  const kept = await database.db.selectFrom('outbox').select('next_attempt_at').execute()
  expect(kept.map(({ next_attempt_at }) => next_attempt_at <= access.clock())).toEqual([true, true, true])
})

test('a mail is found by its domain, and what waits is read once', async () => {
  await using recorder = await startMailRecorder()
  const config = readConfig({ SMTP_RELAY_URL: recorder.url, DATA_DIR: newFolder() })
  await using database = await openDatabase(config)
  const { db } = database
  const statements: CompiledQuery[] = []
  const recording: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await using mailOut = createMailOut(config)
  const access = testDatabaseAccess({ ...database, db: db.withPlugin(recording) })
  await using outbox = new Outbox({ ...access, mailOut, telemetry: testTelemetry() })
  await db.transaction().execute(async step => {
    for (let n = 0; n < 40; n++)
      await outbox.enqueue({ to: `ada@example-${n % 10}.com`, subject: 'Your link', text: '' }, { givesUpAfterMs: 600_000 }, step)
  })
  await outbox.flush()
  expect(recorder.mails).toHaveLength(40)
  const byItsDomain = /outbox USING (COVERING )?INDEX outbox_domain \(domain=\? AND is_retry=\? AND next_attempt_at<\?\)/
  const byItsId = /outbox USING INTEGER PRIMARY KEY \(rowid=\?\)/
  const others: string[] = []
  for (const { sql, parameters } of statements.filter(({ sql }) => /"outbox"/.test(sql) && !/^insert/.test(sql))) {
    const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]))
    const plan = rows.map(({ detail }) => detail).join('; ')
    if (!(byItsDomain.test(plan) || byItsId.test(plan)) || /TEMP B-TREE|SCAN/.test(plan)) others.push(plan)
  }
  expect(others).toEqual([expect.stringMatching(/^SEARCH outbox USING INDEX outbox_next \(next_attempt_at>\? AND next_attempt_at<\?\)/)])
})
