/** PostgreSQL as it is reached on real machines: a primary with a standby, a socket, a pooler. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createConnection, createServer } from 'node:net'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { openDatabase } from '#server/database/database.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { serverBuilt } from '../harness/mayfly/build-server.ts'
import { startTestServer } from '../harness/mayfly/start-test-server.ts'
import { hasPooler, startPooler } from '../harness/servers/pooler.ts'
import { findPostgres, type Postgres, query, startPostgres } from '../harness/servers/postgres.ts'

const root = resolve(import.meta.dirname, '../..')
const bin = findPostgres()

/** What a start says that is refused. */
async function refusal(databaseUrl: string): Promise<string> {
  const folder = newFolder()
  const env = { PATH: process.env.PATH, HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, ['dist/server/main.js'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  expect([code, out]).toEqual([1, ''])
  return err.trimEnd()
}

/** Forwards to PostgreSQL until a client sends `last`: from then on nobody can connect. */
async function startCut(port: number, last: string) {
  const sockets = new Set<{ destroy(): unknown }>()
  const server = createServer(client => {
    const upstream = createConnection(port, '127.0.0.1')
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined))
    upstream.pipe(client)
    client.on('data', bytes => {
      if (!bytes.includes(last)) return void upstream.write(bytes)
      server.close()
      for (const socket of sockets) socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, [Symbol.dispose]: () => void server.close() }
}

describe.skipIf(!bin)('PostgreSQL (needs initdb and postgres)', () => {
  let postgres: Postgres
  beforeAll(serverBuilt)
  beforeAll(async () => {
    postgres = await startPostgres(bin ?? '')
  })
  afterAll(() => postgres[Symbol.asyncDispose]())

  test('of a primary and its standby the one that takes writes is used, also after the primary has died', async () => {
    await using primary = await startPostgres(bin ?? '')
    const { pathname } = new URL(await primary.createDatabase())
    await using standby = await primary.startStandby()
    const standbyUrl = `postgres://postgres@127.0.0.1:${standby.port}`
    await expect
      .poll(() =>
        query(standbyUrl + pathname, 'select 1').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    expect(await refusal(standbyUrl + pathname)).toMatch(
      / takes no writes: it is a standby, or read-only\. Name the primary in DATABASE_URL/,
    )
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}${pathname}`
    await using server = await startTestServer({
      env: { DATABASE_URL },
      allowLog: [/"msg":"The database \w+ on 127\.0\.0\.1:\d+ or 127\.0\.0\.1:\d+ /],
    })
    const view = async () => (await server.post(`${routes.blogViews}/identify-ai-phishing`, '{}')).status
    expect(await view()).toBe(200)
    // The server that refuses is told, not that the other is a standby. Over TLS its message has "SSL" too, but about no certificate.
    await query(
      `postgres://postgres@127.0.0.1:${primary.port}${pathname}`,
      `create role ssl_guest login; copy (select unnest(array[
        'host all ssl_guest 127.0.0.1/32 reject', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'
      ])) to '${primary.folder}/data/pg_hba.conf'; select pg_reload_conf()`,
    )
    const refuses =
      /does not let the user "ssl_guest" in: pg_hba\.conf rejects connection for host .* Correct the line of its pg_hba\.conf /
    for (const ports of [
      [primary.port, standby.port],
      [standby.port, primary.port],
    ]) {
      const hosts = ports.map(port => `127.0.0.1:${port}`).join()
      await expect.poll(() => refusal(`postgres://ssl_guest@${hosts}${pathname}`), { timeout: 30_000 }).toMatch(refuses)
    }
    await primary.stop()
    await expect.poll(view).toBe(503)
    await query(`${standbyUrl}/postgres`, 'select pg_promote()')
    await expect.poll(view, { timeout: 30_000 }).toBe(200)
  })

  test('it may be reached by its socket', async () => {
    const { pathname } = new URL(await postgres.createDatabase())
    for (const databaseUrl of [
      `postgres://postgres@/${pathname.slice(1)}?host=${postgres.folder}&port=${postgres.port}`,
      `postgres://postgres@${encodeURIComponent(postgres.folder)}:${postgres.port}${pathname}`,
    ]) {
      await using database = await openDatabase({ dataDir: '/', databaseUrl })
      expect((await sql`select inet_server_port() as port`.execute(database.db)).rows).toEqual([{ port: null }])
    }
  })

  test('a loss between the first connection and the start is one sentence', async () => {
    const { pathname } = new URL(await postgres.createDatabase())
    using cut = await startCut(postgres.port, 'from "mail_domains"')
    expect(await refusal(`postgres://postgres@127.0.0.1:${cut.port}${pathname}`)).toMatch(/^The database \w+ on 127\.0\.0\.1:\d+ [^\n]+\.$/)
  })

  test.skipIf(!hasPooler('PgBouncer in transaction mode'))('who starts leaves no lock in a pooler (needs PgBouncer)', async () => {
    await using pooler = await startPooler('PgBouncer in transaction mode', postgres.port)
    const direct = await postgres.createDatabase()
    const { pathname } = new URL(direct)
    const databaseUrl = `postgres://postgres@127.0.0.1:${pooler.port}${pathname}`
    const open = async () => {
      await using database = await openDatabase({ dataDir: '/', databaseUrl })
      await sql`select from users`.execute(database.db)
    }
    // The first of these migrate an empty database at once, the others find nothing to do.
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 8 }, open))
    await using database = await openDatabase({ dataDir: '/', databaseUrl: direct })
    expect((await sql`select * from pg_locks where locktype = 'advisory'`.execute(database.db)).rows).toEqual([])
  })

  test.skipIf(!hasPooler('PgBouncer in transaction mode'))('the refusal of a pooler is quoted (needs PgBouncer)', async () => {
    await using pooler = await startPooler('PgBouncer in transaction mode', postgres.port)
    expect(await refusal(`postgres://postgres@127.0.0.1:${pooler.port}/postgres?statement_timeout=5000`)).toMatch(
      / refuses the connection: unsupported startup parameter: statement_timeout\. Correct DATABASE_URL, or the settings of the server or pooler\.$/,
    )
  })
})
