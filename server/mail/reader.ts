/** Mail as its owner reads it: everything is opened with the key of the mailbox, in a mail thread. */
import { ATTACHMENT_LINK_SECONDS } from '#contract/limits.ts'
import type { AttachmentLink, Message, MessageSummary } from '#contract/mailbox.ts'
import { pathTo, routes } from '#contract/routes.ts'
import type { Change, MailboxId, MessageId } from '#server/store/store.ts'
import { openCapability, sealCapability } from './attachment-link.ts'
import type { MailContext } from './context.ts'
import { keyPairOf } from './hpke.ts'
import type { AttachmentBytes, MailboxChange, OpenMailbox } from './mail.ts'
import { messageKeyOf } from './seal.ts'

/** Changes read in one step of the store. */
const CHANGES_PER_STEP = 200
const MESSAGE_ID = /^[A-Za-z0-9_-]{22}$/

type MessageChange = Extract<Change, { type: 'message' }>

export function createReader(context: MailContext) {
  const { store, clock, random, subkeys, workers } = context

  async function allChanges(mailboxId: MailboxId, after: number): Promise<Change[] | undefined> {
    const changes: Change[] = []
    for (;;) {
      const step = await store.changesSince(mailboxId, changes.at(-1)?.cursor ?? after, CHANGES_PER_STEP)
      if (!step) return undefined
      changes.push(...step)
      if (step.length < CHANGES_PER_STEP) return changes
    }
  }

  async function summaries({ mailboxId, privateKey }: OpenMailbox, changes: readonly MessageChange[]): Promise<MessageSummary[]> {
    if (changes.length === 0) return []
    const rows = changes.map(({ messageId, receivedAt }) => ({ messageId, receivedAt }))
    const sealed = changes.flatMap(change => [change.sealedSummary, change.sealedAnnotation ?? NOTHING])
    return (await workers.run('summaries', { owner: { mailboxId, privateKey }, rows }, sealed)).value
  }

  async function stored(mailboxId: MailboxId, id: string) {
    return MESSAGE_ID.test(id) ? await store.readMessage(mailboxId, id as MessageId) : undefined
  }

  async function attachment(mailboxId: MailboxId, messageId: MessageId, messageKey: Uint8Array, index: number, sealedRaw: Uint8Array) {
    const { value, bytes } = await workers.run('attachment', { mailboxId, messageId, messageKey, index }, [sealedRaw])
    return value && { ...value, bytes: bytes[0] ?? NOTHING }
  }

  return {
    async listMessages(mailbox: OpenMailbox): Promise<{ messages: MessageSummary[]; cursor: number } | undefined> {
      const changes = await allChanges(mailbox.mailboxId, 0)
      if (!changes) return undefined
      const messages = await summaries(mailbox, changes.filter(isMessage))
      // A late verdict moves a message to the end of the changes, not to the top of the inbox.
      messages.sort((one, other) => (one.receivedAt < other.receivedAt ? 1 : one.receivedAt > other.receivedAt ? -1 : 0))
      return { messages, cursor: changes.at(-1)?.cursor ?? 0 }
    },

    async changesSince(mailbox: OpenMailbox, cursor: number): Promise<MailboxChange[] | undefined> {
      const changes = await allChanges(mailbox.mailboxId, cursor)
      if (!changes) return undefined
      const opened = await summaries(mailbox, changes.filter(isMessage))
      const byId = new Map(opened.map(message => [message.id, message]))
      return changes.flatMap((change): MailboxChange[] => {
        const message = byId.get(change.messageId)
        if (change.type === 'removed') return [{ type: 'removed', cursor: change.cursor, id: change.messageId }]
        return message ? [{ type: 'message', cursor: change.cursor, message }] : []
      })
    },

    async readMessage({ mailboxId, privateKey }: OpenMailbox, id: string): Promise<Message | undefined> {
      const found = await stored(mailboxId, id)
      if (!found) return undefined
      const { messageId, receivedAt, sealedSummary, sealedAnnotation, sealedRaw } = found
      const args = { owner: { mailboxId, privateKey }, row: { messageId, receivedAt } }
      return (await workers.run('message', args, [sealedSummary, sealedAnnotation ?? NOTHING, sealedRaw])).value
    },

    async readRaw({ mailboxId, privateKey }: OpenMailbox, id: string): Promise<Uint8Array | undefined> {
      const found = await stored(mailboxId, id)
      if (!found) return undefined
      const args = { owner: { mailboxId, privateKey }, messageId: found.messageId }
      return (await workers.run('raw', args, [found.sealedRaw])).bytes[0] ?? NOTHING
    },

    async readAttachment({ mailboxId, privateKey }: OpenMailbox, id: string, index: number): Promise<AttachmentBytes | undefined> {
      const found = await stored(mailboxId, id)
      if (!found) return undefined
      const messageKey = messageKeyOf(keyPairOf(privateKey), found.sealedRaw)
      return await attachment(mailboxId, found.messageId, messageKey, index, found.sealedRaw)
    },

    async removeMessage({ mailboxId }: OpenMailbox, id: string): Promise<boolean> {
      return MESSAGE_ID.test(id) && (await store.removeMessage(mailboxId, id as MessageId))
    },

    async createAttachmentLink(mailbox: OpenMailbox, id: string, index: number): Promise<AttachmentLink | undefined> {
      const found = await stored(mailbox.mailboxId, id)
      if (!found || !Number.isSafeInteger(index)) return undefined
      const { messageId, receivedAt, sealedSummary } = found
      const [summary] = await summaries(mailbox, [
        { type: 'message', cursor: 0, messageId, receivedAt, sealedSummary, sealedAnnotation: undefined },
      ])
      if (!summary?.attachments.some(attachment => attachment.index === index)) return undefined
      const messageKey = messageKeyOf(keyPairOf(mailbox.privateKey), sealedSummary)
      const expiresAt = clock() + ATTACHMENT_LINK_SECONDS * 1000
      const content = { mailboxId: mailbox.mailboxId, messageId, index, expiresAt, messageKey }
      const capability = sealCapability(subkeys.attachmentLink, content, random)
      return { url: pathTo(routes.download, { capability }), expiresAt: new Date(expiresAt).toISOString() }
    },

    async openAttachmentLink(capability: string): Promise<AttachmentBytes | undefined> {
      const link = openCapability(subkeys.attachmentLink, capability)
      if (!link || clock() >= link.expiresAt) return undefined
      const found = await store.readMessage(link.mailboxId, link.messageId)
      return found && (await attachment(link.mailboxId, link.messageId, link.messageKey, link.index, found.sealedRaw))
    },
  }
}

const NOTHING = new Uint8Array(0)

function isMessage(change: Change): change is MessageChange {
  return change.type === 'message'
}
