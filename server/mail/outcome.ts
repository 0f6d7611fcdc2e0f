/** What became of a mail, for each recipient and for all of them. */
import { AppError } from '#server/errors.ts'
import type { Delivered } from '#server/store/store.ts'
import type { MailFailure } from './mail.ts'

export type Outcome = 'delivered' | MailFailure

/**
 * One reply for all recipients: SMTP has no other after the final dot. Delivered to some: the sender is asked to come again, is told at
 * RCPT who is gone, and finds the others' copies folded into one (decision 12).
 */
export function verdictOf(outcomes: readonly Outcome[]): Outcome {
  const failures = outcomes.filter(outcome => outcome !== 'delivered')
  if (failures.length === 0) return outcomes.length > 0 ? 'delivered' : 'mailbox_not_found'
  if (failures.length < outcomes.length) return 'partly_delivered'
  const temporary = failures.find(failure => failure !== 'mailbox_not_found' && failure !== 'domain_not_served')
  return temporary ?? failures[0] ?? 'unavailable'
}

export function outcomeOf(settled: PromiseSettledResult<Delivered>): Outcome {
  if (settled.status === 'rejected') return failureOf(settled.reason)
  const { outcome } = settled.value
  return outcome === 'stored' || outcome === 'duplicate' ? 'delivered' : outcome
}

export function failureOf(error: unknown): 'storage_full' | 'unavailable' {
  return error instanceof AppError && error.code === 'storage_full' ? 'storage_full' : 'unavailable'
}
