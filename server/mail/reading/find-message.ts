import type { MessageSummary } from '#contract/mailbox.ts'
import { AppError } from '#server/errors.ts'
import type { Change, MailboxId, StoredMessage } from '#server/store/store.ts'
import type { OpenMailbox } from '../mailboxes.ts'
import { type ContentCondition, type MessageCondition, matchesRow } from '../message/message-condition.ts'
import { type Reader, ReadQueue, SMALL_READ_BYTES_MAX, SMALL_READS } from './read-queue.ts'
import {
  allChanges,
  CHANGES_PER_STEP,
  isMessage,
  isWhole,
  type MailReading,
  openSummaries,
  sealedBytes,
  toStoredRow,
  type WholeMessage,
  warnOfUnreadable,
} from './sealed-rows.ts'

/** `message`: JSON, as `readMessage` returns it, if one matched. Otherwise the search goes on after `cursor`. */
type FoundMessage = { readonly message?: Uint8Array | undefined; readonly cursor: number }
type ReadMatching = (mailbox: OpenMailbox, id: string, filter: ContentCondition, reader: Reader) => Promise<Uint8Array | undefined>
type Asked = { readonly mailbox: OpenMailbox; readonly condition: MessageCondition; readonly reader: Reader }

/**
 * Finds the message that somebody waits for. Hundreds of tests wait at once, so a small message takes one read and one job. `stepBytesMax`:
 * raw messages up to this size in total are searched by one job. Larger in tests.
 */
export function createMessageSearch(context: MailReading, readMatching: ReadMatching, stepBytesMax = SMALL_READ_BYTES_MAX) {
  const { store, threads, log } = context
  const queue = new ReadQueue(SMALL_READS)

  /**
   * The first match, decided and read by one job. `undefined` if the job failed by one of the messages: they have to be read one by one.
   */
  async function firstMatch({ mailbox: { mailboxId, privateKey }, condition, reader }: Asked, messages: readonly WholeMessage[]) {
    const bytes = messages.map(sealedBytes)
    const rows = messages.map(message => ({ ...toStoredRow(message), isUnparsed: threads.isCostly(message.messageId) }))
    const args = { owner: { mailboxId, privateKey }, rows, condition }
    const done = await threads.run('firstMatch', args, bytes, reader.networks).catch(undefinedIfInternal)
    if (!done || done.value.isInterrupted) return undefined
    warnOfUnreadable(log, done.value.unreadable, messages.length)
    return { message: done.bytes[0]?.json }
  }

  /** The rows that match, to be read one by one: they are large, the store did not read them along, or one of them made a job fail. */
  async function matchingRows({ mailbox, condition, reader }: Asked, messages: readonly StoredMessage[]): Promise<MessageSummary[]> {
    const summaries = await openSummaries(context, mailbox, messages, reader)
    return summaries.filter(summary => matchesRow(summary, condition))
  }

  /** All changes after the cursor: a message whose sender was checked late is behind newer ones, and may be the first to match. */
  async function changesAfter(mailboxId: MailboxId, after: number): Promise<Change[] | undefined> {
    const changes = await store.changesSince(mailboxId, after, CHANGES_PER_STEP, stepBytesMax)
    if (!changes || changes.length < CHANGES_PER_STEP) return changes
    const others = await allChanges(store, mailboxId, changes.at(-1)?.cursor)
    return others && [...changes, ...others]
  }

  /** Replies with the message if one job could decide, else with the messages to be read one by one. */
  async function search(asked: Asked, after: number) {
    const changes = await changesAfter(asked.mailbox.mailboxId, after)
    if (!changes) return undefined
    const cursor = changes.at(-1)?.cursor ?? after
    const messages = arrivedAfter(changes, asked.condition)
    const isOneJob = messages.length > 0 && messages.length <= CHANGES_PER_STEP && messages.every(isWhole)
    const found = isOneJob ? await firstMatch(asked, messages) : undefined
    return found ? { cursor, ...found } : { cursor, unread: messages }
  }

  async function firstReadable(rows: readonly MessageSummary[], { mailbox, condition, reader }: Asked): Promise<Uint8Array | undefined> {
    for (const row of rows) {
      try {
        const message = await readMatching(mailbox, row.id, condition, reader)
        if (message) return message
      } catch (error) {
        // One that cannot be read must not keep those behind it from a reader who waits for them.
        undefinedIfInternal(error)
        warnOfUnreadable(log, 1, rows.length)
      }
    }
    return undefined
  }

  return {
    /** The first message that matches among the next changes after `cursor`. `undefined` when the mailbox is gone. */
    async findMessage(mailbox: OpenMailbox, after: number, condition: MessageCondition, reader: Reader): Promise<FoundMessage | undefined> {
      const asked = { mailbox, condition, reader }
      const found = await queue.run(mailbox.mailboxId, reader, () => search(asked, after))
      if (!found?.unread) return found
      const { unread, cursor } = found
      for (let at = 0; at < unread.length; at += CHANGES_PER_STEP) {
        const some = unread.slice(at, at + CHANGES_PER_STEP)
        const rows = await queue.run(mailbox.mailboxId, reader, () => matchingRows(asked, some))
        const message = await firstReadable(rows, asked)
        if (message) return { cursor, message }
      }
      return { cursor }
    },
  }
}

/** A failure by the message itself; any other is thrown again. */
function undefinedIfInternal(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'internal')) throw error
}

/** The messages that can match, in the order of their arrival. */
function arrivedAfter(changes: readonly Change[], { afterCursor, afterMs }: MessageCondition): StoredMessage[] {
  return changes
    .filter(isMessage)
    .filter(({ arrivalCursor, receivedAt }) => arrivalCursor > afterCursor && receivedAt > afterMs)
    .toSorted((one, other) => one.arrivalCursor - other.arrivalCursor)
}
