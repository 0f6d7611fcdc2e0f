/** Delivers one mail to its mailboxes: encrypts it in a mail thread, stores the copies, and later adds the verdict on its sender. */
import { MIB } from '#contract/limits.ts'
import { AppError } from '#server/errors.ts'
import { hintGarbage } from '#server/gc-hint.ts'
import { networkPrefix } from '#server/net/ip-address.ts'
import type { MessageId, StoreResult } from '#server/store/store.ts'
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
const COPIES_AT_ONCE_BYTES_MAX = 4 * MIB

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
    const [only] = live
    if (only && live.length === 1 && this.#isDirect) return [...outcomes, await this.#sealAndStore(only, { envelope, raw })]
    const stored: StoredCopy[] = []
    const groupSize = Math.max(1, Math.floor(COPIES_AT_ONCE_BYTES_MAX / Math.max(raw.byteLength, 1)))
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
    if (stored.length > 0) this.#afterStoring({ envelope, raw }, stored)
    return outcomes
  }

  /** Whether nothing has to be done between sealing and storing. */
  get #isDirect(): boolean {
    const { store, mayEnqueueArrivals } = this.#context
    return store.direct !== undefined && !mayEnqueueArrivals?.()
  }

  /** The copy of a single recipient goes from the mail thread to the store, as most mail does. */
  async #sealAndStore(recipient: MailboxRecipient, mail: IncomingMail): Promise<Outcome> {
    const { envelope, raw } = mail
    const release = await this.#budget.take(raw.byteLength)
    try {
      const copy = await this.#context.storageShares.within(recipient.mailboxId, raw.byteLength, () => this.#sendToStore(recipient, mail))
      if (isStored(copy.delivered)) this.#afterStoring({ envelope, raw }, [{ recipient, messageId: copy.messageId }])
      return deliveryOutcome(copy.delivered)
    } catch (error) {
      if (error instanceof AppError && error.code === 'storage_full') return 'storage_full'
      throw error
    } finally {
      release()
    }
  }

  async #sendToStore({ mailboxId, publicKey, expiresAt }: MailboxRecipient, { envelope, raw }: IncomingMail) {
    const { store, threads, clock, config } = this.#context
    const expected = store.direct?.expect(mailboxId, clock(), config.quota, expiresAt)
    if (!expected) throw new TypeError('the store takes no mail from other threads')
    try {
      const args = { recipients: [{ mailboxId, publicKey }], envelopeFrom: envelope.from, ticket: expected.ticket }
      const { value } = await threads.run('seal', args, [raw], networkPrefix(envelope.clientAddress))
      const [messageId] = value.messageIds
      if (!messageId) throw new AppError('internal', { cause: new Error('a message has no id') })
      const [delivered] = await Promise.allSettled([expected.delivered])
      // It expired on the way: nobody can read it, and nobody may learn that the mailbox existed.
      return { messageId, delivered: isStored(delivered) && expiresAt <= clock() ? NOT_FOUND : delivered }
    } catch (error) {
      expected.cancel()
      throw error
    }
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
      const messageId = value.messageIds[i]
      const [sealedSummary, sealedRaw] = bytes.slice(2 * i, 2 * i + 2)
      // A missing copy must be a failure: if it were skipped here, the sender would get 250 for all recipients.
      if (!messageId || !sealedSummary || !sealedRaw) throw new AppError('internal', { cause: new Error('a sealed copy is missing') })
      return { recipient, messageId, sealedSummary, sealedRaw }
    })
    return { copies, prepared: value.prepared }
  }

  async #deliver({ recipient, messageId, sealedSummary, sealedRaw }: SealedCopy): Promise<StoreResult> {
    const { store, clock, config, storageShares, enqueueArrival } = this.#context
    const { mailboxId, expiresAt } = recipient
    const receivedAt = clock()
    const settle = await enqueueArrival?.({ mailboxId, messageId, receivedAt })
    try {
      const delivered = await storageShares.within(mailboxId, sealedRaw.byteLength, () =>
        store.deliver(mailboxId, { messageId, receivedAt, sealedSummary, sealedRaw }, config.quota, expiresAt),
      )
      settle?.(delivered.outcome === 'stored')
      return delivered
    } finally {
      hintGarbage(sealedRaw.byteLength)
    }
  }

  /** What the sender does not wait for. */
  #afterStoring(mail: IncomingMail, stored: readonly StoredCopy[]): void {
    for (const { recipient } of stored) this.#context.mailStored?.(recipient.mailboxId)
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

const NOT_FOUND: PromiseSettledResult<StoreResult> = { status: 'fulfilled', value: { outcome: 'mailbox_not_found' } }

function isStored(result: PromiseSettledResult<StoreResult>): boolean {
  return result.status === 'fulfilled' && result.value.outcome === 'stored'
}

/** Without its bytes, which must not stay in memory until the last copy is stored. */
function storedCopy(result: PromiseSettledResult<StoreResult>, copy: SealedCopy | undefined): StoredCopy[] {
  if (!copy || !isStored(result)) return []
  return [{ recipient: copy.recipient, messageId: copy.messageId }]
}
