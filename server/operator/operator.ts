import { statfs } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { CurrentStatistics, OperatorDomain } from '#contract/operator.ts'
import type { Accounts } from '#server/accounts/accounts.ts'
import type { Database } from '#server/database/database.ts'
import type { SecretBox } from '#server/database/secret-box.ts'
import { domainOfAddress, type MailDomain } from '#server/mail/addresses/mail-domains.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { Forwarding, Outbox } from '#server/outbound/outbox.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Limiter } from '#server/platform/limits/limiter.ts'
import type { Log } from '#server/platform/log.ts'
import type { StoreHealth } from '#server/store/store.ts'
import { AbuseReports } from './abuse-reports.ts'
import { AuditLog } from './audit-log.ts'
import { Blocks } from './blocks.ts'
import { ContactAnswers, ContactMessages } from './contact-messages.ts'
import { describeDomains, StoredDomains, seedDomains } from './domains.ts'
import { LivePolicy } from './live-policy.ts'
import { Moderation } from './moderation.ts'
import { OperatorNotices } from './notices.ts'
import { OperatorInbox, type OperatorInboxLimits } from './operator-inbox.ts'
import { SecondFactor } from './second-factor.ts'
import { OperatorSettings } from './settings.ts'
import { addCounts, Statistics, type StatisticsCounter } from './statistics.ts'

type OperatorDeps = {
  readonly database: Database
  readonly secretBox: SecretBox
  readonly clock: Clock
  readonly config: Config
  /** Missing for the operator's command, which sends nothing. */
  readonly forwarding?: Forwarding | undefined
  readonly notices?: OperatorNotices | undefined
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
  /** To change them. Those in effect are `LivePolicy.domains`. */
  readonly storedDomains: StoredDomains
  readonly settings: OperatorSettings
  /** Unread messages of each kind. */
  unread(): Promise<{ contact: number; mail: number; reports: number }>
}

export function openOperator({ database, secretBox, clock, config, forwarding, notices, inboxLimits }: OperatorDeps): Operator {
  const { db } = database
  const audit = new AuditLog(db, clock)
  const unread = async (table: 'contact_messages' | 'operator_messages' | 'abuse_reports') => {
    const count = db.fn.countAll<number>().as('count')
    return Number((await db.selectFrom(table).select(count).where('read_at', 'is', null).executeTakeFirstOrThrow()).count)
  }
  return {
    reports: new AbuseReports({ db, secretBox, clock, notices }),
    audit,
    blocks: new Blocks({ db, clock, audit }),
    storedDomains: new StoredDomains({ db, clock, audit, config }),
    settings: new OperatorSettings(db, audit),
    async unread() {
      const [contact, mail, reports] = await Promise.all([unread('contact_messages'), unread('operator_messages'), unread('abuse_reports')])
      return { contact, mail, reports }
    },
    contact: new ContactMessages({ db, clock, forwarding }),
    inbox: new OperatorInbox({ db, secretBox, clock, forwarding, limits: inboxLimits }),
  }
}

type ForwardingDeps = { readonly config: Config; readonly outbox: Outbox; readonly domains: readonly MailDomain[]; readonly log: Log }

/**
 * Forwarding needs a relay and an address elsewhere: mail to one of our own domains would come back and be forwarded again. `domains`: of
 * the database. None that comes later has that address: see `StoredDomains`.
 */
function configureForwarding({ config, outbox, domains, log }: ForwardingDeps): Forwarding | undefined {
  const { smtpRelayUrl, contactTo, siteName } = config
  if (smtpRelayUrl === undefined || contactTo === undefined) return undefined
  const own = domainOfAddress(domains, contactTo)
  if (!own) return { outbox, to: contactTo, siteName }
  log.warn(`CONTACT_TO is an address at ${own.name}, a domain of this server, so nothing is forwarded: name a mailbox elsewhere`)
  return undefined
}

/** What only the running server knows. */
type ServerState = { readonly counter: StatisticsCounter; readonly health: () => StoreHealth; readonly streams: () => number }

type OperatorPartsDeps = {
  readonly config: Config
  readonly database: Database
  readonly secretBox: SecretBox
  readonly clock: Clock
  readonly log: Log
  readonly outbox: Outbox
  readonly accounts: Accounts
  readonly mail: MailCore
  readonly state: ServerState
  /** That of the whole cluster, if there is one. */
  readonly limiter: Limiter
}

export type OperatorParts = AsyncDisposable & {
  readonly operator: Operator
  readonly moderation: Moderation
  readonly secondFactor: SecondFactor
  readonly livePolicy: LivePolicy
  readonly statistics: Statistics
  readonly replies: ContactAnswers
  readonly notices: OperatorNotices
  /** With the counts of the last 24 hours. `listedOn`: by default nothing is on a list. */
  describeDomains(listedOn?: (name: string) => string | null): Promise<OperatorDomain[]>
}

/** Wires everything behind the operator's page and commands. */
export async function openOperatorParts(deps: OperatorPartsDeps): Promise<OperatorParts> {
  const { config, database, secretBox, clock, log, outbox, accounts, mail, state, limiter } = deps
  const { db } = database
  await using opening = new AsyncDisposableStack()
  const seeded = await seedDomains(db, clock, config)
  if (seeded.advice) log.warn(seeded.advice)
  const forwarding = configureForwarding({ config, outbox, domains: seeded.all, log })
  const notices = opening.use(new OperatorNotices({ config, clock, log, forwarding, limiter }))
  const operator = openOperator({ database, secretBox, clock, config, forwarding, notices })
  const { audit, blocks, settings, storedDomains } = operator
  const targets = {
    destroyAddress: (address: string) => mail.destroyAddress(address),
    deleteAccount: accounts.deleteAccount,
  }
  const current = opening.use(openCurrentStatistics({ dataDir: config.dataDir, outbox, ...state }))
  const livePolicy = opening.use(
    await LivePolicy.open({ db, blocks, settings, storedDomains, counter: state.counter, ownNames: config, clock, log }),
  )
  const statistics = opening.use(new Statistics({ db, clock, log, counter: state.counter, current: () => current.read() }))
  const opened = opening.move()
  return {
    operator,
    moderation: new Moderation({ db, secretBox, clock, audit, targets }),
    secondFactor: new SecondFactor({ db, secretBox, clock, audit, issuer: config.siteName }),
    livePolicy,
    statistics,
    notices,
    async describeDomains(listedOn = () => null) {
      const [all, points, now] = await Promise.all([storedDomains.list(), statistics.lastDay(), statistics.live()])
      return describeDomains(all, addCounts([...points, now]), { now: clock(), listedOn })
    },
    replies: new ContactAnswers(outbox, { canSend: config.smtpRelayUrl !== undefined, siteName: config.siteName }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Shorter delays are not noticed, and each step wakes an idle process. */
const RESOLUTION_MS = 100
/** The delay shown is that of the last one or two minutes. */
const FRESH_MS = 60_000

type StatisticsSources = {
  readonly dataDir: string
  readonly outbox: Outbox
  readonly health: () => StoreHealth
  readonly streams: () => number
}

/** Bytes free for the server's user; 0 if the folder cannot be read. */
async function diskFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize
}

/** Values that are measured, not counted: memory, event loop, disk. */
function openCurrentStatistics({
  dataDir,
  outbox,
  health,
  streams,
}: StatisticsSources): Disposable & { read(): Promise<CurrentStatistics> } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let since = performance.now()
  return {
    async read() {
      const loopDelayMs = Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS)
      if (performance.now() - since > FRESH_MS) {
        delay.reset()
        since = performance.now()
      }
      return {
        streams: streams(),
        mailboxes: health().mailboxes,
        memoryBytes: process.memoryUsage.rss(),
        loopDelayMs: Math.round(loopDelayMs * 10) / 10,
        diskFreeBytes: await diskFreeBytes(dataDir),
        queue: await outbox.waiting(),
      }
    },
    [Symbol.dispose]: () => void delay.disable(),
  }
}
