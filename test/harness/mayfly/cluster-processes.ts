/** Processes that share a cluster and a PostgreSQL, for tests of several processes. */
import { randomBytes } from 'node:crypto'
import { findPostgres, startPostgres } from '../servers/postgres.ts'
import { type RedisCluster, startRedisCluster } from '../servers/redis-cluster.ts'
import { type RunningServer, startServerProcess } from './start-server-process.ts'

type Env = Readonly<Record<string, string>>
type ClusterProcesses = AsyncDisposable & {
  readonly cluster: RedisCluster
  /** Starts one more process, which the caller stops. `allowLog`: as for `startServerProcess`. */
  start(env?: Env, allowLog?: readonly RegExp[]): Promise<RunningServer>
}

/** `env`: for every process. @throws if an engine is missing. */
export async function startClusterProcesses(env: Env = {}): Promise<ClusterProcesses> {
  await using starting = new AsyncDisposableStack()
  const cluster = starting.use(await startRedisCluster())
  const postgres = starting.use(await startPostgres(findPostgres() ?? ''))
  const shared = {
    MAIL_STORE_URL: cluster.url,
    DATABASE_URL: await postgres.createDatabase(),
    SECRET: randomBytes(32).toString('hex'),
    NETWORK_LIMIT_FACTOR: '1000',
    MAILBOX_MESSAGES_MAX: '10000',
    BOT_CHECK: 'off',
    DNS_SERVERS: 'off',
    ...env,
  }
  const engines = starting.move()
  return {
    cluster,
    start: (own, allowLog = []) => startServerProcess({ env: { ...shared, ...own }, allowLog }),
    [Symbol.asyncDispose]: () => engines.disposeAsync(),
  }
}
