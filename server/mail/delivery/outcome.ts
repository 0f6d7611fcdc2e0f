/** The outcome of a delivery for each recipient, and for the whole message. */
import { AppError } from '#server/errors.ts'
import type { StoreResult } from '#server/store/store.ts'
import type { MailFailure } from '../mail-core.ts'

export type Outcome = 'delivered' | MailFailure

/**
 * One reply for all recipients, because SMTP allows only one after the final dot. If some got the message, the sender is asked to retry: it
 * then learns at RCPT which recipients are gone, and second copies are recognised as duplicates.
 */
export function combineOutcomes(outcomes: readonly Outcome[]): Outcome {
  const failures = outcomes.filter(outcome => outcome !== 'delivered')
  if (failures.length === 0) return outcomes.length > 0 ? 'delivered' : 'mailbox_not_found'
  if (failures.length < outcomes.length) return 'partly_delivered'
  const temporary = failures.find(failure => failure !== 'mailbox_not_found' && failure !== 'domain_not_served')
  return temporary ?? failures[0] ?? 'unavailable'
}

export function deliveryOutcome(settled: PromiseSettledResult<StoreResult>): Outcome {
  if (settled.status === 'rejected') return temporaryFailure(settled.reason)
  const { outcome } = settled.value
  return outcome === 'stored' || outcome === 'duplicate' ? 'delivered' : outcome
}

/** Whether this call stored the message; a duplicate was there before. */
export function isStored(settled: PromiseSettledResult<StoreResult>): boolean {
  return settled.status === 'fulfilled' && settled.value.outcome === 'stored'
}

export function temporaryFailure(error: unknown): 'storage_full' | 'unavailable' {
  return error instanceof AppError && error.code === 'storage_full' ? 'storage_full' : 'unavailable'
}
