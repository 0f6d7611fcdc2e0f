import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Log } from '#server/platform/log.ts'
import type { MailStore, StoreHealth } from '#server/store/store.ts'
import type { DomainDirectory, DomainEvent } from './addresses/mail-domains.ts'
import type { Authenticate, AuthenticationTelemetry } from './authentication/authenticate.ts'
import type { StorageShares } from './delivery/storage-shares.ts'
import type { Subkeys } from './keys/secret.ts'
import type { MailListener, OperatorInbox } from './mail-core.ts'
import type { MailboxGuard } from './mailbox-guard.ts'
import type { FreshRows } from './reading/fresh-rows.ts'
import type { MailThreads } from './threads/mail-threads.ts'

/** Learns what happens to mail. */
export type MailTelemetry = AuthenticationTelemetry & {
  /** A mailbox was refused because its row was changed: see `MailboxGuard`. */
  mailboxRefused(): void
  domainUsed(domain: string, event: DomainEvent): void
}

export type MailOptions = {
  readonly store: MailStore
  /** See `loadSecret`. */
  readonly secret: string
  readonly config: Pick<Config, 'domains' | 'quota' | 'supportEmail' | 'mailFrom' | 'contactTo' | 'memory'>
  /** If missing, those of `config` are offered. */
  readonly domains?: DomainDirectory
  readonly clock: Clock
  /** Cryptographically random bytes. */
  readonly random: (bytes: number) => Uint8Array
  readonly log: Log
  /** If missing, mail to the operator is refused. */
  readonly operatorInbox?: OperatorInbox
  /** The last known health of the store. If missing, disk shares are not counted. */
  readonly storeHealth?: () => StoreHealth
  readonly telemetry: MailTelemetry
  readonly listener?: MailListener
  /** If missing, messages have no authentication results. */
  readonly authenticate?: Authenticate
}

/** What the parts of the mail core share. */
export type MailContext = MailOptions & {
  readonly domains: DomainDirectory
  readonly subkeys: Subkeys
  readonly threads: MailThreads
  readonly storageShares: StorageShares
  readonly guard: MailboxGuard
  readonly freshRows: FreshRows
}
