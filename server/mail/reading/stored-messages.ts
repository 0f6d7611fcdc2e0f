import type { MailboxId, MailStore, MessageId } from '#server/store/store.ts'
import type { Reader } from '../mail-core.ts'
import { ReadQueue, SMALL_READS } from './read-queue.ts'

/** A network reads one large message at a time. */
const LIMITS = {
  perNetworkMax: 1,
  /** A message may have this many images, each of which is one read. More waiting reads come from a loop. */
  waitingPerMailboxMax: 64,
}

const MESSAGE_ID = /^[A-Za-z0-9_-]{22}$/

export type StoredMessage = NonNullable<Awaited<ReturnType<MailStore['readMessage']>>>

/** Only a valid message id is looked up. */
export function parseMessageId(text: string): MessageId | undefined {
  return MESSAGE_ID.test(text) ? (text as MessageId) : undefined
}

/** Reads whole messages from the store, in a queue because they are large. */
export class StoredMessages {
  readonly #store: MailStore
  readonly #queue: ReadQueue
  readonly #smallQueue = new ReadQueue(SMALL_READS)

  constructor(store: MailStore, readsMax: number) {
    this.#store = store
    this.#queue = new ReadQueue({ readsMax, ...LIMITS })
  }

  /**
   * Calls `open` with the message when it is this reader's turn and returns the result; `undefined` if there is no such message. A reader
   * who disconnects leaves the queue.
   */
  async read<T>(
    mailboxId: MailboxId,
    id: string,
    reader: Reader,
    open: (found: StoredMessage) => T | Promise<T>,
    isSmall = false,
  ): Promise<T | undefined> {
    const messageId = parseMessageId(id)
    if (!messageId) return undefined
    const read = async () => {
      const found = await this.#store.readMessage(mailboxId, messageId)
      return found && open(found)
    }
    return (isSmall ? this.#smallQueue : this.#queue).run(mailboxId, reader, read)
  }
}
