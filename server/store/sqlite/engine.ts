/**
 * Runs calls on the database: reads at once, writes together in one transaction (group commit), so that one fsync pays for
 * everything that arrived while the last one ran. Nothing is awaited inside a transaction.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { backup, type DatabaseSync } from 'node:sqlite'
import type { TaskReply } from '#server/threads/batch.ts'
import type { SealedMessage, StoreHealth } from '../store.ts'
import { DiskReserve } from './disk.ts'
import { ask } from './migrations.ts'
import { type Call, READS, type Settings } from './protocol.ts'
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

  /** A whole copy of the database in a new file, while calls go on: what is committed meanwhile is in it too. */
  async copyTo(path: string): Promise<void> {
    if (existsSync(path)) throw new Error(`${path} exists already`)
    await backup(this.#database().db, path, { rate: COPY_PAGES })
  }

  /** Replies to every call; a write is on the disk when its reply is handed out. */
  run(calls: readonly Call[], reply: (replies: TaskReply[]) => void): void {
    const isRead = (call: Call) => call.verb === 'health' || READS.some(read => read === call.verb)
    const reads = calls.filter(isRead)
    const writes = calls.filter(call => !isRead(call))
    if (reads.length > 0) reply(reads.map(call => this.#attempt(call)))
    if (writes.length > 0) reply(this.#commit(writes))
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

  #commit(writes: readonly Call[], isSecondTry = false): TaskReply[] {
    try {
      const { db, verbs } = this.#database()
      db.exec('BEGIN IMMEDIATE')
      try {
        const replies = writes.map(call => valueReply(call, this.#call(call)))
        db.exec('COMMIT')
        this.#unsavedBytes += writes.reduce((bytes, call) => bytes + sizeOf(call), verbs.takeFreedBytes())
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
  #refuse(writes: readonly Call[], error: unknown, isSecondTry: boolean): TaskReply[] {
    const code = resultCode(error)
    if (code === SQLITE_IOERR || code === SQLITE_CORRUPT) this.close()
    else if (writes.length > 1) return writes.flatMap(call => this.#commit([call]))
    else if (code === SQLITE_FULL && !isSecondTry && this.#checkpoint('TRUNCATE')) return this.#commit(writes, true)
    return writes.map(call => refusal(call, error))
  }

  #attempt(call: Call): TaskReply {
    try {
      return valueReply(call, call.verb === 'health' ? this.#health(call.now) : this.#call(call))
    } catch (error) {
      if (resultCode(error) === SQLITE_IOERR) this.close()
      return refusal(call, error)
    }
  }

  #call(call: Call): unknown {
    const { verbs } = this.#database()
    if (call.now < this.#latest) verbs.expireUntil(call.now, this.#latest)
    this.#latest = call.now
    if (growsStore(call) && !this.#disk.takeRoomFor(sizeOf(call))) throw new DiskLow()
    const verb = verbs[call.verb as Exclude<Call['verb'], 'health'>] as (now: number, ...args: readonly unknown[]) => unknown
    return verb(call.now, ...call.args)
  }

  #health(now: number): StoreHealth {
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

function growsStore(call: Call): boolean {
  return call.verb === 'createMailbox' || call.verb === 'deliver' || call.verb === 'annotate'
}

/** What a write adds to the log, roughly: its own bytes and the pages around them. */
function sizeOf(call: Call): number {
  const OVERHEAD_BYTES = 4096
  if (call.verb !== 'deliver') return OVERHEAD_BYTES
  const message = call.args[1] as SealedMessage
  return message.sealedRaw.byteLength + message.sealedSummary.byteLength + OVERHEAD_BYTES
}

function refusal(call: Call, error: unknown): TaskReply {
  const isFull = error instanceof DiskLow || resultCode(error) === SQLITE_FULL
  return { id: call.id, failure: isFull ? 'storage_full' : 'unavailable', reason: error instanceof Error ? error.message : String(error) }
}

function valueReply(call: Call, value: unknown): TaskReply {
  return { id: call.id, value, bytes: [] }
}

/** SQLite's primary result code; `undefined` when the error is not SQLite's. */
function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}
