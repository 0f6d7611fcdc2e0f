import { afterAll, beforeAll, describe } from 'vitest'
import { findPostgres, type Postgres, startPostgres } from '../harness/servers/postgres.ts'
import { findRedis, type RedisCluster, startRedisCluster } from '../harness/servers/redis-cluster.ts'

/** The settings of a server that name its engines. */
export type Engines = () => Promise<Record<string, string>>

/** Runs a suite on SQLite, and on PostgreSQL with the mail in a cluster. */
export function onEachEngine(suite: (engines: Engines) => void): void {
  const bin = findPostgres()
  describe('on SQLite', () => suite(async () => ({})))
  describe.skipIf(!bin || !findRedis())('on PostgreSQL and a cluster (needs initdb, postgres and redis-server)', () => {
    let postgres: Postgres
    let cluster: RedisCluster
    beforeAll(async () => {
      ;[postgres, cluster] = await Promise.all([startPostgres(bin ?? ''), startRedisCluster()])
    })
    afterAll(async () => {
      await postgres[Symbol.asyncDispose]()
      await cluster[Symbol.asyncDispose]()
    })
    suite(async () => ({
      DATABASE_URL: await postgres.createDatabase(),
      MAIL_STORE_URL: cluster.url,
      SECRET: 'one secret for all processes of this test',
    }))
  })
}
