import type { Basics } from '#server/platform/basics.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { MailStore, StoreHealth } from '#server/store/store.ts'
import type { DomainDirectory } from './addresses/mail-domains.ts'
import type { Authenticate } from './authentication/authenticate.ts'
import type { StorageShares } from './delivery/storage-shares.ts'
import type { Subkeys } from './keys/secret.ts'
import type { MailListener, OperatorMailReceiver } from './mail-core.ts'
import type { MailboxGuard } from './mailbox-guard.ts'
import type { FreshRows } from './reading/fresh-rows.ts'
import type { MailThreads } from './threads/mail-threads.ts'

export type MailOptions = Basics & {
  readonly store: MailStore
  readonly directory: DomainDirectory
  readonly operatorInbox: OperatorMailReceiver
  /** The last known health of the store. */
  readonly storeHealth: () => StoreHealth
  readonly telemetry: Telemetry
  readonly listener: MailListener
  /** Missing with DNS_SERVERS=off: messages have no authentication results. */
  readonly authenticate: Authenticate | undefined
}

/** What the parts of the mail core share. */
export type MailContext = MailOptions & {
  readonly subkeys: Subkeys
  readonly threads: MailThreads
  readonly storageShares: StorageShares
  readonly guard: MailboxGuard
  readonly freshRows: FreshRows
}
