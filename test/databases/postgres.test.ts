import { afterAll, beforeAll, describe } from 'vitest'
import { findPostgres, type Postgres, startPostgres } from '../harness/servers/postgres.ts'
import { apiMailboxesSuite } from '../suites/api-mailboxes-suite.ts'
import { databaseSuite } from '../suites/database-suite.ts'
import { proMailboxesSuite } from '../suites/pro-mailboxes-suite.ts'
import { webhooksSuite } from '../suites/webhooks-suite.ts'

const bin = findPostgres()
describe.skipIf(!bin)('with a PostgreSQL of its own (needs initdb and postgres)', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres(bin ?? '')
  })
  afterAll(() => postgres[Symbol.asyncDispose]())
  databaseSuite('on PostgreSQL', () => postgres.createDatabase())
  proMailboxesSuite('Pro on PostgreSQL', () => postgres.createDatabase())
  apiMailboxesSuite('API mailboxes on PostgreSQL', () => postgres.createDatabase())
  webhooksSuite('webhooks on PostgreSQL', () => postgres.createDatabase())
})
