/** Reads attachments, by token or by a link that needs none. */
import type { MailboxId, MessageId } from '#server/store/store.ts'
import type { MailContext } from '../context.ts'
import { toKeyPair } from '../keys/hpke.ts'
import { deriveMessageKey } from '../keys/seal.ts'
import type { AttachmentBytes, AttachmentCapability, OpenMailbox, Reader } from '../mail-core.ts'
import { openCapability, sealCapability } from './attachment-capability.ts'
import { openSummaries } from './inbox.ts'
import type { StoredMessage, StoredMessages } from './stored-messages.ts'

/** How long a link to one attachment works. */
const LINK_MS = 60_000

type Wanted = { readonly mailboxId: MailboxId; readonly messageId: MessageId; readonly messageKey: Uint8Array; readonly index: number }

export function createAttachments({ clock, random, subkeys, threads, log }: MailContext, stored: StoredMessages) {
  async function attachmentBytes(wanted: Wanted, sealedRaw: Uint8Array, reader: Reader): Promise<AttachmentBytes | undefined> {
    const { value, bytes } = await threads.run('attachment', wanted, [sealedRaw], reader.network)
    return value && { ...value, bytes: bytes[0] ?? new Uint8Array(0) }
  }

  return {
    readAttachment({ mailboxId, privateKey }: OpenMailbox, id: string, index: number, reader: Reader = {}) {
      const open = ({ messageId, sealedRaw }: StoredMessage) => {
        const messageKey = deriveMessageKey(toKeyPair(privateKey), sealedRaw)
        return attachmentBytes({ mailboxId, messageId, messageKey, index }, sealedRaw, reader)
      }
      return stored.read(mailboxId, id, reader, open)
    },

    async createAttachmentLink(
      mailbox: OpenMailbox,
      id: string,
      index: number,
      reader: Reader = {},
    ): Promise<AttachmentCapability | undefined> {
      if (!Number.isSafeInteger(index)) return undefined
      const { mailboxId, privateKey } = mailbox
      return stored.read(mailboxId, id, reader, async ({ messageId, arrivalCursor, receivedAt, sealedSummary }) => {
        const row = { messageId, arrivalCursor, receivedAt, sealedSummary, sealedAuthentication: undefined }
        const [summary] = await openSummaries({ threads, log }, mailbox, [row], reader)
        // Attachments are numbered from 0. The row lists only the first of them.
        if (!summary || index < 0 || index >= summary.attachmentCount) return undefined
        const messageKey = deriveMessageKey(toKeyPair(privateKey), sealedSummary)
        const expiresAt = clock() + LINK_MS
        const capability = sealCapability(subkeys.attachmentLink, { mailboxId, messageId, index, expiresAt, messageKey }, random)
        return { capability, expiresAt }
      })
    },

    async openAttachmentLink(capability: string, reader: Reader = {}): Promise<AttachmentBytes | undefined> {
      const link = openCapability(subkeys.attachmentLink, capability)
      if (!link || clock() >= link.expiresAt) return undefined
      return stored.read(link.mailboxId, link.messageId, reader, ({ sealedRaw }) => attachmentBytes(link, sealedRaw, reader))
    },
  }
}
