import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration'
import { version } from '#server/version.ts'
import { checkIdentity, type Identity, readFact, setFact } from './about.ts'
import { LogTruncation } from './log-truncation.ts'
import { type Dialect, migrations } from './migrations.ts'
import { explainDatabase, newerDatabase, postgresPlace } from './refusals.ts'
import type { DatabaseSchema } from './schema.ts'
import { nodeSqliteDialect, whenFree } from './sqlite-dialect.ts'

/** Connections of one process to PostgreSQL: accounts and messages to the operator are a trickle beside mail. */
const POSTGRES_CONNECTIONS_MAX = 10
const POSTGRES_CONNECT_TIMEOUT_MS = 10_000
/** PostgreSQL's type number of int8 (pg_type.oid). */
const INT8 = 20

type Opened = AsyncDisposable & { readonly db: Kysely<DatabaseSchema> }
export type Database = Opened & { readonly dialect: Dialect }

type Place = { readonly databaseUrl?: string | undefined; readonly dataDir: string }

/**
 * Opens the server's own database and brings it to the newest shape: PostgreSQL when `databaseUrl` is given, else the file `site.db` in `dataDir`.
 * Several processes may do so at the same time. The operator's commands leave `identity` out.
 * @throws StartError with a remedy when it cannot be used, or belongs to another secret or mail store.
 */
export async function openDatabase({ databaseUrl, dataDir }: Place, identity?: Identity): Promise<Database> {
  const dialect = databaseUrl ? 'postgres' : 'sqlite'
  const place = databaseUrl ? postgresPlace(databaseUrl) : join(dataDir, 'site.db')
  let opened: Opened | undefined
  try {
    opened = databaseUrl ? await openPostgres(databaseUrl) : await openSqlite(dataDir)
    await migrate(opened.db, dialect, place)
    if (identity) await checkIdentity(opened.db, identity, place)
  } catch (error) {
    await opened?.[Symbol.asyncDispose]()
    throw explainDatabase(error, place, databaseUrl)
  }
  return { ...opened, dialect }
}

async function openSqlite(dataDir: string): Promise<Opened> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'site.db')
  const database = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true })
  // secure_delete overwrites removed rows in the file; log-truncation.ts does the rest.
  await whenFree(() => database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on'))
  const db: Kysely<DatabaseSchema> = new Kysely({ dialect: nodeSqliteDialect(database, () => truncation.rowsDeleted()) })
  const truncation = new LogTruncation(db, path)
  return {
    db,
    async [Symbol.asyncDispose]() {
      await truncation[Symbol.asyncDispose]()
      await db.destroy()
    },
  }
}

async function openPostgres(url: string): Promise<Opened> {
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
  const db = new Kysely<DatabaseSchema>({ dialect: new PostgresDialect({ pool }) })
  return { db, [Symbol.asyncDispose]: () => db.destroy() }
}

async function migrate(db: Kysely<DatabaseSchema>, dialect: Dialect, place: string): Promise<void> {
  const steps = migrations(dialect)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => steps } })
  if ((await takenSteps(db)).some(name => !(name in steps))) throw newerDatabase(place, await readWriter(db))
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  if (results?.length) await setFact(db, 'written_by', version)
}

/** None when the database is new: there is no table of steps yet. */
async function takenSteps(db: Kysely<DatabaseSchema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
  return rows.map(({ name }) => name)
}

/** A newer version may have moved the table that tells. */
async function readWriter(db: Kysely<DatabaseSchema>): Promise<string | undefined> {
  return await readFact(db, 'written_by').catch(() => undefined)
}
