/** Migrations of the mail database. Every released format has a fixture in test/fixtures/releases. */
import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { version as programVersion } from '#server/platform/installation/version.ts'

/** SQL, or code for what SQL cannot do. Runs in the transaction of the whole upgrade. */
export type MigrationStep = string | ((db: DatabaseSync) => void)

/** `user_version` of a file that has only FIRST_TABLES. */
export const FIRST_FORMAT = 3

/**
 * `message.seq` grows, so new mail is appended and the pages of one second are the pages that expire together.
 * Raw bytes have their own table: listing an inbox or adding authentication results does not touch them. Large ones are stored in pieces,
 * because SQLite copies what it reads and writes; the pieces of message `seq` begin at `no` = seq * 1024.
 * A mailbox without `public_key` was destroyed: the row only keeps its name from being handed out until `expires_at`.
 * A message without `sealed_summary` was removed: the row only tells readers so.
 */
export const FIRST_TABLES = `
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
 * Runs all missing migrations in one transaction: a kill in the middle leaves the old format, and the next start tries again. The file is
 * changed in place, so no second copy needs space.
 */
export function migrate(db: DatabaseSync, from: number, steps: readonly MigrationStep[]): void {
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
