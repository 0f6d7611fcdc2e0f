/** Opens the mail database file, or refuses with a reason. Its tables are in migrations.ts. */
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { version as programVersion } from '#server/platform/installation.ts'
import { StartError, wrongSecretMessage } from '#server/platform/start-error.ts'

const APPLICATION_ID = 0x4d617966 // "Mayf"
/** Pages of 16 kB hold a 4 kB mail in place; with SQLite's usual 4 kB ones each spills into overflow pages (measured: a third slower). */
export const PAGE_BYTES = 16_384
/** How long a start waits for the previous process to release the file. */
const BUSY_TIMEOUT_MS = 3000
/** A full check reads the whole file, about 0.3 s for this much; a larger file is checked page by page as it is used. */
const CHECK_BYTES_MAX = 256 * 1024 * 1024
/**
 * SQLite's page cache: a burst fits into it, and a message of 25 MiB is written to the log piece by piece instead of being kept in memory.
 */
const CACHE_KIB = 8 * 1024
/** Rows of `raw` a message may have. */
export const RAW_PIECES_MAX = 1024

type Opening = {
  /** See `deriveKeyCheck`: stored at the first opening, compared at every later one. Missing where no secret is available. */
  readonly keyCheck?: string | undefined
  /** For tests of upgrades. */
  readonly steps?: readonly MigrationStep[]
}

/**
 * Opens `folder/mail.db` for this process alone. Creates it at the first start, and upgrades an older one to this version's format.
 * @throws StartError when the folder cannot be written, another process has the file, the file is not a whole mail database,
 * a newer version wrote it, or it belongs to another secret.
 */
export function openDatabase(folder: string, { keyCheck, steps = MIGRATIONS }: Opening = {}): DatabaseSync {
  const path = join(folder, 'mail.db')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!existsSync(path)) createDatabase(path)
  if (statSync(path).size === 0) throw unusable(path, 'it is empty, and a mail database never is')
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  try {
    prepareConnection(db, path)
    const format = checkDatabase(db, path, FIRST_FORMAT + steps.length)
    upgrade(db, path, format, steps)
    if (keyCheck !== undefined) checkKey(db, path, keyCheck)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

// Created under another name and then linked: an empty or incomplete mail.db is always damage, never an interrupted first start, and of two
// first starts at once neither replaces the other's file.
function createDatabase(path: string): void {
  if (existsSync(`${path}-wal`)) throw unusable(path, 'it is missing, but its write-ahead log mail.db-wal is there')
  const draft = `${path}.${randomUUID()}.new`
  const db = new DatabaseSync(draft)
  try {
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA synchronous = FULL; PRAGMA application_id = ${APPLICATION_ID}`)
    db.exec(`BEGIN IMMEDIATE; ${FIRST_TABLES}; PRAGMA user_version = ${FIRST_FORMAT}; COMMIT`)
  } finally {
    db.close()
  }
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function prepareConnection(db: DatabaseSync, path: string): void {
  try {
    // One process owns the file; the lock dies with the process, so a kill leaves nothing to clean up.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; COMMIT')
  } catch (error) {
    if (error instanceof Error && /locked|busy/.test(error.message)) {
      throw new StartError(`Another process is using ${path}. Stop it, or set DATA_DIR to another folder.`, error)
    }
    throw unusable(path, errorText(error), error)
  }
  // FULL: the log is on the disk before a commit returns. Checkpoints are run between commits, not inside one.
  db.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY')
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
}

/** The format the file is in. */
function checkDatabase(db: DatabaseSync, path: string, newestFormat: number): number {
  const pragma = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]
  if (pragma('application_id') !== APPLICATION_ID) throw unusable(path, 'it is not a mail database of this program')
  const format = Number(pragma('user_version'))
  if (format > newestFormat) throw newer(path, readFact(db, 'written_by'))
  if (format < FIRST_FORMAT) throw unusable(path, 'a build from before version 0.1.0 wrote it, and no version can read it any more')
  if (statSync(path).size > CHECK_BYTES_MAX) return format
  const finding = pragma('quick_check(1)')
  if (finding !== 'ok') throw unusable(path, String(finding))
  return format
}

function upgrade(db: DatabaseSync, path: string, format: number, steps: readonly MigrationStep[]): void {
  try {
    migrate(db, format, steps)
  } catch (error) {
    const sentence = `${path} could not be brought to the format of this version (${errorText(error)}). Nothing in it was changed.`
    throw new StartError(`${sentence} Make room on its disk if that is full, or start the version that wrote it.`, error)
  }
}

function checkKey(db: DatabaseSync, path: string, keyCheck: string): void {
  const kept = readFact(db, 'key_check')
  if (kept === undefined) writeFact(db, 'key_check', keyCheck)
  else if (kept !== keyCheck) throw new StartError(wrongSecretMessage(path))
}

function newer(path: string, writtenBy: string | undefined): StartError {
  const writer = writtenBy === undefined ? 'a newer version' : `version ${writtenBy}`
  return new StartError(
    `${path} was written by ${writer} of this program, and this is version ${programVersion}, which cannot read it. ` +
      'Start that version or a later one, or restore the backup that was made before the upgrade.',
  )
}

function unusable(path: string, reason: string, cause?: unknown): StartError {
  return new StartError(`${path} cannot be used: ${reason}. Restore it from a backup, or move it away to start with no mailboxes.`, cause)
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** SQL, or code for what SQL cannot do. Runs in the transaction of the whole upgrade. */
type MigrationStep = string | ((db: DatabaseSync) => void)

/** `user_version` of a file that has only FIRST_TABLES. */
export const FIRST_FORMAT = 3

/**
 * `message.seq` grows, so new mail is appended and the pages of one second are the pages that expire together.
 * Raw bytes have their own table: listing an inbox or adding authentication results does not touch them. Large ones are stored in pieces,
 * because SQLite copies what it reads and writes; the pieces of message `seq` begin at `no` = seq * 1024.
 * A mailbox without `public_key` was destroyed: the row only keeps its name from being handed out until `expires_at`.
 * A message without `sealed_summary` was removed: the row only tells readers so.
 */
const FIRST_TABLES = `
  CREATE TABLE mailbox (
    no INTEGER PRIMARY KEY AUTOINCREMENT,
    mailbox_id BLOB UNIQUE CHECK (length(mailbox_id) = 16),
    token_hash BLOB,
    public_key BLOB,
    sealed_address BLOB,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    sweep_at INTEGER NOT NULL,
    message_count INTEGER NOT NULL DEFAULT 0 CHECK (message_count >= 0),
    bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0),
    cursor INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX mailbox_sweep ON mailbox (sweep_at);
  CREATE TABLE message (
    seq INTEGER PRIMARY KEY,
    mailbox INTEGER NOT NULL,
    cursor INTEGER NOT NULL,
    message_id BLOB NOT NULL CHECK (length(message_id) = 16),
    received_at INTEGER NOT NULL,
    raw_bytes INTEGER NOT NULL,
    sealed_summary BLOB,
    sealed_annotation BLOB
  ) STRICT;
  CREATE UNIQUE INDEX message_by_id ON message (mailbox, message_id);
  CREATE UNIQUE INDEX message_by_cursor ON message (mailbox, cursor);
  CREATE INDEX message_removed ON message (mailbox, cursor) WHERE sealed_summary IS NULL;
  CREATE TABLE raw (no INTEGER PRIMARY KEY, piece BLOB NOT NULL) STRICT;
`

/**
 * The first leads from FIRST_FORMAT to the next format, and so on. To change the tables, add a migration at the end; new databases run the
 * same ones. Never edit a released one, because existing databases have already run it.
 */
export const MIGRATIONS: readonly MigrationStep[] = [
  db => {
    // Facts about the database: which version wrote it, the id of the store, the check value of its secret.
    db.exec('CREATE TABLE about (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID')
    writeFact(db, 'store_id', randomBytes(16).toString('base64url'))
  },
  // `cursor` moves when a message is annotated; what arrived after it is found by where it arrived.
  'ALTER TABLE message ADD COLUMN arrival_cursor INTEGER NOT NULL DEFAULT 0; UPDATE message SET arrival_cursor = cursor',
  // Rows without one keep NULL: who can write the file could make any row look like that, so they receive nothing.
  'ALTER TABLE mailbox ADD COLUMN mac BLOB',
  // The tables stay: from here on a message may have a salt after its encapsulated key, which earlier builds cannot open.
  '',
  // The tables stay: from here on an address is encrypted with a key derived from the token.
  '',
]

/**
 * Migrations of the mail database. Every released format has a fixture in test/fixtures/releases. Runs all missing migrations in one
 * transaction: a kill in the middle leaves the old format, and the next start tries again. The file is changed in place, so no second copy
 * needs space.
 */
function migrate(db: DatabaseSync, from: number, steps: readonly MigrationStep[]): void {
  const missing = steps.slice(from - FIRST_FORMAT)
  if (missing.length === 0) return
  db.exec('BEGIN IMMEDIATE')
  try {
    for (const step of missing) typeof step === 'string' ? db.exec(step) : step(db)
    writeFact(db, 'written_by', programVersion)
    db.exec(`PRAGMA user_version = ${FIRST_FORMAT + steps.length}; COMMIT`)
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** `clock`: the time of the last change, so that a clock set back during a restart does not revive expired mail. */
type Fact = 'written_by' | 'store_id' | 'key_check' | 'clock'

/** A fact about the database; `undefined` when it is not stored, or the database is older than the table. */
export function readFact(db: DatabaseSync, fact: Fact): string | undefined {
  if (!db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'about'").get()) return undefined
  const value = db.prepare('SELECT value FROM about WHERE name = ?').get(fact)?.value
  return value === undefined ? undefined : String(value)
}

export function writeFact(db: DatabaseSync, fact: Fact, value: string): void {
  db.prepare('INSERT INTO about (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value').run(fact, value)
}
