/** What is in a mailbox, as a list and as changes; the rows are opened with its key in a mail thread. */
import type { MessageSummary } from '#contract/mailbox.ts'
import type { Change, MailboxId, MailStore } from '#server/store/store.ts'
import type { MailContext } from './context.ts'
import type { MailboxChange, OpenMailbox } from './mail.ts'
import type { MailThreads } from './mail-threads.ts'

/** Changes read in one step of the store. */
const CHANGES_PER_STEP = 200
const NOTHING = new Uint8Array(0)

type ListedRow = Pick<MessageChange, 'messageId' | 'arrivalCursor' | 'receivedAt' | 'sealedSummary' | 'sealedAnnotation'>
type MessageChange = Extract<Change, { type: 'message' }>

export function createInbox({ store, threads }: MailContext) {
  return {
    async listMessages(mailbox: OpenMailbox): Promise<{ messages: MessageSummary[]; cursor: number } | undefined> {
      const changes = await allChanges(store, mailbox.mailboxId, 0)
      if (!changes) return undefined
      const messages = await openSummaries(threads, mailbox, changes.filter(isMessage))
      // A late verdict moves a message to the end of the changes, not to the top of the inbox.
      messages.sort((one, other) => (one.receivedAt < other.receivedAt ? 1 : one.receivedAt > other.receivedAt ? -1 : 0))
      return { messages, cursor: changes.at(-1)?.cursor ?? 0 }
    },

    async changesSince(mailbox: OpenMailbox, cursor: number): Promise<MailboxChange[] | undefined> {
      const changes = await allChanges(store, mailbox.mailboxId, cursor)
      if (!changes) return undefined
      const opened = await openSummaries(threads, mailbox, changes.filter(isMessage))
      const byId = new Map(opened.map(message => [message.id, message]))
      return changes.flatMap((change): MailboxChange[] => {
        const message = byId.get(change.messageId)
        if (change.type === 'removed') return [{ type: 'removed', cursor: change.cursor, id: change.messageId }]
        return message ? [{ type: 'message', cursor: change.cursor, message }] : []
      })
    },
  }
}

/** The rows as their owner reads them, in the order given. */
export async function openSummaries(
  threads: MailThreads,
  { mailboxId, privateKey }: OpenMailbox,
  sealed: readonly ListedRow[],
): Promise<MessageSummary[]> {
  if (sealed.length === 0) return []
  const rows = sealed.map(({ messageId, arrivalCursor, receivedAt }) => ({ messageId, arrivalCursor, receivedAt }))
  const bytes = sealed.flatMap(row => [row.sealedSummary, row.sealedAnnotation ?? NOTHING])
  return (await threads.run('summaries', { owner: { mailboxId, privateKey }, rows }, bytes)).value
}

async function allChanges(store: MailStore, mailboxId: MailboxId, after: number): Promise<Change[] | undefined> {
  const changes: Change[] = []
  for (;;) {
    const step = await store.changesSince(mailboxId, changes.at(-1)?.cursor ?? after, CHANGES_PER_STEP)
    if (!step) return undefined
    changes.push(...step)
    if (step.length < CHANGES_PER_STEP) return changes
  }
}

function isMessage(change: Change): change is MessageChange {
  return change.type === 'message'
}
