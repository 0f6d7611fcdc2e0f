import { KIB } from '#contract/limits.ts'
import { MAIL_FAILURES, type MailCore } from '#server/mail/mail-core.ts'
import type { Policy } from '#server/mail/policy.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Clients, OperatorMailQuota } from '#server/platform/limits/mail-clients.ts'
import type { ShareBudget } from '#server/platform/limits/share-budget.ts'
import type { createLogInterval, Log } from '#server/platform/log.ts'

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

const SECOND = 1000
const MINUTE = 60 * SECOND

/** `drainMs`: how long messages being received may take at shutdown. */
export type SmtpLimits = Readonly<Record<keyof typeof SMTP_LIMITS | 'drainMs', number>>

/** Limits that operators do not need to change; the others are in server/platform/config/. Tests cross each with smaller numbers. */
export const SMTP_LIMITS = {
  /** RFC 5321 4.5.3.1.4 requires 512 and room for extensions; long VERP senders need more. Longer lines are dropped. */
  commandLineBytesMax: 4 * KIB,
  /** Nothing that sends a line this long is a mail program. */
  overlongLineBytesMax: 64 * KIB,
  /** Recipients of one transaction; senders bring the others in another. */
  recipientsMax: 50,
  /** Invalid commands per session. */
  errorsMax: 20,
  /** Unknown recipients per session. */
  unknownRecipientsMax: 20,
  /** Commands since the start or the last delivered message. */
  commandsMax: 1000,
  /** RFC 5321 4.5.3.2.7: at least five minutes. Counted per command, so that single bytes do not extend it. */
  commandMs: 5 * MINUTE,
  /** The same when more than half of all connections are in use. */
  commandStressedMs: 30 * SECOND,
  /** A session that delivers nothing ends after this time, even if it keeps sending commands. */
  withoutDeliveryMs: 15 * MINUTE,
  /** For one message, from its first to its last byte. */
  dataMs: 30 * MINUTE,
  /** Minimum rate over any window of this length; a slower session ends and its memory is freed. 25 MiB over a 56k modem is fast enough. */
  dataBytesPerSecondMin: KIB,
  dataWindowMs: MINUTE,
  /** Messages up to this size may use the reserve of the memory for mail in flight. */
  smallMessageBytesMax: 256 * KIB,
  /** Connections that a network may always have: mail servers of a large sender open about ten at once. */
  networkConnectionsMin: 10,
  /** Connections of one network that may use the reserve when all others are in use. */
  networkReservedConnectionsMax: 4,
  /** For the PROXY protocol header, which a proxy sends at once. */
  proxyHeaderMs: 5 * SECOND,
  /** How often the files of TLS_CERT and TLS_KEY are checked for changes. */
  certificateCheckMs: MINUTE,
  tlsHandshakeMs: 30 * SECOND,
  /** How long the client may leave replies unread. */
  unreadRepliesMs: MINUTE,
  /** How long the last reply may take to arrive before the socket is closed. */
  lingerMs: 2 * SECOND,
  /** How often time-outs are checked, and so how inexact they are. */
  deadlineCheckMs: SECOND,
  /** `Received:` fields that mean a mail loop (RFC 5321 6.3). */
  hopsMax: 100,
} as const satisfies Record<string, number>
