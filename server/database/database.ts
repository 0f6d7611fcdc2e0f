import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration'
import { version } from '#server/platform/installation/version.ts'
import type { Log } from '#server/platform/log.ts'
import { checkIdentity, type Identity, readFact, writeFact } from './about.ts'
import { LogTruncation } from './log-truncation.ts'
import { type Dialect, migrations } from './migrations.ts'
import { openPostgres } from './postgres.ts'
import { describePostgres, explainDatabaseError, newerDatabaseError } from './refusals.ts'
import type { DatabaseSchema } from './schema.ts'
import { nodeSqliteDialect, retryWhileBusy } from './sqlite-dialect.ts'

type Opened = AsyncDisposable & { readonly db: Kysely<DatabaseSchema> }
export type Database = Opened & { readonly dialect: Dialect }

type Place = {
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
  /** Connections of this process to PostgreSQL. */
  readonly databaseConnectionsMax?: number
  readonly log?: Log
}

/** Default for `connectionsMax`. */
const CONNECTIONS_MAX_DEFAULT = 4

/**
 * Opens the site database and migrates it to the newest schema: PostgreSQL if `databaseUrl` is set, else the file `site.db` in `dataDir`.
 * Several processes may do so at once. The operator's commands pass no `identity`.
 * @throws StartError with a remedy if it cannot be used, or belongs to another secret or mail store.
 */
export async function openDatabase(options: Place, identity?: Identity): Promise<Database> {
  const { databaseUrl, dataDir } = options
  const dialect = databaseUrl ? 'postgres' : 'sqlite'
  const place = databaseUrl ? describePostgres(databaseUrl) : join(dataDir, 'site.db')
  let opened: Opened | undefined
  try {
    opened = databaseUrl ? await openShared(databaseUrl, options) : await openSqlite(dataDir)
    await migrate(opened.db, dialect, place)
    if (identity) await checkIdentity(opened.db, identity, place)
  } catch (error) {
    await opened?.[Symbol.asyncDispose]()
    throw explainDatabaseError(error, place, databaseUrl)
  }
  return { ...opened, dialect }
}

async function openSqlite(dataDir: string): Promise<Opened> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'site.db')
  const database = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true })
  // secure_delete overwrites removed rows in the file; log-truncation.ts does the rest.
  await retryWhileBusy(() => database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on'))
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

async function openShared(url: string, { databaseConnectionsMax: connectionsMax = CONNECTIONS_MAX_DEFAULT, log }: Place): Promise<Opened> {
  const db = await openPostgres({ url, connectionsMax, log })
  return { db, [Symbol.asyncDispose]: () => db.destroy() }
}

/** Kysely holds a PostgreSQL advisory lock meanwhile: of processes that start together, one migrates and the others find nothing to do. */
async function migrate(db: Kysely<DatabaseSchema>, dialect: Dialect, place: string): Promise<void> {
  const steps = migrations(dialect)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => steps } })
  if ((await takenSteps(db)).some(name => !(name in steps))) throw newerDatabaseError(place, await readWriter(db))
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  if (results?.length) await writeFact(db, 'written_by', version)
}

/** A new database has none: there is no table of migrations yet. */
async function takenSteps(db: Kysely<DatabaseSchema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
  return rows.map(({ name }) => name)
}

/** A newer version may have moved this table. */
async function readWriter(db: Kysely<DatabaseSchema>): Promise<string | undefined> {
  return await readFact(db, 'written_by').catch(() => undefined)
}
