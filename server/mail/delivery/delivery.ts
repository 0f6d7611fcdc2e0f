/** Delivers one mail to its mailboxes, and later adds its authentication results. */
import { MIB } from '#contract/limits.ts'
import { AppError } from '#server/errors.ts'
import { hintGarbage } from '#server/platform/memory/gc-hint.ts'
import { networkPrefix } from '#server/platform/net/ip-address.ts'
import type { DirectDelivery } from '#server/store/direct-delivery.ts'
import type { MessageId, StoreResult } from '#server/store/store.ts'
import type { MailContext, SettleArrival } from '../context.ts'
import { deriveMessageId } from '../keys/subkeys.ts'
import type { Envelope, Recipient } from '../mail-core.ts'
import type { Prepared, SealArgs } from '../threads/mail-tasks.ts'
import type { MailThreads } from '../threads/mail-threads.ts'
import { CopyBudget } from './copy-budget.ts'
import { deliveryOutcome, isStored, type Outcome } from './outcome.ts'

/** Encrypts copies of a mail in a mail thread and stores them: in one way on SQLite, in another on a cluster. */

type MailboxRecipient = Extract<Recipient, { kind: 'mailbox' }>
type IncomingMail = { readonly envelope: Envelope; readonly raw: Uint8Array }
type WrittenCopy = {
  readonly recipient: MailboxRecipient
  readonly messageId: MessageId
  readonly result: PromiseSettledResult<StoreResult>
}

interface CopyWriter {
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
type WriteOptions = { readonly receivedAt: number; readonly prepared: Prepared | undefined; readonly isMore: boolean }

/** Runs the task `seal` in a mail thread. */
function seal(
  threads: MailThreads,
  { envelope, raw }: IncomingMail,
  recipients: readonly MailboxRecipient[],
  options: Pick<SealArgs, 'prepared' | 'isMore' | 'storeRequests'>,
) {
  const keys = recipients.map(({ mailboxId, publicKey }) => ({ mailboxId, publicKey }))
  return threads.run('seal', { recipients: keys, envelopeFrom: envelope.from, ...options }, [raw], networkPrefix(envelope.clientAddress))
}

type SealedCopy = {
  readonly recipient: MailboxRecipient
  readonly messageId: MessageId
  readonly sealedSummary: Uint8Array
  readonly sealedRaw: Uint8Array
}

/** The encrypted copies come back to the main thread, which passes them on to the store. For a store on the network. */
class RelayingCopyWriter implements CopyWriter {
  readonly #context: Pick<MailContext, 'threads' | 'store' | 'config'>

  constructor(context: Pick<MailContext, 'threads' | 'store' | 'config'>) {
    this.#context = context
  }

  async write(message: IncomingMail, recipients: readonly MailboxRecipient[], { receivedAt, prepared, isMore }: WriteOptions) {
    const { value, bytes } = await seal(this.#context.threads, message, recipients, { prepared, isMore })
    const sealed = recipients.map((recipient, i): SealedCopy => {
      const [messageId, sealedSummary, sealedRaw] = [value.messageIds[i], bytes[2 * i], bytes[2 * i + 1]]
      // A missing copy must be a failure: if it were skipped here, the sender would get 250 for all recipients.
      if (!messageId || !sealedSummary || !sealedRaw) throw new AppError('internal', { cause: new Error('a sealed copy is missing') })
      return { recipient, messageId, sealedSummary, sealedRaw }
    })
    const copies = sealed.map(async copy => {
      const [result] = await Promise.allSettled([this.#store(copy, receivedAt)])
      return { recipient: copy.recipient, messageId: copy.messageId, result }
    })
    return { copies: await Promise.all(copies), prepared: value.prepared }
  }

  async #store({ recipient, messageId, sealedSummary, sealedRaw }: SealedCopy, receivedAt: number) {
    const { store, config } = this.#context
    const { mailboxId, expiresAt } = recipient
    try {
      return await store.deliver(mailboxId, { messageId, receivedAt, sealedSummary, sealedRaw }, config.quota, expiresAt)
    } finally {
      hintGarbage(sealedRaw.byteLength)
    }
  }
}

type Settled = PromiseSettledResult<StoreResult>
const NOT_FOUND: Settled = { status: 'fulfilled', value: { outcome: 'mailbox_not_found' } }

/** The mail thread sends the encrypted copies to the store's thread itself. */
class DirectCopyWriter implements CopyWriter {
  readonly #context: Pick<MailContext, 'threads' | 'clock' | 'config'>
  readonly #store: DirectDelivery

  constructor(context: Pick<MailContext, 'threads' | 'clock' | 'config'>, store: DirectDelivery) {
    this.#context = context
    this.#store = store
  }

  async write(message: IncomingMail, recipients: readonly MailboxRecipient[], { receivedAt, prepared, isMore }: WriteOptions) {
    const { threads, config } = this.#context
    const expected = recipients.map(({ mailboxId, expiresAt }) => this.#store.expect(mailboxId, receivedAt, config.quota, expiresAt))
    try {
      const storeRequests = expected.map(({ request }) => request)
      const { value } = await seal(threads, message, recipients, { prepared, isMore, storeRequests })
      const results = await Promise.allSettled(expected.map(({ result }) => result))
      const copies = recipients.map((recipient, i) => {
        const [messageId, result] = [value.messageIds[i], results[i]]
        if (!messageId || !result) throw new AppError('internal', { cause: new Error('a message has no id') })
        return { recipient, messageId, result: this.#afterExpiry(recipient, result) }
      })
      return { copies, prepared: value.prepared }
    } catch (error) {
      for (const { cancel } of expected) cancel()
      throw error
    }
  }

  /** If the mailbox expired on the way, nobody can read the copy, and nobody may learn that the mailbox existed. */
  #afterExpiry({ expiresAt }: MailboxRecipient, result: Settled): Settled {
    return isStored(result) && expiresAt <= this.#context.clock() ? NOT_FOUND : result
  }
}

/** Copies of one mail that are encrypted and stored together: many of a small mail, one of a large one. */
const COPIES_AT_ONCE_BYTES_MAX = 4 * MIB

/** `prepared`: what earlier groups of the same mail found out. `isMore`: more groups follow. */
type Group = {
  readonly message: IncomingMail
  readonly recipients: readonly MailboxRecipient[]
  readonly prepared: Prepared | undefined
  readonly isMore: boolean
}

export class Delivery {
  readonly #context: MailContext
  readonly #writer: CopyWriter
  readonly #budget: CopyBudget

  constructor(context: MailContext) {
    const { directDelivery } = context.store
    this.#context = context
    this.#writer = directDelivery ? new DirectCopyWriter(context, directDelivery) : new RelayingCopyWriter(context)
    this.#budget = new CopyBudget(context.config.memory.copiesBytesMax)
  }

  /** The outcome for each recipient; a copy is durable when its outcome is `'delivered'`. Rejects if a copy could not even be encrypted. */
  async toMailboxes(recipients: readonly MailboxRecipient[], envelope: Envelope, raw: Uint8Array): Promise<Outcome[]> {
    const message = { envelope, raw }
    // One copy per mailbox, however often and in whatever spelling its address was named.
    const distinct = [...new Map(recipients.map(recipient => [recipient.mailboxId, recipient])).values()]
    // After its expiry the name may belong to somebody else, with another key.
    const live = distinct.filter(({ expiresAt }) => expiresAt > this.#context.clock())
    // For the whole mail at once, and before its copies take memory that other mail waits for: counting may take a while.
    using space = await this.#context.storageShares.acquire(
      live.map(({ mailboxId }) => mailboxId),
      raw.byteLength,
    )
    const admitted = live.filter(({ mailboxId }) => space.isGranted(mailboxId))
    const outcomes: Outcome[] = [
      ...Array.from({ length: distinct.length - live.length }, () => 'mailbox_not_found' as const),
      ...Array.from({ length: live.length - admitted.length }, () => 'storage_full' as const),
    ]
    const stored: WrittenCopy[] = []
    const groupSize = Math.max(1, Math.floor(COPIES_AT_ONCE_BYTES_MAX / Math.max(raw.byteLength, 1)))
    let prepared: Prepared | undefined
    try {
      for (let at = 0; at < admitted.length; at += groupSize) {
        const group = admitted.slice(at, at + groupSize)
        using _memory = await this.#budget.acquire(group.length * raw.byteLength)
        const written = await this.#deliver({ message, recipients: group, prepared, isMore: at + groupSize < admitted.length })
        prepared = written.prepared
        outcomes.push(...written.copies.map(({ result }) => deliveryOutcome(result)))
        stored.push(...written.copies.filter(({ result }) => isStored(result)))
      }
    } finally {
      // Also for the copies that were stored before a later group failed: the sender's next attempt finds them to be duplicates.
      if (stored.length > 0) this.#afterStoring(message, stored)
    }
    return outcomes
  }

  async #deliver(group: Group) {
    const { message, recipients, isMore } = group
    const receivedAt = this.#context.clock()
    const arrivals = await this.#enqueueArrivals(group, receivedAt)
    const written = await this.#writer.write(message, recipients, { receivedAt, prepared: arrivals.prepared, isMore })
    written.copies.forEach((copy, i) => {
      if (copy.result.status === 'fulfilled') arrivals.settle[i]?.(isStored(copy.result))
    })
    return written
  }

  /** Records the events for webhooks before anything is stored, so that they are sent even if the process is killed in between. */
  async #enqueueArrivals(
    { message, recipients, prepared }: Group,
    receivedAt: number,
  ): Promise<{ prepared: Prepared | undefined; settle: readonly (SettleArrival | undefined)[] }> {
    const { listener, threads, subkeys } = this.#context
    if (!listener?.mayEnqueueArrivals) return { prepared, settle: [] }
    const { envelope, raw } = message
    const known = prepared ?? { digest: (await threads.run('digest', {}, [raw], networkPrefix(envelope.clientAddress))).value }
    const enqueued = recipients.map(({ mailboxId }) => {
      const messageId = deriveMessageId(subkeys.messageId, mailboxId, known.digest)
      return listener.enqueueArrival({ mailboxId, messageId, receivedAt })
    })
    return { prepared: known, settle: await Promise.all(enqueued) }
  }

  /** What the sender does not wait for. */
  #afterStoring(message: IncomingMail, stored: readonly WrittenCopy[]): void {
    for (const { recipient } of stored) this.#context.listener?.mailStored(recipient.mailboxId)
    this.#addAuthentication(message, stored).catch((err: unknown) =>
      this.#context.log.debug({ err }, 'Authentication results could not be kept'),
    )
  }

  async #addAuthentication({ envelope, raw }: IncomingMail, stored: readonly WrittenCopy[]): Promise<void> {
    const { authenticate, threads, store, clock } = this.#context
    const authentication = await authenticate?.(envelope, raw)
    if (!authentication) return
    for (const { recipient, messageId } of stored) {
      const { mailboxId, publicKey, expiresAt } = recipient
      // Name servers may take longer to answer than the mailbox lives.
      if (expiresAt <= clock()) continue
      const done = await threads.run('sealAuthentication', { recipient: { mailboxId, publicKey }, messageId, authentication }, [])
      await store.addAuthentication(mailboxId, messageId, done.bytes[0] ?? new Uint8Array(0), expiresAt)
    }
  }
}
