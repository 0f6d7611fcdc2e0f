import type { MailFailure } from '#server/mail/mail.ts'

export type ConnectionRefusal = 'too_many_connections' | 'too_busy' | 'shutting_down'

/** What the edge counts. Labels are words of ours, never anything a peer said. */
export type SmtpMetrics = {
  connectionOpened(): void
  connectionClosed(): void
  connectionRefused(reason: ConnectionRefusal): void
  recipientRefused(failure: MailFailure | 'internal' | 'too_many_probes'): void
  /** Once per message, after its answer is known. `seconds`: from the final dot to the answer. */
  messageAnswered(outcome: 'delivered' | MailFailure | 'internal', bytes: number, seconds: number): void
}

const nothing = () => undefined

export const noMetrics: SmtpMetrics = {
  connectionOpened: nothing,
  connectionClosed: nothing,
  connectionRefused: nothing,
  recipientRefused: nothing,
  messageAnswered: nothing,
}
