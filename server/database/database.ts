import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration'
import { MIB } from '#contract/limits.ts'
import { Outage } from '#server/errors.ts'
import { Ballast } from '#server/platform/ballast.ts'
import type { Clock } from '#server/platform/clock.ts'
import { DATABASE_FILES, requireFormat, requireKey, siteFormat } from '#server/platform/formats.ts'
import { operatorCommand, version } from '#server/platform/installation.ts'
import type { Log } from '#server/platform/log.ts'
import { certificateRemedy } from '#server/platform/net/encrypted-stream.ts'
import { parsePostgresUrl } from '#server/platform/net/postgres-url.ts'
import { StartError } from '#server/platform/start-error.ts'
import type { SecretBox } from '../platform/cryptography.ts'
import { type Dialect, migrations } from './migrations.ts'
import { lockMigrations, openPostgres } from './postgres.ts'
import type { DatabaseSchema } from './schema.ts'
import { LogTruncation, nodeSqliteDialect, retryWhileBusy } from './sqlite.ts'

type Opened = AsyncDisposable & {
  readonly db: Kysely<DatabaseSchema>
  /** Whether a database on the network cannot be reached now. */
  isAway(): boolean
  /** From now on. A start that is refused has one message alone. */
  logOutages(): void
}
export type Database = Opened & {
  readonly dialect: Dialect
  /** For what fails in the start after the opening: an outage as a StartError with a remedy, any other error as it is. */
  explain(error: unknown): unknown
}
/** What has rows in the database takes this: the database, what seals them, and the clock that ends them. */
export type DatabaseAccess = Pick<Database, 'db' | 'dialect'> & { readonly secretBox: SecretBox; readonly clock: Clock; readonly log: Log }

type Place = { readonly databaseUrl?: string | undefined; readonly dataDir: string; readonly log?: Log }

/** What accounts and the operator may still write on a full disk: a thousand sign-ins and more. */
const BALLAST_BYTES = 8 * MIB
const UNTIL_BACK =
  'Until it is back, sign-in, forms, API keys and stored API tokens get 503, mail to postmaster 451, and webhooks and push messages of mail are lost. Mail to addresses is taken as before'
/** A process has so many to PostgreSQL. Accounts and messages to the operator need few compared to mail. */
const CONNECTIONS_MAX = { server: 10, command: 4 } as const

/**
 * Opens the site database and migrates it to the newest schema: PostgreSQL if `databaseUrl` is set, else the file `site.db` in `dataDir`.
 * Several processes may do so at once. The operator's commands pass no `identity`.
 * @throws StartError with a remedy if it cannot be used, or belongs to another secret or mail store.
 */
export async function openDatabase({ databaseUrl, dataDir, log }: Place, identity?: Identity): Promise<Database> {
  const dialect = databaseUrl ? 'postgres' : 'sqlite'
  const place = databaseUrl ? describePostgres(databaseUrl) : join(dataDir, DATABASE_FILES.site)
  let opened: Opened | undefined
  try {
    opened = databaseUrl
      ? await openShared(databaseUrl, identity ? CONNECTIONS_MAX.server : CONNECTIONS_MAX.command, log)
      : await openSqlite(dataDir)
    await migrate(opened.db, dialect, place)
    if (identity) await checkIdentity(opened.db, identity, dialect, place)
  } catch (error) {
    await opened?.[Symbol.asyncDispose]()
    throw explainDatabaseError(error, place, databaseUrl)
  }
  const explain = (error: unknown) => (error instanceof Outage ? explainDatabaseError(error, place, databaseUrl) : error)
  return { ...opened, dialect, explain }
}

async function openSqlite(dataDir: string): Promise<Opened> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, DATABASE_FILES.site)
  const database = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true })
  // secure_delete overwrites removed rows in the file; `LogTruncation` does the rest.
  await retryWhileBusy(() => database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on'))
  const ballast = new Ballast(join(dataDir, 'site-ballast'), BALLAST_BYTES)
  const events = { onRowsDeleted: () => truncation.rowsDeleted(), onFull: () => ballast.release() }
  const db: Kysely<DatabaseSchema> = new Kysely({ dialect: nodeSqliteDialect(database, events) })
  const truncation = new LogTruncation(db, path, ballast)
  return {
    db,
    isAway: () => false,
    logOutages: () => undefined,
    async [Symbol.asyncDispose]() {
      await truncation[Symbol.asyncDispose]()
      await db.destroy()
    },
  }
}

async function openShared(url: string, connectionsMax: number, log?: Log): Promise<Opened> {
  const place = describePostgres(url)
  let [isAway, isLogged] = [false, false]
  const onChange = (away: Error | undefined) => {
    isAway = away !== undefined
    if (!isLogged) return
    if (away) log?.error(`${explainDatabaseError(away, place, url).message} ${UNTIL_BACK}`)
    else log?.info(`${place} is back`)
  }
  const db = await openPostgres(url, { connectionsMax, log, onChange })
  return {
    db,
    isAway: () => isAway,
    logOutages: () => {
      isLogged = true
    },
    [Symbol.asyncDispose]: () => db.destroy(),
  }
}

/** Processes that start together on PostgreSQL wait for the one that migrates, and then find nothing to do. */
async function migrate(db: Db, dialect: Dialect, place: string): Promise<void> {
  const steps = migrations(dialect)
  const taken = await takenSteps(db)
  if (taken.length > 0) requireFormat('site', { place, format: siteFormat(taken) ?? 0, writtenBy: await readWriter(db) })
  if (Object.keys(steps).every(name => taken.includes(name))) return
  const takeSteps = async (by: Db) => {
    const { error, results } = await new Migrator({ db: by, provider: { getMigrations: async () => steps } }).migrateToLatest()
    if (error) throw error
    if (results?.length) await writeFact(by, 'written_by', version)
  }
  if (dialect === 'sqlite') await takeSteps(db)
  else await db.transaction().execute(transaction => lockMigrations(transaction).then(() => takeSteps(transaction)))
}

/** Asks of each table of this version what the server asks of it, without effect. Rejects with what the first that cannot be used says. */
export async function tryTables({ db }: Pick<Database, 'db'>): Promise<void> {
  for (const { name, columns } of await ownTables()) {
    const all = columns.map(column => sql.ref(column.name))
    // Nobody sets the first of some, which is a number that the server gives.
    const [table, last] = [sql.table(name), all.at(-1) ?? sql``]
    await sql`select ${sql.join(all)} from ${table} where false`.execute(db)
    await sql`insert into ${table} (${last}) select ${last} from ${table} where false`.execute(db)
    await sql`update ${table} set ${last} = ${last} where false`.execute(db)
    await sql`delete from ${table} where false`.execute(db)
  }
}

const UNHEARD = { onRowsDeleted: () => undefined, onFull: () => false }

/** Makes them as in a new database, in memory. */
async function ownTables() {
  await using db = new Kysely<DatabaseSchema>({ dialect: nodeSqliteDialect(new DatabaseSync(':memory:'), UNHEARD) })
  await migrate(db, 'sqlite', 'memory')
  return await db.introspection.getTables()
}

/** A new database has none: there is no table of migrations yet. */
async function takenSteps(db: Kysely<DatabaseSchema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
  return rows.map(({ name }) => name)
}

/** Reads its format without changing anything. @throws StartError if it cannot be reached. */
export async function readPostgresFormat(databaseUrl: string) {
  const place = describePostgres(databaseUrl)
  try {
    await using opened = await openShared(databaseUrl, 1)
    return { place, format: siteFormat(await takenSteps(opened.db)), writtenBy: await readWriter(opened.db) }
  } catch (error) {
    throw explainDatabaseError(error, place, databaseUrl)
  }
}

/** A newer version may have moved this table. */
async function readWriter(db: Kysely<DatabaseSchema>): Promise<string | undefined> {
  return await readFact(db, 'written_by').catch(() => undefined)
}

type Identity = {
  /** See `deriveKeyCheck`. */
  readonly keyCheck: string
  /** Which mail store this database belongs to. Set with DATABASE_URL, which servers with other mail stores could name too. */
  readonly mailStoreId?: string | undefined
}

type Fact = 'written_by' | 'key_check' | 'mail_store_id'
type Db = Kysely<DatabaseSchema>

/** `undefined` if the database does not say. */
async function readFact(db: Db, name: Fact): Promise<string | undefined> {
  return (await db.selectFrom('about').select('value').where('name', '=', name).executeTakeFirst())?.value
}

export async function writeFact(db: Db, name: Fact, value: string): Promise<void> {
  await db
    .insertInto('about')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Compares the identity, or stores it in a new database. @throws StartError if the database belongs to another secret or mail store. */
async function checkIdentity(db: Db, { keyCheck, mailStoreId }: Identity, dialect: Dialect, place: string): Promise<void> {
  const kept = await claim(db, 'key_check', keyCheck)
  // A PostgreSQL database is described as the start of a sentence, a SQLite one by its path.
  if (dialect === 'postgres') requireKey(kept, keyCheck, `t${place.slice(1)}`, 'name an empty database in DATABASE_URL')
  else requireKey(kept, keyCheck, place)
  if (mailStoreId === undefined || (await claim(db, 'mail_store_id', mailStoreId)) === mailStoreId) return
  throw new StartError(
    `${place} belongs to another mail store, and two mail stores on one database would each refuse the addresses of the other. ` +
      'Start with that mail store (DATA_DIR or MAIL_STORE_URL), or give this server a database of its own with DATABASE_URL. ' +
      `If the other mail store is gone for good, run: ${operatorCommand} adopt-mail-store`,
  )
}

async function claim(db: Db, name: Fact, value: string): Promise<string | undefined> {
  await db
    .insertInto('about')
    .values({ name, value })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return await readFact(db, name)
}

/** The location of a PostgreSQL, without the password. */
function describePostgres(databaseUrl: string): string {
  const { hosts, database } = parsePostgresUrl(databaseUrl)
  const places = hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
  return `The database ${database || '(without a name)'} on ${places.join(' or ')}`
}

/** Turns a driver's error into a sentence with a remedy. */
function explainDatabaseError(error: unknown, place: string, databaseUrl: string | undefined): StartError {
  if (error instanceof StartError) return error
  const cause = rootCause(error)
  const remedy = databaseUrl === undefined ? sqliteProblem(cause) : postgresProblem(cause, parsePostgresUrl(databaseUrl).user)
  return new StartError(`${place} ${remedy ?? `cannot be used: ${cause.message}.`}`, error)
}

type Thrown = Error & { code?: unknown; errcode?: unknown }

/** The innermost error: Kysely and Node wrap it, and a host with two addresses causes one error for each. */
function rootCause(error: unknown): Thrown {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0])
  if (!(error instanceof Error)) return new Error(String(error))
  return error.cause instanceof Error ? rootCause(error.cause) : error
}

const FOREIGN = 'holds tables of another program.'

function postgresProblem(cause: Thrown, user: string): string | undefined {
  const { code, message } = cause
  // The driver closes a connection that does not respond, and the innermost error mentions only the close.
  if (code === undefined && /timeout|terminated unexpectedly/i.test(message))
    return 'does not answer. Start PostgreSQL, open the way to it, or correct DATABASE_URL.'
  if (/no pg_hba\.conf entry/.test(message)) {
    const encrypt = /no encryption|SSL off/.test(message) ? 'Add ?sslmode=verify-full to DATABASE_URL, or a line' : 'Add a line'
    return `does not let this machine in: ${message}. ${encrypt} for this machine, user and database to its pg_hba.conf.`
  }
  const trust = certificateRemedy(cause)
  if (trust !== undefined) return `cannot be reached as DATABASE_URL asks: ${message}. ${trust}`
  // With "SSL encryption" at its end.
  if (/pg_hba\.conf rejects/.test(message)) return letsNobodyIn(message, user)
  if (/SSL|certificate/i.test(message))
    return `cannot be reached as DATABASE_URL asks: ${message}. Correct its sslmode, or the certificate of the server.`
  switch (code) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case '57P03': // cannot_connect_now
      return 'does not take connections. Start PostgreSQL, or correct DATABASE_URL.'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'cannot be found: its host has no address. Correct DATABASE_URL, or the network.'
    case '28P01': // invalid_password
    case '28000': // invalid_authorization_specification
      return letsNobodyIn(message, user)
    case '3D000': // invalid_catalog_name
      return 'does not exist. Create it (createdb), or correct DATABASE_URL.'
    case '42501': // insufficient_privilege
      if (/must be owner/.test(message))
        return `gives the user "${user}" too few rights: ${message}. Make that user its owner, or name another in DATABASE_URL.`
      return /for (?:schema|database)\b/.test(message)
        ? `lets the user "${user}" make no tables: ${message}. Make that user its owner, or name another in DATABASE_URL.`
        : `gives the user "${user}" too few rights: ${message}. Type: grant all on all tables in schema public to "${user}".`
    case '42P01': // undefined_table
    case '42703': // undefined_column
    case '3F000': // invalid_schema_name
      return (
        `lacks what this server has made: ${message}. If somebody renamed it, give it its name back. ` +
        'Else take "search_path" from its user and from it, or restore it from a backup.'
      )
    case '57P05': // idle_session_timeout
      return `cannot be used: ${message}. Set "idle_session_timeout" to 0 for its user.`
    case '25P03': // idle_in_transaction_session_timeout
      return `cannot be used: ${message}. Set "idle_in_transaction_session_timeout" to 0 for its user.`
    case '57014': // query_canceled
      return `cannot be used: ${message}. Set "statement_timeout" to 0 for its user, if it is short.`
    case '55000': // object_not_in_prerequisite_state
      return `cannot be used: ${message}. If somebody shut it, open it: alter database … allow_connections true.`
    case '08P01': // protocol_violation: most refusals of a pooler, too
      return `refuses the connection: ${message}. Correct DATABASE_URL, or the settings of the server or pooler.`
    case '25006': // read_only_sql_transaction
      return (
        'takes no writes: it is a standby, or read-only. Name the primary in DATABASE_URL, or all of them (postgres://db1,db2/mayfly), ' +
        'or give it "default_transaction_read_only off".'
      )
    case '53300': // too_many_connections
      return `has no connection left. ${connectionsRemedy(message)}`
    case '42P07': // duplicate_table
      return `${FOREIGN} Name an empty one in DATABASE_URL.`
    default:
      return undefined
  }
}

const letsNobodyIn = (message: string, user: string) => `does not let the user "${user}" in: ${message}. ${loginRemedy(message, user)}`

/** By what the server says, which has few codes for it. */
function loginRemedy(message: string, user: string): string {
  if (/not permitted to log in/.test(message)) return `Type: alter role "${user}" login.`
  if (/^(?:Ident|Peer) authentication failed|pg_hba\.conf rejects/.test(message))
    return 'Correct the line of its pg_hba.conf for this machine, user and database ("scram-sha-256"), or put one before it.'
  return 'Correct the user and the password in DATABASE_URL, or give them to it again (alter role).'
}

function connectionsRemedy(message: string): string {
  const [limited] = /\b(?:role|database) ".*"/.exec(message) ?? []
  return limited ? `Type: alter ${limited} connection limit -1.` : 'Raise its max_connections, or end other clients.'
}

const SQLITE_FULL = 13

function sqliteProblem({ message, errcode }: Thrown): string | undefined {
  const away = 'Restore it from a backup, or move it away to start with no accounts.'
  if (errcode === SQLITE_FULL) return 'cannot be written: its disk is full. Make room.'
  if (/locked|busy/.test(message)) return 'is being written by another process. Stop that one, or set DATA_DIR to another folder.'
  if (/not a database|malformed|encrypted/.test(message)) return `cannot be used: ${message}. ${away}`
  if (/already exists|duplicate column/.test(message)) return `${FOREIGN} ${away}`
  return undefined
}

/** Any number that no other lock of ours uses. */
const SWEEP_LOCK = 7_201

/** Runs the work unless another process is doing it: deleting the same rows twice only makes each wait for the other. */
export async function sweepAlone({ db, dialect }: Pick<DatabaseAccess, 'db' | 'dialect'>, work: () => Promise<void>): Promise<void> {
  if (dialect === 'sqlite') return await work()
  await db.transaction().execute(async step => {
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${SWEEP_LOCK}) as locked`.execute(step)
    if (rows[0]?.locked) await work()
  })
}
