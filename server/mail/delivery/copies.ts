/** Encrypts the copies of a mail in a mail thread and stores them. */
import { AppError } from '#server/errors.ts'
import type { Holder } from '#server/platform/limits/share-budget.ts'
import { hintGarbage } from '#server/platform/memory/gc-hint.ts'
import type { MessageId, SealedMessage, StoreResult } from '#server/store/store.ts'
import type { MailContext } from '../context.ts'
import type { Prepared, SealArgs, SenderOfMail } from '../threads/mail-tasks.ts'
import type { Envelope, Recipient } from './envelope.ts'

export type MailboxRecipient = Extract<Recipient, { kind: 'mailbox' }>
/** A mailbox, and which of its addresses the envelope named. */
export type CopyRecipient = Omit<MailboxRecipient, 'address'> & { readonly envelopeTo: readonly string[] }
/** `networks`: the sender's, which share memory and mail threads with others. */
export type IncomingMail = Pick<SealArgs, 'heldResults'> & {
  readonly envelope: Envelope
  readonly raw: Uint8Array
  readonly networks: Holder
}
/**
 * The recipients whose copies are written together. `prepared`: what earlier groups of the same mail found out. `isMore`: more follow.
 * `memories`: one a recipient, if the message is large.
 */
export type CopyGroup = Pick<SealArgs, 'memories'> & {
  readonly mail: IncomingMail
  readonly recipients: readonly CopyRecipient[]
  readonly prepared: Prepared | undefined
  readonly isMore: boolean
}
export type Settled = PromiseSettledResult<StoreResult>
export type WrittenCopy = {
  readonly recipient: CopyRecipient
  readonly messageId: MessageId
  readonly result: Settled
}

/** Resolves when each copy is durable or refused, in the order of the recipients. Rejects if a copy could not be encrypted. */
export async function writeCopies(
  context: MailContext,
  { mail: { envelope, raw, networks, heldResults }, recipients, ...options }: CopyGroup,
  receivedAt: number,
): Promise<{ readonly copies: WrittenCopy[]; readonly prepared: Prepared | undefined; readonly sender: SenderOfMail }> {
  const { threads, freshRows } = context
  const keys = recipients.map(({ mailboxId, publicKey, envelopeTo }) => ({ mailboxId, publicKey, envelopeTo }))
  const isWatched = recipients.some(({ mailboxId }) => freshRows.isWatched(mailboxId))
  const args = { recipients: keys, envelopeFrom: envelope.from, isWatched, heldResults, ...options }
  const sealed = await threads.run('seal', args, [{ raw }], networks)
  const { messageIds, shown, prepared, sender } = sealed.value
  const copies = recipients.map(async (recipient, i) => {
    const [messageId, copy] = [messageIds[i], sealed.bytes[i]]
    const stored = messageId && copy && passOn(context, recipient, { messageId, receivedAt, ...copy })
    // A missing copy must be a failure: if it were skipped here, the sender would get 250 for all recipients.
    if (!messageId || !stored) throw new AppError('internal', { cause: new Error('a sealed copy is missing') })
    const [result] = await Promise.allSettled([stored])
    // For readers who are connected, whom the store has just notified. A duplicate may have had another envelope.
    if (shown && isStored(result)) freshRows.add(recipient.mailboxId, messageId, { ...shown, envelopeTo: [...recipient.envelopeTo] })
    return { recipient, messageId, result: await afterExpiry(context, recipient, result) }
  })
  return { copies: await Promise.all(copies), prepared, sender }
}

/** Passes a copy on to the store. */
async function passOn(
  { store, config }: MailContext,
  { mailboxId, createdAt }: CopyRecipient,
  message: SealedMessage,
): Promise<StoreResult> {
  try {
    return await store.deliver(mailboxId, message, config.quota, createdAt)
  } finally {
    hintGarbage(message.sealedRaw.byteLength)
  }
}

const NOT_FOUND: Settled = { status: 'fulfilled', value: 'mailbox_not_found' }

/** If the mailbox expired on the way, nobody can read the copy, and nobody may learn that the mailbox existed. */
async function afterExpiry(context: MailContext, recipient: CopyRecipient, result: Settled): Promise<Settled> {
  return isStored(result) && !(await isLive(context, recipient)) ? NOT_FOUND : result
}

/** Asks the store only after the end that was known at RCPT: an account may have kept the address since. */
export async function isLive({ clock, store }: MailContext, { mailboxId, createdAt, expiresAt }: CopyRecipient): Promise<boolean> {
  return expiresAt > clock() || (await store.findRecord(mailboxId))?.createdAt === createdAt
}

/** Whether this call stored the message; a duplicate was there before. */
export function isStored(settled: Settled): boolean {
  return settled.status === 'fulfilled' && settled.value === 'stored'
}
