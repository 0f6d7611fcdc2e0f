/** Two servers on one cluster and one PostgreSQL, whose domains change while both give addresses and take mail. */

import { randomBytes } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/database/database.ts'
import { AppError } from '#server/errors.ts'
import { AuditLog } from '#server/operator/audit-log.ts'
import { StoredDomains } from '#server/operator/domains.ts'
import { startTestServer, type TestServer } from '../harness/mayfly/start-test-server.ts'
import { testDatabaseAccess } from '../harness/mayfly/test-database-access.ts'
import { findPostgres, startPostgres } from '../harness/servers/postgres.ts'
import { findRedis, startRedisCluster } from '../harness/servers/redis-cluster.ts'

const [postgresBin, hasRedis] = [findPostgres(), findRedis() !== undefined]
const LIFETIME_SECONDS = 60
const ROUNDS = 3

describe.skipIf(!postgresBin || !hasRedis)('domains of two processes (need redis-server and PostgreSQL)', () => {
  const stack = new AsyncDisposableStack()
  let [a, b] = [] as unknown as [TestServer, TestServer]
  /** An operator at neither of them. */
  let domains: StoredDomains
  beforeAll(async () => {
    const cluster = stack.use(await startRedisCluster({ replicas: 0 }))
    const postgres = stack.use(await startPostgres(postgresBin ?? ''))
    const databaseUrl = await postgres.createDatabase()
    const env = {
      MAIL_STORE_URL: cluster.url,
      MAIL_STORE_REPLICAS: '0',
      DATABASE_URL: databaseUrl,
      SECRET: randomBytes(32).toString('hex'),
      MAIL_DOMAINS: 'stays.test',
    }
    a = stack.use(await startTestServer({ env, isClockRunning: true }))
    b = stack.use(await startTestServer({ env, isClockRunning: true }))
    const access = testDatabaseAccess(stack.use(await openDatabase({ databaseUrl, dataDir: a.folder })), { clock: () => a.now() })
    domains = new StoredDomains({ ...access, audit: new AuditLog(access), config: a.app.config })
  })
  afterAll(() => stack.disposeAsync())

  /** Gives addresses at this domain, each of which gets a mail through the other process at once, until it is not offered any more. */
  async function giveUntilRefused(domain: string, giver: TestServer, taker: TestServer): Promise<string[]> {
    const given: string[] = []
    for (;;) {
      try {
        const { email } = await giver.app.mail.createAddress({ domain, lifetimeSeconds: LIFETIME_SECONDS })
        await taker.deliver(email)
        given.push(email)
      } catch (error) {
        if (error instanceof AppError && error.code === 'domain_not_served') return given
        throw error
      }
    }
  }

  async function giveFirst(domain: string, giver: TestServer): Promise<string> {
    for (;;) {
      const made = await giver.app.mail.createAddress({ domain, lifetimeSeconds: LIFETIME_SECONDS }).catch(() => undefined)
      if (made) return made.email
      // Lets the process read its domains meanwhile.
      await turn()
    }
  }

  const advance = (ms: number) => {
    a.advance(ms)
    b.advance(ms)
  }

  test('an address at a new domain gets its mail through the process that has not heard of it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await domains.add('op', `new-${round}.test`)
      const [giver, taker] = round % 2 === 0 ? [a, b] : [b, a]
      await taker.deliver(await giveFirst(`new-${round}.test`, giver))
    }
  })

  test.each(['retire', 'remove'] as const)('no mail is refused while both still give addresses after "%s"', async end => {
    for (let round = 0; round < ROUNDS; round++) {
      const domain = `${end}-${round}.test`
      await domains.add('op', domain)
      for (const server of [a, b]) await server.deliver(await giveFirst(domain, server))
      // Nobody lives there any more.
      advance(2 * 600_000)
      await domains[end]('op', domain)
      const given = (await Promise.all([giveUntilRefused(domain, a, b), giveUntilRefused(domain, b, a)])).flat()
      expect(given.length, 'addresses that were given after the end').toBeGreaterThan(0)
      const isLonger = async () =>
        ((await domains.list()).find(({ name }) => name === domain)?.endsAt ?? 0) >= a.now() + LIFETIME_SECONDS * 1000
      await expect.poll(isLonger).toBe(true)
      advance(LIFETIME_SECONDS * 1000 - 15_000)
      for (const email of given.slice(-4)) for (const server of [a, b]) await server.deliver(email)
    }
  })
})
