/** PostgreSQL behind PgBouncer: everything works as without, and its restart refuses what needs the database, until it is back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { serverBuilt } from '../harness/mayfly/build-server.ts'
import { startTestServer } from '../harness/mayfly/start-test-server.ts'
import { findPgbouncer, type Pooler, startPgbouncer } from '../harness/servers/pgbouncer.ts'
import { findPostgres, type Postgres, startPostgres } from '../harness/servers/postgres.ts'
import { databaseSuite } from '../suites/database-suite.ts'

const bin = findPostgres()

for (const mode of ['session', 'transaction'] as const) {
  describe.skipIf(!bin || !findPgbouncer())(`behind PgBouncer in ${mode} mode (needs it, initdb and postgres)`, () => {
    let [postgres, pooler] = [] as unknown as [Postgres, Pooler]
    beforeAll(serverBuilt)
    beforeAll(async () => {
      postgres = await startPostgres(bin ?? '')
      pooler = await startPgbouncer(mode, postgres.port)
    })
    afterAll(async () => {
      await pooler[Symbol.asyncDispose]()
      await postgres[Symbol.asyncDispose]()
    })
    const createDatabase = async () => (await postgres.createDatabase()).replace(`:${postgres.port}`, `:${pooler.port}`)

    databaseSuite(`on PostgreSQL behind PgBouncer in ${mode} mode`, createDatabase)

    test('its restart refuses what needs the database, until it is back', async () => {
      const DATABASE_URL = await createDatabase()
      await using server = await startTestServer({ env: { DATABASE_URL }, allowLog: [/"msg":"The database \w+ on 127\.0\.0\.1:\d+ /] })
      const view = async () => (await server.post(`${routes.blogViews}/identify-ai-phishing`, '{}')).status
      const readiness = async () => await (await fetch(server.url(routes.readyz))).json()
      expect(await view()).toBe(200)
      await pooler.stop()
      await expect.poll(view).toBe(503)
      await expect.poll(readiness).toMatchObject({ database: 'away' })
      await pooler.start()
      await expect.poll(view, { timeout: 30_000 }).toBe(200)
      await expect.poll(readiness, { timeout: 30_000 }).toEqual({ status: 'ready' })
    })
  })
}
