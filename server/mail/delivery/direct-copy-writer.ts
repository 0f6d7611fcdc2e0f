import { AppError } from '#server/errors.ts'
import type { DirectDelivery } from '#server/store/direct-delivery.ts'
import type { StoreResult } from '#server/store/store.ts'
import type { MailContext } from '../context.ts'
import { type CopyWriter, type IncomingMail, type MailboxRecipient, seal, type WriteOptions } from './copy-writer.ts'
import { isStored } from './outcome.ts'

type Settled = PromiseSettledResult<StoreResult>
const NOT_FOUND: Settled = { status: 'fulfilled', value: { outcome: 'mailbox_not_found' } }

/** The mail thread sends the encrypted copies to the store's thread itself. */
export class DirectCopyWriter implements CopyWriter {
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
