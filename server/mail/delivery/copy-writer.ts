/** Encrypts copies of a mail in a mail thread and stores them: in one way on SQLite, in another on a cluster. */
import { networkPrefix } from '#server/platform/net/ip-address.ts'
import type { MessageId, StoreResult } from '#server/store/store.ts'
import type { Envelope, Recipient } from '../mail-core.ts'
import type { Prepared, SealArgs } from '../threads/mail-tasks.ts'
import type { MailThreads } from '../threads/mail-threads.ts'

export type MailboxRecipient = Extract<Recipient, { kind: 'mailbox' }>
export type IncomingMail = { readonly envelope: Envelope; readonly raw: Uint8Array }
export type WrittenCopy = {
  readonly recipient: MailboxRecipient
  readonly messageId: MessageId
  readonly result: PromiseSettledResult<StoreResult>
}

export interface CopyWriter {
  /**
   * Resolves when each copy is durable or refused, in the order of the recipients. `prepared`: what earlier calls for this mail returned.
   * Rejects if a copy could not be encrypted.
   */
  write(
    message: IncomingMail,
    recipients: readonly MailboxRecipient[],
    options: WriteOptions,
  ): Promise<{ readonly copies: WrittenCopy[]; readonly prepared: Prepared | undefined }>
}

/** `isMore`: more calls for this mail follow. */
export type WriteOptions = { readonly receivedAt: number; readonly prepared: Prepared | undefined; readonly isMore: boolean }

/** Runs the task `seal` in a mail thread. */
export function seal(
  threads: MailThreads,
  { envelope, raw }: IncomingMail,
  recipients: readonly MailboxRecipient[],
  options: Pick<SealArgs, 'prepared' | 'isMore' | 'storeRequests'>,
) {
  const keys = recipients.map(({ mailboxId, publicKey }) => ({ mailboxId, publicKey }))
  return threads.run('seal', { recipients: keys, envelopeFrom: envelope.from, ...options }, [raw], networkPrefix(envelope.clientAddress))
}
