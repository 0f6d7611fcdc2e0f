/** Lists the messages and changes of a mailbox. Rows are decrypted with its key in a mail thread. */
import type { MessageSummary } from '#contract/mailbox.ts'
import type { Log } from '#server/platform/log.ts'
import type { Change, MailboxId, MailStore, StoredMessage } from '#server/store/store.ts'
import type { MailContext } from '../context.ts'
import type { ChangesStep, MailboxChange, OpenMailbox, Reader } from '../mail-core.ts'
import { type StoredRow, withRow } from '../message/stored-summary.ts'
import type { MailThreads } from '../threads/mail-threads.ts'
import { ReadQueue, SMALL_READS } from './read-queue.ts'

/** What reading takes: sealed rows from the store, which a thread opens. */
export type MailReading = { readonly store: MailStore; readonly threads: MailThreads; readonly log: Log }

export type WholeMessage = StoredMessage & { readonly sealedRaw: Uint8Array }

export function isWhole(message: StoredMessage): message is WholeMessage {
  return message.sealedRaw !== undefined
}

export function toStoredRow({ messageId, arrivalCursor, receivedAt }: StoredRow): StoredRow {
  return { messageId, arrivalCursor, receivedAt }
}

/** What a task needs to open a whole message. */
export function sealedBytes({ sealedSummary, sealedAuthentication, sealedRaw }: WholeMessage) {
  return { sealedSummary, sealedAuthentication, sealedRaw }
}

/** Changes that are read and searched at once, so that a slow reader keeps no more than this in memory. */
export const CHANGES_PER_STEP = 25
/** Changes per step when a whole list is read from the store. */
const LIST_STEP = 200
/** A page asks for one list at a time; streams and long polls of the same mailbox wait in the same queue. */
const LIMITS = { readsMax: 32, perNetworkMax: 4, waitingPerMailboxMax: 64 }
/** Events of one burst to a reader who waits for them. */
const FEW_ROWS_MAX = 4

export type MessageChange = Extract<Change, { type: 'message' }>

export function createInbox(context: MailReading & Pick<MailContext, 'freshRows'>) {
  const { store, freshRows } = context
  const queue = new ReadQueue(LIMITS)
  /** A step of changes has few rows. */
  const stepQueue = new ReadQueue(SMALL_READS)

  async function list(mailbox: OpenMailbox, reader: Reader): Promise<{ messages: MessageSummary[]; cursor: number } | undefined> {
    const changes = await allChanges(store, mailbox.mailboxId)
    if (!changes) return undefined
    // Sorted by arrival, not by time, because the clock may go back. Late authentication results move a message to the end of the changes,
    // not to the top of the inbox.
    const rows = changes.filter(isMessage).toSorted((one, other) => other.arrivalCursor - one.arrivalCursor)
    const messages = await openSummaries(context, mailbox, rows, reader)
    return { messages, cursor: changes.at(-1)?.cursor ?? 0 }
  }

  async function changesAfter(mailbox: OpenMailbox, after: number, reader: Reader): Promise<ChangesStep | undefined> {
    const sealed = await store.changesSince(mailbox.mailboxId, after, CHANGES_PER_STEP)
    if (!sealed) return undefined
    const changes = await openChanges(mailbox, sealed, reader)
    return { changes, cursor: sealed.at(-1)?.cursor ?? after, isMore: sealed.length === CHANGES_PER_STEP }
  }

  async function openChanges(mailbox: OpenMailbox, changes: readonly Change[], reader: Reader): Promise<MailboxChange[]> {
    const byId = new Map<string, MessageSummary>()
    const sealed: MessageChange[] = []
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
    listMessages: (mailbox: OpenMailbox, reader: Reader) => queue.run(mailbox.mailboxId, reader, () => list(mailbox, reader)),
    changesSince: (mailbox: OpenMailbox, cursor: number, reader: Reader) =>
      stepQueue.run(mailbox.mailboxId, reader, () => changesAfter(mailbox, cursor, reader)),
  }
}

/** Decrypts the rows for their owner, in the given order, without those that cannot be decrypted. */
export async function openSummaries(
  { threads, log }: MailReading,
  { mailboxId, privateKey }: OpenMailbox,
  sealed: readonly StoredMessage[],
  reader: Reader,
): Promise<MessageSummary[]> {
  if (sealed.length === 0) return []
  const rows = sealed.map(toStoredRow)
  const bytes = sealed.map(({ sealedSummary, sealedAuthentication }) => ({ sealedSummary, sealedAuthentication }))
  // The few rows of a mail that just came.
  const urgency = rows.length <= FEW_ROWS_MAX ? 'soon' : undefined
  const { value } = await threads.run('summaries', { owner: { mailboxId, privateKey }, rows }, bytes, reader.network, urgency)
  warnOfUnreadable(log, rows.length - value.length, rows.length)
  return value
}

/** For the operator: the database is damaged, or has rows of another secret. */
export function warnOfUnreadable(log: Log, unreadable: number, messages: number): void {
  if (unreadable > 0) log.warn({ unreadable, messages }, 'Messages that cannot be decrypted were left out')
}

export async function allChanges(store: MailStore, mailboxId: MailboxId, after = 0): Promise<Change[] | undefined> {
  const changes: Change[] = []
  for (;;) {
    const step = await store.changesSince(mailboxId, changes.at(-1)?.cursor ?? after, LIST_STEP)
    if (!step) return undefined
    changes.push(...step)
    if (step.length < LIST_STEP) return changes
  }
}

export function isMessage(change: Change): change is MessageChange {
  return change.type === 'message'
}
