/** PostgreSQL behind Kysely: a pool in which a broken connection fails only the request that used it. */
import { TLSSocket } from 'node:tls'
import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import type { ClientBase, ClientConfig } from 'pg'
import { AppError, Outage } from '#server/errors.ts'
import { createLogInterval, type Log } from '#server/platform/log.ts'
import { type PostgresAddress, parsePostgresUrl } from '#server/platform/net/postgres-url.ts'
import { ConnectionShares } from './connection-shares.ts'
import type { DatabaseSchema } from './schema.ts'

/** PostgreSQL's type id of int8 (pg_type.oid). */
const INT8 = 20
const CONNECT_TIMEOUT_MS = 10_000
/** Without it, a server that vanishes (a pulled cable) would keep queries waiting for a quarter of an hour. Ours take milliseconds. */
const QUERY_TIMEOUT_MS = 30_000
const KEEP_ALIVE_AFTER_MS = 10_000
const RETRY_SECONDS = 2
/** Queries that are given up are logged once in this time. */
const LOG_EVERY_MS = 10_000
/** Nothing fails for this long before the server counts as back, so that one that comes and goes does not fill the log. */
const CALM_MS = 5000

type PostgresOptions = {
  readonly connectionsMax: number
  readonly log: Log | undefined
  /** Called with the error when a server that was there is away, and with nothing when it is back. */
  readonly onChange: (away: Error | undefined) => void
}

/** Every query rejects with `Outage` while no server of `url` can be reached that takes writes. */
export async function openPostgres(url: string, { connectionsMax, log, onChange }: PostgresOptions): Promise<Kysely<DatabaseSchema>> {
  const { default: pg } = await import('pg')
  const hosts = new HostChoice(parsePostgresUrl(url))
  class ChosenClient extends pg.Client {
    constructor(options?: ClientConfig) {
      super({ ...options, connectionString: hosts.url })
    }
  }
  const pool = new pg.Pool({
    Client: ChosenClient,
    ...(hosts.count > 1 && { verify: requireWritable }),
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
  const fairPool = resilientPool(pool, {
    hosts,
    log,
    onChange,
    shares: new ConnectionShares(connectionsMax),
  })
  const dialect = new PostgresDialect({ pool: fairPool })
  return new Kysely({ dialect: Object.assign(dialect, { createAdapter: () => new TransactionAdapter() }) })
}

/** The one that Kysely takes, so that processes of other versions wait for each other too. */
const MIGRATION_LOCK = 3_853_314_791_062_309_107n

/** Until the transaction ends. A lock of a session would stay in a pooler that gives each transaction another session. */
export async function lockMigrations(db: Kysely<DatabaseSchema>): Promise<void> {
  const { rows } = await sql.raw<ReadOnly>(IS_READ_ONLY).execute(db)
  const error = whyReadOnly(rows)
  if (error) throw error
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(db)
}

/** Takes no lock by itself: `lockMigrations` was called before the first statement. */
class TransactionAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** When the first certificate expires of those that its servers show. `undefined` where `url` asks for no encryption. */
export async function readPostgresCertificate(url: string): Promise<number | undefined> {
  const reads = parsePostgresUrl(url).urls.map(readCertificate)
  // A standby may be away, but one of them answers.
  await Promise.any(reads)
  const found = await Promise.allSettled(reads)
  const times = found.flatMap(one => (one.status === 'fulfilled' && one.value !== undefined ? [one.value] : []))
  return times.length > 0 ? Math.min(...times) : undefined
}

async function readCertificate(connectionString: string): Promise<number | undefined> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { stream } = client.connection
    return stream instanceof TLSSocket ? Date.parse(stream.getPeerCertificate().valid_to) : undefined
  } finally {
    await client.end()
  }
}

/** Which of the servers new connections go to: the one that worked last. */
class HostChoice {
  readonly #urls: PostgresAddress['urls']
  #index = 0

  constructor({ urls }: PostgresAddress) {
    this.#urls = urls
  }

  get count(): number {
    return this.#urls.length
  }

  get url(): string {
    return this.#urls[this.#index] ?? ''
  }

  /** Several connections fail at once, and together they go one host on. */
  failed(url: string): void {
    if (url === this.url) this.#index = (this.#index + 1) % this.count
  }
}

/** Rejects a standby, and a server that an administrator has made read-only, with the code of a refused write. */
function requireWritable(client: ClientBase, done: (error?: Error) => void): void {
  client.query<ReadOnly>(IS_READ_ONLY).then(({ rows }) => done(whyReadOnly(rows)), done)
}

type ReadOnly = { readonly isReadOnly: boolean }
const IS_READ_ONLY = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`

function whyReadOnly([row]: readonly ReadOnly[]): Error | undefined {
  return row?.isReadOnly ? Object.assign(new Error('It takes no writes'), { code: READ_ONLY }) : undefined
}

type Pool = Omit<PostgresPool, 'connect'> & { connect(): Promise<PostgresPoolClient> }

/** A query and how many parameters it has: what they are is nobody's business. */
type Asked = { readonly text: string; readonly parameters: number }

/** Whether the server is there, by the queries that are asked anyway: the operator's rules are, every second. */
class Reachability {
  readonly #onChange: PostgresOptions['onChange']
  readonly #isPlanned: (asked: Asked) => Promise<boolean>
  // A start that cannot reach the server has its own error message.
  #wasReached = false
  #isAway = false
  #failedAtMs = 0
  /** It lacked a table or a right. Other queries have their replies, and say nothing of it. */
  #lacking: Asked | undefined
  #isTrying = false

  /** `isPlanned`: whether a query has the tables and rights that it needs. */
  constructor(onChange: PostgresOptions['onChange'], isPlanned: (asked: Asked) => Promise<boolean>) {
    this.#onChange = onChange
    this.#isPlanned = isPlanned
  }

  failed(error: Error, asked?: Asked): void {
    this.#failedAtMs = performance.now()
    if (asked && isLack(error)) this.#lacking = asked
    if (this.#isAway || !this.#wasReached) return
    this.#isAway = true
    this.#onChange(error)
  }

  replied(): void {
    this.#wasReached = true
    if (!this.#isAway || this.#isTrying || performance.now() - this.#failedAtMs < CALM_MS) return
    if (this.#lacking) void this.#tryAgain(this.#lacking)
    else this.#end()
  }

  async #tryAgain(asked: Asked): Promise<void> {
    const triedAtMs = performance.now()
    this.#isTrying = true
    const isOver = await this.#isPlanned(asked).catch(() => false)
    this.#isTrying = false
    if (!isOver) this.#failedAtMs = performance.now()
    else if (this.#failedAtMs < triedAtMs) this.#end()
  }

  #end(): void {
    this.#lacking = undefined
    this.#isAway = false
    this.#onChange(undefined)
  }
}

type Resilience = {
  readonly hosts: HostChoice
  readonly log: Log | undefined
  readonly onChange: PostgresOptions['onChange']
  readonly shares: ConnectionShares
}

/** Wraps a pool so that clients get its connections in turn, and broken ones are not reused and reject with `unavailable`. */
function resilientPool(pool: Pool, { hosts, log, onChange, shares }: Resilience): PostgresPool {
  const atIntervals = createLogInterval(LOG_EVERY_MS)
  const reachability = new Reachability(onChange, isPlanned)
  const refuse = (error: Error, asked?: Asked): Outage => {
    reachability.failed(error, asked)
    return new Outage('unavailable', { cause: error, retryAfterSeconds: RETRY_SECONDS })
  }
  const explain = (error: unknown, asked: Asked): unknown => {
    if (isAway(error)) return refuse(error, asked)
    if (!isGivenUp(error)) return error
    atIntervals(() => log?.error({ err: error }, 'The database gave up a query'))
    return new AppError('unavailable', { cause: error, retryAfterSeconds: RETRY_SECONDS })
  }
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const turn = await shares.take()
      try {
        return resilientClient(await connect(), turn, reachability, explain)
      } catch (error) {
        turn[Symbol.dispose]()
        throw error
      }
    },
  }

  /** Over a connection of its own: what fails in a transaction ends that. What cannot be planned, such as `comment`, counts as planned. */
  async function isPlanned({ text, parameters }: Asked): Promise<boolean> {
    using _turn = await shares.take()
    const client = await connect()
    try {
      await client.query(`explain ${text}`, Array(parameters).fill(null))
      return true
    } catch (error) {
      return !isLack(error) && !isAway(error)
    } finally {
      client.release()
    }
  }

  async function connect(): Promise<PostgresPoolClient> {
    let refusal: Error | undefined
    for (let triesLeft = hosts.count; ; ) {
      const { url } = hosts
      try {
        return await pool.connect()
      } catch (error) {
        // Whatever lets nobody in is an outage, such as a role that was renamed.
        if (!(error instanceof Error)) throw error
        hosts.failed(url)
        // One of several servers is usually a standby or away, which explains nothing.
        if (!isAway(error)) refusal ??= error
        if (--triesLeft === 0) throw refuse(refusal ?? error)
      }
    }
  }
}

function resilientClient(
  client: PostgresPoolClient,
  turn: Disposable,
  reachability: Reachability,
  explain: (error: unknown, asked: Asked) => unknown,
): PostgresPoolClient {
  let isBroken = false
  let aborted: { readonly error: unknown; readonly asked: Asked } | undefined
  const query = async (sql: string, parameters: readonly unknown[]) => {
    try {
      const result = await client.query(sql, parameters)
      reachability.replied()
      return result
    } catch (error) {
      isBroken ||= isAway(error) || isGivenUp(error)
      // Kysely's migrator asks on after a refusal, and would report only that the transaction is aborted.
      if (!aborted || !isAborted(error)) aborted = { error, asked: { text: sql, parameters: parameters?.length ?? 0 } }
      throw explain(aborted.error, aborted.asked)
    }
  }
  const release = (destroy?: boolean) => {
    client.release(destroy || isBroken)
    turn[Symbol.dispose]()
  }
  return { query: query as PostgresPoolClient['query'], release }
}

/** PostgreSQL's codes for a connection failure, and a server that stops, starts, is full or read-only, or has other tables or rights. */
const AWAY_STATES = /^(?:08|53|57P|25006|25P03|3F000|42501|42703|42P01)/
/** For a right, a column and a table that a query lacks. */
const LACK_STATES = /^(?:42501|42703|42P01)/
const READ_ONLY = '25006'
/** For a deadlock, a lock and a cancelled query. */
const GIVEN_UP_STATES = /^(?:40001|40P01|55P03|57014)/
const SOCKET_ERRORS = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/
/** Driver errors without a code. */
const DRIVER_MESSAGES = /connection terminated|timeout|not queryable|connection error/i

function isAway(error: unknown): error is Error {
  if (error instanceof AggregateError) return error.errors.some(isAway)
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code === undefined) return DRIVER_MESSAGES.test(error.message)
  return AWAY_STATES.test(code) || SOCKET_ERRORS.test(code) || /statement timeout$/.test(error.message)
}

const isLack = (error: unknown) => error instanceof Error && LACK_STATES.test(codeOf(error) ?? '')

const isGivenUp = (error: unknown) => error instanceof Error && GIVEN_UP_STATES.test(codeOf(error) ?? '')

/** PostgreSQL's code for a query in a transaction in which an earlier one has failed. */
const isAborted = (error: unknown) => error instanceof Error && codeOf(error) === '25P02'

const codeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : undefined)
