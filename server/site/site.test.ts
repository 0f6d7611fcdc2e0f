import { afterAll, beforeAll, describe, test } from 'vitest'
import { findPostgres, type Postgres, startPostgres } from '#test/postgres.ts'
import { proContract } from './pro.contract.ts'
import { siteContract } from './site.contract.ts'

siteContract('the site on SQLite', async () => undefined)
proContract('Pro on SQLite', async () => undefined)

const bin = findPostgres()
if (bin) {
  describe('with a PostgreSQL of its own', () => {
    let postgres: Postgres
    beforeAll(async () => {
      postgres = await startPostgres(bin)
    })
    afterAll(() => postgres[Symbol.asyncDispose]())
    siteContract('the site on PostgreSQL', () => postgres.createDatabase())
    proContract('Pro on PostgreSQL', () => postgres.createDatabase())
  })
} else {
  test.skip('the site on PostgreSQL: initdb and postgres are not on this machine', () => {})
}
