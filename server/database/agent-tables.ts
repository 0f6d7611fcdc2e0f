import type { Kysely, RawBuilder } from 'kysely'

/** The migration `agent_sessions` of migrations.ts. `millis`: the column type of times. */
export async function createAgentTables(db: Kysely<unknown>, millis: RawBuilder<unknown>): Promise<void> {
  await db.schema
    .createTable('agent_sessions')
    .addColumn('id_hash', 'text', c => c.primaryKey())
    .addColumn('owner', 'text', c => c.notNull())
    .addColumn('used_at', millis, c => c.notNull())
    .execute()
  await db.schema.createIndex('agent_sessions_owner').on('agent_sessions').columns(['owner', 'used_at']).execute()
  await db.schema
    .createTable('agent_inboxes')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('session_hash', 'text', c => c.notNull())
    .addColumn('sealed', 'text', c => c.notNull())
    .addColumn('created_at', millis, c => c.notNull())
    .addColumn('expires_at', millis, c => c.notNull())
    .execute()
  await db.schema.createIndex('agent_inboxes_session').on('agent_inboxes').columns(['session_hash', 'created_at']).execute()
  await db.schema.createIndex('agent_inboxes_expiry').on('agent_inboxes').column('expires_at').execute()
}
