import { statSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  DeleteQueryNode,
  type Dialect,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
  sql,
} from 'kysely'
import { MIB } from '#contract/limits.ts'
import type { Ballast } from '#server/platform/ballast.ts'
import { ConnectionShares } from './connection-shares.ts'
import type { DatabaseSchema } from './schema.ts'

/** How long a statement waits for another connection, e.g. of the operator's command, to finish writing. */
const BUSY_MS_MAX = 5000
const BUSY_PAUSE_MS = 5
const SQLITE_BUSY = 5
const SQLITE_FULL = 13
/** Statements run one after the other for so long before the event loop gets a turn. */
const RUN_MS_MAX = 10

type Events = {
  onRowsDeleted(): void
  /** The disk is full. `true` if there is more room now. */
  onFull(): boolean
}

/** Kysely on `node:sqlite`: Kysely's own SQLite parts with a thin statement wrapper. Closing Kysely closes the database. */
export function nodeSqliteDialect(database: DatabaseSync, events: Events): Dialect {
  return {
    createAdapter: () => new NodeSqliteAdapter(),
    createDriver: () => new RetryingDriver(database, events),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/**
 * Retries while another connection writes. SQLite's own busy timeout would block this thread, and with it the transaction of another
 * connection in this process that it waits for: a deadlock.
 */
export async function retryWhileBusy<T>(work: () => T | Promise<T>): Promise<T> {
  const givesUpAtMs = performance.now() + BUSY_MS_MAX
  while (true) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= givesUpAtMs) throw error
    }
    await sleep(BUSY_PAUSE_MS)
  }
}

const isBusy = (error: unknown): boolean => resultCode(error) === SQLITE_BUSY

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** There is one, which `ConnectionShares` gives to networks in turn. Kysely would do so in the order of arrival. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /** SQLite can roll back table changes, though Kysely says otherwise: a kill during a migration leaves nothing half done. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class RetryingDriver extends SqliteDriver {
  readonly #database: DatabaseSync
  readonly #events: Events
  readonly #shares = new ConnectionShares(1)
  #connection: DatabaseConnection | undefined
  #turn: Disposable | undefined
  #pausedMs = 0

  constructor(database: DatabaseSync, events: Events) {
    super({ database: wrap(database) })
    this.#database = database
    this.#events = events
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const turn = await this.#shares.take()
    this.#connection ??= new RetryingConnection(await super.acquireConnection(), this.#database, this.#events)
    this.#turn = turn
    return this.#connection
  }

  /** Statements are synchronous: without a turn of the event loop between them, nobody else would be served until the last is done. */
  override async releaseConnection(): Promise<void> {
    const turn = this.#turn
    const now = performance.now()
    if (now - this.#pausedMs < RUN_MS_MAX) return turn?.[Symbol.dispose]()
    this.#pausedMs = now
    setImmediate(() => {
      this.#pausedMs = performance.now()
      turn?.[Symbol.dispose]()
    })
  }

  /**
   * A deferred BEGIN that writes later fails at once if another connection wrote in between, however long it waits (SQLITE_BUSY_SNAPSHOT).
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** On a full disk SQLite has rolled back already. Its error for a second rollback would hide the first one. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection)
  }
}

class RetryingConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection
  readonly #database: DatabaseSync
  readonly #events: Events

  constructor(inner: DatabaseConnection, database: DatabaseSync, events: Events) {
    this.#inner = inner
    this.#database = database
    this.#events = events
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.#executeWithRoom<R>(query)
    if (DeleteQueryNode.is(query.query) && (result.rows.length > 0 || result.numAffectedRows)) this.#events.onRowsDeleted()
    return result
  }

  /** A transaction is not repeated here: SQLite may have rolled it back. Whoever repeats it finds the room. */
  async #executeWithRoom<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const wasInTransaction = this.#database.isTransaction
    try {
      return await retryWhileBusy(() => this.#inner.executeQuery<R>(query))
    } catch (error) {
      if (resultCode(error) !== SQLITE_FULL || !this.#events.onFull() || wasInTransaction) throw error
      return await this.#inner.executeQuery<R>(query)
    }
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#inner.streamQuery(query, chunkSize)
  }
}

function wrap(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql): SqliteStatement {
      const statement = database.prepare(sql)
      return {
        reader: statement.columns().length > 0,
        all: parameters => statement.all(...parameters.map(bindable)),
        run: parameters => statement.run(...parameters.map(bindable)),
        iterate: parameters => statement.iterate(...parameters.map(bindable)),
      }
    },
  }
}

function bindable(value: unknown): SQLInputValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint8Array) return value
  throw new TypeError(`SQLite cannot store a ${typeof value}`)
}

/** Checks the size of the log, so that it works whoever wrote, and costs nothing while nobody writes. */
const CHECK_EVERY_MS = 1000
/** Pause before the next try if another process reads and so keeps the log from being truncated. */
const TRUNCATE_PAUSE_MS = 50
/** The disk must have this much more room before the ballast is created again: others may be about to fill it. */
const BALLAST_MARGIN = 4
/** VACUUM writes the whole file, so it must not run all the time. */
const VACUUM_EVERY_MS = 30_000
/** VACUUM blocks this process: about 10 ms per MiB. While the server is busy, only a small database is rewritten. */
const VACUUM_BYTES_MAX = { open: 4 * MIB, closing: 64 * MIB } as const

/**
 * Removed rows must not stay in the files of an SQLite database. `secure_delete` overwrites them in the database, but
 * - the write-ahead log keeps earlier versions of a page until it is truncated, which SQLite does only when it is closed;
 * - when SQLite moves rows between pages, it leaves copies in unused space, where a later removal does not find them (of 4,000
 * removed rows up to 9). VACUUM rewrites all pages.
 */
export class LogTruncation implements AsyncDisposable {
  readonly #db: Kysely<DatabaseSchema>
  readonly #path: string
  readonly #ballast: Ballast
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isClosed = false
  #hasDeleted = false
  #vacuumAtMs = 0

  /** @param path of the database file */
  constructor(db: Kysely<DatabaseSchema>, path: string, ballast: Ballast) {
    this.#db = db
    this.#path = path
    this.#ballast = ballast
    this.#checkIn(CHECK_EVERY_MS)
  }

  rowsDeleted(): void {
    this.#hasDeleted = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
    await this.#vacuum(VACUUM_BYTES_MAX.closing)
    await this.#truncate()
  }

  #checkIn(pauseMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#check()
    }, pauseMs)
    this.#timer.unref()
  }

  async #check(): Promise<void> {
    // That the folder cannot be read any more is told by whoever writes.
    const isEmpty = await this.#tidyUp().catch(() => true)
    if (!this.#isClosed) this.#checkIn(isEmpty ? CHECK_EVERY_MS : TRUNCATE_PAUSE_MS)
  }

  async #tidyUp(): Promise<boolean> {
    this.#ballast.fill(BALLAST_MARGIN)
    if (performance.now() >= this.#vacuumAtMs) await this.#vacuum(VACUUM_BYTES_MAX.open)
    return await this.#truncate()
  }

  /** `false` if the log must be tried again soon. A full or broken disk is reported by every write, not here. */
  async #truncate(): Promise<boolean> {
    if (fileBytes(`${this.#path}-wal`) === 0) return true
    try {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(this.#db)
      return rows[0]?.busy === 0
    } catch {
      return true
    }
  }

  async #vacuum(bytesMax: number): Promise<void> {
    if (!this.#hasDeleted || fileBytes(this.#path) > bytesMax) return
    this.#hasDeleted = false
    this.#vacuumAtMs = performance.now() + VACUUM_EVERY_MS
    await sql`vacuum`.execute(this.#db).catch(() => this.rowsDeleted())
  }
}

const fileBytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
