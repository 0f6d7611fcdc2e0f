/** Whatever belongs to a mailbox ends with it: when it is destroyed here, and when it expires in `Sweep`. */

import type { MailboxId } from '#server/store/store.ts'
import type { DatabaseAccess } from './database.ts'
import type { Step } from './rights.ts'
import type { SecretBox } from './secret-box.ts'

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

/** Call when mailboxes were destroyed. Resolves when no row is about them. */
export async function forgetMailboxes(
  { db, secretBox }: Pick<DatabaseAccess, 'db' | 'secretBox'>,
  ids: readonly MailboxId[],
): Promise<void> {
  const { ref } = db.dynamic
  const hashes = (table: MailboxTable) => ids.map(id => hashMailbox(secretBox, table, id))
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

/**
 * Call when a row about mailboxes was written: one may have been destroyed meanwhile, and its rows removed before this one was there.
 * `false` if so; then it is removed too.
 */
export async function keepIfLive({ isLive, ...access }: LiveMailboxes, ids: readonly MailboxId[]): Promise<boolean> {
  const live = await Promise.all(ids.map(isLive))
  const destroyed = ids.filter((_, index) => !live[index])
  if (destroyed.length > 0) await forgetMailboxes(access, destroyed)
  return destroyed.length === 0
}
