import { AppError } from '#server/errors.ts'
import { hintGarbage } from '#server/platform/memory/gc-hint.ts'
import type { MessageId } from '#server/store/store.ts'
import type { MailContext } from '../context.ts'
import { type CopyWriter, type IncomingMail, type MailboxRecipient, seal, type WriteOptions } from './copy-writer.ts'

type SealedCopy = {
  readonly recipient: MailboxRecipient
  readonly messageId: MessageId
  readonly sealedSummary: Uint8Array
  readonly sealedRaw: Uint8Array
}

/** The encrypted copies come back to the main thread, which passes them on to the store. For a store on the network. */
export class RelayingCopyWriter implements CopyWriter {
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
