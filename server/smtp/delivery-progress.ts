/**
 * Shows readers who have an address open what this session does for it: the name that the client gives itself, and nothing of the message.
 */
import type { DeliveryProgress } from '#contract/mailbox.ts'
import type { MailCore, MailFailure, Recipient } from '#server/mail/mail-core.ts'
import { reply } from './replies.ts'

/** Shown on one line. */
const SERVER_NAME_CHARS_MAX = 100

type Step = Pick<DeliveryProgress, 'step' | 'bytes' | 'reason'>
type Client = { readonly hello: string | undefined; readonly isEncrypted: boolean }

export function publishDeliveryProgress(
  mail: Pick<MailCore, 'publishDeliveryProgress'>,
  recipients: readonly Recipient[],
  { hello = '', isEncrypted }: Client,
  step: Step,
): void {
  const server = hello.slice(0, SERVER_NAME_CHARS_MAX)
  mail.publishDeliveryProgress(recipients, { type: 'delivery', server, encrypted: isEncrypted, ...step })
}

/** The reason for a refusal, as shown to the reader. */
export function refusalReason(outcome: MailFailure | 'internal'): NonNullable<DeliveryProgress['reason']> {
  if (outcome === 'message_too_large') return 'too_large'
  if (outcome === 'mailbox_full') return 'mailbox_full'
  if (outcome === 'mailbox_not_found') return 'ended'
  // After a 4xx code the client tries again. All others are final.
  return outcome !== 'internal' && reply(outcome).text.startsWith('5') ? 'rejected' : 'busy'
}
