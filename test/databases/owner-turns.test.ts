/** Whether one owner or one network can take the connections to the database from everybody. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ApiTokens } from '#server/accounts/api-credentials.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { accountOwner, asEnding, asOwner, withRight } from '#server/database/rights.ts'
import { Outage } from '#server/errors.ts'
import { serve } from '#server/platform/limits/clients.ts'
import { networksAround } from '#server/platform/net/ip-address.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { PASSWORD, TestDatabaseFeatures } from '../harness/mayfly/start-database-features.ts'
import { startTestServer } from '../harness/mayfly/start-test-server.ts'
import { testDatabaseAccess } from '../harness/mayfly/test-database-access.ts'
import { findPostgres, type Postgres, startPostgres } from '../harness/servers/postgres.ts'

/**
 * Queries of one network wait, a few of them with a connection each, and one of another network comes after them. `before` counts whose
 * turn came between its request and its turn: how long each of them takes is up to the machine.
 */
async function flood({ db }: Database): Promise<{ before: number; after: number }> {
  let turns = 0
  const ask = () =>
    db.connection().execute(async held => {
      const before = turns++
      await held.selectFrom('users').select('id').execute()
      return before
    })
  // Opening a connection takes longer than many queries, so all are open before.
  await Promise.all(Array.from({ length: 10 }, ask))
  turns = 0
  const attackers = Array.from({ length: 400 }, () => serve(networksAround('203.0.113.66'), ask))
  const other = Promise.race(attackers).then(async () => {
    const earlier = turns
    return (await serve(networksAround('198.51.100.9'), ask)) - earlier
  })
  const [before] = await Promise.all([other, ...attackers])
  return { before, after: turns - 1 }
}

test('on SQLite, a network with hundreds of queries delays another by a few of them', async () => {
  const folder = newFolder()
  await using database = await openDatabase({ dataDir: folder })
  expect(await flood(database)).toEqual({ before: expect.toSatisfy(before => before < 20), after: 400 })
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
    expect(await flood(database)).toEqual({ before: expect.toSatisfy(before => before < 20), after: 400 })
  })

  test('an owner holds one connection, and neither a key nor a session keeps its other rights, sign-ins, links and endings waiting', async () => {
    const access = testDatabaseAccess(database)
    const owner = 'account:flood'
    const [stolen, own] = await Promise.all(
      ['stolen', 'own'].map(async name => {
        const token = (await new ApiTokens(access).create(name)) ?? ''
        return { owner, apiTokenHash: createHash('sha256').update(token).digest('hex') }
      }),
    )
    if (!stolen || !own) throw new Error('two tokens')
    const order: string[] = []
    const step = (name: string) => async () => void order.push(name)
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const first = asOwner(access, owner, async () => {
      begun.resolve()
      await gate.promise
    })
    await begun.promise
    const floods = Array.from({ length: 100 }, () => [
      withRight(access, stolen, step('flood')),
      asEnding(access, { owner, sessionId: 'stolen' }, step('flood of endings')),
    ]).flat()
    const full = { code: 'rate_limited', detail: expect.stringContaining('this account') }
    await expect(withRight(access, stolen, step('late'))).rejects.toMatchObject(full)
    await expect(asEnding(access, { owner, sessionId: 'stolen' }, step('late'))).rejects.toMatchObject(full)
    const honest = [
      withRight(access, own, step('own key')),
      asOwner(access, owner, step('sign-in')),
      asEnding(access, { owner, sessionId: 'own' }, step('ending')),
      asEnding(access, { owner }, step('reset')),
    ]
    await asOwner(access, 'account:else', step('else'))
    expect(order).toEqual(['else'])
    gate.resolve()
    await Promise.all([first, ...floods, ...honest])
    const [early, late] = [order.slice(0, 12), order.slice(12)].map(names => new Set(names))
    expect(early).toEqual(new Set(['else', 'flood', 'flood of endings', 'own key', 'sign-in', 'ending', 'reset']))
    expect(late).toEqual(new Set(['flood', 'flood of endings']))
    expect(order).toHaveLength(205)
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

  test('a link to set a password that finds no room is mailed when there is some', async () => {
    const features = new TestDatabaseFeatures()
    onTestFinished(() => features.stop())
    await features.start(await postgres.createDatabase())
    const account = await features.newAccount('owner@example.com')
    const { knownNetworks, passwords } = features.accounts
    await features.withDatabase(async database => {
      const [gate, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const held = asOwner(testDatabaseAccess(database), accountOwner(account.id), async () => {
        begun.resolve()
        await gate.promise
      })
      await begun.promise
      const waiting = Array.from({ length: 101 }, (_, network) => knownNetworks.remember(account, [`${network}`]))
      await expect(knownNetworks.remember(account, ['one more'])).rejects.toMatchObject({ code: 'rate_limited' })
      passwords.forgot({ email: account.email, language: 'en' }, async () => true)
      // By then it was refused.
      await sleep(1300)
      gate.resolve()
      await Promise.all([held, ...waiting])
    })
    expect(await features.recorder.nextToken(account.email)).toMatch(/^[\w-]{43}$/)
  })

  test('a sign-up that is written while the account of its address opens and is deleted is not left without an account', async () => {
    const [features, otherProcess] = [new TestDatabaseFeatures(), new TestDatabaseFeatures()]
    const place = await postgres.createDatabase()
    for (const process of [features, otherProcess]) {
      onTestFinished(() => process.stop())
      await process.start(place)
      // It looks for mail as it starts, and would send that of the other process to a recorder that nobody reads.
      await process.outbox.flush()
    }
    const { signUps, sessions } = features.accounts
    const email = 'raced@example.com'
    const signUp = { email, password: PASSWORD, language: 'en' } as const
    await signUps.start(signUp)
    const token = await features.recorder.nextToken(email)
    await features.withDatabase(async ({ db }) => {
      // The database writes the next one when the test lets go of this lock, which is after all checks before it.
      await sql`create function wait_for_test() returns trigger language plpgsql as $$ begin
        perform pg_advisory_xact_lock(1); return new; end $$`.execute(db)
      await sql`create trigger wait_for_test before insert on sign_ups for each row execute function wait_for_test()`.execute(db)
      const gate = Promise.withResolvers<void>()
      const holding = db.transaction().execute(async step => {
        await sql`select pg_advisory_xact_lock(1)`.execute(step)
        await gate.promise
      })
      const waitingForLocks = async () => {
        const waiting = sql<{ count: string }>`select count(*) as count from pg_locks where locktype = 'advisory' and not granted`
        return Number((await waiting.execute(db)).rows[0]?.count)
      }
      const stranger = { ...signUp, password: 'of a stranger' }
      const late = otherProcess.accounts.signUps.start(stranger).catch((error: unknown) => error)
      await expect.poll(waitingForLocks).toBe(1)
      const isDeleted = signUps.confirm({ token, password: PASSWORD }).then(async () => {
        const { signedIn } = await sessions.current(await features.signIn(email))
        await features.accounts.deleteOwnAccount(signedIn ?? expect.fail(), { password: PASSWORD })
        return true
      })
      // Until it is done, or waits for the sign-up.
      while (!(await Promise.race([isDeleted, waitingForLocks().then(count => count > 1)]))) await sleep(20)
      gate.resolve()
      await Promise.all([holding, late, isDeleted])
      expect(await db.selectFrom('sign_ups').select('email').execute()).toEqual([])
    })
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
  })
})
