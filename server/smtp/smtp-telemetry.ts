import { MAIL_FAILURES } from '#server/mail/mail-core.ts'

/** The labels of metrics: fixed lists, never words of a client. */
export const CONNECTION_REFUSALS = ['too_many_connections', 'too_busy', 'shutting_down', 'network_blocked', 'proxy_header_missing'] as const
export const SENDER_REFUSALS = ['sender_blocked', 'network_blocked'] as const
export const RECIPIENT_REFUSALS = [...MAIL_FAILURES, 'internal', 'too_many_unknown_recipients', 'recipient_blocked'] as const
export const TLS_FAILURES = [
  'certificate_refused',
  'closed_after_certificate',
  'closed_after_handshake',
  'no_common_version',
  'plain_text',
  'tls_at_once',
  'closed_before_handshake',
  'timed_out',
  'not_offered',
  'other',
] as const
export const MESSAGE_OUTCOMES = ['delivered', ...MAIL_FAILURES, 'internal'] as const

export type ConnectionRefusal = (typeof CONNECTION_REFUSALS)[number]
export type SenderRefusal = (typeof SENDER_REFUSALS)[number]
export type RecipientRefusal = (typeof RECIPIENT_REFUSALS)[number]
export type TlsFailure = (typeof TLS_FAILURES)[number]
export type MessageOutcome = (typeof MESSAGE_OUTCOMES)[number]

/** Learns what the SMTP server did. */
export type SmtpTelemetry = {
  connectionOpened(): void
  connectionClosed(): void
  connectionRefused(reason: ConnectionRefusal): void
  tlsFailed(reason: TlsFailure): void
  senderRefused(reason: SenderRefusal): void
  recipientRefused(failure: RecipientRefusal): void
  /** Called once per message, when its outcome is known. `seconds`: from the final dot until then. */
  messageAnswered(outcome: MessageOutcome, bytes: number, seconds: number): void
}
