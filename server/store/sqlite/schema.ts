/** Opens the mail database file, or refuses with a reason. Its tables are in migrations.ts. */
import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MIB } from '#contract/limits.ts'
import { DATABASE_FILES, requireFormat, requireKey } from '#server/platform/formats.ts'
import { StartError } from '#server/platform/start-error.ts'
import { createTables, FIRST_FORMAT, MIGRATIONS, type MigrationStep, migrate, readMailFact, writeMailFact } from './migrations.ts'

const APPLICATION_ID = 0x4d617966 // "Mayf"
/** Pages of 16 kB hold a 4 kB mail in place; with SQLite's usual 4 kB ones each spills into overflow pages, which is a third slower. */
export const PAGE_BYTES = 16_384
/** How long a start waits for the previous process to release the file. */
const BUSY_TIMEOUT_MS = 3000
/** A full check reads the whole file, about 0.3 s for this much; a larger file is checked page by page as it is used. */
const CHECK_BYTES_MAX = 256 * MIB
/**
 * SQLite's page cache. More made no mail cheaper, and glibc keeps most of it after a burst. The largest message is written to
 * the log piece by piece instead of being kept in memory.
 */
const CACHE_KIB = 2 * 1024
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
export function openMailDatabase(folder: string, { keyCheck, steps = MIGRATIONS }: Opening = {}): DatabaseSync {
  const path = join(folder, DATABASE_FILES.mail)
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
    createTables(db)
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
  if (format !== newestFormat) requireFormat('mail', { place: path, format, writtenBy: readMailFact(db, 'written_by') })
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
  const kept = readMailFact(db, 'key_check')
  if (kept === undefined) writeMailFact(db, 'key_check', keyCheck)
  else requireKey(kept, keyCheck, path)
}

function unusable(path: string, reason: string, cause?: unknown): StartError {
  return new StartError(`${path} cannot be used: ${reason}. Restore it from a backup, or move it away to start with no mailboxes.`, cause)
}

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))
