/** Attachments, and the capabilities that hand one out without the token. */
import { ATTACHMENT_LINK_SECONDS } from '#contract/limits.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import { openCapability, sealCapability } from './attachment-capability.ts'
import type { MailContext } from './context.ts'
import { openSummaries } from './inbox.ts'
import { toKeyPair } from './keys/hpke.ts'
import { deriveMessageKey } from './keys/seal.ts'
import type { AttachmentBytes, AttachmentCapability, OpenMailbox } from './mail.ts'
import type { StoredMessage, StoredMessages } from './stored-messages.ts'

type Wanted = { readonly mailboxId: MailboxId; readonly messageId: MessageId; readonly messageKey: Uint8Array; readonly index: number }

export function createAttachments({ clock, random, subkeys, threads }: MailContext, stored: StoredMessages) {
  async function attachmentBytes(wanted: Wanted, sealedRaw: Uint8Array): Promise<AttachmentBytes | undefined> {
    const { value, bytes } = await threads.run('attachment', wanted, [sealedRaw])
    return value && { ...value, bytes: bytes[0] ?? new Uint8Array(0) }
  }

  return {
    readAttachment({ mailboxId, privateKey }: OpenMailbox, id: string, index: number, signal?: AbortSignal) {
      const open = ({ messageId, sealedRaw }: StoredMessage) => {
        const messageKey = deriveMessageKey(toKeyPair(privateKey), sealedRaw)
        return attachmentBytes({ mailboxId, messageId, messageKey, index }, sealedRaw)
      }
      return stored.read(mailboxId, id, open, signal)
    },

    async createAttachmentLink(mailbox: OpenMailbox, id: string, index: number): Promise<AttachmentCapability | undefined> {
      if (!Number.isSafeInteger(index)) return undefined
      const { mailboxId, privateKey } = mailbox
      return stored.read(mailboxId, id, async ({ messageId, arrivalCursor, receivedAt, sealedSummary }) => {
        const row = { messageId, arrivalCursor, receivedAt, sealedSummary, sealedAnnotation: undefined }
        const [summary] = await openSummaries(threads, mailbox, [row])
        if (!summary?.attachments.some(attachment => attachment.index === index)) return undefined
        const messageKey = deriveMessageKey(toKeyPair(privateKey), sealedSummary)
        const expiresAt = clock() + ATTACHMENT_LINK_SECONDS * 1000
        const capability = sealCapability(subkeys.attachmentLink, { mailboxId, messageId, index, expiresAt, messageKey }, random)
        return { capability, expiresAt }
      })
    },

    async openAttachmentLink(capability: string, signal?: AbortSignal): Promise<AttachmentBytes | undefined> {
      const link = openCapability(subkeys.attachmentLink, capability)
      if (!link || clock() >= link.expiresAt) return undefined
      return stored.read(link.mailboxId, link.messageId, ({ sealedRaw }) => attachmentBytes(link, sealedRaw), signal)
    },
  }
}
