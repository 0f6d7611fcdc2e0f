import type { MailboxId, MailStore, MessageId } from '#server/store/store.ts'
import type { Reader } from './mail.ts'
import { ReadTurns } from './read-turns.ts'

/** One network reads one at a time. */
const TURNS = {
  perNetworkMax: 1,
  /** A message with this many pictures is shown without a refusal; more waiting than this is somebody's loop. */
  waitingPerMailboxMax: 64,
}

/** Small messages are waited for by hundreds of tests of one machine at once. */
const SMALL_TURNS = { readsMax: 64, perNetworkMax: 32, waitingPerMailboxMax: TURNS.waitingPerMailboxMax }

const MESSAGE_ID = /^[A-Za-z0-9_-]{22}$/

export type StoredMessage = NonNullable<Awaited<ReturnType<MailStore['readMessage']>>>

/** What a stranger names is looked up only when it can be a message of ours. */
export function parseMessageId(text: string): MessageId | undefined {
  return MESSAGE_ID.test(text) ? (text as MessageId) : undefined
}

/** Whole messages, read in turns: they are large, and so is what is made of them. */
export class StoredMessages {
  readonly #store: MailStore
  readonly #turns: ReadTurns
  readonly #smallTurns = new ReadTurns(SMALL_TURNS)

  constructor(store: MailStore, readsMax: number) {
    this.#store = store
    this.#turns = new ReadTurns({ readsMax, ...TURNS })
  }

  /** What `open` makes of the message, in this reader's turn; `undefined` when there is none. A reader who disconnects gives up the turn. */
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
    return (isSmall ? this.#smallTurns : this.#turns).run(mailboxId, reader, read)
  }
}
