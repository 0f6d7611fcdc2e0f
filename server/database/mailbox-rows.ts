/** Whatever belongs to a mailbox ends with it: when it is destroyed here, and when it expires in `Sweep`. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MailboxId } from '#server/store/store.ts'
import type { SecretBox } from '../platform/cryptography.ts'
import type { DatabaseAccess } from './database.ts'
import type { Step } from './rights.ts'

/**
 * The tables with rows about one mailbox, and the column that has its hash. Their order is the one in which the rights of an owner end
 * (account-endings.ts): two steps that delete the same rows would otherwise wait for each other.
 */
const COLUMNS = {
  webhooks: 'owner',
  webhook_deliveries: 'mailbox_hash',
  agent_inboxes: 'mailbox_hash',
  push_subscriptions: 'mailbox_hash',
  idempotent_mailboxes: 'mailbox_hash',
  owned_mailboxes: 'mailbox_hash',
} as const
type MailboxTable = keyof typeof COLUMNS
export const MAILBOX_TABLES = Object.keys(COLUMNS) as MailboxTable[]

/** Each table has a hash of its own, so that a copy of the database does not tell which rows of two tables are about one mailbox. */
export function hashMailbox(secretBox: SecretBox, table: MailboxTable, mailboxId: MailboxId): string {
  return secretBox.hash(`mailbox/${table}`, mailboxId)
}

/** Rows that one statement removes from SQLite: about 0.1 s, most of it for the disk. */
export const GROUP_MAX = 1000

type Removal = { executeTakeFirstOrThrow(): Promise<{ readonly numDeletedRows: bigint }> }

/**
 * Repeats a statement that removes at most `GROUP_MAX` rows until none is left: SQLite works in the thread that serves everybody, who would
 * wait while it removes hundreds of thousands of rows at once.
 */
export async function removeInGroups(removal: Removal, signal?: AbortSignal): Promise<void> {
  for (let isMore = true; isMore && !signal?.aborted; ) {
    const startMs = performance.now()
    isMore = (await removal.executeTakeFirstOrThrow()).numDeletedRows === BigInt(GROUP_MAX)
    // The others have as much time as it took.
    if (isMore) await sleep(performance.now() - startMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Removes deliveries of webhooks, of which there may be many. */
export async function removeDeliveries(
  { db }: Pick<DatabaseAccess, 'db'>,
  column: 'webhook_id' | 'mailbox_hash',
  values: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const group = db.selectFrom('webhook_deliveries').select('id').where(column, 'in', values).limit(GROUP_MAX)
  if (values.length > 0) await removeInGroups(db.deleteFrom('webhook_deliveries').where('id', 'in', group), signal)
}

/** In a step that ends these webhooks, or who made them. They send nothing any more, and the sweep removes them. */
export async function endWebhooks(step: Step, column: 'id' | 'owner' | 'api_key_id', value: string): Promise<boolean> {
  const ended = step.updateTable('webhooks').set({ owner: '', api_key_id: null, expires_at: 0 }).where(column, '=', value)
  return (await ended.executeTakeFirstOrThrow()).numUpdatedRows > 0n
}

/** Call when mailboxes were destroyed. Resolves when no row is about them. */
export async function forgetMailboxes(
  { db, secretBox }: Pick<DatabaseAccess, 'db' | 'secretBox'>,
  ids: readonly MailboxId[],
): Promise<void> {
  const { ref } = db.dynamic
  const hashes = (table: MailboxTable) => ids.map(id => hashMailbox(secretBox, table, id))
  await removeDeliveries({ db }, 'mailbox_hash', hashes('webhook_deliveries'))
  await db.transaction().execute(async step => {
    // The stored reply to a request has the tokens of all mailboxes that it created, so it ends with the first of them.
    const replies = step.selectFrom('idempotent_mailboxes').select('key_hash')
    const own = replies.where('mailbox_hash', 'in', hashes('idempotent_mailboxes'))
    await step.deleteFrom('idempotent_requests').where('key_hash', 'in', own).execute()
    for (const table of MAILBOX_TABLES) await step.deleteFrom(table).where(ref(COLUMNS[table]), 'in', hashes(table)).execute()
  })
}

/** Tables whose rows have an end of their own, which is that of the mailbox. */
const EXTENDED = ['webhooks', 'webhook_deliveries', 'agent_inboxes', 'push_subscriptions'] as const

/** In the step in which an account keeps a mailbox: what belongs to it ends with it, now later. */
export async function extendMailboxRows(step: Step, secretBox: SecretBox, mailboxId: MailboxId, expiresAt: number): Promise<void> {
  for (const table of EXTENDED) {
    const own = step.updateTable(table).set({ expires_at: expiresAt }).where('expires_at', 'is not', null)
    await own.where(step.dynamic.ref(COLUMNS[table]), '=', hashMailbox(secretBox, table, mailboxId)).execute()
  }
}

type LiveMailboxes = Pick<DatabaseAccess, 'db' | 'secretBox'> & { readonly isLive: (mailboxId: MailboxId) => Promise<boolean> }

/** Call when a row about mailboxes was written: one may have been destroyed meanwhile. `false` if so; then the row is removed too. */
export async function keepIfLive({ isLive, ...access }: LiveMailboxes, ids: readonly MailboxId[]): Promise<boolean> {
  const live = await Promise.all(ids.map(isLive))
  const destroyed = ids.filter((_, index) => !live[index])
  if (destroyed.length > 0) await forgetMailboxes(access, destroyed)
  return destroyed.length === 0
}
