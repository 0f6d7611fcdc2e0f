/** The mail store in one folder: SQLite in its own thread (see engine.ts), for one process. */
import { AppError } from '#server/errors.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import { StartError } from '#server/platform/start-error.ts'
import { type TaskArgs, withOwnBytes } from '#server/platform/threads/batch.ts'
import { WorkerThread } from '#server/platform/threads/worker-thread.ts'
import { Notifier, ProgressListeners } from '../notifier.ts'
import type { MailboxId, MailboxRecord, MailStore, MessageId, Quota, SealedMessage } from '../store.ts'
import { KnownRecords } from './known-records.ts'
import type { StoreSettings, StoreTasks } from './protocol.ts'

type SqliteOptions = StoreSettings & { readonly clock: Clock; readonly log?: Log }

/** Size of the thread's young generation; V8 would take and keep 48 MB, while a group of requests is garbage after its commit. */
const YOUNG_MB_MAX = 12
/**
 * Mailboxes removed in one step of a sweep: some 15 pages of 16 KiB when none of them share one. Deliveries are handled between the steps.
 */
const SWEEP_STEP_MAILBOXES = 5

/**
 * Opens the store in `folder`, which is created if missing.
 * @throws StartError in plain words if the folder or its database cannot be used, or another process uses it.
 */
export async function openSqliteStore({ folder, diskReserveBytes, keyCheck, clock, log }: SqliteOptions): Promise<SqliteStore> {
  const settings: StoreSettings = { folder, diskReserveBytes, keyCheck }
  const thread = new WorkerThread<StoreTasks>({
    code: new URL('./sqlite.worker.ts', import.meta.url),
    settings,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB_MAX },
  })
  await thread.started.catch((error: Error) => {
    throw new StartError(error.message)
  })
  const { storeId, lostTransactions } = (await thread.run('about', undefined)).value
  if (lostTransactions > 0)
    log?.error({ lostTransactions }, 'The end of mail.db-wal is damaged: changes made just before the last stop are lost')
  return new SqliteStore(thread, clock, storeId)
}

class SqliteStore implements MailStore {
  readonly storeId: string
  readonly #thread: WorkerThread<StoreTasks>
  readonly #clock: Clock
  readonly #notifier = new Notifier()
  readonly #progress = new ProgressListeners()
  readonly #known = new KnownRecords()

  constructor(thread: WorkerThread<StoreTasks>, clock: Clock, storeId: string) {
    this.storeId = storeId
    this.#thread = thread
    this.#clock = clock
    let cause: unknown = new Error('the thread of the mail store has ended')
    thread.onError(error => {
      cause = error
    })
    void thread.ended.then(() => {
      for (const job of thread.jobs) job.reject(new AppError('unavailable', { cause }))
      this.#notifier.notifyAll()
    })
  }

  async createMailbox(mailbox: MailboxRecord) {
    // Kept below, so without the buffers that its bytes may be a part of.
    const record = withOwnBytes(mailbox)
    const { version } = this.#known
    const outcome = await this.#ask('createMailbox', { mailbox: record })
    if (outcome === 'created') this.#known.keep(record, version)
    return outcome
  }

  async extendMailbox(mailbox: MailboxRecord) {
    const isExtended = await this.#ask('extendMailbox', { mailbox: withOwnBytes(mailbox) })
    // A lookup under way may have found the earlier end.
    this.#known.forget(mailbox.mailboxId)
    return this.#notifyIf(mailbox.mailboxId, isExtended)
  }

  async findRecord(mailboxId: MailboxId): Promise<MailboxRecord | undefined> {
    this.#known.noteTime(this.#clock())
    const known = this.#known.find(mailboxId)
    if (known) return known
    const { version } = this.#known
    const found = await this.#ask('findMailbox', { mailboxId })
    if (found) this.#known.keep(found, version)
    return found
  }

  findMailbox(mailboxId: MailboxId) {
    return this.#ask('findMailbox', { mailboxId })
  }

  async deliver(mailboxId: MailboxId, message: SealedMessage, quota: Quota, createdAt: number) {
    const result = await this.#ask('deliver', { mailboxId, message, quota, createdAt })
    if (result === 'stored') this.#notifier.notify(mailboxId)
    return result
  }

  changesSince(mailboxId: MailboxId, cursor: number, limit: number, rawBytesMax?: number) {
    return this.#ask('changesSince', { mailboxId, cursor, limit, rawBytesMax })
  }

  readMessage(mailboxId: MailboxId, messageId: MessageId, rawBytesMax?: number) {
    return this.#ask('readMessage', { mailboxId, messageId, rawBytesMax })
  }

  async deleteMessage(mailboxId: MailboxId, messageId: MessageId) {
    return this.#notifyIf(mailboxId, await this.#ask('deleteMessage', { mailboxId, messageId }))
  }

  async addAuthentication(mailboxId: MailboxId, messageId: MessageId, sealedAuthentication: Uint8Array, createdAt: number) {
    return this.#notifyIf(mailboxId, await this.#ask('addAuthentication', { mailboxId, messageId, sealedAuthentication, createdAt }))
  }

  async destroyMailbox(mailboxId: MailboxId, takenUntil?: number) {
    this.#known.forget(mailboxId)
    const mailboxNumber = await this.#ask('destroyMailbox', { mailboxId, takenUntil })
    // Again, because the engine reads before it writes: a lookup meanwhile still found the mailbox.
    this.#known.forget(mailboxId)
    if (mailboxNumber === undefined) return false
    this.#notifier.notify(mailboxId)
    // It is destroyed now. What cannot be removed from the disk yet is left to the sweep.
    const sweep = () => this.#ask('sweepMailbox', { mailboxNumber }).catch(() => true)
    while (!(await sweep()));
    return true
  }

  watch(mailboxId: MailboxId, signal: AbortSignal) {
    return this.#notifier.watch(mailboxId, signal)
  }

  publishProgress(mailboxId: MailboxId, writeProgress: () => string) {
    this.#progress.publish(mailboxId, writeProgress)
  }

  subscribeToProgress(mailboxId: MailboxId, onProgress: (progress: string) => void, signal: AbortSignal) {
    this.#progress.subscribe(mailboxId, onProgress, signal)
  }

  async sweep(mailboxesMax: number) {
    let removed = 0
    while (removed < mailboxesMax) {
      const { mailboxIds, isDone } = await this.#ask('sweep', { mailboxesMax: Math.min(SWEEP_STEP_MAILBOXES, mailboxesMax - removed) })
      for (const mailboxId of mailboxIds) {
        this.#known.forget(mailboxId)
        this.#notifier.notify(mailboxId)
      }
      removed += mailboxIds.length
      if (isDone) break
    }
    return removed
  }

  /** A whole copy of the database in a new file, with everything that was acknowledged before the call; requests continue meanwhile. */
  async copyTo(path: string): Promise<void> {
    await this.#thread.run('copyTo', { path })
  }

  health() {
    return this.#ask('health', {})
  }

  async [Symbol.asyncDispose]() {
    await this.#thread.close()
    this.#notifier.notifyAll()
  }

  /** Asks with the time of the request. */
  async #ask<Name extends keyof StoreTasks>(task: Name, args: Omit<TaskArgs<StoreTasks, Name>, 'now'>) {
    const now = this.#clock()
    this.#known.noteTime(now)
    return (await this.#thread.run(task, { ...args, now } as TaskArgs<StoreTasks, Name>).catch(this.#failed)).value
  }

  readonly #failed = (error: unknown): never => {
    this.#known.clear()
    throw error
  }

  #notifyIf(mailboxId: MailboxId, isChanged: boolean): boolean {
    if (isChanged) this.#notifier.notify(mailboxId)
    return isChanged
  }
}
