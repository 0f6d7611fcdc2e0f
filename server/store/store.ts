/**
 * The interface of the mail store, and what every implementation must guarantee; test/suites/mail-store-suite.ts tests it. Content is
 * encrypted, so the store cannot read it.
 * Every method is one atomic step. Only `sweep` and `health` concern several mailboxes, so that a cluster may keep each on another node.
 * `expiresAt` and all other times are milliseconds since the epoch, by the clock that the store was opened with.
 * From the instant `expiresAt` is reached, also when the clock goes back later, every method behaves as if the mailbox had never existed,
 * whether or not `sweep` has run. A failing engine rejects with AppError `unavailable` or `storage_full`, never with a half-done step; so
 * does every method after disposal.
 * Byte arrays passed in may be views of larger buffers or shared memory, and returned ones are plain `Uint8Array`s.
 */

/** HMAC of the address, 16 bytes as 22 characters of base64url. */
export type MailboxId = string & { readonly __brand: 'MailboxId' }
/** Keyed hash of the message's bytes, 16 bytes as 22 characters of base64url: the same bytes to the same mailbox have the same id. */
export type MessageId = string & { readonly __brand: 'MessageId' }

export type MailboxRecord = {
  readonly mailboxId: MailboxId
  /** SHA-256 of the token, 32 bytes. */
  readonly tokenHash: Uint8Array
  /** X25519 public key that mail is sealed to, 32 bytes. */
  readonly publicKey: Uint8Array
  /** The address, encrypted with a key derived from the token, so that it can be shown to its owner. */
  readonly sealedAddress: Uint8Array
  /** Tells the mailbox from an earlier or later one of the same name. It never changes. */
  readonly createdAt: number
  /** Changed by `extendMailbox` only. */
  readonly expiresAt: number
  /** MAC of all of the above under the server's secret, 32 bytes; then, in up to 200 more, what else it covers (`MailboxGuard`). */
  readonly mac: Uint8Array
}

/** A mailbox with its number of messages and bytes. */
export type StoredMailbox = MailboxRecord & { readonly messageCount: number; readonly bytes: number; readonly cursor: number }

export type SealedMessage = {
  readonly messageId: MessageId
  readonly receivedAt: number
  /** The sealed summary, JSON. */
  readonly sealedSummary: Uint8Array
  readonly sealedRaw: Uint8Array
}

export type StoredMessage = Omit<SealedMessage, 'sealedRaw'> & {
  /** The cursor at which it arrived; the authentication result does not change it. */
  readonly arrivalCursor: number
  readonly sealedAuthentication: Uint8Array | undefined
  /** Missing where it was not asked for, or is larger than was allowed. */
  readonly sealedRaw?: Uint8Array | undefined
}

export type Quota = { readonly messagesMax: number; readonly bytesMax: number }

/** `'duplicate'`: the same content is already there. Nothing changed, and the sender may get 250. */
export type StoreResult = 'stored' | 'duplicate' | 'mailbox_full' | 'mailbox_not_found'

export type Change =
  | (StoredMessage & { readonly type: 'message'; readonly cursor: number })
  | { readonly type: 'removed'; readonly cursor: number; readonly messageId: MessageId }

/**
 * Older removals may be missing from `changesSince`: a reader who was away for more of them shows removed messages until it lists the
 * mailbox again.
 */
export const REMOVALS_LISTED = 1000

export type StoreHealth = {
  readonly ok: boolean
  /** There is no room for ordinary mail: writes reject with `storage_full`. */
  readonly isFull: boolean
  readonly mailboxes: number
  readonly bytesOnDisk: number
  /** Bytes of mail that can still be stored before it is refused; and the same including what is stored already. */
  readonly roomBytes: number
  readonly capacityBytes: number
  /**
   * A store on several machines tells how many shards it has, and how many of them do not reply, have a full memory or disk, or too few
   * replicas, or keep no mail because a node may lose it, or have a replica too old to copy, or a node that denies us what it needs, or a
   * replica whose link is broken. `unserved`: 1 while there are slots without a master.
   */
  readonly shards?: {
    readonly total: number
    readonly away: number
    readonly full: number
    readonly alone: number
    readonly unsafe: number
    readonly outdated: number
    readonly denied: number
    readonly unlinked: number
    readonly unserved: number
  }
  /** Keys that nodes of such a store have thrown away since this process started. */
  readonly evictedKeys?: number
  /** Nodes of such a store that did not say how they are: what was wrong with them has not ended. */
  readonly unsure?: readonly string[]
  /** How long such a store has refused nothing. */
  readonly calmMs?: number
  /** What is wrong with such a store. */
  readonly problems?: readonly StoreProblem[]
  /** How far the clock of this process is ahead of those of such a store. */
  readonly clockAheadMs?: number
}

/**
 * `where`: its nodes. `remedy`: what it does, and what to do. `successors`: nodes that it names to take the place of these. `isHarmless`:
 * mail is taken all the same. `isSure`: it has been seen twice.
 */
export type StoreProblem = {
  readonly kind:
    | 'away'
    | 'full'
    | 'alone'
    | 'unsafe'
    | 'unsaved'
    | 'outdated'
    | 'denied'
    | 'unlinked'
    | 'unserved'
    | 'cut'
    | 'lost'
    | 'clock'
  readonly where: readonly string[]
  readonly fact: string
  readonly remedy: string
  readonly successors?: readonly string[]
  readonly isHarmless?: true
  readonly isSure?: true
}

/** Where the clock of this process is what is wrong, and not that of a node. */
export const OWN_CLOCK = 'here'

/** What the doctor says of such a store. `remedy`: missing if all is well. */
export type StoreFinding = { readonly status: 'ok' | 'warning' | 'failure'; readonly sentence: string; readonly remedy?: string }

export interface MailStore extends AsyncDisposable {
  /** Identifies the store, also after a restart and in a restored backup. */
  readonly storeId: string
  /**
   * Durable when it resolves. `'taken'` if the mailbox id is live, or was destroyed and its `expiresAt` has not passed: a
   * destroyed address is not given to another visitor while mail for it may still arrive.
   */
  createMailbox(mailbox: MailboxRecord): Promise<'created' | 'taken'>

  /**
   * Gives the live mailbox with this id and `createdAt` the `expiresAt` and `mac` of the record, with all its mail. Durable when it
   * resolves with `true`; `false` if there is none. Repeating it changes nothing.
   */
  extendMailbox(mailbox: MailboxRecord): Promise<boolean>

  /** The live mailbox. `undefined` if it never existed, has expired or was destroyed. */
  findMailbox(mailboxId: MailboxId): Promise<StoredMailbox | undefined>

  /** The same without its numbers, which may come from this process's memory: for each mail and each request. */
  findRecord(mailboxId: MailboxId): Promise<MailboxRecord | undefined>

  /**
   * Durable when it resolves with `'stored'`. Existence, expiry, duplicate and quota are decided in the same atomic step as the write.
   * The quota counts `sealedRaw` bytes. `createdAt`: of the mailbox that the message was sealed for. To a later mailbox of the same name,
   * whose owner could not decrypt it, it is `'mailbox_not_found'`.
   * Each message of a mailbox has a later `receivedAt` than those before it, so that readers may ask for what came after a time. Where mail
   * comes faster than that, or in another order than it was received in, it is stored with the next free millisecond.
   */
  deliver(mailboxId: MailboxId, message: SealedMessage, quota: Quota, createdAt: number): Promise<StoreResult>

  /**
   * What happened after `cursor`, oldest first, each message at most once, in its latest state; 0 asks for everything that is there, and so
   * does a cursor above the mailbox's own.
   * A message whose authentication result came after `cursor` appears again with it. Removals that the reader may have seen are included,
   * without bytes; at least the last `REMOVALS_LISTED` of them, so that mail sent and removed in a circle does not grow the mailbox. At
   * most `limit` changes; fewer than `limit` means that is all. `undefined` when the mailbox is gone. The messages have their `sealedRaw`
   * if all of these together are at most `rawBytesMax`, and the engine can read them in the same step.
   */
  changesSince(mailboxId: MailboxId, cursor: number, limit: number, rawBytesMax?: number): Promise<Change[] | undefined>

  /** `undefined` when the mailbox or the message is gone. Without its `sealedRaw` if that has more bytes than `rawBytesMax`. */
  readMessage(mailboxId: MailboxId, messageId: MessageId, rawBytesMax?: number): Promise<StoredMessage | undefined>

  /** Frees its quota at once. `false` if there was nothing to remove. */
  deleteMessage(mailboxId: MailboxId, messageId: MessageId): Promise<boolean>

  /**
   * Adds what is known only after delivery (the results of authentication). `false` if the message is gone. `createdAt`: as in `deliver`; a
   * later mailbox of the same name may hold the same message, and could not decrypt this.
   */
  addAuthentication(mailboxId: MailboxId, messageId: MessageId, sealedAuthentication: Uint8Array, createdAt: number): Promise<boolean>

  /**
   * When it resolves, keys and address are gone, and the mailbox for every method. Mail that the engine could not remove at once is left to
   * `sweep`. `false` if there was nothing; with `takenUntil` its id is then taken until that time, so that whoever is still about to create
   * it cannot.
   */
  destroyMailbox(mailboxId: MailboxId, takenUntil?: number): Promise<boolean>

  /**
   * Notifies without data: yields once at the start, and then soon after anything in the mailbox changes, it is destroyed, or a
   * notification may have been lost; the reader then calls `changesSince`. Several notifications before the next read become one. Ends when
   * `signal` aborts.
   */
  watch(mailboxId: MailboxId, signal: AbortSignal): AsyncIterable<void>

  /**
   * Sends the progress of a delivery, a short text, to current readers of this mailbox in all processes. Not stored: it is lost if there
   * are none, and then usually not even written.
   */
  publishProgress(mailboxId: MailboxId, writeProgress: () => string): void

  /** Calls `onProgress` with each progress published from soon after now until `signal` aborts. */
  subscribeToProgress(mailboxId: MailboxId, onProgress: (progress: string) => void, signal: AbortSignal): void

  /**
   * Physically removes expired and destroyed mailboxes, at most `mailboxesMax` in one step, and wakes who watches them; resolves to how
   * many.
   */
  sweep(mailboxesMax: number): Promise<number>

  health(): Promise<StoreHealth>
}
