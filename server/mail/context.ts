import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import type { MailStore } from '#server/store/store.ts'
import type { Authenticate } from './authentication/authenticate.ts'
import type { Subkeys } from './keys/subkeys.ts'
import type { Envelope } from './mail.ts'
import type { MailThreads } from './mail-threads.ts'

/** Where mail to postmaster and abuse goes. Resolves to `'stored'` when it is safely kept; rejects with AppError when it cannot be now. */
export type OperatorInbox = { accept(envelope: Envelope, raw: Uint8Array): Promise<'stored' | 'message_too_large'> }

export type MailOptions = {
  readonly store: MailStore
  /** See `loadSecret`. */
  readonly secret: string
  readonly config: Pick<Config, 'domains' | 'quota'>
  readonly clock: Clock
  /** Cryptographically random bytes. */
  readonly random: (bytes: number) => Uint8Array
  readonly log: Log
  /** Without one, mail to postmaster and abuse is refused. */
  readonly operatorInbox?: OperatorInbox
  /** Without one, messages carry no verdict. */
  readonly authenticate?: Authenticate
}

export type MailContext = MailOptions & { readonly subkeys: Subkeys; readonly threads: MailThreads }
