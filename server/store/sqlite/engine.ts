/**
 * Runs requests on the database: reads at once, writes together in one transaction (group commit), so that one fsync pays for
 * everything that arrived while the last one ran. Nothing is awaited inside a transaction.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { backup, type DatabaseSync } from 'node:sqlite'
import type { SealedMessage } from '../store.ts'
import { DiskReserve } from './disk.ts'
import { ask } from './migrations.ts'
import { type Failure, type Health, READS, type Reply, type Request, type Settings } from './protocol.ts'
import { openDatabase } from './schema.ts'
import { createVerbs, type Verbs } from './verbs.ts'

/** The log is copied into the database once it has this much: larger costs longer pauses, smaller more fsyncs. */
const CHECKPOINT_BYTES = 16 * 1024 * 1024
/** Pages copied in one step of a backup (1 MiB): requests wait for a step, not for the whole. */
const COPY_PAGES = 64
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13

export class Engine {
  readonly #settings: Settings
  readonly #disk: DiskReserve
  #open: { db: DatabaseSync; verbs: Verbs } | undefined
  #latest = Number.NEGATIVE_INFINITY
  #unsavedBytes = 0

  constructor(settings: Settings) {
    this.#settings = settings
    this.#disk = new DiskReserve(settings.folder, settings.diskReserveBytes, () => this.#database().verbs.freeBytes())
    this.#database()
  }

  /** Tells this store from every other one. */
  get storeId(): string {
    return ask(this.#database().db, 'store_id') ?? ''
  }

  /** A whole copy of the database in a new file, while requests go on: what is committed meanwhile is in it too. */
  async copyTo(path: string): Promise<void> {
    await backup(this.#database().db, path, { rate: COPY_PAGES })
  }

  /** Answers every request; a write is on the disk when its reply is handed out. */
  run(requests: readonly Request[], answer: (replies: Reply[]) => void): void {
    const isRead = (request: Request) => request.verb === 'health' || READS.some(read => read === request.verb)
    const reads = requests.filter(isRead)
    const writes = requests.filter(request => !isRead(request))
    if (reads.length > 0) answer(reads.map(request => this.#attempt(request)))
    if (writes.length > 0) answer(this.#commit(writes))
    if (this.#unsavedBytes >= CHECKPOINT_BYTES) this.#checkpoint('PASSIVE')
  }

  /** Nothing to do just now: bring the database up to date and empty the log, so that what was destroyed lingers in neither; give memory back. */
  rest(): void {
    if (this.#unsavedBytes > 0) this.#checkpoint('TRUNCATE')
    this.#open?.db.exec('PRAGMA shrink_memory')
  }

  close(): void {
    this.#open?.db.close()
    this.#open = undefined
  }

  #commit(writes: readonly Request[], isSecondTry = false): Reply[] {
    try {
      const { db, verbs } = this.#database()
      db.exec('BEGIN IMMEDIATE')
      try {
        const replies = writes.map(request => ({ id: request.id, value: this.#call(request) }))
        db.exec('COMMIT')
        this.#unsavedBytes += writes.reduce((bytes, request) => bytes + sizeOf(request), verbs.takeFreedBytes())
        return replies
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
    } catch (error) {
      return this.#refuse(writes, error, isSecondTry)
    }
  }

  // One write that cannot be must not take the others with it: each gets a transaction of its own. After an I/O error nothing is
  // tried again: the kernel may have dropped pages it failed to write, and a second fsync would lie (F03). The file is opened anew.
  // On a full disk the log is emptied first: what it took may be all that a removal needs (F04).
  #refuse(writes: readonly Request[], error: unknown, isSecondTry: boolean): Reply[] {
    const code = resultCode(error)
    if (code === SQLITE_IOERR || code === SQLITE_CORRUPT) this.close()
    else if (writes.length > 1) return writes.flatMap(request => this.#commit([request]))
    else if (code === SQLITE_FULL && !isSecondTry && this.#checkpoint('TRUNCATE')) return this.#commit(writes, true)
    return writes.map(request => refusal(request, error))
  }

  #attempt(request: Request): Reply {
    try {
      return { id: request.id, value: request.verb === 'health' ? this.#health(request.now) : this.#call(request) }
    } catch (error) {
      if (resultCode(error) === SQLITE_IOERR) this.close()
      return refusal(request, error)
    }
  }

  #call(request: Request): unknown {
    const { verbs } = this.#database()
    if (request.now < this.#latest) verbs.expireUntil(request.now, this.#latest)
    this.#latest = request.now
    if (growsStore(request) && !this.#disk.takeRoomFor(sizeOf(request))) throw new DiskLow()
    const verb = verbs[request.verb as Exclude<Request['verb'], 'health'>] as (now: number, ...args: readonly unknown[]) => unknown
    return verb(request.now, ...request.args)
  }

  #health(now: number): Health {
    const { verbs } = this.#database()
    const bytes = (name: string) => statSync(join(this.#settings.folder, name), { throwIfNoEntry: false })?.size ?? 0
    return { ok: this.#disk.isRoomy(), mailboxes: verbs.countMailboxes(now), bytesOnDisk: bytes('mail.db') + bytes('mail.db-wal') }
  }

  #database() {
    if (!this.#open) {
      const db = openDatabase(this.#settings.folder, { keyCheck: this.#settings.keyCheck })
      this.#open = { db, verbs: createVerbs(db) }
    }
    return this.#open
  }

  // A checkpoint that fails (no room for the database to grow) loses nothing: the log still has it all, and the next one tries again.
  #checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): boolean {
    try {
      this.#database().db.exec(`PRAGMA wal_checkpoint(${mode})`)
      this.#unsavedBytes = 0
      return true
    } catch (error) {
      if (resultCode(error) === SQLITE_IOERR) this.close()
      return false
    }
  }
}

class DiskLow extends Error {}

function growsStore(request: Request): boolean {
  return request.verb === 'createMailbox' || request.verb === 'deliver' || request.verb === 'annotate'
}

/** What a write adds to the log, roughly: its own bytes and the pages around them. */
function sizeOf(request: Request): number {
  const OVERHEAD_BYTES = 4096
  if (request.verb !== 'deliver') return OVERHEAD_BYTES
  const message = request.args[1] as SealedMessage
  return message.sealedRaw.byteLength + message.sealedSummary.byteLength + OVERHEAD_BYTES
}

function refusal(request: Request, error: unknown): Reply {
  const isFull = error instanceof DiskLow || resultCode(error) === SQLITE_FULL
  const failure: Failure = isFull ? 'storage_full' : 'unavailable'
  return { id: request.id, failure, cause: error instanceof Error ? error.message : String(error) }
}

/** SQLite's primary result code; `undefined` when the error is not SQLite's. */
function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}
