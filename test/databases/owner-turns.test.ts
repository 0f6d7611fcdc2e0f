/** Whether one owner can take all connections to the database from everybody. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/database/database.ts'
import { asEnding, asOwner } from '#server/database/rights.ts'
import { Outage } from '#server/errors.ts'
import { testDatabaseAccess } from '../harness/mayfly/test-database-access.ts'
import { findPostgres, type Postgres, startPostgres } from '../harness/servers/postgres.ts'

const bin = findPostgres()
describe.skipIf(!bin)('with a PostgreSQL of its own (needs initdb and postgres)', () => {
  let postgres: Postgres
  let database: Database
  beforeAll(async () => {
    postgres = await startPostgres(bin ?? '')
    database = await openDatabase({ dataDir: '/nowhere', databaseUrl: await postgres.createDatabase() })
  })
  afterAll(async () => {
    await database[Symbol.asyncDispose]()
    await postgres[Symbol.asyncDispose]()
  })

  test('an owner holds one connection, too many of its steps are refused, and what ends its rights goes first', async () => {
    const access = testDatabaseAccess(database)
    const order: string[] = []
    const step = (name: string) => async () => {
      order.push(name)
    }
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const first = asOwner(access, 'account:flood', async () => {
      begun.resolve()
      await gate.promise
    })
    await begun.promise
    const others = Array.from({ length: 100 }, () => asOwner(access, 'account:flood', step('flood')))
    const late = asOwner(access, 'account:flood', step('late'))
    await expect(late).rejects.toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('this account') })
    const ending = asEnding(access, 'account:flood', step('ending'))
    await asOwner(access, 'account:else', step('else'))
    expect(order).toEqual(['else'])
    gate.resolve()
    await Promise.all([first, ending, ...others])
    expect(order.slice(0, 3)).toEqual(['else', 'ending', 'flood'])
    expect(order).toHaveLength(102)
  })

  test('a process whose connections are all in use does not call that an outage', async () => {
    const access = testDatabaseAccess(database)
    const gate = Promise.withResolvers<void>()
    // As many as a command has.
    const held = Array.from({ length: 4 }, (_, index) =>
      asOwner(access, `account:${index}`, async step => {
        while (index === 0 && !(await Promise.race([gate.promise.then(() => true), new Promise(resolve => setTimeout(resolve, 200))])))
          await step.selectFrom('users').select('id').execute()
        await gate.promise
      }),
    )
    const refusal: unknown = await asOwner(access, 'account:else', async () => undefined).catch(error => error)
    expect(refusal).toMatchObject({ code: 'unavailable' })
    expect(refusal).not.toBeInstanceOf(Outage)
    expect(database.isAway()).toBe(false)
    gate.resolve()
    await Promise.all(held)
  }, 30_000)
})
