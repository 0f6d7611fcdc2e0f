/** Lists the messages and changes of a mailbox. Rows are decrypted with its key in a mail thread. */
import type { MessageSummary } from '#contract/mailbox.ts'
import { AppError } from '#server/errors.ts'
import type { Change, MailboxId, MailStore } from '#server/store/store.ts'
import type { MailContext } from '../context.ts'
import { CHANGES_PER_STEP, type FoundMessage, type MailboxChange, type OpenMailbox, type Reader } from '../mail-core.ts'
import type { StoredRow } from '../message/message.ts'
import { type MessageCondition, type MessageFilter, matchesRow } from '../message/message-condition.ts'
import { ReadQueue, SMALL_READ_BYTES_MAX, SMALL_READS } from './read-queue.ts'

/** As the store returns it, with more fields. */
type SealedRow = StoredRow & { readonly sealedSummary: Uint8Array; readonly sealedAuthentication: Uint8Array | undefined }

/** Passed to a task in place of bytes that a message does not have. */
export const NO_BYTES = new Uint8Array(0)

export function toStoredRow({ messageId, arrivalCursor, receivedAt }: StoredRow): StoredRow {
  return { messageId, arrivalCursor, receivedAt }
}

/** The sealed summary, then the sealed authentication result or nothing. */
export function rowBytes({ sealedSummary, sealedAuthentication }: SealedRow): [Uint8Array, Uint8Array] {
  return [sealedSummary, sealedAuthentication ?? NO_BYTES]
}

/** Changes per step when a whole list is read from the store. */
const LIST_STEP = 200
/** A page asks for one list at a time; streams and long polls of the same mailbox wait in the same queue. */
const LIMITS = { readsMax: 32, perNetworkMax: 4, waitingPerMailboxMax: 64 }
/** Events of one burst to a reader who waits for them. */
const FEW_ROWS_MAX = 4

type MessageChange = Extract<Change, { type: 'message' }>

export function createInbox(context: MailContext) {
  const { store } = context
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

  async function changesAfter(mailbox: OpenMailbox, cursor: number, reader: Reader): Promise<MailboxChange[] | undefined> {
    const found: MailboxChange[] = []
    let after = cursor
    // More than once only if messages were left out: fewer than a whole step tells the reader that there are no more.
    for (;;) {
      const limit = CHANGES_PER_STEP - found.length
      const changes = await store.changesSince(mailbox.mailboxId, after, limit)
      if (!changes) return undefined
      found.push(...(await openChanges(mailbox, changes, reader)))
      if (changes.length < limit || found.length === CHANGES_PER_STEP) return found
      after = changes.at(-1)?.cursor ?? after
    }
  }

  async function openChanges(mailbox: OpenMailbox, changes: readonly Change[], reader: Reader): Promise<MailboxChange[]> {
    const opened = await openSummaries(context, mailbox, changes.filter(isMessage), reader)
    const byId = new Map(opened.map(message => [message.id, message]))
    return changes.flatMap((change): MailboxChange[] => {
      const message = byId.get(change.messageId)
      if (change.type === 'removed') return [{ type: 'removed', cursor: change.cursor, id: change.messageId }]
      return message ? [{ type: 'message', cursor: change.cursor, message }] : []
    })
  }

  return {
    listMessages: (mailbox: OpenMailbox, reader: Reader = {}) => queue.run(mailbox.mailboxId, reader, () => list(mailbox, reader)),
    changesSince: (mailbox: OpenMailbox, cursor: number, reader: Reader = {}) =>
      stepQueue.run(mailbox.mailboxId, reader, () => changesAfter(mailbox, cursor, reader)),
  }
}

/** Decrypts the rows for their owner, in the given order, without those that cannot be decrypted. */
export async function openSummaries(
  { threads, log }: Pick<MailContext, 'threads' | 'log'>,
  { mailboxId, privateKey }: OpenMailbox,
  sealed: readonly SealedRow[],
  reader: Reader = {},
): Promise<MessageSummary[]> {
  if (sealed.length === 0) return []
  const rows = sealed.map(toStoredRow)
  const bytes = sealed.flatMap(rowBytes)
  // The few rows of a mail that just came.
  const urgency = rows.length <= FEW_ROWS_MAX ? 'soon' : undefined
  const { value } = await threads.run('summaries', { owner: { mailboxId, privateKey }, rows }, bytes, reader.network, urgency)
  warnOfUnreadable(log, rows.length - value.length, rows.length)
  return value
}

/** For the operator: the database is damaged, or has rows of another secret. */
function warnOfUnreadable(log: MailContext['log'], unreadable: number, messages: number): void {
  if (unreadable > 0) log.warn({ unreadable, messages }, 'Messages that cannot be decrypted were left out of a list')
}

async function allChanges(store: MailStore, mailboxId: MailboxId): Promise<Change[] | undefined> {
  const changes: Change[] = []
  for (;;) {
    const step = await store.changesSince(mailboxId, changes.at(-1)?.cursor ?? 0, LIST_STEP)
    if (!step) return undefined
    changes.push(...step)
    if (step.length < LIST_STEP) return changes
  }
}

function isMessage(change: Change): change is MessageChange {
  return change.type === 'message'
}

type ReadMatching = (
  mailbox: OpenMailbox,
  message: Pick<MessageSummary, 'id' | 'size'>,
  filter: MessageFilter,
  reader: Reader,
) => Promise<Uint8Array | undefined>
type Asked = { readonly mailbox: OpenMailbox; readonly condition: MessageCondition; readonly reader: Reader }
type WholeChange = MessageChange & { readonly sealedRaw: Uint8Array }

/**
 * Finds the message that somebody waits for. Hundreds of tests wait at once, so a small message takes one read and one job. `stepBytesMax`:
 * raw messages up to this size in total are searched by one job. Larger in tests.
 */
export function createMessageSearch(
  context: Pick<MailContext, 'store' | 'threads' | 'log'>,
  readMatching: ReadMatching,
  stepBytesMax = SMALL_READ_BYTES_MAX,
) {
  const { store, threads, log } = context
  const queue = new ReadQueue(SMALL_READS)

  /**
   * The first match, decided and read by one job. `undefined` if the job failed by one of the messages: they have to be read one by one.
   */
  async function firstMatch({ mailbox: { mailboxId, privateKey }, condition, reader }: Asked, messages: readonly WholeChange[]) {
    const bytes = messages.flatMap(message => [...rowBytes(message), message.sealedRaw])
    const args = { owner: { mailboxId, privateKey }, rows: messages.map(toStoredRow), condition }
    const done = await threads.run('firstMatch', args, bytes, reader.network).catch(undefinedIfInternal)
    if (!done || done.value.isInterrupted) return undefined
    warnOfUnreadable(log, done.value.unreadable, messages.length)
    return { message: done.bytes[0] }
  }

  /** The rows that match, to be read one by one: they are large, the store did not read them along, or one of them made a job fail. */
  async function matchingRows({ mailbox, condition, reader }: Asked, messages: readonly MessageChange[]): Promise<MessageSummary[]> {
    const summaries = await openSummaries(context, mailbox, messages, reader)
    return summaries.filter(summary => matchesRow(summary, condition))
  }

  async function step(asked: Asked, after: number) {
    const changes = await store.changesSince(asked.mailbox.mailboxId, after, CHANGES_PER_STEP, stepBytesMax)
    if (!changes) return undefined
    const messages = inOrderOfArrival(changes)
    const next = { cursor: changes.at(-1)?.cursor ?? after, isMore: changes.length === CHANGES_PER_STEP }
    if (messages.length === 0) return next
    const found = messages.every(isWhole) ? await firstMatch(asked, messages) : undefined
    if (found) return { ...next, ...found }
    return { ...next, rows: await matchingRows(asked, messages) }
  }

  return {
    async findMessage(
      mailbox: OpenMailbox,
      after: number,
      condition: MessageCondition,
      reader: Reader = {},
    ): Promise<FoundMessage | undefined> {
      const found = await queue.run(mailbox.mailboxId, reader, () => step({ mailbox, condition, reader }, after))
      if (!found || !('rows' in found)) return found
      const { rows, ...next } = found
      for (const row of rows) {
        try {
          const message = await readMatching(mailbox, row, condition, reader)
          if (message) return { ...next, message }
        } catch (error) {
          // One that cannot be read must not keep those behind it from a reader who waits for them.
          undefinedIfInternal(error)
          warnOfUnreadable(log, 1, rows.length)
        }
      }
      return next
    },
  }
}

/** A failure by the message itself; any other is thrown again. */
function undefinedIfInternal(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'internal')) throw error
}

/** A message whose sender was checked late comes behind newer ones in the changes. */
function inOrderOfArrival(changes: readonly Change[]): MessageChange[] {
  return changes.filter(change => change.type === 'message').toSorted((one, other) => one.arrivalCursor - other.arrivalCursor)
}

function isWhole(message: MessageChange): message is WholeChange {
  return message.sealedRaw !== undefined
}
