import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect } from 'kysely'
import { type MigrationProvider, Migrator } from 'kysely/migration'
import { type Dialect, migrations } from './migrations.ts'
import type { SiteSchema } from './schema.ts'
import { nodeSqliteDialect } from './sqlite-dialect.ts'

/** How long a statement waits for another process, e.g. the operator's command, to finish writing. */
const BUSY_TIMEOUT_MS = 5000
/** Connections of one process to PostgreSQL: site data is a trickle beside mail. */
const POSTGRES_CONNECTIONS_MAX = 10
const POSTGRES_CONNECT_TIMEOUT_MS = 10_000
/** PostgreSQL's type number of int8 (pg_type.oid). */
const INT8 = 20

export type SiteDatabase = AsyncDisposable & { readonly db: Kysely<SiteSchema>; readonly dialect: Dialect }

/**
 * Opens the site's database and brings it to the newest shape: PostgreSQL when `databaseUrl` is given, else the file `site.db` in `dataDir`.
 * Several processes may do so at the same time.
 */
export async function openDatabase(place: { databaseUrl?: string | undefined; dataDir: string }): Promise<SiteDatabase> {
  const dialect = place.databaseUrl ? 'postgres' : 'sqlite'
  const db = place.databaseUrl ? await openPostgres(place.databaseUrl) : openSqlite(place.dataDir)
  try {
    await migrate(db, dialect)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return { db, dialect, [Symbol.asyncDispose]: () => db.destroy() }
}

function openSqlite(dataDir: string): Kysely<SiteSchema> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(dataDir, 'site.db'), { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
  // secure_delete: a deleted account's pages are overwritten, not only forgotten (case W33).
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on')
  return new Kysely<SiteSchema>({ dialect: nodeSqliteDialect(database) })
}

async function openPostgres(url: string): Promise<Kysely<SiteSchema>> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    max: POSTGRES_CONNECTIONS_MAX,
    connectionTimeoutMillis: POSTGRES_CONNECT_TIMEOUT_MS,
    types: {
      // Counters and times stay far below 2^53; pg hands int8 out as text.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text'),
    },
  })
  // An idle connection that breaks raises this; the pool replaces it, and the next query tells if the server is gone.
  pool.on('error', () => {})
  return new Kysely<SiteSchema>({ dialect: new PostgresDialect({ pool }) })
}

async function migrate(db: Kysely<SiteSchema>, dialect: Dialect): Promise<void> {
  const provider: MigrationProvider = { getMigrations: async () => migrations(dialect) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) throw new Error('The site database could not be brought to its newest shape', { cause: error })
}
