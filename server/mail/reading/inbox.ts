/** Lists the messages and changes of a mailbox. */
import type { MessageSummary } from '#contract/mailbox.ts'
import { BoundedMap } from '#server/platform/bounded-map.ts'
import type { Change, MailboxId, MessageId, StoredMessage } from '#server/store/store.ts'
import type { MailContext } from '../context.ts'
import type { OpenMailbox } from '../mailboxes.ts'
import { type ShownSummary, withRow } from '../message/stored-summary.ts'
import { type Reader, ReadQueue, SMALL_READS } from './read-queue.ts'
import { allChanges, CHANGES_PER_STEP, isMessage, type ListCondition, type MailReading, openList, openSummaries } from './sealed-rows.ts'

/** A change after a cursor, decrypted for the owner. */
export type MailboxChange =
  | { readonly type: 'message'; readonly cursor: number; readonly message: MessageSummary }
  | { readonly type: 'removed'; readonly cursor: number; readonly id: MessageId }

type ChangesStep = { readonly changes: readonly MailboxChange[]; readonly cursor: number; readonly isMore: boolean }

/** A page asks for one list at a time. */
const LIMITS = { readsMax: 32, perNetworkMax: 4, waitingPerMailboxMax: 64 }

export function createInbox(context: MailReading & Pick<MailContext, 'freshRows'>) {
  const { store, freshRows } = context
  const queue = new ReadQueue(LIMITS)
  /** A step of changes has few rows. */
  const stepQueue = new ReadQueue(SMALL_READS)

  async function list(mailbox: OpenMailbox, wanted: ListCondition, reader: Reader): Promise<Uint8Array | undefined> {
    const changes = await allChanges(store, mailbox.mailboxId)
    if (!changes) return undefined
    return openList(context, mailbox, { sealed: changes.filter(isMessage), cursor: changes.at(-1)?.cursor ?? 0 }, wanted, reader)
  }

  async function changesAfter(mailbox: OpenMailbox, after: number, reader: Reader): Promise<ChangesStep | undefined> {
    const sealed = await store.changesSince(mailbox.mailboxId, after, CHANGES_PER_STEP)
    if (!sealed) return undefined
    const changes = await openChanges(mailbox, sealed, reader)
    return { changes, cursor: sealed.at(-1)?.cursor ?? after, isMore: sealed.length === CHANGES_PER_STEP }
  }

  async function openChanges(mailbox: OpenMailbox, changes: readonly Change[], reader: Reader): Promise<MailboxChange[]> {
    const byId = new Map<string, MessageSummary>()
    const sealed: StoredMessage[] = []
    for (const row of changes.filter(isMessage)) {
      const shown = freshRows.take(mailbox.mailboxId, row.messageId)
      if (shown && !row.sealedAuthentication) byId.set(row.messageId, withRow(row, shown))
      else sealed.push(row)
    }
    for (const message of await openSummaries(context, mailbox, sealed, reader)) byId.set(message.id, message)
    return changes.flatMap((change): MailboxChange[] => {
      const message = byId.get(change.messageId)
      if (change.type === 'removed') return [{ type: 'removed', cursor: change.cursor, id: change.messageId }]
      return message ? [{ type: 'message', cursor: change.cursor, message }] : []
    })
  }

  return {
    /** The live messages that are wanted, newest first, and the cursor after all, as JSON. `undefined` when the mailbox is gone. */
    listMessages: (mailbox: OpenMailbox, wanted: ListCondition, reader: Reader) =>
      queue.run(mailbox.mailboxId, reader, () => list(mailbox, wanted, reader)),
    /**
     * Some changes after `cursor`, oldest first, without messages that cannot be decrypted, and the cursor after them. `isMore`: there may
     * be others. `undefined` when the mailbox is gone.
     */
    changesSince: (mailbox: OpenMailbox, cursor: number, reader: Reader) =>
      stepQueue.run(mailbox.mailboxId, reader, () => changesAfter(mailbox, cursor, reader)),
  }
}

/** The newest of a mailbox: a reader who is slower gets the others decrypted. */
const ROWS_KEPT_MAX = 4

/**
 * Rows of messages that were just encrypted, for the readers who are connected to this process: what is at hand need not be decrypted. The
 * store still decides what a reader gets, and when.
 */
export class FreshRows {
  readonly #watched = new Map<MailboxId, { readers: number; readonly rows: BoundedMap<MessageId, ShownSummary> }>()

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
