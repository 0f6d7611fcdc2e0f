/**
 * Encrypts the copies of a mail in a mail thread and stores them. A store with a thread of its own gets them straight from the mail thread;
 * for one on the network they come back to the main thread, which passes them on.
 */
import { AppError } from '#server/errors.ts'
import { hintGarbage } from '#server/platform/memory/gc-hint.ts'
import { networkPrefix } from '#server/platform/net/ip-address.ts'
import type { DirectDelivery } from '#server/store/direct-delivery.ts'
import type { MessageId, StoreResult } from '#server/store/store.ts'
import type { MailContext } from '../context.ts'
import type { Envelope, Recipient } from '../mail-core.ts'
import type { ShownSummary } from '../message/stored-summary.ts'
import type { Prepared, SealArgs } from '../threads/mail-tasks.ts'

export type MailboxRecipient = Extract<Recipient, { kind: 'mailbox' }>
export type IncomingMail = { readonly envelope: Envelope; readonly raw: Uint8Array }
export type Settled = PromiseSettledResult<StoreResult>
export type WrittenCopy = {
  readonly recipient: MailboxRecipient
  readonly messageId: MessageId
  readonly result: Settled
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

/** `isMore`: more calls for this mail follow. `memories`: for each recipient, if the message is large. */
type WriteOptions = Pick<SealArgs, 'memories'> & {
  readonly receivedAt: number
  readonly prepared: Prepared | undefined
  readonly isMore: boolean
}

/** The way that the store has. */
export function createCopyWriter(context: MailContext): CopyWriter {
  const { directDelivery } = context.store
  return directDelivery ? new DirectCopyWriter(context, directDelivery) : new RelayingCopyWriter(context)
}

/** Whether this call stored the message; a duplicate was there before. */
export function isStored(settled: Settled): boolean {
  return settled.status === 'fulfilled' && settled.value.outcome === 'stored'
}

/** Runs the task `seal` in a mail thread. */
function seal(
  { threads, freshRows }: MailContext,
  { envelope, raw }: IncomingMail,
  recipients: readonly MailboxRecipient[],
  options: Pick<SealArgs, 'prepared' | 'isMore' | 'memories' | 'storeRequests'>,
) {
  const isWatched = recipients.some(({ mailboxId }) => freshRows.isWatched(mailboxId))
  const keys = recipients.map(({ mailboxId, publicKey }) => ({ mailboxId, publicKey }))
  return threads.run(
    'seal',
    { recipients: keys, envelopeFrom: envelope.from, isWatched, ...options },
    [{ raw }],
    networkPrefix(envelope.clientAddress),
  )
}

type SealedCopy = {
  readonly recipient: MailboxRecipient
  readonly messageId: MessageId
  readonly sealedSummary: Uint8Array
  readonly sealedRaw: Uint8Array
}

/** The encrypted copies come back to the main thread, which passes them on to the store. For a store on the network. */
class RelayingCopyWriter implements CopyWriter {
  readonly #context: MailContext

  constructor(context: MailContext) {
    this.#context = context
  }

  async write(message: IncomingMail, recipients: readonly MailboxRecipient[], { receivedAt, ...options }: WriteOptions) {
    const { value, bytes } = await seal(this.#context, message, recipients, options)
    const sealed = recipients.map((recipient, i): SealedCopy => {
      const [messageId, copy] = [value.messageIds[i], bytes[i]]
      // A missing copy must be a failure: if it were skipped here, the sender would get 250 for all recipients.
      if (!messageId || !copy) throw new AppError('internal', { cause: new Error('a sealed copy is missing') })
      return { recipient, messageId, ...copy }
    })
    const copies = sealed.map(async copy => {
      const [result] = await Promise.allSettled([this.#store(copy, receivedAt)])
      return { recipient: copy.recipient, messageId: copy.messageId, result }
    })
    const settled = await Promise.all(copies)
    keepRows(this.#context, settled, value.shown)
    return { copies: settled, prepared: value.prepared }
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

/** For readers who are connected, whom the store has just notified. A duplicate may have had another envelope. */
function keepRows({ freshRows }: MailContext, copies: readonly WrittenCopy[], shown: ShownSummary | undefined): void {
  if (!shown) return
  for (const { recipient, messageId, result } of copies) if (isStored(result)) freshRows.add(recipient.mailboxId, messageId, shown)
}

const NOT_FOUND: Settled = { status: 'fulfilled', value: { outcome: 'mailbox_not_found' } }

/** The mail thread sends the encrypted copies to the store's thread itself: see `DirectDelivery`. */
class DirectCopyWriter implements CopyWriter {
  readonly #context: MailContext
  readonly #store: DirectDelivery

  constructor(context: MailContext, store: DirectDelivery) {
    this.#context = context
    this.#store = store
  }

  async write(message: IncomingMail, recipients: readonly MailboxRecipient[], { receivedAt, ...options }: WriteOptions) {
    const { config } = this.#context
    const expected = recipients.map(({ mailboxId, expiresAt }) => this.#store.expect(mailboxId, receivedAt, config.quota, expiresAt))
    try {
      const storeRequests = expected.map(({ request }) => request)
      const { value } = await seal(this.#context, message, recipients, { ...options, storeRequests })
      const results = await Promise.allSettled(expected.map(({ result }) => result))
      const copies = recipients.map((recipient, i) => {
        const [messageId, result] = [value.messageIds[i], results[i]]
        if (!messageId || !result) throw new AppError('internal', { cause: new Error('a message has no id') })
        return { recipient, messageId, result: this.#afterExpiry(recipient, result) }
      })
      keepRows(this.#context, copies, value.shown)
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

/** Copies up to this size never wait. */
const SMALL_BYTES = 256 * 1024

/**
 * Limits the bytes of encrypted copies in memory: those of one mail of 24 MiB to 50 recipients take 1.2 GB together.
 */
export class CopyBudget {
  readonly #bytesMax: number
  readonly #waiting: { readonly bytes: number; readonly start: () => void }[] = []
  #held = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /**
   * Resolves to a lease when there is room, in order; a mail larger than the whole budget is let through alone.
   */
  async acquire(bytes: number): Promise<Disposable> {
    const lease = new DisposableStack()
    if (bytes <= SMALL_BYTES) return lease
    if (this.#waiting.length > 0 || !this.#hasRoom(bytes)) await new Promise<void>(start => this.#waiting.push({ bytes, start }))
    else this.#held += bytes
    lease.defer(() => {
      this.#held -= bytes
      this.#startNext()
    })
    return lease
  }

  #hasRoom(bytes: number): boolean {
    return this.#held === 0 || this.#held + bytes <= this.#bytesMax
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next && this.#hasRoom(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#held += next.bytes
      next.start()
    }
  }
}
