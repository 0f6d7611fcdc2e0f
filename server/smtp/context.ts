import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { Policy } from '#server/mail/policy.ts'
import type { CertificateFacts, StarttlsOffer } from '#server/platform/certificates/mail-certificate.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Basics } from '#server/platform/config/config.ts'
import type { Clients } from '#server/platform/limits/clients.ts'
import type { Turns } from '#server/platform/limits/fair-queue.ts'
import type { SharedLimits } from '#server/platform/limits/limiter.ts'
import type { ShareBudget } from '#server/platform/limits/share-budget.ts'
import type { createLogInterval } from '#server/platform/log.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { SmtpLimits } from './limits.ts'
import type { ArrivingMessages } from './message-buffer.ts'
import type { UnknownRecipientQuota } from './sender-quotas.ts'
import type { TlsFailureLog } from './tls-failures.ts'

export type SmtpOptions = Pick<Basics, 'config' | 'clock' | 'log'> & {
  readonly mail: MailCore
  readonly telemetry: Telemetry
  /** The operator's blocks, and the domains: those of now. */
  readonly rules: { readonly policy: Policy; readonly domains: MailDomains }
  readonly sharedLimits: SharedLimits
  /** Other limits, for tests. */
  readonly limits?: Partial<SmtpLimits> | undefined
}

/** To whom STARTTLS is offered, and with which certificate. */
export type StarttlsState = StarttlsOffer & Pick<CertificateFacts, 'names' | 'isGenerated'>

export type SmtpContext = SmtpOptions & {
  readonly limits: SmtpLimits
  readonly arriving: ArrivingMessages
  readonly connectionBudget: ShareBudget
  /** Connections of each client. */
  readonly operatorMail: ShareBudget
  readonly unknownRecipients: UnknownRecipientQuota
  readonly clients: Clients
  /** Networks take turns in which their clients are read, and their sessions begin. */
  readonly turns: Turns
  /** For what fails in every session while the mail store is away. */
  readonly atIntervals: ReturnType<typeof createLogInterval>
  /** For a proxy that the operator forgot to name, or somebody who pretends to be one: the first is logged. */
  readonly onUnnamedProxy: ReturnType<typeof createLogInterval>
  readonly tlsFailures: TlsFailureLog
  /** With the certificate of now. */
  readonly starttls: () => StarttlsState
  /** Monotonic milliseconds. */
  readonly nowMs: Clock
}
