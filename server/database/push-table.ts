import type { Kysely, RawBuilder } from 'kysely'

/** The migration `push_subscriptions` of migrations.ts. `millis`: the column type of times. */
export async function createPushTable(db: Kysely<unknown>, millis: RawBuilder<unknown>): Promise<void> {
  await db.schema
    .createTable('push_subscriptions')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('mailbox_hash', 'text', c => c.notNull())
    .addColumn('browser_hash', 'text', c => c.notNull())
    .addColumn('sealed', 'text', c => c.notNull())
    .addColumn('created_at', millis, c => c.notNull())
    .addColumn('expires_at', millis, c => c.notNull())
    .execute()
  await db.schema.createIndex('push_subscriptions_mailbox').on('push_subscriptions').column('mailbox_hash').execute()
  await db.schema.createIndex('push_subscriptions_expiry').on('push_subscriptions').column('expires_at').execute()
}
