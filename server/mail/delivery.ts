/** One mail to the mailboxes it is for: sealed once each in a mail thread, stored, and later told what the checks of its sender say. */
import { AppError } from '#server/errors.ts'
import type { Delivered, MailboxId, MessageId } from '#server/store/store.ts'
import type { MailContext } from './context.ts'
import type { Envelope } from './mail.ts'
import type { RecipientKey } from './mail-tasks.ts'
import type { PublicKeys } from './mailboxes.ts'
import { type Outcome, outcomeOf } from './outcome.ts'

type Sealed = RecipientKey & { readonly messageId: MessageId; readonly sealedSummary: Uint8Array; readonly sealedRaw: Uint8Array }

export class Delivery {
  readonly #context: MailContext
  readonly #publicKeys: PublicKeys

  constructor(context: MailContext, publicKeys: PublicKeys) {
    this.#context = context
    this.#publicKeys = publicKeys
  }

  /** What became of it for each of them; durable where it is `'delivered'`. Rejects when it could not even be sealed. */
  async toMailboxes(mailboxIds: readonly MailboxId[], envelope: Envelope, raw: Uint8Array): Promise<Outcome[]> {
    const known = await Promise.all(mailboxIds.map(async mailboxId => ({ mailboxId, publicKey: await this.#publicKeys.of(mailboxId) })))
    const recipients = known.flatMap(({ mailboxId, publicKey }) => (publicKey ? [{ mailboxId, publicKey }] : []))
    const sealed = await this.#seal(recipients, envelope, raw)
    const settled = await Promise.allSettled(sealed.map(copy => this.#deliver(copy)))
    const stored = sealed.filter((_, i) => settled[i]?.status === 'fulfilled' && settled[i].value.outcome === 'stored')
    if (stored.length > 0 && this.#context.authenticate) {
      this.#annotate(envelope, raw, stored).catch((err: unknown) => this.#context.log.debug({ err }, 'a verdict could not be kept'))
    }
    const gone = known.flatMap(({ publicKey }): Outcome[] => (publicKey ? [] : ['mailbox_not_found']))
    return [...gone, ...settled.map(outcomeOf)]
  }

  async #seal(recipients: readonly RecipientKey[], envelope: Envelope, raw: Uint8Array): Promise<Sealed[]> {
    if (recipients.length === 0) return []
    const { value: messageIds, bytes } = await this.#context.threads.run('seal', { recipients, envelopeFrom: envelope.from }, [raw])
    return recipients.map((recipient, i) => {
      const [messageId, sealedSummary, sealedRaw] = [messageIds[i], bytes[2 * i], bytes[2 * i + 1]]
      // A copy that is missing must end as a failure: left out here, the others would be answered 250 for all.
      if (!messageId || !sealedSummary || !sealedRaw) throw new AppError('internal', { cause: new Error('a sealed copy is missing') })
      return { ...recipient, messageId, sealedSummary, sealedRaw }
    })
  }

  async #deliver({ mailboxId, messageId, sealedSummary, sealedRaw }: Sealed): Promise<Delivered> {
    const { store, clock, config } = this.#context
    return await store.deliver(mailboxId, { messageId, receivedAt: clock(), sealedSummary, sealedRaw }, config.quota)
  }

  async #annotate(envelope: Envelope, raw: Uint8Array, sealed: readonly Sealed[]): Promise<void> {
    const { authenticate, threads, store } = this.#context
    const verdict = await authenticate?.(envelope, raw)
    if (!verdict) return
    for (const { mailboxId, publicKey, messageId } of sealed) {
      const done = await threads.run('annotation', { recipient: { mailboxId, publicKey }, messageId, verdict }, [])
      await store.annotate(mailboxId, messageId, done.bytes[0] ?? new Uint8Array(0))
    }
  }
}
