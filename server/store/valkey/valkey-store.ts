/** The mail store on a Valkey or Redis Cluster, for any number of processes. scripts.ts has its steps and its layout. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#server/errors.ts'
import type { Clock } from '#server/platform/clock.ts'
import { currentFormats, requireFormat, requireKey } from '#server/platform/formats.ts'
import { Notifier, ProgressListeners } from '../notifier.ts'
import type {
  Change,
  MailboxId,
  MailboxRecord,
  MailStore,
  MessageId,
  Quota,
  SealedMessage,
  StoredMailbox,
  StoredMessage,
  StoreResult,
} from '../store.ts'
import type { Cluster } from './client/cluster.ts'
import type { Argument, Script } from './client/node-connection.ts'
import type { EngineReply } from './client/reply-reader.ts'
import { PREFIX } from './client/rights.ts'
import { AbsentReaders, Subscriptions } from './client/subscriptions.ts'
import { HealthReader } from './health.ts'
import { CLOCKS_DIFFER_MS } from './measurement.ts'
import {
  ADD_AUTHENTICATION,
  CHANGES,
  CREATE,
  DELETE_MESSAGE,
  DELIVER,
  DESTROY,
  DISCARD,
  EXTEND,
  FIND,
  IDENTIFY,
  PUBLISH,
  READ,
  WOULD_REFUSE,
} from './scripts.ts'

const RECORD_HEAD_BYTES = 9
const TOKEN_HASH_BYTES = 32
const PUBLIC_KEY_BYTES = 32
const HEAD_BYTES = 22
const UPLOAD_BYTES = 8

type Opaque = Pick<MailboxRecord, 'tokenHash' | 'publicKey' | 'sealedAddress' | 'mac' | 'createdAt'>

/** The record as scripts.ts keeps it: createdAt (8), bytes of the MAC (1), token hash (32), public key (32), MAC, sealed address. */
function encodeRecord({ tokenHash, publicKey, sealedAddress, mac, createdAt }: Opaque): Buffer {
  const head = Buffer.alloc(RECORD_HEAD_BYTES)
  head.writeDoubleBE(createdAt)
  head.writeUInt8(mac.byteLength, 8)
  return Buffer.concat([head, tokenHash, publicKey, mac, sealedAddress])
}

function decodeRecord(record: Buffer): Opaque {
  const macBytes = record.readUInt8(8)
  const publicKeyAt = RECORD_HEAD_BYTES + TOKEN_HASH_BYTES
  const macAt = publicKeyAt + PUBLIC_KEY_BYTES
  const addressAt = macAt + macBytes
  return {
    createdAt: record.readDoubleBE(),
    tokenHash: new Uint8Array(record.subarray(RECORD_HEAD_BYTES, publicKeyAt)),
    publicKey: new Uint8Array(record.subarray(publicKeyAt, macAt)),
    mac: new Uint8Array(record.subarray(macAt, addressAt)),
    sealedAddress: new Uint8Array(record.subarray(addressAt)),
  }
}

type Head = { readonly receivedAt: number; readonly rawBytes: number; readonly pieces: number; readonly upload: string }

/** Names one delivery, so that two of one message never mix their pieces, and one that is repeated knows its own. */
function nameUpload(): string {
  // A UUID serves, because Node makes many of those at once: random bytes of its own cost each mail ten times as much.
  const uuid = randomUUID()
  return uuid.slice(0, UPLOAD_BYTES) + uuid.slice(-UPLOAD_BYTES)
}

function encodeRow({ receivedAt, sealedRaw, sealedSummary }: SealedMessage, pieces: number, upload: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeDoubleBE(receivedAt)
  head.writeUInt32BE(sealedRaw.byteLength, 8)
  head.writeUInt16BE(pieces, 12)
  head.write(upload, 14, UPLOAD_BYTES, 'hex')
  return Buffer.concat([head, sealedSummary])
}

function decodeHead(bytes: Buffer): Head {
  return {
    receivedAt: bytes.readDoubleBE(),
    rawBytes: bytes.readUInt32BE(8),
    pieces: bytes.readUInt16BE(12),
    upload: bytes.toString('hex', 14, HEAD_BYTES),
  }
}

function decodeRow(bytes: Buffer): { receivedAt: number; sealedSummary: Uint8Array } {
  return { receivedAt: bytes.readDoubleBE(), sealedSummary: new Uint8Array(bytes.subarray(HEAD_BYTES)) }
}

function decodeLink(link: Buffer): { isRemoved: boolean; cursor: number; arrivalCursor: number } {
  return { isRemoved: link.toString('latin1', 0, 1) === 'R', cursor: link.readUInt32BE(1), arrivalCursor: link.readUInt32BE(5) }
}

const mailboxKey = (prefix: string, mailboxId: MailboxId): string => `${prefix}{${mailboxId}}`

function pieceKeys(key: string, { pieces, upload }: Pick<Head, 'pieces' | 'upload'>): string[] {
  return Array.from({ length: pieces }, (_, i) => `${key}${upload}:${i}`)
}

/** The mailbox that a channel belongs to. */
const parseChannel = (channel: string): MailboxId => channel.slice(channel.indexOf('{') + 1, channel.lastIndexOf('}')) as MailboxId

const OUTCOMES = ['duplicate', 'mailbox_full', 'mailbox_not_found'] as const

/** @throws AppError if the reply is no known outcome of a delivery. */
function toStoreResult(reply: EngineReply): StoreResult {
  if (typeof reply === 'number') return 'stored'
  const outcome = OUTCOMES.find(known => known === String(reply))
  if (!outcome) throw new AppError('unavailable', { cause: new Error(`the store replied ${reply}`) })
  return outcome
}

/** Resolves when replicas have the write. Readers are told only then, or when it failed: nobody else tells what it changed all the same. */
async function write(
  cluster: Cluster,
  script: Script,
  key: string,
  args: readonly Argument[],
  keys: readonly string[] = [],
): Promise<EngineReply> {
  const tell = () => void cluster.run(PUBLISH, key, ['']).catch(() => undefined)
  try {
    const [streams, reply = null] = (await cluster.run(script, key, args, { keys })) as [number, EngineReply?]
    if (streams > 0) tell()
    return reply
  } catch (error) {
    // Full memory refuses a script before it changes anything.
    if (!(error instanceof AppError && error.code === 'storage_full')) tell()
    throw error
  }
}

/** The most that is kept in the mailbox itself, so that a hundred messages are a few MB, which move to another node in one step. */
const INLINE_BYTES_MAX = 32 * 1024
const PIECE_BYTES = 256 * 1024
/** Pieces being sent at once: a small command may have to wait behind them. */
const PIECES_AT_ONCE = 4

/** For pieces that are tried again: the others do not wait long for a shard that is away. */
const DISCARD_PATIENCE_MS = 1000
/** Beyond so many the oldest are forgotten, and expire with their mailbox. */
const LEFTOVERS_MAX = 1000

/** Pieces that no message may have. */
type Leftover = { readonly key: string; readonly messageId: string; readonly head: Buffer }

/** Stores messages that are too large for one step in pieces next to their mailbox, so that no single command blocks a shard. */
class LargeMessages {
  readonly #cluster: Cluster
  readonly #clock: StoreClock
  readonly #leftovers: Leftover[] = []

  constructor(cluster: Cluster, clock: StoreClock) {
    this.#cluster = cluster
    this.#clock = clock
  }

  /** Writes the pieces first; the step that adds the message checks that all are there. */
  async deliver(key: string, message: SealedMessage, { messagesMax, bytesMax }: Quota, createdAt: number): Promise<StoreResult> {
    const { messageId, sealedRaw } = message
    const args = [messageId, messagesMax, bytesMax, sealedRaw.byteLength, createdAt]
    const goneAt = await write(this.#cluster, WOULD_REFUSE, key, [this.#clock.forScript(), ...args])
    if (typeof goneAt !== 'number') return toStoreResult(goneAt)
    const head = { pieces: Math.ceil(sealedRaw.byteLength / PIECE_BYTES), upload: nameUpload() }
    const keys = pieceKeys(key, head)
    const row = encodeRow(message, head.pieces, head.upload)
    try {
      await fewAtOnce(keys, (piece, i) =>
        this.#cluster.call(piece, 'SET', sealedRaw.subarray(i * PIECE_BYTES, (i + 1) * PIECE_BYTES), 'PXAT', goneAt),
      )
      return toStoreResult(await write(this.#cluster, DELIVER, key, [this.#clock.forScript(), ...args, row], keys))
    } catch (error) {
      this.discardLater(key, messageId, [Buffer.from(row.subarray(0, HEAD_BYTES))])
      throw error
    }
  }

  /** In shared memory, so that the thread that opens it reads it where it is. `undefined` when it was removed meanwhile. */
  async read(key: string, head: Head): Promise<Uint8Array | undefined> {
    const whole = new Uint8Array(new SharedArrayBuffer(head.rawBytes))
    let isWhole = true
    await fewAtOnce(pieceKeys(key, head), async (pieceKey, i) => {
      const piece = await this.#cluster.call(pieceKey, 'GET')
      if (piece instanceof Buffer) whole.set(piece, i * PIECE_BYTES)
      else isWhole = false
    })
    return isWhole ? whole : undefined
  }

  /** `heads`: of messages whose pieces were at another node when their mailbox was extended. */
  async extend(key: string, heads: readonly Buffer[], goneAt: number): Promise<void> {
    const pieces = heads.flatMap(head => pieceKeys(key, decodeHead(head)))
    await fewAtOnce(pieces, piece => this.#cluster.call(piece, 'PEXPIREAT', goneAt))
  }

  /** `heads`: of messages whose delivery failed or that were removed. Those that have become a message stay. */
  discardLater(key: string, messageId: string, heads: readonly Buffer[]): void {
    this.#leftovers.push(...heads.map(head => ({ key, messageId, head })))
    this.#leftovers.splice(0, this.#leftovers.length - LEFTOVERS_MAX)
  }

  /** Nodes that cannot be reached now are tried again next time. */
  async discard(): Promise<void> {
    for (const leftover of this.#leftovers.splice(0)) {
      const { key, messageId, head } = leftover
      const options = { patienceMs: DISCARD_PATIENCE_MS, isBackground: true, keys: pieceKeys(key, decodeHead(head)) }
      const args = [this.#clock.forScript(), messageId, head]
      await this.#cluster.run(DISCARD, key, args, options).catch(() => this.discardLater(key, messageId, [head]))
    }
  }
}

/** Runs a few at once, starting the next when one is done. After a failure it starts none, and rejects when all have ended. */
async function fewAtOnce(keys: readonly string[], run: (key: string, index: number) => Promise<unknown>): Promise<void> {
  const waiting = [...keys.entries()]
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await run(next[1], next[0])
  }
  const stopAll = (error: unknown) => {
    waiting.length = 0
    throw error
  }
  const ended = await Promise.allSettled(Array.from({ length: PIECES_AT_ONCE }, () => worker().catch(stopAll)))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

const FORMAT = String(currentFormats().cluster)
/** The engine removes a mailbox this long after its expiry, so that a fast clock there does not end one early. */
const CLOCK_GRACE_MS = 1000
/** Longer than a `WAIT`. A visitor then gets a name on another shard. */
const CREATE_PATIENCE_MS = 1500
/** A watcher waits at most this long for its channel before it reads for the first time. */
const SUBSCRIBE_MS_MAX = 500

type Options = {
  readonly cluster: Cluster
  readonly clock: Clock
  /** See `deriveKeyCheck`: kept at the first opening, compared at every later one. */
  readonly keyCheck: string
  /** Keeps the stores of several tests apart. */
  readonly prefix?: string
  /** How old the number of mailboxes may be: counting them reads keys. */
  readonly countEveryMs?: number
}

/** Closes `cluster` when it is disposed of. @throws StartError when the cluster belongs to another secret or a newer version. */
export async function openValkeyStore(options: Options): Promise<MailStore> {
  const { cluster, keyCheck, prefix = PREFIX } = options
  const [, storeId = ''] = await identify(cluster, prefix, [keyCheck, randomBytes(16).toString('base64url'), FORMAT])
  return new ValkeyStore({ ...options, prefix }, storeId)
}

/** @throws StartError when the cluster is of another secret or an unknown format. */
function requireOurs(cluster: readonly string[], keyCheck: string | undefined): void {
  const [kept, , format] = cluster
  requireKey(kept, keyCheck, 'the mail store of MAIL_STORE_URL', 'name an empty cluster')
  requireFormat('cluster', { place: 'The mail store of MAIL_STORE_URL', format: Number(format), writtenBy: undefined })
}

/** Copies of the identity, spread over the slots, so that a process can start while the shard of the first is away. */
const IDENTITY_COPIES = 8

/**
 * The identity as it is from now on: what the cluster has, else `proposed`. Only the first key decides about a new one, so that two
 * processes never choose two; while its shard is away, the copies tell what it decided.
 */
async function identify(cluster: Cluster, prefix: string, proposed: readonly string[]): Promise<string[]> {
  const decisive = `${prefix}about`
  const record = async (key: string, identity: readonly string[]) =>
    ((await cluster.run(IDENTIFY, key, [0, ...identity])) as Buffer[]).map(String)
  const copies = Array.from({ length: IDENTITY_COPIES }, (_, i) => `${decisive}:${i}`)
  const found = await Promise.allSettled([decisive, ...copies].map(key => cluster.call(key, 'HMGET', 'key_check', 'store_id', 'format')))
  const kept = found.flatMap(reply => (reply.status === 'fulfilled' ? [reply.value as (Buffer | null)[]] : [])).find(([check]) => check)
  // Before the copies that are missing are written.
  if (kept) requireOurs(kept.map(String), proposed[0])
  const identity = kept?.map(String) ?? (await record(decisive, proposed))
  requireOurs(identity, proposed[0])
  const isAnywhereMissing = found.some(reply => reply.status === 'fulfilled' && (reply.value as unknown[])[0] === null)
  if (isAnywhereMissing) await Promise.allSettled([decisive, ...copies].map(key => record(key, identity)))
  return identity
}

/** Notes when the clock goes back, so that mailboxes that had expired by it stay expired. */
class StoreClock {
  readonly #clock: Clock
  #latest = Number.NEGATIVE_INFINITY
  /** Until the clock has caught up. */
  #setBackTo: number | undefined
  /** By the clocks of the cluster. */
  isWrong = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    const now = this.#clock()
    this.#setBackTo = now < this.#latest ? Math.min(now, this.#setBackTo ?? now) : undefined
    this.#latest = Math.max(now, this.#latest)
    return now
  }

  /**
   * The time as scripts take it: milliseconds, or as JSON with the time that the clock was set back to and its latest before.
   * @throws AppError while it is wrong: live mailboxes would seem unknown, and their mail would be refused for good.
   */
  forScript(): Argument {
    if (this.isWrong) throw new AppError('unavailable', { cause: new Error('the clock of this machine is wrong') })
    const now = this.now()
    return this.#setBackTo === undefined ? now : JSON.stringify([now, this.#setBackTo, this.#latest])
  }
}

class ValkeyStore implements MailStore {
  readonly storeId: string
  readonly #cluster: Cluster
  readonly #clock: StoreClock
  readonly #prefix: string
  readonly #notifier = new Notifier()
  readonly #progress = new ProgressListeners()
  readonly #absentReaders = new AbsentReaders()
  readonly #subscriptions: Subscriptions
  readonly #largeMessages: LargeMessages
  readonly #healthReader: HealthReader

  constructor({ cluster, clock, prefix, countEveryMs }: Options & { prefix: string }, storeId: string) {
    this.storeId = storeId
    this.#cluster = cluster
    this.#clock = new StoreClock(clock)
    this.#prefix = prefix
    this.#subscriptions = new Subscriptions(cluster, (channel, message) => {
      if (message === '') this.#notifier.notify(parseChannel(channel))
      else this.#progress.publish(parseChannel(channel), () => message)
    })
    this.#largeMessages = new LargeMessages(cluster, this.#clock)
    this.#healthReader = new HealthReader({ cluster, prefix, countEveryMs })
  }

  async createMailbox(mailbox: MailboxRecord) {
    const args = [this.#clock.forScript(), mailbox.expiresAt, mailbox.createdAt, this.#goneAt(mailbox.expiresAt), encodeRecord(mailbox)]
    const reply = await this.#cluster.run(CREATE, this.#key(mailbox.mailboxId), args, { patienceMs: CREATE_PATIENCE_MS })
    return reply === 1 ? 'created' : 'taken'
  }

  async extendMailbox(mailbox: MailboxRecord): Promise<boolean> {
    const { mailboxId, createdAt, expiresAt } = mailbox
    const goneAt = this.#goneAt(expiresAt)
    const heads = (await this.#write(EXTEND, mailboxId, [createdAt, expiresAt, goneAt, encodeRecord(mailbox)])) as Buffer[] | null
    if (heads) await this.#largeMessages.extend(this.#key(mailboxId), heads, goneAt)
    return heads !== null
  }

  async findMailbox(mailboxId: MailboxId): Promise<StoredMailbox | undefined> {
    const found = (await this.#read(FIND, mailboxId, [])) as [Buffer, Buffer, number, number, number, number] | null
    if (!found) return undefined
    const [expiresAt, record, messageCount, bytes, cursor, listeners] = found
    this.#absentReaders.recordListeners(mailboxId, listeners)
    return { mailboxId, ...decodeRecord(record), expiresAt: Number(expiresAt), messageCount, bytes, cursor }
  }

  findRecord(mailboxId: MailboxId): Promise<MailboxRecord | undefined> {
    return this.findMailbox(mailboxId)
  }

  async deliver(mailboxId: MailboxId, message: SealedMessage, quota: Quota, createdAt: number): Promise<StoreResult> {
    const { messageId, sealedRaw } = message
    if (sealedRaw.byteLength > INLINE_BYTES_MAX) return await this.#largeMessages.deliver(this.#key(mailboxId), message, quota, createdAt)
    const { messagesMax, bytesMax } = quota
    const args = [messageId, messagesMax, bytesMax, sealedRaw.byteLength, createdAt, encodeRow(message, 0, nameUpload()), sealedRaw]
    return toStoreResult(await this.#write(DELIVER, mailboxId, args))
  }

  async changesSince(mailboxId: MailboxId, cursor: number, limit: number): Promise<Change[] | undefined> {
    const flat = (await this.#read(CHANGES, mailboxId, [cursor, limit])) as Buffer[] | null
    return flat ? Array.from({ length: flat.length / 4 }, (_, i) => toChange(flat.slice(i * 4, i * 4 + 4))) : undefined
  }

  async readMessage(
    mailboxId: MailboxId,
    messageId: MessageId,
    rawBytesMax = Number.POSITIVE_INFINITY,
  ): Promise<StoredMessage | undefined> {
    const found = (await this.#read(READ, mailboxId, [messageId])) as [Buffer, Buffer, Buffer, Buffer] | null
    if (!found) return undefined
    const [link, summary, authentication, inline] = found
    const head = decodeHead(summary)
    const { arrivalCursor } = decodeLink(link)
    const row = { messageId, arrivalCursor, ...decodeRow(summary), sealedAuthentication: orUndefined(authentication) }
    if (head.rawBytes > rawBytesMax) return row
    const sealedRaw = head.pieces > 0 ? await this.#largeMessages.read(this.#key(mailboxId), head) : new Uint8Array(inline)
    return sealedRaw && { ...row, sealedRaw }
  }

  async deleteMessage(mailboxId: MailboxId, messageId: MessageId): Promise<boolean> {
    const head = (await this.#write(DELETE_MESSAGE, mailboxId, [messageId])) as Buffer | null
    if (head?.length) this.#largeMessages.discardLater(this.#key(mailboxId), messageId, [head])
    return head !== null
  }

  async addAuthentication(
    mailboxId: MailboxId,
    messageId: MessageId,
    sealedAuthentication: Uint8Array,
    createdAt: number,
  ): Promise<boolean> {
    return (await this.#write(ADD_AUTHENTICATION, mailboxId, [messageId, sealedAuthentication, createdAt])) === 1
  }

  async destroyMailbox(mailboxId: MailboxId, takenUntil = 0): Promise<boolean> {
    const taken = takenUntil > this.#clock.now() ? [takenUntil, this.#goneAt(takenUntil)] : []
    const heads = (await this.#write(DESTROY, mailboxId, taken)) as Buffer[] | null
    if (heads) this.#largeMessages.discardLater(this.#key(mailboxId), '', heads)
    return heads !== null
  }

  async *watch(mailboxId: MailboxId, signal: AbortSignal): AsyncGenerator<void> {
    const channel = this.#key(mailboxId)
    const subscribed = this.#subscriptions.add(channel)
    try {
      const patience = sleep(SUBSCRIBE_MS_MAX, 'late', { signal, ref: false }).catch(() => undefined)
      // What happens between the first read and a late subscription is read once that is there.
      if ((await Promise.race([subscribed, patience])) === 'late') void subscribed.then(() => this.#notifier.notify(mailboxId))
      yield* this.#notifier.watch(mailboxId, signal)
    } finally {
      this.#subscriptions.remove(channel)
    }
  }

  /** Reaches only current subscribers: the engine keeps no message of a channel. */
  publishProgress(mailboxId: MailboxId, writeProgress: () => string): void {
    if (this.#absentReaders.isAbsent(mailboxId)) return
    this.#cluster.run(PUBLISH, this.#key(mailboxId), [writeProgress()]).catch(() => undefined)
  }

  subscribeToProgress(mailboxId: MailboxId, onProgress: (progress: string) => void, signal: AbortSignal): void {
    if (signal.aborted) return
    const channel = this.#key(mailboxId)
    this.#absentReaders.recordListeners(mailboxId, 1)
    this.#subscriptions.add(channel).catch(() => undefined)
    this.#progress.subscribe(mailboxId, onProgress, signal)
    signal.addEventListener('abort', () => this.#subscriptions.remove(channel), { once: true })
  }

  /** The engine removes expired keys itself. The time is noted, also where nobody asks for anything, and leftover pieces are removed. */
  async sweep(): Promise<number> {
    this.#clock.now()
    await this.#largeMessages.discard()
    return 0
  }

  async health() {
    const health = await this.#healthReader.read()
    this.#clock.isWrong = Math.abs(health.clockAheadMs ?? 0) > CLOCKS_DIFFER_MS
    return health
  }

  async [Symbol.asyncDispose]() {
    await this.#subscriptions[Symbol.asyncDispose]()
    await this.#cluster[Symbol.asyncDispose]()
    this.#notifier.notifyAll()
  }

  #key(mailboxId: MailboxId): string {
    return mailboxKey(this.#prefix, mailboxId)
  }

  #read(script: Script, mailboxId: MailboxId, args: readonly Argument[]): Promise<EngineReply> {
    return this.#cluster.run(script, this.#key(mailboxId), [this.#clock.forScript(), ...args])
  }

  /** When the engine, by its own clock, may remove what expires at this time. */
  #goneAt(expiresAt: number): number {
    return Math.ceil(Date.now() + (expiresAt - this.#clock.now()) + CLOCK_GRACE_MS)
  }

  #write(script: Script, mailboxId: MailboxId, args: readonly Argument[]): Promise<EngineReply> {
    return write(this.#cluster, script, this.#key(mailboxId), [this.#clock.forScript(), ...args])
  }
}

function toChange(fields: readonly Buffer[]): Change {
  const [id, link = Buffer.alloc(0), summary = Buffer.alloc(0), authentication = Buffer.alloc(0)] = fields
  const { isRemoved, cursor, arrivalCursor } = decodeLink(link)
  const messageId = String(id) as MessageId
  if (isRemoved) return { type: 'removed', cursor, messageId }
  return { type: 'message', cursor, arrivalCursor, messageId, ...decodeRow(summary), sealedAuthentication: orUndefined(authentication) }
}

const orUndefined = (bytes: Buffer): Uint8Array | undefined => (bytes.byteLength > 0 ? new Uint8Array(bytes) : undefined)
