/** Whatever belongs to a mailbox ends with it: when it is destroyed here, and when it expires in `Sweep`. */

import type { MailboxId } from '#server/store/store.ts'
import type { DatabaseAccess } from './database.ts'
import type { SecretBox } from './secret-box.ts'

/** The tables with rows about one mailbox, and the column that has its hash. */
const COLUMNS = {
  pro_mailboxes: 'mailbox_hash',
  api_mailboxes: 'mailbox_hash',
  idempotent_mailboxes: 'mailbox_hash',
  agent_inboxes: 'mailbox_hash',
  push_subscriptions: 'mailbox_hash',
  webhooks: 'owner',
  webhook_deliveries: 'mailbox_hash',
} as const
type MailboxTable = keyof typeof COLUMNS
export const MAILBOX_TABLES = Object.keys(COLUMNS) as MailboxTable[]

/** Each table has a hash of its own, so that a copy of the database does not tell which rows of two tables are about one mailbox. */
export function hashMailbox(secretBox: SecretBox, table: MailboxTable, mailboxId: MailboxId): string {
  return secretBox.hash(`mailbox/${table}`, mailboxId)
}

/** Call when a mailbox was destroyed. Resolves when no row is about it. */
export async function forgetMailbox({ db, secretBox }: Pick<DatabaseAccess, 'db' | 'secretBox'>, mailboxId: MailboxId): Promise<void> {
  const { ref } = db.dynamic
  // The stored reply to a request has the tokens of all mailboxes that it created, so it ends with the first of them.
  const reply = db.selectFrom('idempotent_mailboxes').select('key_hash')
  const own = reply.where('mailbox_hash', '=', hashMailbox(secretBox, 'idempotent_mailboxes', mailboxId))
  await db.deleteFrom('idempotent_requests').where('key_hash', 'in', own).execute()
  for (const table of MAILBOX_TABLES) {
    await db
      .deleteFrom(table)
      .where(ref(COLUMNS[table]), '=', hashMailbox(secretBox, table, mailboxId))
      .execute()
  }
}
