/** The labels of metrics: fixed lists, never words of a client. */
import { MAIL_FAILURES } from '#server/errors.ts'

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
/** Why the sender of a mail is not checked. */
export const AUTHENTICATION_GAPS = ['too_busy', 'too_slow', 'failed'] as const
/** `'elsewhere'`: solved, but for another network, e.g. because a phone left the Wi-Fi meanwhile. */
export const BOT_CHECK_VERDICTS = ['passed', 'failed', 'elsewhere'] as const
/** What is sent to servers outside. */
export const SENDING_CHANNELS = ['mail', 'webhook', 'push'] as const

export type ConnectionRefusal = (typeof CONNECTION_REFUSALS)[number]
export type RecipientRefusal = (typeof RECIPIENT_REFUSALS)[number]
export type TlsFailure = (typeof TLS_FAILURES)[number]
export type BotCheckVerdict = (typeof BOT_CHECK_VERDICTS)[number]
