/** Delivers one mail to its mailboxes: encrypts it in a mail thread, stores the copies, and later adds the verdict on its sender. */
import { AppError } from '#server/errors.ts'
import { hintGarbage } from '#server/gc-hint.ts'
import { networkPrefix } from '#server/net/ip-address.ts'
import type { Delivered, MessageId } from '#server/store/store.ts'
import type { MailContext } from './context.ts'
import { CopyBudget } from './copy-budget.ts'
import type { Envelope, Recipient } from './mail.ts'
import type { Prepared } from './mail-tasks.ts'
import { deliveryOutcome, type Outcome } from './outcome.ts'

type MailboxRecipient = Extract<Recipient, { kind: 'mailbox' }>
type IncomingMail = { readonly envelope: Envelope; readonly raw: Uint8Array }
type SealedCopy = {
  readonly recipient: MailboxRecipient
  readonly messageId: MessageId
  readonly sealedSummary: Uint8Array
  readonly sealedRaw: Uint8Array
}

type StoredCopy = Pick<SealedCopy, 'recipient' | 'messageId'>

/** Copies of one mail that are encrypted and stored together: many of a small mail, one of a large one. */
const COPIES_BYTES_MAX = 4 * 1024 * 1024

export class Delivery {
  readonly #context: MailContext
  readonly #budget: CopyBudget

  constructor(context: MailContext) {
    this.#context = context
    this.#budget = new CopyBudget(context.config.memory.copiesBytesMax)
  }

  /** The outcome for each recipient; a copy is durable when its outcome is `'delivered'`. Rejects if a copy could not even be encrypted. */
  async toMailboxes(recipients: readonly MailboxRecipient[], envelope: Envelope, raw: Uint8Array): Promise<Outcome[]> {
    // One copy per mailbox, however often and in whatever spelling its address was named.
    const distinct = [...new Map(recipients.map(recipient => [recipient.mailboxId, recipient])).values()]
    // After its expiry the name may belong to somebody else, with another key.
    const live = distinct.filter(({ expiresAt }) => expiresAt > this.#context.clock())
    const outcomes: Outcome[] = Array.from({ length: distinct.length - live.length }, () => 'mailbox_not_found')
    const stored: StoredCopy[] = []
    const groupSize = Math.max(1, Math.floor(COPIES_BYTES_MAX / Math.max(raw.byteLength, 1)))
    let prepared: Prepared | undefined
    for (let at = 0; at < live.length; at += groupSize) {
      const group = live.slice(at, at + groupSize)
      const isLast = at + groupSize >= live.length
      const release = await this.#budget.take(group.length * raw.byteLength)
      try {
        const sealed = await this.#seal(group, { envelope, raw }, prepared, !isLast)
        prepared = sealed.prepared
        const settled = await Promise.allSettled(sealed.copies.map(copy => this.#deliver(copy)))
        outcomes.push(...settled.map(deliveryOutcome))
        stored.push(...settled.flatMap((result, i) => storedCopy(result, sealed.copies[i])))
      } finally {
        release()
      }
    }
    if (stored.length > 0) this.#annotateLater({ envelope, raw }, stored)
    return outcomes
  }

  async #seal(recipients: readonly MailboxRecipient[], { envelope, raw }: IncomingMail, prepared: Prepared | undefined, isMore: boolean) {
    const keys = recipients.map(({ mailboxId, publicKey }) => ({ mailboxId, publicKey }))
    const { value, bytes } = await this.#context.threads.run(
      'seal',
      { recipients: keys, envelopeFrom: envelope.from, prepared, isMore },
      [raw],
      networkPrefix(envelope.clientAddress),
    )
    const copies = recipients.map((recipient, i): SealedCopy => {
      const [messageId, sealedSummary, sealedRaw] = [value.messageIds[i], bytes[2 * i], bytes[2 * i + 1]]
      // A missing copy must be a failure: if it were skipped here, the sender would get 250 for all recipients.
      if (!messageId || !sealedSummary || !sealedRaw) throw new AppError('internal', { cause: new Error('a sealed copy is missing') })
      return { recipient, messageId, sealedSummary, sealedRaw }
    })
    return { copies, prepared: value.prepared }
  }

  async #deliver({ recipient, messageId, sealedSummary, sealedRaw }: SealedCopy): Promise<Delivered> {
    const { store, clock, config, storageShares, announceMail } = this.#context
    const { mailboxId } = recipient
    const receivedAt = clock()
    const settle = await announceMail?.({ mailboxId, messageId, receivedAt })
    try {
      const delivered = await storageShares.within(mailboxId, sealedRaw.byteLength, () =>
        store.deliver(mailboxId, { messageId, receivedAt, sealedSummary, sealedRaw }, config.quota),
      )
      settle?.(delivered.outcome === 'stored')
      return delivered
    } finally {
      hintGarbage(sealedRaw.byteLength)
    }
  }

  #annotateLater(mail: IncomingMail, stored: readonly StoredCopy[]): void {
    this.#annotate(mail, stored).catch((err: unknown) => this.#context.log.debug({ err }, 'a verdict could not be kept'))
  }

  async #annotate({ envelope, raw }: IncomingMail, stored: readonly StoredCopy[]): Promise<void> {
    const { authenticate, threads, store } = this.#context
    const verdict = await authenticate?.(envelope, raw)
    if (!verdict) return
    for (const { recipient, messageId } of stored) {
      const { mailboxId, publicKey } = recipient
      const done = await threads.run('annotation', { recipient: { mailboxId, publicKey }, messageId, verdict }, [])
      await store.annotate(mailboxId, messageId, done.bytes[0] ?? new Uint8Array(0))
    }
  }
}

/** Without its bytes, which must not stay in memory until the last copy is stored. */
function storedCopy(result: PromiseSettledResult<Delivered>, copy: SealedCopy | undefined): StoredCopy[] {
  if (!copy || result.status === 'rejected' || result.value.outcome !== 'stored') return []
  return [{ recipient: copy.recipient, messageId: copy.messageId }]
}
