import { afterAll, beforeAll, describe, test } from 'vitest'
import { findPostgres, type Postgres, startPostgres } from '../harness/servers/postgres.ts'
import { apiMailboxesSuite } from '../suites/api-mailboxes-suite.ts'
import { databaseSuite } from '../suites/database-suite.ts'
import { proMailboxesSuite } from '../suites/pro-mailboxes-suite.ts'
import { webhooksSuite } from '../suites/webhooks-suite.ts'

databaseSuite('on SQLite', async () => undefined)
proMailboxesSuite('Pro on SQLite', async () => undefined)
apiMailboxesSuite('API mailboxes on SQLite', async () => undefined)
webhooksSuite('webhooks on SQLite', async () => undefined)

const bin = findPostgres()
if (bin) {
  describe('with a PostgreSQL of its own', () => {
    let postgres: Postgres
    beforeAll(async () => {
      postgres = await startPostgres(bin)
    })
    afterAll(() => postgres[Symbol.asyncDispose]())
    databaseSuite('on PostgreSQL', () => postgres.createDatabase())
    proMailboxesSuite('Pro on PostgreSQL', () => postgres.createDatabase())
    apiMailboxesSuite('API mailboxes on PostgreSQL', () => postgres.createDatabase())
    webhooksSuite('webhooks on PostgreSQL', () => postgres.createDatabase())
  })
} else {
  test.skip('on PostgreSQL: initdb and postgres are not on this machine', () => {})
}
