/** Mail as its owner reads it: everything is opened with the key of the mailbox, in a mail thread. */
import { createAttachments } from './attachments.ts'
import type { MailContext } from './context.ts'
import { createInbox } from './inbox.ts'
import type { MessageFilter, OpenMailbox, Reader } from './mail.ts'
import { parseMessageId, type StoredMessage, StoredMessages } from './stored-messages.ts'

const NOTHING = new Uint8Array(0)

export function createReading(context: MailContext) {
  const { store, threads } = context
  const stored = new StoredMessages(store)

  function readMatching({ mailboxId, privateKey }: OpenMailbox, id: string, filter: MessageFilter, reader: Reader = {}) {
    const open = async ({ messageId, arrivalCursor, receivedAt, sealedSummary, sealedAnnotation, sealedRaw }: StoredMessage) => {
      const args = { owner: { mailboxId, privateKey }, row: { messageId, arrivalCursor, receivedAt }, filter }
      return (await threads.run('message', args, [sealedSummary, sealedAnnotation ?? NOTHING, sealedRaw], reader.network)).bytes[0]
    }
    return stored.read(mailboxId, id, reader, open)
  }

  return {
    ...createInbox(context),
    ...createAttachments(context, stored),

    readMessage: (mailbox: OpenMailbox, id: string, reader?: Reader) => readMatching(mailbox, id, {}, reader),
    readMatchingMessage: readMatching,

    readRaw({ mailboxId, privateKey }: OpenMailbox, id: string, reader: Reader = {}): Promise<Uint8Array | undefined> {
      const open = async ({ messageId, sealedRaw }: StoredMessage) => {
        const args = { owner: { mailboxId, privateKey }, messageId }
        return (await threads.run('raw', args, [sealedRaw], reader.network)).bytes[0] ?? NOTHING
      }
      return stored.read(mailboxId, id, reader, open)
    },

    async removeMessage({ mailboxId }: OpenMailbox, id: string): Promise<boolean> {
      const messageId = parseMessageId(id)
      return messageId !== undefined && (await store.removeMessage(mailboxId, messageId))
    },
  }
}
