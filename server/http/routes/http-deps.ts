import type { PortCertificate } from '#contract/operator.ts'
import type { Accounts } from '#server/accounts/accounts.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { BlogViews } from '#server/operator/blog-views.ts'
import type { ContactAnswers } from '#server/operator/contact-messages.ts'
import type { Finding } from '#server/operator/doctor/context.ts'
import type { Metrics } from '#server/operator/metrics.ts'
import type { Moderation } from '#server/operator/moderation.ts'
import type { Operator } from '#server/operator/operator.ts'
import type { SecondFactor } from '#server/operator/second-factor.ts'
import type { LivePolicy } from '#server/operator/settings.ts'
import type { Statistics } from '#server/operator/statistics.ts'
import type { OpenPush } from '#server/outbound/push.ts'
import type { OpenWebhooks } from '#server/outbound/webhooks.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Limiter } from '#server/platform/limits/limiter.ts'
import type { Limits } from '#server/platform/limits/rate-limits.ts'
import type { Log } from '#server/platform/log.ts'
import type { StoreHealth } from '#server/store/store.ts'
import type { BotCheck } from '../bot-check/bot-check.ts'
import type { StreamLimit } from '../connections/stream-limit.ts'
import type { SiteFiles } from '../pages/site-files.ts'

/** Dependencies of the HTTP routes; each file picks what it uses. */
export type HttpDeps = {
  readonly config: Config
  readonly mail: MailCore
  readonly accounts: Accounts
  readonly operator: Operator
  readonly moderation: Moderation
  readonly secondFactor: SecondFactor
  readonly livePolicy: Pick<LivePolicy, 'current' | 'refresh'>
  readonly statistics: Pick<Statistics, 'live' | 'lastDay'>
  readonly replies: ContactAnswers
  /** What the mail port and, with ACME, the site present now. */
  readonly certificates: () => PortCertificate[]
  readonly startedAt: number
  readonly onUntrustedProxy: (ip: string) => void
  /** Runs the doctor's checks now. */
  readonly examine: () => Promise<Finding[]>
  readonly views: BlogViews
  readonly webhooks: OpenWebhooks
  /** Missing where the operator turned notifications off. */
  readonly push: OpenPush | undefined
  readonly clock: Clock
  readonly limiter: Limiter
  readonly limits: Limits
  readonly botCheck: BotCheck
  readonly streams: StreamLimit
  readonly log: Log
  readonly metrics: Metrics
  /** The last known health, so that no request waits for the store. */
  readonly health: () => StoreHealth
  readonly siteFiles: () => Promise<SiteFiles | undefined>
  /** Aborts first when the server stops: `/readyz` fails, everything else is still served. */
  readonly stopping: AbortSignal
  /** Aborts when the server stops: streams and long polls end. */
  readonly closing: AbortSignal
}
