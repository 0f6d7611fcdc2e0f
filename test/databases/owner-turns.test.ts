/** Whether one owner or one network can take the connections to the database from everybody. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/database/database.ts'
import { accountOwner, asEnding, asOwner } from '#server/database/rights.ts'
import { Outage } from '#server/errors.ts'
import { serve } from '#server/platform/limits/clients.ts'
import { networksAround } from '#server/platform/net/ip-address.ts'
import { startTestServer } from '../harness/mayfly/start-test-server.ts'
import { testDatabaseAccess } from '../harness/mayfly/test-database-access.ts'
import { findPostgres, type Postgres, startPostgres } from '../harness/servers/postgres.ts'

/** Queries of one network wait, a few of them with a connection each, and one of another network comes after them. */
async function flood({ db }: Database): Promise<{ before: number; after: number }> {
  let ended = 0
  const ask = () =>
    db.transaction().execute(async step => {
      for (let query = 0; query < 5; query++) await step.selectFrom('users').select('id').execute()
    })
  // Opening a connection takes longer than many queries, so all are open before.
  await Promise.all(Array.from({ length: 10 }, ask))
  const attacker = () => serve(networksAround('203.0.113.66'), () => ask()).then(() => (ended += 1))
  const all = Array.from({ length: 400 }, attacker)
  await all[0]
  await serve(networksAround('198.51.100.9'), ask)
  const before = ended
  await Promise.all(all)
  return { before, after: ended }
}

test('on SQLite, a network with hundreds of queries delays another by a few of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-turns-'))
  await using database = await openDatabase({ dataDir: folder })
  expect(await flood(database)).toEqual({ before: expect.toSatisfy(before => before < 50), after: 400 })
  await rm(folder, { recursive: true })
})

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

  test('a network with hundreds of queries delays another by a few of them', async () => {
    expect(await flood(database)).toEqual({ before: expect.toSatisfy(before => before < 50), after: 400 })
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

  test('sign-ins of an account whose steps wait keep nobody else from signing in', async () => {
    const databaseUrl = await postgres.createDatabase()
    await using server = await startTestServer({ env: { DATABASE_URL: databaseUrl }, isClockRunning: true })
    const [busy, other] = ['busy@example.com', 'other@example.com'] as const
    for (const email of [busy, other]) await server.account(email)
    await using database = await openDatabase({ dataDir: '/nowhere', databaseUrl })
    const user = await database.db.selectFrom('users').select('id').where('email', '=', busy).executeTakeFirstOrThrow()
    const [gate, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const held = asOwner(testDatabaseAccess(database), accountOwner(user.id), async () => {
      begun.resolve()
      await gate.promise
    })
    await begun.promise
    let waiting = 3
    const signIns = Array.from({ length: waiting }, () =>
      server
        .visitor()
        .signIn(busy)
        .finally(() => (waiting -= 1)),
    )
    expect((await server.visitor().signIn(other)).status).toBe(200)
    expect(waiting).toBe(3)
    gate.resolve()
    await held
    expect((await Promise.all(signIns)).map(({ status }) => status)).toEqual([200, 200, 200])
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
