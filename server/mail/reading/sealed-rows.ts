/** Reads messages of a mailbox from the store, and decrypts their rows for the owner in a mail thread. */
import type { MessageList, MessageSummary } from '#contract/mailbox.ts'
import type { Log } from '#server/platform/log.ts'
import type { Change, MailboxId, MailStore, StoredMessage } from '#server/store/store.ts'
import type { OpenMailbox } from '../mailboxes.ts'
import type { RowCondition } from '../message/message-condition.ts'
import type { StoredRow } from '../message/stored-summary.ts'
import type { MailThreads } from '../threads/mail-threads.ts'
import type { Reader } from './read-queue.ts'

/** Changes that are read and searched at once, so that a slow reader keeps no more than this in memory. */
export const CHANGES_PER_STEP = 25
/** Changes per step when a whole list is read from the store. */
const LIST_STEP = 200
/** Events of one burst to a reader who waits for them. */
const FEW_ROWS_MAX = 4

/** What reading takes: sealed rows from the store, which a thread opens. */
export type MailReading = { readonly store: MailStore; readonly threads: MailThreads; readonly log: Log }

export type WholeMessage = StoredMessage & { readonly sealedRaw: Uint8Array }

export const isWhole = (message: StoredMessage): message is WholeMessage => message.sealedRaw !== undefined
export const toStoredRow = ({ messageId, arrivalCursor, receivedAt }: StoredRow): StoredRow => ({ messageId, arrivalCursor, receivedAt })

/** What a task needs to open a whole message. */
export function sealedBytes({ sealedSummary, sealedAuthentication, sealedRaw }: WholeMessage) {
  return { sealedSummary, sealedAuthentication, sealedRaw }
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
  const args = { owner: { mailboxId, privateKey }, rows }
  const { value } = await threads.run('summaries', args, sealed.map(sealedRow), reader.networks, urgencyOf(rows))
  warnOfUnreadable(log, rows.length - value.length, rows.length)
  return value
}

/** Which rows of a list are wanted. */
export type ListCondition = {
  readonly condition: RowCondition
  /** Only messages that arrived before this cursor. */
  readonly before: number
  readonly limit: number
}

/** `MessageList` of contract/mailbox.ts as JSON: so many rows are never objects on the main thread. */
export async function openList(
  { threads, log }: MailReading,
  { mailboxId, privateKey }: OpenMailbox,
  { sealed, cursor }: { readonly sealed: readonly StoredMessage[]; readonly cursor: number },
  { condition, before, limit }: ListCondition,
  reader: Reader,
): Promise<Uint8Array> {
  // Sorted by arrival, not by time, because the clock may go back. Late authentication results move a message to the end of the changes,
  // not to the top of the inbox.
  const wanted = sealed.filter(({ arrivalCursor }) => arrivalCursor < before).sort((one, other) => other.arrivalCursor - one.arrivalCursor)
  if (wanted.length === 0) return Buffer.from(JSON.stringify({ messages: [], cursor: String(cursor) } satisfies MessageList))
  const rows = wanted.map(toStoredRow)
  const args = { owner: { mailboxId, privateKey }, rows, cursor, condition, limit }
  const { value, bytes } = await threads.run('list', args, wanted.map(sealedRow), reader.networks, urgencyOf(rows))
  warnOfUnreadable(log, value, rows.length)
  return bytes[0]?.json ?? new Uint8Array(0)
}

const sealedRow = ({ sealedSummary, sealedAuthentication }: StoredMessage) => ({ sealedSummary, sealedAuthentication })

/** Few rows are those of a mail that just came. */
const urgencyOf = (rows: readonly StoredRow[]) => (rows.length <= FEW_ROWS_MAX ? 'soon' : undefined)

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

export const isMessage = (change: Change): change is Extract<Change, { type: 'message' }> => change.type === 'message'
