import type { MailFailure } from '#server/mail/mail-core.ts'

export type ConnectionRefusal = 'too_many_connections' | 'too_busy' | 'shutting_down' | 'network_blocked' | 'proxy_header_missing'
type SenderRefusal = 'sender_blocked' | 'network_blocked'

/** Metrics of the SMTP server. Labels come from fixed lists, never from a client. */
export type SmtpMetrics = {
  connectionOpened(): void
  connectionClosed(): void
  connectionRefused(reason: ConnectionRefusal): void
  senderRefused(reason: SenderRefusal): void
  /** `too_many_guesses`: too many unknown recipients. Operators' dashboards know it by this name. */
  recipientRefused(failure: MailFailure | 'internal' | 'too_many_guesses' | 'recipient_blocked'): void
  /** Called once per message, after its reply. `seconds`: from the final dot to the reply. */
  messageAnswered(outcome: 'delivered' | MailFailure | 'internal', bytes: number, seconds: number): void
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
