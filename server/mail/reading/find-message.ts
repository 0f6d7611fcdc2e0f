/** Finds the message that somebody waits for. Hundreds of tests wait at once, so a small message takes one read and one job. */
import type { MessageSummary } from '#contract/mailbox.ts'
import { AppError } from '#server/errors.ts'
import type { Change } from '#server/store/store.ts'
import type { MailContext } from '../context.ts'
import { CHANGES_PER_STEP, type FoundMessage, type OpenMailbox, type Reader } from '../mail-core.ts'
import { type MessageChange, openSummaries, warnOfUnreadable } from './inbox.ts'
import { type MessageCondition, type MessageFilter, matchesRow } from './message-condition.ts'
import { ReadQueue, SMALL_READ_BYTES_MAX, SMALL_READS } from './read-queue.ts'
import { rowBytes, toStoredRow } from './sealed-rows.ts'

type ReadMatching = (
  mailbox: OpenMailbox,
  message: Pick<MessageSummary, 'id' | 'size'>,
  filter: MessageFilter,
  reader: Reader,
) => Promise<Uint8Array | undefined>
type Asked = { readonly mailbox: OpenMailbox; readonly condition: MessageCondition; readonly reader: Reader }
type WholeChange = MessageChange & { readonly sealedRaw: Uint8Array }

/** `stepBytesMax`: raw messages up to this size in total are searched by one job. Larger in tests. */
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
