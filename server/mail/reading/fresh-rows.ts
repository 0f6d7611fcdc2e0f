/**
 * Rows of messages that were just encrypted, for the readers who are connected to this process: what is at hand need not be decrypted. The
 * store still decides what a reader gets, and when.
 */
import { BoundedMap } from '#server/platform/bounded-map.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import type { ShownSummary } from '../message/stored-summary.ts'

/** The newest of a mailbox: a reader who is slower gets the others decrypted. */
const ROWS_KEPT_MAX = 4

type Watched = { readers: number; readonly rows: BoundedMap<MessageId, ShownSummary> }

export class FreshRows {
  readonly #watched = new Map<MailboxId, Watched>()

  /** While a reader is connected. */
  watch(mailboxId: MailboxId): Disposable {
    const watched = this.#watched.get(mailboxId) ?? { readers: 0, rows: new BoundedMap(ROWS_KEPT_MAX) }
    this.#watched.set(mailboxId, watched)
    watched.readers++
    return {
      [Symbol.dispose]: () => {
        watched.readers--
        if (watched.readers === 0) this.#watched.delete(mailboxId)
      },
    }
  }

  isWatched(mailboxId: MailboxId): boolean {
    return this.#watched.has(mailboxId)
  }

  /** Call when the message was stored. */
  add(mailboxId: MailboxId, messageId: MessageId, row: ShownSummary): void {
    this.#watched.get(mailboxId)?.rows.set(messageId, row)
  }

  /** For one reader; another one's is decrypted. */
  take(mailboxId: MailboxId, messageId: MessageId): ShownSummary | undefined {
    const rows = this.#watched.get(mailboxId)?.rows
    const row = rows?.get(messageId)
    rows?.delete(messageId)
    return row
  }
}
