/**
 * Runs calls on the database: reads at once, writes together in one transaction (group commit), so that one fsync serves
 * everything that arrived during the previous one. Nothing is awaited inside a transaction.
 */

import { closeSync, openSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { backup } from 'node:sqlite'
import { MESSAGE_BYTES_CEILING, MIB } from '#contract/limits.ts'
import { Ballast } from '#server/platform/ballast.ts'
import { DATABASE_FILES } from '#server/platform/formats.ts'
import type { TaskReply } from '#server/platform/threads/batch.ts'
import type { StoreHealth } from '../store.ts'
import { isDiskFull, MailFile } from './mail-file.ts'
import { readMailFact, writeMailFact } from './migrations.ts'
import { type QueryFunctions, type QueryTasks, READ_QUERIES, type StoreCall, type StoreSettings } from './protocol.ts'

/** How long a measurement of the disk is used. What can be written in between is limited by the mail in flight. */
const CHECK_MS = 100
const ROOMY_BYTES = MIB

/**
 * Refuses mail before the disk is full, so that deleting still works. The database file keeps its size when mail is removed, so free space
 * inside it counts; only the log needs space on the disk.
 */
class DiskReserve {
  readonly #folder: string
  readonly #reserveBytes: number
  readonly #freeInFile: () => number
  readonly #ballast: Ballast
  #freeBytes = Number.POSITIVE_INFINITY
  #freeOnDiskBytes = Number.POSITIVE_INFINITY
  #checkedAtMs = Number.NEGATIVE_INFINITY

  /** `freeInFile`: free bytes inside the database file. The ballast is part of the reserve. */
  constructor(folder: string, reserveBytes: number, freeInFile: () => number, ballast: Ballast) {
    this.#ballast = ballast
    this.#folder = folder
    this.#reserveBytes = reserveBytes
    this.#freeInFile = freeInFile
  }

  /** Reserves space for a write. `bytes` count twice: they go to the log and then to the database. */
  takeRoomFor(bytes: number): boolean {
    this.#check()
    if (this.#freeBytes - 2 * bytes < this.#reserveBytes || this.#freeOnDiskBytes - bytes < this.#reserveBytes / 2) return false
    this.#freeBytes -= 2 * bytes
    this.#freeOnDiskBytes -= bytes
    return true
  }

  /** Whether there is space for ordinary mail, not only for one more small one. */
  isRoomy(): boolean {
    this.#check()
    return this.#freeBytes >= this.#reserveBytes + ROOMY_BYTES && this.#freeOnDiskBytes >= this.#reserveBytes / 2 + ROOMY_BYTES
  }

  /** Bytes of mail for which `takeRoomFor` would still find space, one after the other. */
  get roomBytes(): number {
    this.#check()
    return Math.max(0, Math.min((this.#freeBytes - this.#reserveBytes) / 2, this.#freeOnDiskBytes - this.#reserveBytes / 2))
  }

  #check(): void {
    const nowMs = performance.now()
    if (nowMs - this.#checkedAtMs < CHECK_MS) return
    const { bavail, bsize } = statfsSync(this.#folder)
    this.#freeOnDiskBytes = bavail * bsize + this.#ballast.heldBytes
    this.#freeBytes = this.#freeOnDiskBytes + this.#freeInFile()
    this.#checkedAtMs = nowMs
  }
}

type Reply = (replies: TaskReply[]) => void

/** Bytes committed together: a larger group stays in memory longer, and every write in it waits for the last. */
const GROUP_BYTES_MAX = 16 * MIB
/** Pages copied in one step of a backup (1 MiB): calls wait for one step, not for the whole copy. */
const COPY_PAGES = 64
/** Share of the reserve held by the ballast, and its largest size: what removing the largest possible message writes. */
const BALLAST_SHARE = 0.5
const BALLAST_BYTES_MAX = MESSAGE_BYTES_CEILING + 4 * MIB
/** The first senders do not wait until the ballast is written. */
const BALLAST_AFTER_MS = 1000
/** How exactly the last known time survives a restart. */
const CLOCK_STEP_MS = 1000
/** The time of a call that waited is at most this old. If it is older, the clock was set back. */
const OLDER_MS_MAX = 60_000

/**
 * Authentication results wait so long for a commit that happens anyway: one of their own for each, with its sync, would cost as much as
 * another mail.
 */
const LATE_MS_MAX = 20
const LATE_MAX = 1000

export class Engine {
  readonly #settings: StoreSettings
  readonly #file: MailFile
  readonly #disk: DiskReserve
  readonly #ballast: Ballast
  readonly #startedAtMs = performance.now()
  /** The time of the last call, including those before a restart. */
  #latest: number
  #savedClock: number
  /** Writes that wait for others, and what commits them if none come. */
  #late: StoreCall[] = []
  #lateTimer: NodeJS.Timeout | undefined

  constructor(settings: StoreSettings) {
    this.#settings = settings
    this.#file = new MailFile(settings.folder, settings.keyCheck)
    this.#ballast = new Ballast(
      join(settings.folder, 'ballast'),
      Math.min(BALLAST_BYTES_MAX, Math.floor(settings.diskReserveBytes * BALLAST_SHARE)),
    )
    this.#disk = new DiskReserve(settings.folder, settings.diskReserveBytes, () => this.#file.open().queries.freeBytes(), this.#ballast)
    this.#latest = Number(readMailFact(this.#file.open().db, 'clock') ?? Number.NEGATIVE_INFINITY)
    this.#savedClock = this.#latest
  }

  /** Identifies this store. */
  get storeId(): string {
    return readMailFact(this.#file.open().db, 'store_id') ?? ''
  }

  get lostTransactions(): number {
    return this.#file.lostTransactions
  }

  /** A whole copy of the database in a new file, while calls continue. It includes what is committed meanwhile. */
  async copyTo(path: string): Promise<void> {
    // SQLite would create it for everybody to read.
    closeSync(openSync(path, 'a', 0o600))
    await backup(this.#file.open().db, path, { rate: COPY_PAGES })
  }

  /** Replies to every call; a write is on the disk when its reply is handed out. */
  run(calls: readonly StoreCall[], reply: Reply): void {
    const isRead = (call: StoreCall) => READ_QUERIES.some(read => read === call.task)
    const reads = calls.filter(isRead)
    if (reads.length > 0) reply(reads.map(call => this.#attempt(call)))
    const writes = calls.filter(call => !isRead(call))
    if (writes.every(isLate) && this.#late.length + writes.length < LATE_MAX) this.#keepLate(writes, reply)
    else this.#write([...this.#takeLate(), ...writes], reply)
    if (reads.length > 0) this.#file.tidy(false)
  }

  #write(writes: readonly StoreCall[], reply: Reply): void {
    const all = Map.groupBy(writes, isCleaning)
    // Mail does not wait for the removal of expired mail, which is committed after everything else.
    for (const group of [...inGroups(all.get(false) ?? []), ...inGroups(all.get(true) ?? [])]) {
      reply(this.#commit(group))
      this.#file.tidy(group.every(isCleaning))
    }
  }

  #keepLate(writes: readonly StoreCall[], reply: Reply): void {
    this.#late.push(...writes.map(call => ({ ...call, isOlder: true })))
    if (this.#late.length > 0) this.#lateTimer ??= setTimeout(() => this.#write(this.#takeLate(), reply), LATE_MS_MAX)
  }

  #takeLate(): StoreCall[] {
    clearTimeout(this.#lateTimer)
    this.#lateTimer = undefined
    return this.#late.splice(0)
  }

  /** Called when no work is waiting. */
  idle(): void {
    this.#file.idle()
  }

  close(reply: Reply): void {
    this.#write(this.#takeLate(), reply)
    this.#file.close()
  }

  #commit(writes: readonly StoreCall[], isSecondTry = false): TaskReply[] {
    const [latest, savedClock] = [this.#latest, this.#savedClock]
    try {
      this.#file.requireTrust()
      const { db, queries } = this.#file.open()
      const before = queries.changesSoFar()
      db.exec('BEGIN IMMEDIATE')
      try {
        const replies = writes.map(call => valueReply(call, this.#execute(call)))
        const hasChanged = queries.changesSoFar() > before
        if (hasChanged) this.#saveClock()
        db.exec('COMMIT')
        const bytes = writes.reduce((sum, call) => sum + callBytes(call), queries.takeFreedBytes())
        if (hasChanged) this.#file.committed(bytes, writes.some(isRemoval))
        return replies
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
    } catch (error) {
      // What expired because the clock went back is undone with the transaction, so the next call has to do it again.
      this.#latest = latest
      this.#savedClock = savedClock
      return this.#recoverOrRefuse(writes, error, isSecondTry)
    }
  }

  // One failing write must not fail the others: each gets its own transaction. After an I/O error nothing is retried: the kernel may have
  // dropped pages it failed to write, and a second sync would not report that. The file is reopened. On a full disk the log is emptied
  // first, and for a removal the ballast deleted.
  #recoverOrRefuse(writes: readonly StoreCall[], error: unknown, isSecondTry: boolean): TaskReply[] {
    if (this.#file.closeIfDamaged(error)) return writes.map(call => refusal(call, error))
    if (writes.length > 1) return writes.flatMap(call => this.#commit([call]))
    if (isDiskFull(error) && !isSecondTry) {
      const isRelieved = writes.every(isRemoval) && this.#ballast.release()
      if (this.#file.emptyLog() || isRelieved) {
        const replies = this.#commit(writes, true)
        if (isRelieved && this.#file.emptyLog()) this.#ballast.fill(1)
        return replies
      }
    }
    return writes.map(call => refusal(call, error))
  }

  #attempt(call: StoreCall): TaskReply {
    try {
      return valueReply(call, this.#execute(call))
    } catch (error) {
      this.#file.closeIfDamaged(error)
      return refusal(call, error)
    }
  }

  #execute(call: StoreCall): unknown {
    if (call.task === 'health') return this.#health(call.args.now)
    const { queries } = this.#file.open()
    const asked = call.args.now
    const now = call.isOlder && this.#latest - asked < OLDER_MS_MAX ? Math.max(asked, this.#latest) : asked
    // The clock went back: what had expired stays expired although its time is in the future again.
    if (now < this.#latest) queries.expireUntil(now, this.#latest)
    this.#latest = now
    if (growsStore(call) && !(this.#file.isTrusted && this.#disk.takeRoomFor(callBytes(call)))) throw new DiskLow()
    return runQuery(queries, call, now)
  }

  #saveClock(): void {
    if (Math.abs(this.#latest - this.#savedClock) < CLOCK_STEP_MS) return
    writeMailFact(this.#file.open().db, 'clock', String(this.#latest))
    this.#savedClock = this.#latest
  }

  #health(now: number): StoreHealth {
    if (performance.now() - this.#startedAtMs > BALLAST_AFTER_MS) this.#ballast.fill()
    const { queries } = this.#file.open()
    const bytes = (name: string) => statSync(join(this.#settings.folder, name), { throwIfNoEntry: false })?.size ?? 0
    const isFull = !this.#disk.isRoomy()
    const ok = this.#file.isTrusted && this.#file.isInPlace && !isFull
    const bytesOnDisk = bytes(DATABASE_FILES.mail) + bytes(`${DATABASE_FILES.mail}-wal`)
    const { roomBytes } = this.#disk
    const capacityBytes = roomBytes + bytesOnDisk - queries.freeBytes()
    return { ok, isFull, mailboxes: queries.countMailboxes(now), bytesOnDisk, roomBytes, capacityBytes }
  }
}

function runQuery<Name extends keyof QueryTasks>(queries: QueryFunctions<Name>, call: StoreCall<Name>, now: number): unknown {
  return queries[call.task]({ ...call.args, now })
}

function* inGroups(writes: readonly StoreCall[]): Generator<StoreCall[]> {
  let group: StoreCall[] = []
  let bytes = 0
  for (const call of writes) {
    if (group.length > 0 && bytes + callBytes(call) > GROUP_BYTES_MAX) {
      yield group
      group = []
      bytes = 0
    }
    group.push(call)
    bytes += callBytes(call)
  }
  if (group.length > 0) yield group
}

/** Nobody who sent a mail waits for these, and their readers hardly notice when they come. */
function isLate({ task }: StoreCall): boolean {
  return task === 'addAuthentication'
}

/** Steps of removing destroyed or expired mailboxes. */
function isCleaning({ task }: StoreCall): boolean {
  return task === 'sweepMailbox' || task === 'sweep'
}

function isRemoval({ task }: StoreCall): boolean {
  return task === 'deleteMessage' || task === 'destroyMailbox' || task === 'sweepMailbox' || task === 'sweep'
}

class DiskLow extends Error {}

function growsStore({ task }: StoreCall): boolean {
  return task === 'createMailbox' || task === 'extendMailbox' || task === 'deliver' || task === 'addAuthentication'
}

/** Roughly what a write adds to the log: its own bytes and the pages around them. */
function callBytes(call: StoreCall): number {
  const OVERHEAD_BYTES = 4096
  if (call.task !== 'deliver') return OVERHEAD_BYTES
  const { message } = call.args
  return message.sealedRaw.byteLength + message.sealedSummary.byteLength + OVERHEAD_BYTES
}

function refusal(call: StoreCall, error: unknown): TaskReply {
  const isFull = error instanceof DiskLow || isDiskFull(error)
  return { id: call.id, failure: isFull ? 'storage_full' : 'unavailable', reason: error instanceof Error ? error.message : String(error) }
}

function valueReply(call: StoreCall, value: unknown): TaskReply {
  return { id: call.id, value, bytes: [] }
}
