import { MAIL_FAILURES, type MailCore } from '#server/mail/mail-core.ts'
import type { Policy } from '#server/mail/policy.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Clients, OperatorMailQuota } from '#server/platform/limits/mail-clients.ts'
import type { ShareBudget } from '#server/platform/limits/share-budget.ts'
import type { createLogInterval, Log } from '#server/platform/log.ts'
import type { SmtpLimits } from './limits.ts'

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
  readonly connectionBudget: ShareBudget
  readonly operatorMailQuota: OperatorMailQuota
  /** The operator's current blocks. */
  readonly policy: () => Policy
  readonly clients: Clients
  readonly metrics: SmtpMetrics
  readonly log: Log
  /** For what fails in every session while the mail store is away. */
  readonly atIntervals: ReturnType<typeof createLogInterval>
  /** Monotonic milliseconds. */
  readonly nowMs: Clock
}

/** The labels of the metrics: fixed lists, never words of a client. */
export const CONNECTION_REFUSALS = ['too_many_connections', 'too_busy', 'shutting_down', 'network_blocked', 'proxy_header_missing'] as const
export const SENDER_REFUSALS = ['sender_blocked', 'network_blocked'] as const
/** `too_many_guesses` is the reply `too_many_unknown_recipients`: operators' dashboards know it by this name. */
export const RECIPIENT_REFUSALS = [...MAIL_FAILURES, 'internal', 'too_many_guesses', 'recipient_blocked'] as const
export const MESSAGE_OUTCOMES = ['delivered', ...MAIL_FAILURES, 'internal'] as const

export type ConnectionRefusal = (typeof CONNECTION_REFUSALS)[number]

/** Metrics of the SMTP server. */
export type SmtpMetrics = {
  connectionOpened(): void
  connectionClosed(): void
  connectionRefused(reason: ConnectionRefusal): void
  senderRefused(reason: (typeof SENDER_REFUSALS)[number]): void
  recipientRefused(failure: (typeof RECIPIENT_REFUSALS)[number]): void
  /** Called once per message, after its reply. `seconds`: from the final dot to the reply. */
  messageAnswered(outcome: (typeof MESSAGE_OUTCOMES)[number], bytes: number, seconds: number): void
}

const nothing = () => undefined

export const noMetrics: SmtpMetrics = {
  connectionOpened: nothing,
  connectionClosed: nothing,
  connectionRefused: nothing,
  senderRefused: nothing,
  recipientRefused: nothing,
  messageAnswered: nothing,
}
