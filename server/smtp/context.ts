import type { MailCore } from '#server/mail/mail-core.ts'
import type { Policy } from '#server/mail/policy.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Clients, UnknownRecipientQuota } from '#server/platform/limits/clients.ts'
import type { ShareBudget } from '#server/platform/limits/share-budget.ts'
import type { createLogInterval, Log } from '#server/platform/log.ts'
import type { SmtpLimits } from './limits.ts'
import type { SmtpTelemetry } from './smtp-telemetry.ts'

/** What all sessions of the server share. */
export type SmtpContext = {
  readonly mail: MailCore
  /** The host name in the greeting and in the replies to EHLO and HELO. */
  readonly hostname: string
  /** The domain of a recipient without one (RFC 5321 section 4.5.1). */
  readonly defaultDomain: () => string
  readonly messageBytesMax: number
  readonly limits: SmtpLimits
  /** Memory for all messages in flight. */
  readonly memoryBudget: ShareBudget
  /** Connections of each network, and of each client. */
  readonly connectionBudget: ShareBudget
  readonly clientConnections: ShareBudget
  readonly operatorMail: ShareBudget
  readonly unknownRecipients: UnknownRecipientQuota
  /** The operator's current blocks. */
  readonly policy: () => Policy
  readonly clients: Clients
  readonly telemetry: SmtpTelemetry
  readonly log: Log
  /** For what fails in every session while the mail store is away. */
  readonly atIntervals: ReturnType<typeof createLogInterval>
  /** Monotonic milliseconds. */
  readonly nowMs: Clock
}
