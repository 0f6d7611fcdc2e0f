import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  DeleteQueryNode,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'

/** How long a statement waits for another connection, e.g. of the operator's command, to finish writing. */
const BUSY_MS_MAX = 5000
const BUSY_PAUSE_MS = 5
const SQLITE_BUSY = 5

/** Kysely on `node:sqlite`: Kysely's own SQLite parts with a thin statement wrapper. Closing Kysely closes the database. */
export function nodeSqliteDialect(database: DatabaseSync, onRowsDeleted: () => void): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new RetryingDriver(database, onRowsDeleted),
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

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === SQLITE_BUSY
}

/** SQLite can roll back table changes, though Kysely says otherwise: a kill during a migration leaves nothing half done. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class RetryingDriver extends SqliteDriver {
  readonly #onRowsDeleted: () => void
  #connection: DatabaseConnection | undefined

  constructor(database: DatabaseSync, onRowsDeleted: () => void) {
    super({ database: wrap(database) })
    this.#onRowsDeleted = onRowsDeleted
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= new RetryingConnection(await super.acquireConnection(), this.#onRowsDeleted)
    return this.#connection
  }

  /**
   * A deferred BEGIN that writes later fails at once if another connection wrote in between, however long it waits (SQLITE_BUSY_SNAPSHOT).
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

class RetryingConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection
  readonly #onRowsDeleted: () => void

  constructor(inner: DatabaseConnection, onRowsDeleted: () => void) {
    this.#inner = inner
    this.#onRowsDeleted = onRowsDeleted
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await retryWhileBusy(() => this.#inner.executeQuery<R>(query))
    if (DeleteQueryNode.is(query.query) && (result.rows.length > 0 || result.numAffectedRows)) this.#onRowsDeleted()
    return result
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
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint8Array) return value
  throw new TypeError(`SQLite cannot store a ${typeof value}`)
}
