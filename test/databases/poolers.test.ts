/** PostgreSQL behind a pooler: everything works as without, and its restart refuses what needs the database, until it is back. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { serverBuilt } from '../harness/mayfly/build-server.ts'
import { startTestServer } from '../harness/mayfly/start-test-server.ts'
import { hasPooler, type Pooler, poolerNames, startPooler } from '../harness/servers/pooler.ts'
import { findPostgres, type Postgres, query, startPostgres } from '../harness/servers/postgres.ts'
import { databaseSuite } from '../suites/database-suite.ts'

const bin = findPostgres()

for (const name of poolerNames) {
  describe.skipIf(!bin || !hasPooler(name))(`behind ${name} (needs it, initdb and postgres)`, () => {
    const stack = new AsyncDisposableStack()
    let [postgres, standby, pooler] = [] as unknown as [Postgres, Postgres, Pooler]
    beforeAll(serverBuilt)
    beforeAll(async () => {
      postgres = stack.use(await startPostgres(bin ?? ''))
      standby = stack.use(await postgres.startStandby())
      pooler = stack.use(await startPooler(name, postgres.port, standby.port))
    })
    afterAll(() => stack.disposeAsync())
    const createDatabase = async () => {
      const url = await postgres.createDatabase()
      const at = (port: number) => url.replace(`:${postgres.port}`, `:${port}`)
      // Pgpool-II connects to all servers.
      await vi.waitFor(() => query(at(standby.port), 'select 1'), { timeout: 30_000 })
      return at(pooler.port)
    }

    databaseSuite(`on PostgreSQL behind ${name}`, createDatabase)

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
