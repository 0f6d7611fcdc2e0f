/** The tables of the mail database, from those of the first format on, and the facts it keeps about itself. */
import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { version as programVersion } from '#server/platform/installation.ts'

/** SQL, or code for what SQL cannot do. Runs in the transaction of the whole upgrade. */
export type MigrationStep = string | ((db: DatabaseSync) => void)

/** `user_version` of a file that has only FIRST_TABLES: the format of 0.1.0. */
export const FIRST_FORMAT = 8

/**
 * `message.seq` grows, so new mail is appended and the pages of one second are the pages that expire together.
 * Raw bytes have their own table: listing an inbox or adding authentication results does not touch them. Large ones are stored in pieces,
 * because SQLite copies what it reads and writes; the pieces of message `seq` begin at `no` = seq * 1024.
 * A mailbox without `public_key` was destroyed: the row only keeps its name from being handed out until `expires_at`. Without `mac` it
 * receives nothing: who can write the file could make any row look like that.
 * A message without `sealed_summary` was removed: the row only tells readers so. Its `cursor` moves when it is annotated; what arrived
 * after it is found by `arrival_cursor`.
 * `about` has facts about the database.
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
    cursor INTEGER NOT NULL DEFAULT 0,
    mac BLOB
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
    sealed_annotation BLOB,
    arrival_cursor INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX message_by_id ON message (mailbox, message_id);
  CREATE UNIQUE INDEX message_by_cursor ON message (mailbox, cursor);
  CREATE INDEX message_removed ON message (mailbox, cursor) WHERE sealed_summary IS NULL;
  CREATE TABLE raw (no INTEGER PRIMARY KEY, piece BLOB NOT NULL) STRICT;
  CREATE TABLE about (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
`

/**
 * The first leads from FIRST_FORMAT to the next format, and so on. To change the tables, add a migration at the end; new databases run the
 * same ones. Never edit a released one, because existing databases have already run it.
 */
export const MIGRATIONS: readonly MigrationStep[] = []

/** In an empty database, in one transaction. */
export function createTables(db: DatabaseSync): void {
  db.exec(`BEGIN IMMEDIATE; ${FIRST_TABLES}; PRAGMA user_version = ${FIRST_FORMAT}`)
  writeMailFact(db, 'store_id', randomBytes(16).toString('base64url'))
  writeMailFact(db, 'written_by', programVersion)
  db.exec('COMMIT')
}

/**
 * Migrations of the mail database. Every released format has a fixture in test/fixtures/releases. Runs all missing migrations in one
 * transaction: a kill in the middle leaves the old format, and the next start tries again. The file is changed in place, so no second copy
 * needs space.
 */
export function migrate(db: DatabaseSync, from: number, steps: readonly MigrationStep[]): void {
  const missing = steps.slice(from - FIRST_FORMAT)
  if (missing.length === 0) return
  db.exec('BEGIN IMMEDIATE')
  try {
    for (const step of missing) typeof step === 'string' ? db.exec(step) : step(db)
    writeMailFact(db, 'written_by', programVersion)
    db.exec(`PRAGMA user_version = ${FIRST_FORMAT + steps.length}; COMMIT`)
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** `clock`: the time of the last change, so that a clock set back during a restart does not revive expired mail. */
type Fact = 'written_by' | 'store_id' | 'key_check' | 'clock'

/** A fact about the database; `undefined` when it is not stored, or the database is older than the table. */
export function readMailFact(db: DatabaseSync, fact: Fact): string | undefined {
  if (!db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'about'").get()) return undefined
  const value = db.prepare('SELECT value FROM about WHERE name = ?').get(fact)?.value
  return value === undefined ? undefined : String(value)
}

export function writeMailFact(db: DatabaseSync, fact: Fact, value: string): void {
  db.prepare('INSERT INTO about (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value').run(fact, value)
}
