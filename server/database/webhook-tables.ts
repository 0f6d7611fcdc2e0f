import type { Kysely, RawBuilder } from 'kysely'

/** The migration `0008_webhooks` of migrations.ts. `millis`: the column type of times. */
export async function createWebhookTables(db: Kysely<unknown>, millis: RawBuilder<unknown>): Promise<void> {
  const table = (name: string) => db.schema.createTable(name)
  await table('webhooks')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('owner', 'text', c => c.notNull())
    .addColumn('sealed_url', 'text', c => c.notNull())
    .addColumn('sealed_secret', 'text', c => c.notNull())
    .addColumn('sealed_old_secret', 'text')
    .addColumn('rotated_at', millis)
    .addColumn('created_at', millis, c => c.notNull())
    .addColumn('expires_at', millis)
    .addColumn('failures', 'integer', c => c.notNull())
    .addColumn('last_reason', 'text')
    .addColumn('disabled_reason', 'text')
    .execute()
  await table('webhook_deliveries')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('webhook_id', 'text', c => c.notNull().references('webhooks.id').onDelete('cascade'))
    .addColumn('sealed_body', 'text', c => c.notNull())
    .addColumn('attempts', 'integer', c => c.notNull())
    .addColumn('next_attempt_at', millis, c => c.notNull())
    .addColumn('created_at', millis, c => c.notNull())
    .execute()
  await db.schema.createIndex('webhooks_owner').on('webhooks').column('owner').execute()
  await db.schema.createIndex('webhook_deliveries_next').on('webhook_deliveries').column('next_attempt_at').execute()
  await db.schema.createIndex('webhook_deliveries_webhook').on('webhook_deliveries').column('webhook_id').execute()
}

/**
 * The migration `0009_webhook_accounts`: records whose mail a delivery is about. Deliveries from before count as those of one unknown
 * account.
 */
export async function addWebhookAccounts(db: Kysely<unknown>): Promise<void> {
  const table = db.schema.alterTable('webhook_deliveries')
  await table.addColumn('account', 'text', c => c.notNull().defaultTo('')).execute()
}
