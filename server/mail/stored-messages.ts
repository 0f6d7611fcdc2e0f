import type { MailboxId, MailStore, MessageId } from '#server/store/store.ts'
import { ReadTurns } from './read-turns.ts'

const MESSAGE_ID = /^[A-Za-z0-9_-]{22}$/

export type StoredMessage = NonNullable<Awaited<ReturnType<MailStore['readMessage']>>>

/** What a stranger names is looked up only when it can be a message of ours. */
export function parseMessageId(text: string): MessageId | undefined {
  return MESSAGE_ID.test(text) ? (text as MessageId) : undefined
}

/** Whole messages, read in turns: they are large, and so is what is made of them. */
export class StoredMessages {
  readonly #store: MailStore
  readonly #turns = new ReadTurns()

  constructor(store: MailStore) {
    this.#store = store
  }

  /** What `open` makes of the message, in this mailbox's turn; `undefined` when there is none. A reader who leaves gives up the turn. */
  async read<T>(
    mailboxId: MailboxId,
    id: string,
    open: (found: StoredMessage) => T | Promise<T>,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    const messageId = parseMessageId(id)
    if (!messageId) return undefined
    const read = async () => {
      const found = await this.#store.readMessage(mailboxId, messageId)
      return found && open(found)
    }
    return this.#turns.run(mailboxId, read, signal)
  }
}
