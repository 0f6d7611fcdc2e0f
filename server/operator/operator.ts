import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import { isAtDomain } from '#server/mail/address.ts'
import { ContactMessages } from './contact-messages.ts'
import type { Forwarding } from './forwarding.ts'
import { OperatorInbox, type OperatorInboxLimits } from './operator-inbox.ts'
import type { Outbox } from './outbox.ts'

type OperatorDeps = {
  readonly database: Database
  readonly secretBox: SecretBox
  readonly clock: Clock
  /** Left out by the operator's command, which sends nothing. */
  readonly forwarding?: Forwarding | undefined
  /** Smaller limits for tests. */
  readonly inboxLimits?: OperatorInboxLimits | undefined
}

/** What reaches the operator. The server and the operator's command both open it. */
export type Operator = { readonly contact: ContactMessages; readonly inbox: OperatorInbox }

export function openOperator({ database, secretBox, clock, forwarding, inboxLimits }: OperatorDeps): Operator {
  const { db } = database
  return {
    contact: new ContactMessages({ db, clock, forwarding }),
    inbox: new OperatorInbox({ db, secretBox, clock, forwarding, limits: inboxLimits }),
  }
}

/**
 * Forwarding needs a relay and an address that is not ours: mail to an address at one of our own domains would come back to this server,
 * and be forwarded again.
 */
export function configureForwarding(
  { smtpRelayUrl, contactTo, domains, siteName }: Pick<Config, 'smtpRelayUrl' | 'contactTo' | 'domains' | 'siteName'>,
  outbox: Outbox,
): Forwarding | undefined {
  if (smtpRelayUrl === undefined || contactTo === undefined || isAtDomain(contactTo, domains)) return undefined
  return { outbox, to: contactTo, siteName }
}
