import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Log } from '#server/platform/log.ts'
import type { ThreadMetrics } from '#server/platform/threads/thread-pool.ts'
import type { MailboxId, MailStore, MessageId, StoreHealth } from '#server/store/store.ts'
import type { Authenticate } from './authentication/authenticate.ts'
import type { StorageShares } from './delivery/storage-shares.ts'
import type { Subkeys } from './keys/subkeys.ts'
import type { MailboxGuard } from './mailbox-guard.ts'
import type { MailThreads } from './threads/mail-threads.ts'

/** Mail to the operator. `recipient` is the normalised address that makes it the operator's. */
export type OperatorMail = { readonly recipient: string; readonly envelopeFrom: string; readonly raw: Uint8Array }

/** The event that a message arrives, before it is stored. `receivedAt`: milliseconds since the epoch. */
export type Arrival = { readonly mailboxId: MailboxId; readonly messageId: MessageId; readonly receivedAt: number }

/** To be called with the outcome; not called if the outcome is unknown, as after a store that failed in the middle. */
export type SettleArrival = (isStored: boolean) => void

/** Learns of new mail and destroyed mailboxes, for webhooks and notifications. */
export interface MailListener {
  /** Whether `enqueueArrival` does anything now. */
  readonly mayEnqueueArrivals: boolean
  /**
   * Records the event for webhooks before the message is stored, so that it is not lost if the process is killed right after. The sender
   * waits for the promise, but not for what settling it does.
   */
  enqueueArrival(arrival: Arrival): Promise<SettleArrival | undefined> | undefined
  /** Called for each message that was stored in a mailbox. Returns at once; nobody waits for its work. */
  mailStored(mailboxId: MailboxId): void
  /** Called for each mailbox that was destroyed before it expired. Returns at once; nobody waits for its work. */
  mailboxDestroyed(mailboxId: MailboxId): void
}

/** Receives mail to the operator. Resolves to `'stored'` when it is durable; rejects with AppError when it cannot be stored now. */
export type OperatorInbox = { receive(mail: OperatorMail): Promise<'stored' | 'message_too_large'> }

export type MailOptions = {
  readonly store: MailStore
  /** See `loadSecret`. */
  readonly secret: string
  readonly config: Pick<Config, 'domains' | 'quota' | 'supportEmail' | 'mailFrom' | 'contactTo' | 'memory'>
  readonly clock: Clock
  /** Cryptographically random bytes. */
  readonly random: (bytes: number) => Uint8Array
  readonly log: Log
  /** If missing, mail to the operator is refused. */
  readonly operatorInbox?: OperatorInbox
  /** The last known health of the store. If missing, disk shares are not counted. */
  readonly storeHealth?: () => StoreHealth
  /** Called each time a mailbox is refused because its row was changed: see `MailboxGuard`. */
  readonly mailboxRefused?: () => void
  readonly threadMetrics?: ThreadMetrics
  readonly listener?: MailListener
  /** If missing, messages have no authentication results. */
  readonly authenticate?: Authenticate
}

export type MailContext = MailOptions & {
  readonly subkeys: Subkeys
  readonly threads: MailThreads
  readonly storageShares: StorageShares
  readonly guard: MailboxGuard
  /** See `operatorLocalParts`. */
  readonly operatorNames: ReadonlySet<string>
}
