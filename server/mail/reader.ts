/** Mail as its owner reads it: everything is opened with the key of the mailbox, in a mail thread. */
import { ATTACHMENT_LINK_SECONDS } from '#contract/limits.ts'
import type { AttachmentLink, Message, MessageSummary } from '#contract/mailbox.ts'
import { pathTo, routes } from '#contract/routes.ts'
import type { Change, MailboxId, MailStore, MessageId } from '#server/store/store.ts'
import { openCapability, sealCapability } from './attachment-link.ts'
import type { MailContext } from './context.ts'
import { keyPairOf } from './hpke.ts'
import type { AttachmentBytes, MailboxChange, OpenMailbox } from './mail.ts'
import { ReadTurns } from './read-turns.ts'
import { messageKeyOf } from './seal.ts'

/** Changes read in one step of the store. */
const CHANGES_PER_STEP = 200
const MESSAGE_ID = /^[A-Za-z0-9_-]{22}$/

type MessageChange = Extract<Change, { type: 'message' }>
type StoredMessage = NonNullable<Awaited<ReturnType<MailStore['readMessage']>>>

export function createReader(context: MailContext) {
  const { store, clock, random, subkeys, workers } = context
  const turns = new ReadTurns()

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

  /** What `open` makes of the message, in this mailbox's turn; `undefined` when there is none. */
  async function whenStored<T>(mailboxId: MailboxId, id: string, open: (found: StoredMessage) => T | Promise<T>): Promise<T | undefined> {
    if (!MESSAGE_ID.test(id)) return undefined
    return turns.run(mailboxId, async () => {
      const found = await store.readMessage(mailboxId, id as MessageId)
      return found && open(found)
    })
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

    readMessage({ mailboxId, privateKey }: OpenMailbox, id: string): Promise<Message | undefined> {
      return whenStored(mailboxId, id, async ({ messageId, receivedAt, sealedSummary, sealedAnnotation, sealedRaw }) => {
        const args = { owner: { mailboxId, privateKey }, row: { messageId, receivedAt } }
        return (await workers.run('message', args, [sealedSummary, sealedAnnotation ?? NOTHING, sealedRaw])).value
      })
    },

    readRaw({ mailboxId, privateKey }: OpenMailbox, id: string): Promise<Uint8Array | undefined> {
      return whenStored(mailboxId, id, async ({ messageId, sealedRaw }) => {
        const args = { owner: { mailboxId, privateKey }, messageId }
        return (await workers.run('raw', args, [sealedRaw])).bytes[0] ?? NOTHING
      })
    },

    readAttachment({ mailboxId, privateKey }: OpenMailbox, id: string, index: number): Promise<AttachmentBytes | undefined> {
      return whenStored(mailboxId, id, ({ messageId, sealedRaw }) =>
        attachment(mailboxId, messageId, messageKeyOf(keyPairOf(privateKey), sealedRaw), index, sealedRaw),
      )
    },

    async removeMessage({ mailboxId }: OpenMailbox, id: string): Promise<boolean> {
      return MESSAGE_ID.test(id) && (await store.removeMessage(mailboxId, id as MessageId))
    },

    async createAttachmentLink(mailbox: OpenMailbox, id: string, index: number): Promise<AttachmentLink | undefined> {
      if (!Number.isSafeInteger(index)) return undefined
      const { mailboxId, privateKey } = mailbox
      return whenStored(mailboxId, id, async ({ messageId, receivedAt, sealedSummary }) => {
        const row = { type: 'message', cursor: 0, messageId, receivedAt, sealedSummary, sealedAnnotation: undefined } as const
        const [summary] = await summaries(mailbox, [row])
        if (!summary?.attachments.some(attachment => attachment.index === index)) return undefined
        const messageKey = messageKeyOf(keyPairOf(privateKey), sealedSummary)
        const expiresAt = clock() + ATTACHMENT_LINK_SECONDS * 1000
        const capability = sealCapability(subkeys.attachmentLink, { mailboxId, messageId, index, expiresAt, messageKey }, random)
        return { url: pathTo(routes.download, { capability }), expiresAt: new Date(expiresAt).toISOString() }
      })
    },

    async openAttachmentLink(capability: string): Promise<AttachmentBytes | undefined> {
      const link = openCapability(subkeys.attachmentLink, capability)
      if (!link || clock() >= link.expiresAt) return undefined
      const { mailboxId, messageId, messageKey, index } = link
      return whenStored(mailboxId, messageId, ({ sealedRaw }) => attachment(mailboxId, messageId, messageKey, index, sealedRaw))
    },
  }
}

const NOTHING = new Uint8Array(0)

function isMessage(change: Change): change is MessageChange {
  return change.type === 'message'
}
