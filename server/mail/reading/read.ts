/** Reads and removes messages for the owner of a mailbox. They are decrypted with the mailbox key in a mail thread. */
import type { MessageSummary } from '#contract/mailbox.ts'
import type { MailContext } from '../context.ts'
import type { OpenMailbox, Reader } from '../mail-core.ts'
import type { MessageFilter } from './message-condition.ts'
import { SMALL_READ_BYTES_MAX } from './read-queue.ts'
import { NO_BYTES, rowBytes, toStoredRow } from './sealed-rows.ts'
import { parseMessageId, type StoredMessage, type StoredMessages } from './stored-messages.ts'

/** A request by id alone does not know the size, so it waits in the queue for large messages. */
const UNKNOWN_SIZE = Number.POSITIVE_INFINITY

export function createMessageReader({ store, threads }: Pick<MailContext, 'store' | 'threads'>, stored: StoredMessages) {
  /** `size` comes from its row, so that a small message need not wait behind large ones. */
  function readMatching(
    { mailboxId, privateKey }: OpenMailbox,
    { id, size }: Pick<MessageSummary, 'id' | 'size'>,
    filter: MessageFilter,
    reader: Reader = {},
  ) {
    const isSmall = size <= SMALL_READ_BYTES_MAX
    const open = async (found: StoredMessage) => {
      const args = { owner: { mailboxId, privateKey }, row: toStoredRow(found), filter }
      // A small message takes milliseconds, so several are sent to a thread together.
      const urgency = isSmall ? 'soon' : undefined
      return (await threads.run('message', args, [...rowBytes(found), found.sealedRaw], reader.network, urgency)).bytes[0]
    }
    return stored.read(mailboxId, id, reader, open, isSmall)
  }

  return {
    readMatching,
    readMessage: (mailbox: OpenMailbox, id: string, reader?: Reader) => readMatching(mailbox, { id, size: UNKNOWN_SIZE }, {}, reader),

    readRaw({ mailboxId, privateKey }: OpenMailbox, id: string, reader: Reader = {}): Promise<Uint8Array | undefined> {
      const open = async ({ messageId, sealedRaw }: StoredMessage) => {
        const args = { owner: { mailboxId, privateKey }, messageId }
        return (await threads.run('raw', args, [sealedRaw], reader.network)).bytes[0] ?? NO_BYTES
      }
      return stored.read(mailboxId, id, reader, open)
    },

    async removeMessage({ mailboxId }: OpenMailbox, id: string): Promise<boolean> {
      const messageId = parseMessageId(id)
      return messageId !== undefined && (await store.removeMessage(mailboxId, messageId))
    },
  }
}
