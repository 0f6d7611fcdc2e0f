/** Reads and removes messages for the owner of a mailbox. They are decrypted with the mailbox key in a mail thread. */
import type { AttachmentBytes } from '#reader/read-mail.ts'
import type { MailboxId, MailStore, MessageId } from '#server/store/store.ts'
import type { MailContext } from '../context.ts'
import { type AttachmentKey, decryptAttachmentLink, encryptAttachmentLink } from '../keys/attachment-link.ts'
import { toKeyPair } from '../keys/hpke.ts'
import { deriveMessageKey } from '../keys/seal.ts'
import type { OpenMailbox } from '../mailboxes.ts'
import type { ContentCondition } from '../message/message-condition.ts'
import { type Reader, ReadQueue, SMALL_READ_BYTES_MAX, SMALL_READS } from './read-queue.ts'
import { isWhole, type MailReading, openSummaries, sealedBytes, toStoredRow, type WholeMessage } from './sealed-rows.ts'

export function createMessageReader({ store, threads }: MailReading, reads: WholeMessageReads) {
  function readMatching({ mailboxId, privateKey }: OpenMailbox, id: string, filter: ContentCondition, reader: Reader) {
    const open = async (found: WholeMessage) => {
      const isUnparsed = threads.isCostly(found.messageId)
      const args = { owner: { mailboxId, privateKey }, row: toStoredRow(found), filter, isUnparsed }
      // A small message takes milliseconds, so several are sent to a thread together.
      const urgency = found.sealedRaw.byteLength <= SMALL_READ_BYTES_MAX ? 'soon' : undefined
      return (await threads.run('message', args, [sealedBytes(found)], reader.networks, urgency)).bytes[0]?.json
    }
    return reads.read(mailboxId, id, reader, open)
  }

  return {
    readMatching,
    /**
     * Reads wait in a queue per mailbox and per network; a reader who disconnects leaves it. AppError `rate_limited` if too many of one
     * mailbox wait. Resolves to `Message` of contract/mailbox.ts as JSON, so that one of many megabytes is never an object on the main
     * thread.
     */
    readMessage: (mailbox: OpenMailbox, id: string, reader: Reader) => readMatching(mailbox, id, {}, reader),

    /** The message, byte for byte what arrived. */
    readRaw({ mailboxId, privateKey }: OpenMailbox, id: string, reader: Reader): Promise<Uint8Array | undefined> {
      const open = async ({ messageId, sealedRaw }: WholeMessage) => {
        const args = { owner: { mailboxId, privateKey }, messageId }
        return (await threads.run('raw', args, [{ sealedRaw }], reader.networks)).bytes[0]?.raw ?? new Uint8Array(0)
      }
      return reads.read(mailboxId, id, reader, open)
    },

    async deleteMessage({ mailboxId }: OpenMailbox, id: string): Promise<boolean> {
      const messageId = parseMessageId(id)
      return messageId !== undefined && (await store.deleteMessage(mailboxId, messageId))
    },
  }
}

/** A network reads one large message at a time. */
const LIMITS = {
  perNetworkMax: 1,
  /** A message may have this many images, each of which is one read. More waiting reads come from a loop. */
  waitingPerMailboxMax: 64,
}

const MESSAGE_ID = /^[A-Za-z0-9_-]{22}$/

/** Only a valid message id is looked up. */
const parseMessageId = (text: string): MessageId | undefined => (MESSAGE_ID.test(text) ? (text as MessageId) : undefined)

/** Reads whole messages from the store, the large ones in a queue of their own. */
export class WholeMessageReads {
  readonly #store: MailStore
  readonly #queue: ReadQueue
  readonly #smallQueue = new ReadQueue(SMALL_READS)

  constructor(store: MailStore, readsMax: number) {
    this.#store = store
    this.#queue = new ReadQueue({ readsMax, ...LIMITS })
  }

  /** Returns what `open` makes of the message at this reader's turn; `undefined` if there is none. Who disconnects leaves the queue. */
  async read<T>(mailboxId: MailboxId, id: string, reader: Reader, open: (found: WholeMessage) => T | Promise<T>): Promise<T | undefined> {
    const messageId = parseMessageId(id)
    if (!messageId) return undefined
    const read = async (rawBytesMax?: number) => {
      const found = await this.#store.readMessage(mailboxId, messageId, rawBytesMax)
      if (!found) return undefined
      return isWhole(found) ? { opened: await open(found) } : 'larger'
    }
    const small = await this.#smallQueue.run(mailboxId, reader, () => read(SMALL_READ_BYTES_MAX))
    const whole = small === 'larger' ? await this.#queue.run(mailboxId, reader, read) : small
    return whole === 'larger' ? undefined : whole?.opened
  }
}

/** How long a link to one attachment works. */
const LINK_MS = 60_000

/** Reads attachments, by token or by a link that needs none. */
export function createAttachments(context: MailContext, reads: WholeMessageReads) {
  const { clock, subkeys, threads } = context

  async function attachmentBytes(wanted: AttachmentKey, sealedRaw: Uint8Array, reader: Reader): Promise<AttachmentBytes | undefined> {
    const args = { ...wanted, isUnparsed: threads.isCostly(wanted.messageId) }
    const { value, bytes } = await threads.run('attachment', args, [{ sealedRaw }], reader.networks)
    return value && { ...value, bytes: bytes[0]?.content ?? new Uint8Array(0) }
  }

  return {
    readAttachment({ mailboxId, privateKey }: OpenMailbox, id: string, index: number, reader: Reader) {
      const open = ({ messageId, sealedRaw }: WholeMessage) => {
        const messageKey = deriveMessageKey(toKeyPair(privateKey), sealedRaw)
        return attachmentBytes({ mailboxId, messageId, messageKey, index }, sealedRaw, reader)
      }
      return reads.read(mailboxId, id, reader, open)
    },

    /**
     * `link` opens one attachment without the token. It is URL-safe, encrypted under the server's secret, and works for 60 s, until
     * `expiresAt` (milliseconds since the epoch), or until the mailbox expires.
     */
    async createAttachmentLink(mailbox: OpenMailbox, id: string, index: number, reader: Reader) {
      if (!Number.isSafeInteger(index)) return undefined
      const { mailboxId, privateKey } = mailbox
      return reads.read(mailboxId, id, reader, async found => {
        const [summary] = await openSummaries(context, mailbox, [{ ...found, sealedAuthentication: undefined }], reader)
        // Attachments are numbered from 0. The row lists only the first of them.
        if (!summary || index < 0 || index >= summary.attachmentCount) return undefined
        const { messageId } = found
        const messageKey = deriveMessageKey(toKeyPair(privateKey), found.sealedSummary)
        const expiresAt = clock() + LINK_MS
        const link = encryptAttachmentLink(subkeys.attachmentLink, { mailboxId, messageId, index, messageKey, expiresAt })
        return { link, expiresAt }
      })
    },

    async openAttachmentLink(link: string, reader: Reader): Promise<AttachmentBytes | undefined> {
      const wanted = decryptAttachmentLink(subkeys.attachmentLink, link)
      if (!wanted || clock() >= wanted.expiresAt) return undefined
      return reads.read(wanted.mailboxId, wanted.messageId, reader, ({ sealedRaw }) => attachmentBytes(wanted, sealedRaw, reader))
    },
  }
}
