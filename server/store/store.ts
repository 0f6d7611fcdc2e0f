/**
 * The mail store port: what every adapter promises. Everything it holds is opaque to it.
 * Written so that one mailbox is one slot of a Valkey Cluster: no verb touches two mailboxes, every verb is one atomic step.
 * `expiresAt` and every other time is milliseconds since the epoch, by the clock the store was opened with.
 *
 * Expired means gone: from the instant `expiresAt` is reached every verb behaves as if the mailbox had never existed,
 * whether or not `sweep` has run. A failing engine rejects with AppError `unavailable` or `storage_full`, never with a half-done step.
 */

/** HMAC of the address, 16 bytes as 22 characters of base64url. */
export type MailboxId = string & { readonly __brand: 'MailboxId' }
/** Keyed hash of the message's bytes, 16 bytes as 22 characters of base64url: the same bytes to the same mailbox have the same id. */
export type MessageId = string & { readonly __brand: 'MessageId' }

export type MailboxRecord = {
  readonly mailboxId: MailboxId
  /** SHA-256 of the token, 32 bytes. */
  readonly tokenHash: Uint8Array
  /** X25519 public key mail is sealed to, 32 bytes. */
  readonly publicKey: Uint8Array
  /** The address itself, sealed to `publicKey`, so that its owner can be shown it. */
  readonly sealedAddress: Uint8Array
  /** Kept to know the lifetime the mailbox was made with. */
  readonly createdAt: number
  readonly expiresAt: number
  /** Authenticates all of the above under the server's secret, 32 bytes; empty for a mailbox of a build before 0.1.0. */
  readonly mac: Uint8Array
}

/** A mailbox with its number of messages and bytes. */
export type StoredMailbox = MailboxRecord & { readonly messageCount: number; readonly bytes: number; readonly cursor: number }

export type SealedMessage = {
  readonly messageId: MessageId
  readonly receivedAt: number
  /** Sealed JSON of the inbox row. */
  readonly sealedSummary: Uint8Array
  /** The sealed message, byte for byte what arrived. */
  readonly sealedRaw: Uint8Array
}

export type Quota = { readonly messagesMax: number; readonly bytesMax: number }

export type Delivered =
  | { readonly outcome: 'stored'; readonly cursor: number }
  /** The same content is there already: nothing changed, and the sender may get 250. */
  | { readonly outcome: 'duplicate' }
  | { readonly outcome: 'mailbox_full' }
  | { readonly outcome: 'mailbox_not_found' }

export type Change =
  | {
      readonly type: 'message'
      readonly cursor: number
      /** The cursor at which it arrived; an annotation leaves it as it is. */
      readonly arrivalCursor: number
      readonly messageId: MessageId
      readonly receivedAt: number
      readonly sealedSummary: Uint8Array
      readonly sealedAnnotation: Uint8Array | undefined
    }
  | { readonly type: 'removed'; readonly cursor: number; readonly messageId: MessageId }

/** A reader that was away for more removals than this lists the mailbox again. */
export const REMOVALS_TOLD = 1000

export type StoreHealth = {
  readonly ok: boolean
  readonly mailboxes: number
  readonly bytesOnDisk: number
  /** Bytes of mail that can still be stored before it is refused, and those with what is stored already. */
  readonly roomBytes: number
  readonly capacityBytes: number
}

export interface MailStore extends AsyncDisposable {
  /**
   * Durable when it resolves. `'taken'` when the mailbox id is live, or was destroyed before its own `expiresAt` and that has not passed:
   * a destroyed address is not handed to the next visitor while its old mail may still be on the way.
   */
  createMailbox(mailbox: MailboxRecord): Promise<'created' | 'taken'>

  /** The live mailbox, or `undefined`, the same for one that never existed, has expired or was destroyed. */
  findMailbox(mailboxId: MailboxId): Promise<StoredMailbox | undefined>

  /**
   * Durable when it resolves with `'stored'`. Existence, expiry, duplicate and quota are decided in the same atomic step as the write.
   * The quota counts `sealedRaw` bytes.
   */
  deliver(mailboxId: MailboxId, message: SealedMessage, quota: Quota): Promise<Delivered>

  /**
   * What happened after `cursor`, oldest first, each message at most once, in its latest state; 0 asks for everything that is there.
   * A message annotated after `cursor` appears again with its annotation. Removals that the reader may have seen are included, without bytes;
   * at least the last `REMOVALS_TOLD` of them, so that mail sent and removed in a circle does not grow the mailbox.
   * At most `limit` changes; fewer than `limit` means that is all. `undefined` when the mailbox is gone.
   */
  changesSince(mailboxId: MailboxId, cursor: number, limit: number): Promise<Change[] | undefined>

  /** `undefined` when the mailbox or the message is gone. */
  readMessage(
    mailboxId: MailboxId,
    messageId: MessageId,
  ): Promise<(SealedMessage & { readonly arrivalCursor: number; readonly sealedAnnotation: Uint8Array | undefined }) | undefined>

  /** Frees its quota at once. `false` when there was nothing to remove. */
  removeMessage(mailboxId: MailboxId, messageId: MessageId): Promise<boolean>

  /** Adds what is known only after delivery (the authentication verdict). `false` when the message is gone. */
  annotate(mailboxId: MailboxId, messageId: MessageId, sealedAnnotation: Uint8Array): Promise<boolean>

  /**
   * Keys and address are gone when it resolves, and the mailbox for everybody; mail that the engine could not remove at once is left to `sweep`.
   * `false` when there was nothing.
   */
  destroyMailbox(mailboxId: MailboxId): Promise<boolean>

  /**
   * A doorbell without data: yields once at the start, then soon after anything in the mailbox changes, is destroyed, or a ring may have been lost;
   * the reader then asks `changesSince`. Several rings before the next read become one. Ends when `signal` aborts.
   */
  watch(mailboxId: MailboxId, signal: AbortSignal): AsyncIterable<void>

  /** Passes a short note to those who listen for this mailbox right now, in any process. Kept nowhere; one that nobody hears, or that gets lost, is gone. */
  publish(mailboxId: MailboxId, note: string): void

  /** Calls `onNote` with each note told from soon after now until `signal` aborts. */
  subscribe(mailboxId: MailboxId, onNote: (note: string) => void, signal: AbortSignal): void

  /** Physically removes expired and destroyed mailboxes, at most `mailboxesMax` in one bounded step; resolves to how many. */
  sweep(mailboxesMax: number): Promise<number>

  health(): Promise<StoreHealth>
}
