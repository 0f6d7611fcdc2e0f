/** The mail database: its file, its shape, and what makes it refuse to open. */
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const APPLICATION_ID = 0x4d617966 // "Mayf"
const SCHEMA_VERSION = 3
/** Pages of 16 kB hold a 4 kB mail in place; with SQLite's usual 4 kB ones each spills into overflow pages (measured: a third slower). */
export const PAGE_BYTES = 16_384
/** How long a start waits for the process before it to let go of the file. */
const BUSY_TIMEOUT_MS = 3000
/** A full check reads the whole file, about 0.3 s for this much; a larger file is checked page by page as it is used. */
const CHECK_BYTES_MAX = 256 * 1024 * 1024
/** Pages SQLite keeps: a burst fits, and a message of 25 MiB is written on to the log in passing instead of being held whole (G3). */
const CACHE_KIB = 8 * 1024
/** Rows of `raw` a message may have. */
export const RAW_PIECES_MAX = 1024

/**
 * `message.seq` grows, so new mail is appended and the pages of one second are the pages that expire together.
 * Raw bytes have a table of their own: an inbox is listed, and a verdict added, without touching them. Large ones stand in pieces,
 * because SQLite copies what it is given and what it gives; the pieces of message `seq` begin at `no` = seq * 1024.
 * A mailbox without `public_key` was destroyed: the row only keeps its name from being handed out until `expires_at`.
 * A message without `sealed_summary` was removed: the row only tells readers so.
 */
const SCHEMA = `
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
 * Opens `folder/mail.db` for this process alone, making it at first start.
 * @throws Error in plain words when the folder cannot be written, another process has the file, or the file is not a whole mail database of this version.
 */
export function openDatabase(folder: string): DatabaseSync {
  const path = join(folder, 'mail.db')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!existsSync(path)) createDatabase(path)
  if (statSync(path).size === 0) throw unusable(path, 'it is empty, and a mail database never is')
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  try {
    prepareConnection(db, path)
    checkDatabase(db, path)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

// Made under another name and moved in place whole: an empty or half-made mail.db is always damage, never a first start cut short.
function createDatabase(path: string): void {
  if (existsSync(`${path}-wal`)) throw unusable(path, 'it is missing, but its write-ahead log mail.db-wal is there')
  const draft = `${path}.new`
  rmSync(draft, { force: true })
  const db = new DatabaseSync(draft)
  try {
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA synchronous = FULL; PRAGMA application_id = ${APPLICATION_ID}`)
    db.exec(`BEGIN IMMEDIATE; ${SCHEMA}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`)
  } finally {
    db.close()
  }
  renameSync(draft, path)
}

function prepareConnection(db: DatabaseSync, path: string): void {
  try {
    // One process owns the file (F25); the lock dies with the process, so a kill leaves nothing to clean up.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; COMMIT')
  } catch (error) {
    if (error instanceof Error && /locked|busy/.test(error.message)) {
      throw new Error(`Another process is using ${path}. Stop it, or set DATA_DIR to another folder.`, { cause: error })
    }
    throw unusable(path, error instanceof Error ? error.message : String(error), error)
  }
  // FULL: the log is on the disk before a commit returns (F02). Checkpoints are run between commits, not inside one.
  db.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY')
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
}

function checkDatabase(db: DatabaseSync, path: string): void {
  const pragma = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]
  if (pragma('application_id') !== APPLICATION_ID) throw unusable(path, 'it is not a mail database of this program')
  const version = Number(pragma('user_version'))
  if (version > SCHEMA_VERSION)
    throw unusable(path, `a newer version of this program wrote it (schema ${version}, this one knows ${SCHEMA_VERSION})`)
  if (version !== SCHEMA_VERSION) throw unusable(path, `its schema version is ${version}, not ${SCHEMA_VERSION}`)
  if (statSync(path).size > CHECK_BYTES_MAX) return
  const finding = pragma('quick_check(1)')
  if (finding !== 'ok') throw unusable(path, String(finding))
}

function unusable(path: string, reason: string, cause?: unknown): Error {
  return new Error(`${path} cannot be used: ${reason}. Restore it from a backup, or move it away to start with no mailboxes.`, { cause })
}
