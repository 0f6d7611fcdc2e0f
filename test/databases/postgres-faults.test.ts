/** A real PostgreSQL with several processes, which it disconnects or loses. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { openDatabase, sweepAlone } from '#server/database/database.ts'
import { migrations } from '#server/database/migrations.ts'
import type { OutgoingMail } from '#server/outbound/mail-out.ts'
import { Outbox } from '#server/outbound/outbox.ts'
import { createLog } from '#server/platform/log.ts'
import { beside } from '../harness/beside.ts'
import { bearer, startTestServer } from '../harness/mayfly/start-test-server.ts'
import { testDatabaseAccess } from '../harness/mayfly/test-database-access.ts'
import { testTelemetry } from '../harness/mayfly/test-telemetry.ts'
import { findPostgres, type Postgres, query, startPostgres } from '../harness/servers/postgres.ts'

const root = resolve(import.meta.dirname, '../..')
const bin = findPostgres()
/** Said once when the server is away. */
const AWAY = /"msg":"The database \w+ on 127\.0\.0\.1:\d+ .* Until it is back, sign-in, forms, API keys and stored API tokens get 503, /

describe.skipIf(!bin)('PostgreSQL (needs initdb and postgres)', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres(bin ?? '')
  })
  afterAll(() => postgres[Symbol.asyncDispose]())

  test('ten processes that start together run each migration once', async () => {
    const databaseUrl = await postgres.createDatabase()
    const script = `const { openDatabase } = await import('./server/database/database.ts')
      const { db } = await openDatabase({ dataDir: '/', databaseUrl: ${JSON.stringify(databaseUrl)} }, { keyCheck: 'one' })
      await db.destroy()`
    const starts = Array.from({ length: 10 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: root, stdio: ['ignore', 'inherit', 'pipe'] })
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
      return `${code}${said}`
    })
    expect(await Promise.all(starts)).toEqual(Array.from({ length: 10 }, () => '0'))
    await using database = await openDatabase({ dataDir: '/', databaseUrl })
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database.db)
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrations('postgres')).sort())
  })

  test('each outgoing mail is sent by one of two processes, and neither waits for the other', async () => {
    const databaseUrl = await postgres.createDatabase()
    await using databases = new AsyncDisposableStack()
    const sent: string[][] = [[], []]
    const outboxes = await Promise.all(
      sent.map(async mine => {
        const database = databases.use(await openDatabase({ dataDir: '/', databaseUrl }))
        const send = async (mail: OutgoingMail) => {
          await sleep(5)
          mine.push(mail.subject)
        }
        const mailOut = { send, [Symbol.asyncDispose]: async () => undefined }
        return { database, outbox: databases.use(new Outbox({ ...testDatabaseAccess(database), mailOut, telemetry: testTelemetry() })) }
      }),
    )
    const subjects = Array.from({ length: 60 }, (_, n) => `mail ${n}`)
    const [first] = outboxes
    // Like a commit of another process, of which nobody here was told.
    await first?.database.db.transaction().execute(async step => {
      for (const subject of subjects)
        await first.outbox.enqueue({ to: 'a@example.com', subject, text: '' }, { givesUpAfterMs: 60_000 }, step)
    })
    await Promise.all(outboxes.map(({ outbox }) => outbox.flush()))
    expect(sent.flat().sort()).toEqual(subjects.sort())
    expect(Math.min(...sent.map(mine => mine.length))).toBeGreaterThan(5)
  })

  test('only one process sweeps at a time', async () => {
    const databaseUrl = await postgres.createDatabase()
    await using one = await openDatabase({ dataDir: '/', databaseUrl })
    await using other = await openDatabase({ dataDir: '/', databaseUrl })
    const swept: string[] = []
    const { promise: hasBegun, resolve: begun } = Promise.withResolvers<void>()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const slow = sweepAlone(one, async () => {
      begun()
      await mayEnd
      swept.push('one')
    })
    await hasBegun
    await sweepAlone(other, async () => void swept.push('other meanwhile'))
    end()
    await slow
    await sweepAlone(other, async () => void swept.push('other after'))
    expect(swept).toEqual(['one', 'other after'])
  })

  test('a connection that breaks during a transaction fails only that transaction', async () => {
    await using database = await openDatabase({ dataDir: '/', databaseUrl: await postgres.createDatabase() })
    const broken = database.db.transaction().execute(async step => {
      await sql`select 1`.execute(step)
      await postgres.killConnections()
      await sleep(50)
      await sql`select 1`.execute(step)
    })
    await expect(broken).rejects.toMatchObject({ code: 'unavailable' })
    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }])
  })

  test('requests succeed or get 503 with Retry-After while connections are killed and the server restarts', async () => {
    await using server = await startTestServer({
      env: { DATABASE_URL: await postgres.createDatabase() },
      allowLog: [AWAY],
    })
    const seen = new Map<number, number>()
    const visit = async (signal: AbortSignal) => {
      while (!signal.aborted) {
        const response = await server.post(`${routes.blogViews}/identify-ai-phishing`, '{}')
        await response.arrayBuffer()
        seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
        if (response.status === 503) expect(response.headers.get('retry-after')).toBe('2')
        await sleep(5)
      }
    }
    await beside(Array(8).fill(visit), async () => {
      for (let kills = 0; kills < 5; kills++) {
        await sleep(100)
        await postgres.killConnections()
      }
      await postgres.stop()
      await expect.poll(() => seen.get(503) ?? 0).toBeGreaterThan(0)
      // Long enough for another entry of how long the domain is in use, which nobody waits for.
      server.advance(1_200_000)
      expect((await server.post(routes.mailboxes, '{}')).status, 'a visitor needs no database').toBe(201)
      await postgres.start()
      const served = seen.get(200) ?? 0
      await expect.poll(() => seen.get(200) ?? 0).toBeGreaterThan(served + 20)
    })
    expect([...seen.keys()].sort()).toEqual([200, 503])
  })

  test('an outage is said once when it begins and once when it ends', async () => {
    const said: string[] = []
    const log = createLog('info', { json: line => said.push(JSON.parse(line).msg) })
    await using database = await openDatabase({ dataDir: '/', databaseUrl: await postgres.createDatabase(), log })
    database.logOutages()
    const ask = () => sql`select 1`.execute(database.db)
    await postgres.stop()
    for (let asked = 0; asked < 3; asked++) await expect(ask()).rejects.toMatchObject({ code: 'unavailable' })
    expect(database.isAway()).toBe(true)
    await postgres.start()
    await expect.poll(() => ask().then(() => database.isAway())).toBe(false)
    expect(said).toEqual([expect.stringMatching(/^The database .* Until it is back, /), expect.stringMatching(/ is back$/)])
  })

  test('while it is away mail is taken, the log has one line, and /readyz and the metrics say so', async () => {
    await using server = await startTestServer({
      env: { DATABASE_URL: await postgres.createDatabase() },
      isClockRunning: true,
      allowLog: [AWAY],
    })
    const readiness = async () => {
      const response = await fetch(server.url(routes.readyz))
      return [response.status, await response.json()]
    }
    const isHealthy = async () => /^mayfly_database_healthy (.*)$/m.exec(await (await fetch(server.url(routes.metrics))).text())?.[1]
    expect([await readiness(), await isHealthy()]).toEqual([[200, { status: 'ready' }], '1'])
    const { email, token } = await server.createMailbox()
    await postgres.stop()
    for (let mail = 1; mail <= 6; mail++) {
      await sleep(500)
      await server.deliverRaw(email, Buffer.from(`Subject: mail ${mail}\r\n\r\nHello.\r\n`))
    }
    await expect.poll(readiness).toEqual([200, { status: 'degraded', database: 'away' }])
    await expect.poll(isHealthy).toBe('0')
    expect(server.heardLog.warnings).toEqual([expect.stringMatching(AWAY)])
    await postgres.start()
    await expect.poll(readiness).toEqual([200, { status: 'ready' }])
    await expect.poll(isHealthy).toBe('1')
    const list = await fetch(server.url(routes.messages), { headers: bearer(token) })
    expect((await list.json()).messages).toHaveLength(6)
  })

  /** `undone`: as the remedy says. `asked`: what finds it. Each is typed in the database, DB here, or in another. */
  const CHANGES: readonly {
    readonly name: string
    readonly done: string
    readonly undone: string
    readonly told: RegExp
    readonly asked?: string
    readonly isTypedElsewhere?: true
  }[] = [
    {
      name: 'a user with another name',
      done: 'alter role clerk rename to other',
      undone: 'alter role other rename to clerk',
      told: /does not let the user "clerk" in: role "clerk" does not exist\. Correct the user and the password in DATABASE_URL, or give them/,
    },
    {
      name: 'a user that may not log in',
      done: 'alter role clerk nologin',
      undone: 'alter role "clerk" login',
      told: /in: role "clerk" is not permitted to log in\. Type: alter role "clerk" login\. /,
    },
    {
      name: 'a user without connections',
      done: 'alter role clerk connection limit 0',
      undone: 'alter role "clerk" connection limit -1',
      told: /has no connection left\. Type: alter role "clerk" connection limit -1\. /,
    },
    {
      name: 'a database that is shut',
      done: 'alter database DB allow_connections false',
      undone: 'alter database DB allow_connections true',
      told: /"\w+" is not currently accepting connections\. If somebody shut it, open it: alter database … allow_connections true\. /,
      isTypedElsewhere: true,
    },
    {
      name: 'tables that are not found',
      done: 'alter role clerk set search_path = nowhere',
      undone: 'alter role clerk reset search_path',
      told: /lacks what this server has made: relation "about" does not exist\. If .* Else take "search_path" from its user and from it, or restore/,
    },
    {
      name: 'a user without rights',
      done: 'revoke all on all tables in schema public from clerk',
      undone: 'grant all on all tables in schema public to "clerk"',
      told: /gives the user "clerk" too few rights: permission denied for table about\. Type: grant all on all tables in schema public to "clerk"\. /,
    },
    {
      name: 'a table of another owner',
      done: 'alter table users owner to postgres; grant all on users to clerk',
      undone: 'alter table users owner to clerk',
      told: /gives the user "clerk" too few rights: must be owner of table users\. Make that user its owner, or name another in DATABASE_URL\. /,
      asked: `comment on table users is 'ours'`,
    },
    {
      name: 'queries that are given too little time',
      done: 'alter role clerk set statement_timeout = 10',
      undone: 'alter role clerk set statement_timeout = 0',
      told: /cannot be used: canceling statement due to statement timeout\. Set "statement_timeout" to 0 for its user/,
      asked: 'select pg_sleep(0.2)',
    },
  ]

  test.each(CHANGES)('what somebody changes is an outage with its remedy: $name', async change => {
    const { done, undone, told, asked = 'select 1 from about', isTypedElsewhere } = change
    const [url, elsewhere] = [new URL(await postgres.createDatabase()), await postgres.createDatabase()]
    const type = (text: string) => query(isTypedElsewhere ? elsewhere : url.href, text.replace('DB', url.pathname.slice(1)))
    await query(url.href, `create role clerk login; alter database ${url.pathname.slice(1)} owner to clerk`)
    await using cleaning = new AsyncDisposableStack()
    cleaning.defer(() => query(url.href, 'reassign owned by clerk to postgres; drop owned by clerk; drop role clerk'))
    url.username = 'clerk'
    const said: string[] = []
    const log = createLog('info', { json: line => said.push(JSON.parse(line).msg) })
    await using database = await openDatabase({ dataDir: '/', databaseUrl: url.href, log })
    url.username = 'postgres'
    database.logOutages()
    const ask = () => sql.raw(asked).execute(database.db)
    await ask()
    await type(done)
    await postgres.killConnections()
    await expect
      .poll(() =>
        ask().then(
          () => database.isAway(),
          () => database.isAway(),
        ),
      )
      .toBe(true)
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' })
    await type(undone)
    await expect
      .poll(() =>
        ask().then(
          () => database.isAway(),
          () => true,
        ),
      )
      .toBe(false)
    expect(said).toEqual([expect.stringMatching(told), expect.stringMatching(/ is back$/)])
  })

  test.each([
    ['a right', 'revoke select on api_tokens from clerk', 'grant select on api_tokens to clerk', /permission denied for table api_tokens/],
    ['a table', 'alter table api_tokens rename to others', 'alter table others rename to api_tokens', /"api_tokens" does not exist\. If/],
    [
      'a column',
      'alter table api_tokens rename sha256 to sum',
      'alter table api_tokens rename sum to sha256',
      /sha256 does not exist\. If/,
    ],
  ])('an outage for want of %s lasts until it is there again, whatever else has its reply', async (_, done, undone, told) => {
    const url = new URL(await postgres.createDatabase())
    const asPostgres = url.href
    await query(asPostgres, `create role clerk login; alter database ${url.pathname.slice(1)} owner to clerk`)
    await using cleaning = new AsyncDisposableStack()
    cleaning.defer(() => query(asPostgres, 'reassign owned by clerk to postgres; drop owned by clerk; drop role clerk'))
    url.username = 'clerk'
    const said: string[] = []
    const log = createLog('info', { json: line => said.push(JSON.parse(line).msg) })
    await using database = await openDatabase({ dataDir: '/', databaseUrl: url.href, log })
    database.logOutages()
    const findToken = () => database.db.selectFrom('api_tokens').select('name').where('api_tokens.sha256', '=', 'x').execute()
    const askElse = () => database.db.selectFrom('about').select('name').execute()
    await findToken()
    await query(asPostgres, done)
    await expect(findToken()).rejects.toMatchObject({ code: 'unavailable' })
    for (let asked = 0; asked < 120; asked++) await askElse().then(() => sleep(100))
    expect([database.isAway(), said]).toEqual([true, [expect.stringMatching(told)]])
    await query(asPostgres, undone)
    await expect.poll(() => askElse().then(() => database.isAway())).toBe(false)
    expect(said).toEqual([expect.stringMatching(told), expect.stringMatching(/ is back$/)])
    expect(await findToken()).toEqual([])
  })
})
