import type { Basics } from '#server/platform/config/config.ts'
import type { Holder } from '#server/platform/limits/share-budget.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { MailboxId, MailStore, StoreHealth } from '#server/store/store.ts'
import type { MailDomains } from './addresses/mail-domains.ts'
import type { Authenticator } from './authentication/authenticate.ts'
import type { Arrival, OperatorMail, SettleArrival } from './delivery/envelope.ts'
import type { StorageShares } from './delivery/storage-shares.ts'
import type { Subkeys } from './keys/secret.ts'
import type { MailboxGuard } from './mailbox-guard.ts'
import type { FreshRows } from './reading/inbox.ts'
import type { MailThreads } from './threads/mail-threads.ts'

export type MailOptions = Basics & {
  readonly store: MailStore
  /** The last known health of the store. */
  readonly storeHealth: () => StoreHealth
  readonly telemetry: Telemetry
  /** The domains of now. Those after `refresh` have every change that was made before: another process may have given a new address. */
  readonly rules: { readonly domains: MailDomains; refresh(): Promise<void> }
  /** Resolves when it is recorded that an address at this domain lives until `expiresAt`. */
  readonly keepDomain: (name: string, expiresAt: number) => Promise<void>
  /** Resolves to `'stored'` when the mail is durable; rejects with AppError when it cannot be stored now. */
  readonly receiveOperatorMail: (mail: OperatorMail) => Promise<'stored' | 'message_too_large'>
  readonly webhookEvents: {
    /** Whether `enqueueArrival` does anything now. */
    readonly mayEnqueueArrivals: boolean
    /**
     * Records the event before the message is stored, so that it is not lost if the process is killed right after. The sender waits for the
     * promise, but not for what settling it does.
     */
    enqueueArrival(arrival: Arrival): Promise<SettleArrival | undefined> | undefined
  }
  /** Called for each message that was stored in a mailbox of this creator. Returns at once; nobody waits for its work. */
  readonly mailStored: (mailboxId: MailboxId, creator: Holder) => void
  /** Called for each mailbox destroyed before it expired. Resolves when nothing lists it any more; a failure is only logged. */
  readonly mailboxDestroyed: (mailboxId: MailboxId) => Promise<void>
  /** Missing with DNS_SERVERS=off: messages have no authentication results. */
  readonly authenticator: Authenticator | undefined
}

export type MailContext = MailOptions & {
  readonly subkeys: Subkeys
  readonly threads: MailThreads
  readonly storageShares: StorageShares
  readonly guard: MailboxGuard
  readonly freshRows: FreshRows
}
