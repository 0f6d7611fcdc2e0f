import type { DnsLists, PortCertificate } from '#contract/operator.ts'
import type { Accounts } from '#server/accounts/accounts.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { BlogViewCounts } from '#server/operator/blog-views.ts'
import type { Finding } from '#server/operator/doctor/context.ts'
import type { Moderation } from '#server/operator/moderation.ts'
import type { Operator } from '#server/operator/operator.ts'
import type { OpenPush } from '#server/outbound/push.ts'
import type { OpenWebhooks } from '#server/outbound/webhooks.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { SharedLimits } from '#server/platform/limits/limiter.ts'
import type { Limits } from '#server/platform/limits/rate-limits.ts'
import type { Log } from '#server/platform/log.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { StoreHealth } from '#server/store/store.ts'
import type { BotCheck } from '../bot-check/bot-check.ts'
import type { StreamLimit } from '../connections/stream-limit.ts'
import type { SiteFiles } from '../pages/site-files.ts'

/** The subjects of the HTTP side. Routes take those they use. */
export type HttpDeps = {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly mail: MailCore
  readonly accounts: Accounts
  readonly operator: Operator
  readonly moderation: Moderation
  readonly outbound: Outbound
  readonly admission: Admission
  readonly server: RunningServer
  readonly views: BlogViewCounts
}

/** What is sent to those who asked to be told of mail. */
type Outbound = {
  readonly webhooks: OpenWebhooks
  /** Missing where the operator turned notifications off. */
  readonly push: OpenPush | undefined
}

/** Who may do how much. */
type Admission = {
  readonly sharedLimits: SharedLimits
  readonly limits: Limits
  readonly botCheck: BotCheck
  readonly streams: StreamLimit
}

type RunningServer = {
  readonly telemetry: Telemetry
  /** The last known health, so that no request waits for the store. */
  readonly health: () => StoreHealth
  readonly isDatabaseAway: () => boolean
  /** What the mail port and, with ACME, the site present now. */
  readonly certificates: () => PortCertificate[]
  /** Senders can verify the certificate that the mail port presents, for every mail host. */
  readonly isMailVerifiable: () => boolean
  readonly startedAt: number
  readonly onUntrustedProxy: (ip: string) => void
  /** Runs the doctor's checks now. */
  readonly examine: () => Promise<Finding[]>
  /** What DNS lists say of these domains: see `DomainLists`. */
  readonly askLists: (domains: readonly string[]) => Promise<ReadonlyMap<string, DnsLists>>
  readonly siteFiles: () => Promise<SiteFiles | undefined>
  /** Aborts first when the server stops: `/readyz` fails, everything else is still served. */
  readonly stopping: AbortSignal
  /** Aborts when the server stops: streams and long polls end. */
  readonly closing: AbortSignal
}
