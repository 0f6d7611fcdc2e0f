/** The mail store in one folder: SQLite in a thread of its own (see engine.ts), for one process. */
import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { Clock } from '#server/clock.ts'
import { AppError } from '#server/errors.ts'
import { StartError } from '#server/start-error.ts'
import { Doorbell } from '../notifier.ts'
import type { MailboxId, MailboxRecord, MailStore, MessageId, Quota, SealedMessage } from '../store.ts'
import type { Args, CopyReply, CopyRequest, Opened, Reply, Request, Result, Settings, Verb } from './protocol.ts'

type SqliteOptions = Settings & { readonly clock: Clock }

/** Young objects of the thread; V8 would take 48 and keep them, though a group of requests is dead with its commit. */
const YOUNG_MB_MAX = 12
/** Mailboxes removed in one step of a sweep; deliveries go between the steps. */
const SWEEP_STEP_MAILBOXES = 500

/** What only a store in a folder has. */
type EmbeddedStore = MailStore & {
  /** Tells this store from every other one, also after a restart and in a restored backup. */
  readonly storeId: string
  /** A whole copy of the database in a new file, with everything that was acknowledged before the call; requests go on meanwhile. */
  copyTo(path: string): Promise<void>
}

/**
 * Opens the store in `folder` (made when missing).
 * @throws StartError in plain words when the folder or its database cannot be used, or another process uses it.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<EmbeddedStore> {
  const { folder, diskReserveBytes, keyCheck, clock } = options
  const worker = new Worker(new URL('./sqlite.worker.ts', import.meta.url), {
    workerData: { folder, diskReserveBytes, keyCheck } satisfies Settings,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB_MAX },
  })
  const ended = new AbortController()
  const opened = await Promise.race([
    once(worker, 'message', ended).then(([first]) => first as Opened),
    once(worker, 'exit', ended).then((): Opened => ({ opened: false, reason: 'The thread of the mail store ended before it was open.' })),
  ]).finally(() => ended.abort())
  if (!opened.opened) throw new StartError(opened.reason)
  return new SqliteStore(worker, clock, opened.storeId)
}

type Waiting = { readonly resolve: (value: never) => void; readonly reject: (error: AppError) => void }

class SqliteStore implements EmbeddedStore {
  readonly storeId: string
  readonly #worker: Worker
  readonly #clock: Clock
  readonly #bell = new Doorbell()
  readonly #waiting = new Map<number, Waiting>()
  #outbox: Request[] = []
  #lastId = 0
  #isClosed = false
  readonly #exited: Promise<void>

  constructor(worker: Worker, clock: Clock, storeId: string) {
    this.storeId = storeId
    this.#worker = worker
    this.#clock = clock
    this.#exited = new Promise(resolve => worker.once('exit', () => resolve()))
    worker.on('message', (replies: Reply[]) => {
      for (const reply of replies) this.#settle(reply)
    })
    worker.on('error', error => this.#failAll(error))
    worker.on('exit', () => this.#failAll(new Error('the thread of the mail store has ended')))
  }

  createMailbox(mailbox: MailboxRecord) {
    return this.#ask('createMailbox', {
      ...mailbox,
      tokenHash: portable(mailbox.tokenHash),
      publicKey: portable(mailbox.publicKey),
      sealedAddress: portable(mailbox.sealedAddress),
    })
  }

  findMailbox(mailboxId: MailboxId) {
    return this.#ask('findMailbox', mailboxId)
  }

  async deliver(mailboxId: MailboxId, message: SealedMessage, quota: Quota) {
    const { messageId, receivedAt, sealedSummary, sealedRaw } = message
    const parcel = { messageId, receivedAt, sealedSummary: portable(sealedSummary), sealedRaw: portable(sealedRaw) }
    const delivered = await this.#ask('deliver', mailboxId, parcel, quota)
    if (delivered.outcome === 'stored') this.#bell.ring(mailboxId)
    return delivered
  }

  changesSince(mailboxId: MailboxId, cursor: number, limit: number) {
    return this.#ask('changesSince', mailboxId, cursor, limit)
  }

  readMessage(mailboxId: MailboxId, messageId: MessageId) {
    return this.#ask('readMessage', mailboxId, messageId)
  }

  async removeMessage(mailboxId: MailboxId, messageId: MessageId) {
    return this.#ringIf(mailboxId, await this.#ask('removeMessage', mailboxId, messageId))
  }

  async annotate(mailboxId: MailboxId, messageId: MessageId, sealedAnnotation: Uint8Array) {
    return this.#ringIf(mailboxId, await this.#ask('annotate', mailboxId, messageId, portable(sealedAnnotation)))
  }

  async destroyMailbox(mailboxId: MailboxId) {
    const no = await this.#ask('closeMailbox', mailboxId)
    if (no === undefined) return false
    this.#bell.ring(mailboxId)
    while (!(await this.#ask('clearMailbox', no)));
    return true
  }

  watch(mailboxId: MailboxId, signal: AbortSignal) {
    return this.#bell.watch(mailboxId, signal)
  }

  async sweep(mailboxesMax: number) {
    let removed = 0
    while (removed < mailboxesMax) {
      const { mailboxIds, isDone } = await this.#ask('sweep', Math.min(SWEEP_STEP_MAILBOXES, mailboxesMax - removed))
      for (const mailboxId of mailboxIds) this.#bell.ring(mailboxId)
      removed += mailboxIds.length
      if (isDone) break
    }
    return removed
  }

  async copyTo(path: string): Promise<void> {
    if (this.#isClosed) throw new AppError('unavailable', { cause: new Error('the mail store is closed') })
    const { port1, port2 } = new MessageChannel()
    const replied = new Promise<CopyReply>(resolve => {
      port1.once('message', resolve)
      port1.once('close', () => resolve({ failure: 'the mail store was closed meanwhile' }))
    })
    this.#worker.postMessage({ copyTo: path, reply: port2 } satisfies CopyRequest, [port2])
    const { failure } = await replied
    if (failure !== undefined) throw new AppError('unavailable', { cause: new Error(failure) })
  }

  health() {
    return this.#ask('health')
  }

  async [Symbol.asyncDispose]() {
    if (!this.#isClosed) {
      this.#flush()
      this.#isClosed = true
      this.#worker.postMessage('close')
    }
    await this.#exited
    this.#bell.ringAll()
  }

  #ask<V extends Verb>(verb: V, ...args: Args<V>): Promise<Result<V>> {
    if (this.#isClosed) return Promise.reject(new AppError('unavailable', { cause: new Error('the mail store is closed') }))
    const id = ++this.#lastId
    if (this.#outbox.push({ id, now: this.#clock(), verb, args }) === 1) setImmediate(() => this.#flush())
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  // One message to the thread for everything asked in this turn of the event loop.
  #flush(): void {
    if (this.#outbox.length === 0) return
    this.#worker.postMessage(this.#outbox)
    this.#outbox = []
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if ('failure' in reply) waiting?.reject(new AppError(reply.failure, { cause: new Error(reply.cause) }))
    else waiting?.resolve(reply.value as never)
  }

  #failAll(error: unknown): void {
    this.#isClosed = true
    for (const { reject } of this.#waiting.values()) reject(new AppError('unavailable', { cause: error }))
    this.#waiting.clear()
    this.#bell.ringAll()
  }

  #ringIf(mailboxId: MailboxId, isChanged: boolean): boolean {
    if (isChanged) this.#bell.ring(mailboxId)
    return isChanged
  }
}

// A view on a part of a larger buffer would take the whole buffer along; bytes in shared memory travel without a copy.
function portable(bytes: Uint8Array): Uint8Array {
  const isWhole = bytes.byteLength === bytes.buffer.byteLength || bytes.buffer instanceof SharedArrayBuffer
  return isWhole ? bytes : new Uint8Array(bytes)
}
