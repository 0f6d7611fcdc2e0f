/** Mail as its owner reads it: everything is opened with the key of the mailbox, in a mail thread. */
import { createAttachments } from './attachments.ts'
import type { MailContext } from './context.ts'
import { createInbox } from './inbox.ts'
import type { OpenMailbox } from './mail.ts'
import { messageIdOf, type StoredMessage, StoredMessages } from './stored-messages.ts'

const NOTHING = new Uint8Array(0)

export function createReader(context: MailContext) {
  const { store, threads } = context
  const stored = new StoredMessages(store)
  return {
    ...createInbox(context),
    ...createAttachments(context, stored),

    readMessage({ mailboxId, privateKey }: OpenMailbox, id: string, signal?: AbortSignal): Promise<Uint8Array | undefined> {
      const open = async ({ messageId, receivedAt, sealedSummary, sealedAnnotation, sealedRaw }: StoredMessage) => {
        const args = { owner: { mailboxId, privateKey }, row: { messageId, receivedAt } }
        return (await threads.run('message', args, [sealedSummary, sealedAnnotation ?? NOTHING, sealedRaw])).bytes[0] ?? NOTHING
      }
      return stored.read(mailboxId, id, open, signal)
    },

    readRaw({ mailboxId, privateKey }: OpenMailbox, id: string, signal?: AbortSignal): Promise<Uint8Array | undefined> {
      const open = async ({ messageId, sealedRaw }: StoredMessage) => {
        const args = { owner: { mailboxId, privateKey }, messageId }
        return (await threads.run('raw', args, [sealedRaw])).bytes[0] ?? NOTHING
      }
      return stored.read(mailboxId, id, open, signal)
    },

    async removeMessage({ mailboxId }: OpenMailbox, id: string): Promise<boolean> {
      const messageId = messageIdOf(id)
      return messageId !== undefined && (await store.removeMessage(mailboxId, messageId))
    },
  }
}
