import type { Database } from '#server/database/database.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import { isAtDomain } from '#server/mail/addresses/address.ts'
import type { Outbox } from '#server/outbound/outbox.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import { AbuseReports } from './abuse-reports.ts'
import { AuditLog } from './audit-log.ts'
import { Blocks } from './blocks.ts'
import { ContactMessages } from './contact-messages.ts'
import type { Forwarding } from './forwarding.ts'
import { OperatorInbox, type OperatorInboxLimits } from './operator-inbox.ts'
import { OperatorSettings } from './settings.ts'

type OperatorDeps = {
  readonly database: Database
  readonly secretBox: SecretBox
  readonly clock: Clock
  /** Missing for the operator's command, which sends nothing. */
  readonly forwarding?: Forwarding | undefined
  /** Smaller limits for tests. */
  readonly inboxLimits?: OperatorInboxLimits | undefined
}

/** Messages to the operator, and the operator's decisions. Opened by the server and by the commands. */
export type Operator = {
  readonly contact: ContactMessages
  readonly inbox: OperatorInbox
  readonly reports: AbuseReports
  readonly audit: AuditLog
  readonly blocks: Blocks
  readonly settings: OperatorSettings
  /** Unread messages of each kind. */
  unread(): Promise<{ contact: number; mail: number; reports: number }>
}

export function openOperator({ database, secretBox, clock, forwarding, inboxLimits }: OperatorDeps): Operator {
  const { db } = database
  const audit = new AuditLog(db, clock)
  const unread = async (table: 'contact_messages' | 'operator_messages' | 'abuse_reports') => {
    const count = db.fn.countAll<number>().as('count')
    return Number((await db.selectFrom(table).select(count).where('read_at', 'is', null).executeTakeFirstOrThrow()).count)
  }
  return {
    reports: new AbuseReports({ db, secretBox, clock, forwarding }),
    audit,
    blocks: new Blocks({ db, clock, audit }),
    settings: new OperatorSettings(db, audit),
    async unread() {
      const [contact, mail, reports] = await Promise.all([unread('contact_messages'), unread('operator_messages'), unread('abuse_reports')])
      return { contact, mail, reports }
    },
    contact: new ContactMessages({ db, clock, forwarding }),
    inbox: new OperatorInbox({ db, secretBox, clock, forwarding, limits: inboxLimits }),
  }
}

/** Forwarding needs a relay and an address elsewhere: mail to one of our own domains would come back and be forwarded again. */
export function configureForwarding(
  { smtpRelayUrl, contactTo, domains, siteName }: Pick<Config, 'smtpRelayUrl' | 'contactTo' | 'domains' | 'siteName'>,
  outbox: Outbox,
): Forwarding | undefined {
  if (smtpRelayUrl === undefined || contactTo === undefined || isAtDomain(contactTo, domains)) return undefined
  return { outbox, to: contactTo, siteName }
}
