import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import type { MailboxId, MailStore, MessageId, StoreHealth } from '#server/store/store.ts'
import type { Authenticate } from './authentication/authenticate.ts'
import type { Subkeys } from './keys/subkeys.ts'
import type { MailThreads } from './mail-threads.ts'
import type { MailboxGuard } from './mailbox-guard.ts'
import type { StorageShares } from './storage-shares.ts'

/** Mail to the operator. `recipient` is the normalised address that makes it the operator's. */
export type OperatorMail = { readonly recipient: string; readonly envelopeFrom: string; readonly raw: Uint8Array }

/** A message that was stored durably. `receivedAt`: milliseconds since the epoch. */
export type StoredNotice = { readonly mailboxId: MailboxId; readonly messageId: MessageId; readonly receivedAt: number }

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
  /** Called once per message after it is durable; delivery does not wait for it. */
  readonly messageStored?: (notice: StoredNotice) => void
  /** If missing, messages have no verdict. */
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
