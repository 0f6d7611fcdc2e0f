/**
 * Removed rows must not stay in the files of an SQLite database. `secure_delete` overwrites them in the database, but
 * - the write-ahead log keeps earlier versions of a page until it is truncated, which SQLite does only when it is closed;
 * - when SQLite moves rows between pages, it leaves copies in unused space, where a later removal does not find them (measured: of 4,000
 * removed rows, up to 9 were still readable). VACUUM rewrites all pages.
 */
import { statSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import type { DatabaseSchema } from './schema.ts'

/** Checks the size of the log, so that it works whoever wrote, and costs nothing while nobody writes. */
const CHECK_EVERY_MS = 1000
/** Pause before the next try if another process reads and so keeps the log from being truncated. */
const BUSY_PAUSE_MS = 50
/** VACUUM writes the whole file, so it must not run all the time. */
const VACUUM_EVERY_MS = 30_000
/** VACUUM blocks this process: about 10 ms per MiB. While the server is busy, only a small database is rewritten. */
const VACUUM_BYTES_MAX = { open: 4 * 1024 * 1024, closing: 64 * 1024 * 1024 } as const

export class LogTruncation implements AsyncDisposable {
  readonly #db: Kysely<DatabaseSchema>
  readonly #path: string
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isClosed = false
  #hasDeleted = false
  #vacuumAtMs = 0

  /** @param path of the database file */
  constructor(db: Kysely<DatabaseSchema>, path: string) {
    this.#db = db
    this.#path = path
    this.#checkIn(CHECK_EVERY_MS)
  }

  rowsDeleted(): void {
    this.#hasDeleted = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
    await this.#vacuum(VACUUM_BYTES_MAX.closing)
    await this.#truncate()
  }

  #checkIn(pauseMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#check()
    }, pauseMs)
    this.#timer.unref()
  }

  async #check(): Promise<void> {
    if (performance.now() >= this.#vacuumAtMs) await this.#vacuum(VACUUM_BYTES_MAX.open)
    const isEmpty = await this.#truncate()
    if (!this.#isClosed) this.#checkIn(isEmpty ? CHECK_EVERY_MS : BUSY_PAUSE_MS)
  }

  /**
   * `false` if the log must be tried again soon. On a full or broken disk every write reports the error; here the next check just tries
   * again.
   */
  async #truncate(): Promise<boolean> {
    if (idToBytes(`${this.#path}-wal`) === 0) return true
    try {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(this.#db)
      return rows[0]?.busy === 0
    } catch {
      return true
    }
  }

  async #vacuum(bytesMax: number): Promise<void> {
    if (!this.#hasDeleted || idToBytes(this.#path) > bytesMax) return
    this.#hasDeleted = false
    this.#vacuumAtMs = performance.now() + VACUUM_EVERY_MS
    await sql`vacuum`.execute(this.#db).catch(() => this.rowsDeleted())
  }
}

function idToBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
