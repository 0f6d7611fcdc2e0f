/** PostgreSQL behind Kysely: a pool in which a broken connection fails only the request that used it. */
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { AppError } from '#server/errors.ts'
import { createLogInterval, type Log } from '#server/platform/log.ts'
import type { DatabaseSchema } from './schema.ts'

/** PostgreSQL's type id of int8 (pg_type.oid). */
const INT8 = 20
const CONNECT_TIMEOUT_MS = 10_000
/** Without it, a server that vanishes (a pulled cable) would keep queries waiting for a quarter of an hour. Ours take milliseconds. */
const QUERY_TIMEOUT_MS = 30_000
const KEEP_ALIVE_AFTER_MS = 10_000
const RETRY_SECONDS = 2
/** An unreachable server is logged once in this time, not once per request. */
const LOG_EVERY_MS = 10_000

/** Every query rejects with AppError `unavailable` while the server cannot be reached. */
export async function openPostgres(url: string, connectionsMax: number, log: Log | undefined): Promise<Kysely<DatabaseSchema>> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: {
      // Counters and times are far below 2^53; pg returns int8 as text.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text'),
    },
  })
  // Emitted when an idle connection breaks. The pool replaces it, and the next query reports a server that is gone.
  pool.on('error', () => undefined)
  // Emitted when a connection breaks between two queries of a transaction. Without a listener it would end the process.
  pool.on('connect', client => client.on('error', () => undefined))
  return new Kysely({ dialect: new PostgresDialect({ pool: resilientPool(pool, log) }) })
}

type Pool = Omit<PostgresPool, 'connect'> & { connect(): Promise<PostgresPoolClient> }

/** Wraps a pool so that broken connections are not reused and reject with `unavailable`. */
function resilientPool(pool: Pool, log: Log | undefined): PostgresPool {
  const atIntervals = createLogInterval(LOG_EVERY_MS)
  // A start that cannot reach the server has its own error message.
  let wasReached = false
  const explain = (error: unknown): unknown => {
    if (!isUnavailable(error)) return error
    if (wasReached) atIntervals(() => log?.error({ err: error }, 'The database is not available'))
    return new AppError('unavailable', { cause: error, retryAfterSeconds: RETRY_SECONDS })
  }
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      try {
        const client = await pool.connect()
        wasReached = true
        return resilientClient(client, explain)
      } catch (error) {
        throw explain(error)
      }
    },
  }
}

function resilientClient(client: PostgresPoolClient, explain: (error: unknown) => unknown): PostgresPoolClient {
  let isBroken = false
  const query = async (sql: string, parameters: readonly unknown[]) => {
    try {
      return await client.query(sql, parameters)
    } catch (error) {
      isBroken ||= isUnavailable(error)
      throw explain(error)
    }
  }
  return { query: query as PostgresPoolClient['query'], release: destroy => client.release(destroy || isBroken) }
}

/** PostgreSQL's codes for a connection failure, a server that stops, starts, is full or read-only, a deadlock, a cancelled query. */
const SQL_STATES = /^(?:08|53|57P|40001|40P01|55P03|57014|25006)/
const SOCKET_ERRORS = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/
/** Driver errors without a code. */
const DRIVER_MESSAGES = /connection terminated|timeout|not queryable|connection error/i

function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string') return SQL_STATES.test(error.code) || SOCKET_ERRORS.test(error.code)
  return DRIVER_MESSAGES.test(error.message)
}
