import type { OperatorDomain } from '#contract/operator.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { domainOfAddress, type MailDomain } from '#server/mail/addresses/mail-domains.ts'
import { createForwarding, type Forwarding, type Outbox } from '#server/outbound/outbox.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { SharedLimits } from '#server/platform/limits/limiter.ts'
import type { Log } from '#server/platform/log.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { StoreHealth } from '#server/store/store.ts'
import { AuditLog } from './audit-log.ts'
import { Blocks } from './blocks.ts'
import { describeDomains, StoredDomains, seedDomains } from './domains.ts'
import { LiveRules } from './live-rules.ts'
import { OperatorNotices } from './notices.ts'
import { AbuseReports, ContactMessages, OperatorInbox, type OperatorInboxLimits, OperatorReplies } from './operator-inbox.ts'
import { SecondFactor } from './second-factor.ts'
import { LastLook, StoredSettings } from './settings.ts'
import { addCounts, openCurrentStatistics, Statistics } from './statistics.ts'

type RecordsDeps = {
  readonly config: Config
  /** The command has neither: it sends nothing. */
  readonly forwarding?: Forwarding | undefined
  readonly notices?: OperatorNotices
  /** Smaller limits for tests. */
  readonly inboxLimits?: OperatorInboxLimits
}

export type OperatorRecords = ReturnType<typeof openOperatorRecords>

/** Messages to the operator, and what the operator decides: for the server and for the commands. */
export function openOperatorRecords(access: DatabaseAccess, { config, forwarding, notices, inboxLimits }: RecordsDeps) {
  const { db } = access
  const audit = new AuditLog(access)
  const unread = async (table: 'contact_messages' | 'operator_messages' | 'abuse_reports') => {
    const count = db.fn.countAll<number>().as('count')
    return Number((await db.selectFrom(table).select(count).where('read_at', 'is', null).executeTakeFirstOrThrow()).count)
  }
  return {
    reports: new AbuseReports({ ...access, notices }),
    audit,
    blocks: new Blocks({ ...access, audit }),
    /** To change them. Those in effect are `LiveRules.domains`. */
    storedDomains: new StoredDomains({ ...access, audit, config }),
    settings: new StoredSettings(access, audit),
    lastLook: new LastLook(access),
    secondFactor: new SecondFactor({ ...access, audit, issuer: config.siteName }),
    contact: new ContactMessages({ ...access, forwarding }),
    inbox: new OperatorInbox({ ...access, forwarding, limits: inboxLimits }),
    async unread() {
      const [contact, mail, reports] = await Promise.all([unread('contact_messages'), unread('operator_messages'), unread('abuse_reports')])
      return { contact, mail, reports }
    },
  }
}

/**
 * Forwarding needs a relay and an address elsewhere: mail to one of our own domains would come back and be forwarded again. `domains`: of
 * the database. None that comes later has that address: see `StoredDomains`.
 */
function configureForwarding(
  { smtpRelayUrl, contactTo, siteName }: Config,
  domains: readonly MailDomain[],
  outbox: Outbox,
  log: Log,
): Forwarding | undefined {
  if (smtpRelayUrl === undefined || contactTo === undefined) return undefined
  const own = domainOfAddress(domains, contactTo)
  if (!own) return createForwarding(outbox, { to: contactTo, siteName })
  log.warn(`CONTACT_TO is an address at ${own.name}, a domain of this server, so nothing is forwarded: name a mailbox elsewhere`)
  return undefined
}

/** What only the running server knows. */
type ServerState = {
  readonly telemetry: Telemetry
  readonly health: () => StoreHealth
  readonly streams: () => number
  readonly isDatabaseAway: () => boolean
}

type OperatorDeps = {
  readonly config: Config
  readonly outbox: Outbox
  readonly state: ServerState
  /** That of the whole cluster, if there is one. */
  readonly sharedLimits: SharedLimits
}

export type Operator = Awaited<ReturnType<typeof openOperator>>

/** Everything behind the operator's page and commands. */
export async function openOperator(access: DatabaseAccess, { config, outbox, state, sharedLimits }: OperatorDeps) {
  const { clock, log } = access
  const seeded = await seedDomains(access, config)
  await using opening = new AsyncDisposableStack()
  if (seeded.advice) log.warn(seeded.advice)
  const forwarding = configureForwarding(config, seeded.all, outbox, log)
  const notices = opening.use(new OperatorNotices({ config, clock, log, forwarding, sharedLimits }))
  const records = openOperatorRecords(access, { config, forwarding, notices })
  const { blocks, settings, storedDomains } = records
  const current = opening.use(openCurrentStatistics({ dataDir: config.dataDir, outbox, ...state }))
  const { telemetry } = state
  const rules = opening.use(await LiveRules.open({ ...access, blocks, settings, storedDomains, telemetry, ownNames: config }))
  const statistics = opening.use(new Statistics({ ...access, counter: telemetry.counts, current: () => current.read() }))
  const opened = opening.move()
  return {
    ...records,
    rules,
    statistics,
    notices,
    replies: new OperatorReplies(outbox, { canSend: config.smtpRelayUrl !== undefined, siteName: config.siteName }),
    /** With the counts of the last 24 hours. `listedOn`: by default nothing is on a list. */
    async describeDomains(listedOn: (name: string) => string | null = () => null): Promise<OperatorDomain[]> {
      const [all, points, now] = await Promise.all([storedDomains.list(), statistics.lastDay(), statistics.live()])
      return describeDomains(all, addCounts([...points, now]), { now: clock(), listedOn })
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
