import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export type Dialect = 'sqlite' | 'postgres'

/**
 * Every migration of the site database, oldest first. All missing ones run in one transaction. To change the tables, add a migration, whose
 * number is the new format (server/platform/formats.ts). Never edit a released one: databases out there have run it
 * (test/fixtures/releases has one of each). Until 0.1.0 is tagged none is: change the one there is, and raise its number.
 */
export function migrations(dialect: Dialect): Record<string, Migration> {
  return { '0028_site': { up: db => firstTables(db, types(dialect)) } }
}

type Types = ReturnType<typeof types>

/** Type names that differ between the two engines. SQLite's INTEGER has 64 bits. */
function types(dialect: Dialect) {
  return dialect === 'sqlite'
    ? { millis: sql`integer`, bytes: sql`blob`, serial: sql`integer primary key autoincrement` }
    : {
        millis: sql`bigint`,
        bytes: sql`bytea`,
        serial: sql`bigint generated always as identity primary key`,
      }
}

async function firstTables(db: Kysely<unknown>, type: Types): Promise<void> {
  const table = (name: string) => db.schema.createTable(name)
  const groups = [accountTables, proTables, apiTables, webhookTables, mailboxTables, operatorTables, siteTables]
  for (const create of groups) for (const builder of create(table, type)) await builder.execute()
  for (const [name, on, ...columns] of INDEXES) await db.schema.createIndex(name).on(on).columns(columns).execute()
}

const INDEXES: readonly (readonly [name: string, table: string, ...columns: string[]])[] = [
  ['sessions_user', 'sessions', 'user_id'],
  ['link_tokens_user', 'link_tokens', 'user_id'],
  ['sign_ups_email_key', 'sign_ups', 'email_key'],
  ['known_networks_user', 'known_networks', 'user_id'],
  ['verified_sessions_session', 'verified_sessions', 'session_id'],
  ['passkeys_user', 'passkeys', 'user_id'],
  ['api_keys_user', 'api_keys', 'user_id'],
  ['owned_mailboxes_owner', 'owned_mailboxes', 'owner', 'created_at', 'id'],
  ['owned_mailboxes_expiry', 'owned_mailboxes', 'expires_at'],
  ['owned_mailboxes_destroy', 'owned_mailboxes', 'destroy_at', 'id'],
  ['idempotent_requests_expiry', 'idempotent_requests', 'expires_at'],
  ['idempotent_mailboxes_key', 'idempotent_mailboxes', 'key_hash'],
  ['agent_sessions_owner', 'agent_sessions', 'owner', 'used_at'],
  ['agent_inboxes_session', 'agent_inboxes', 'session_hash', 'created_at'],
  ['agent_inboxes_mailbox', 'agent_inboxes', 'mailbox_hash'],
  ['agent_inboxes_expiry', 'agent_inboxes', 'expires_at'],
  ['webhooks_owner', 'webhooks', 'owner'],
  ['webhooks_expiry', 'webhooks', 'expires_at'],
  ['webhook_deliveries_next', 'webhook_deliveries', 'next_attempt_at'],
  ['webhook_deliveries_webhook', 'webhook_deliveries', 'webhook_id', 'next_attempt_at', 'id'],
  ['webhook_deliveries_mailbox', 'webhook_deliveries', 'mailbox_hash'],
  ['webhook_deliveries_expiry', 'webhook_deliveries', 'expires_at'],
  ['push_subscriptions_mailbox', 'push_subscriptions', 'mailbox_hash'],
  ['push_subscriptions_expiry', 'push_subscriptions', 'expires_at'],
  ['contact_messages_network', 'contact_messages', 'network', 'id'],
  ['outbox_next', 'outbox', 'next_attempt_at'],
  ['outbox_domain', 'outbox', 'domain', 'is_retry', 'next_attempt_at', 'id'],
]

type Table = (name: string) => CreateTableBuilder<string, never>

const ofUser = (table: CreateTableBuilder<string, never>) =>
  table.addColumn('user_id', 'text', c => c.notNull().references('users.id').onDelete('cascade'))
const oneOfUser = (table: CreateTableBuilder<string, never>) =>
  table.addColumn('user_id', 'text', c => c.primaryKey().references('users.id').onDelete('cascade'))

function accountTables(table: Table, type: Types) {
  return [
    table('users')
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('email', 'text', c => c.notNull().unique())
      .addColumn('email_key', 'text', c => c.notNull().unique())
      .addColumn('password_hash', 'text', c => c.notNull())
      .addColumn('language', 'text', c => c.notNull())
      .addColumn('created_at', type.millis, c => c.notNull()),
    ofUser(table('sessions'))
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('token_hash', 'text', c => c.notNull().unique())
      .addColumn('device', 'text')
      .addColumn('created_at', type.millis, c => c.notNull())
      .addColumn('expires_at', type.millis, c => c.notNull()),
    ofUser(table('link_tokens'))
      .addColumn('token_hash', 'text', c => c.primaryKey())
      .addColumn('expires_at', type.millis, c => c.notNull()),
    table('sign_ups')
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('email', 'text', c => c.notNull())
      .addColumn('email_key', 'text', c => c.notNull())
      .addColumn('password_hash', 'text', c => c.notNull())
      .addColumn('passkey', 'text')
      .addColumn('language', 'text', c => c.notNull())
      .addColumn('created_at', type.millis, c => c.notNull())
      .addColumn('link_hash', 'text', c => c.notNull().unique())
      .addColumn('link_expires_at', type.millis, c => c.notNull()),
    ofUser(table('passkeys'))
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('credential_id', 'text', c => c.notNull().unique())
      .addColumn('public_key', 'text', c => c.notNull())
      .addColumn('counter', type.millis, c => c.notNull())
      .addColumn('transports', 'text', c => c.notNull())
      .addColumn('device', 'text')
      .addColumn('created_at', type.millis, c => c.notNull())
      .addColumn('last_used_at', type.millis),
    table('passkey_challenges')
      .addColumn('challenge_hash', 'text', c => c.primaryKey())
      .addColumn('kind', 'text', c => c.notNull())
      .addColumn('subject', 'text', c => c.notNull())
      .addColumn('expires_at', type.millis, c => c.notNull()),
    table('known_networks')
      .addColumn('network_hash', 'text', c => c.primaryKey())
      .addColumn('around_hash', 'text', c => c.notNull())
      .addColumn('user_id', 'text', c => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('seen_at', type.millis, c => c.notNull()),
    oneOfUser(table('suspensions')).addColumn('since', type.millis, c => c.notNull()),
    table('second_factors')
      .addColumn('person', 'text', c => c.primaryKey())
      .addColumn('sealed_secret', 'text', c => c.notNull())
      .addColumn('confirmed_at', type.millis)
      .addColumn('last_step', type.millis, c => c.notNull())
      .addColumn('failures', 'integer', c => c.notNull())
      .addColumn('locked_until', type.millis, c => c.notNull())
      .addColumn('recovery_hashes', 'text', c => c.notNull()),
    table('verified_sessions')
      .addColumn('token_hash', 'text', c => c.primaryKey())
      .addColumn('session_id', 'text', c => c.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('person', 'text', c => c.notNull().references('second_factors.person').onDelete('cascade'))
      .addColumn('expires_at', type.millis, c => c.notNull()),
  ]
}

function proTables(table: Table, type: Types) {
  return [
    table('chosen_names')
      .addColumn('name_hash', 'text', c => c.primaryKey())
      .addColumn('owner_id', 'text', c => c.notNull())
      .addColumn('refused_until', type.millis, c => c.notNull()),
    table('api_keys')
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('user_id', 'text', c => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', c => c.notNull())
      .addColumn('prefix', 'text', c => c.notNull())
      .addColumn('key_hash', 'text', c => c.notNull().unique())
      .addColumn('created_at', type.millis, c => c.notNull())
      .addColumn('last_used_at', type.millis),
  ]
}

function apiTables(table: Table, type: Types) {
  return [
    table('api_tokens')
      .addColumn('name', 'text', c => c.primaryKey())
      .addColumn('sha256', 'text', c => c.notNull().unique())
      .addColumn('created_at', type.millis, c => c.notNull())
      .addColumn('last_used_at', type.millis),
    table('owned_mailboxes')
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('owner', 'text', c => c.notNull())
      .addColumn('sealed', 'text', c => c.notNull())
      .addColumn('sealed_email', 'text')
      .addColumn('mailbox_hash', 'text', c => c.notNull().unique())
      .addColumn('created_at', type.millis, c => c.notNull())
      .addColumn('expires_at', type.millis, c => c.notNull())
      .addColumn('destroy_at', type.millis),
    table('idempotent_requests')
      .addColumn('key_hash', 'text', c => c.primaryKey())
      .addColumn('request_hash', 'text', c => c.notNull())
      .addColumn('sealed', 'text', c => c.notNull())
      .addColumn('expires_at', type.millis, c => c.notNull()),
    table('idempotent_mailboxes')
      .addColumn('mailbox_hash', 'text', c => c.primaryKey())
      .addColumn('key_hash', 'text', c => c.notNull().references('idempotent_requests.key_hash').onDelete('cascade')),
    table('agent_sessions')
      .addColumn('id_hash', 'text', c => c.primaryKey())
      .addColumn('owner', 'text', c => c.notNull())
      .addColumn('api_key_id', 'text')
      .addColumn('used_at', type.millis, c => c.notNull()),
    table('agent_inboxes')
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('session_hash', 'text', c => c.notNull().references('agent_sessions.id_hash').onDelete('cascade'))
      .addColumn('mailbox_hash', 'text', c => c.notNull())
      .addColumn('sealed', 'text', c => c.notNull())
      .addColumn('created_at', type.millis, c => c.notNull())
      .addColumn('expires_at', type.millis, c => c.notNull()),
  ]
}

function webhookTables(table: Table, type: Types) {
  return [
    table('webhooks')
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('owner', 'text', c => c.notNull())
      .addColumn('api_key_id', 'text')
      .addColumn('sealed_url', 'text', c => c.notNull())
      .addColumn('sealed_secret', 'text', c => c.notNull())
      .addColumn('sealed_old_secret', 'text')
      .addColumn('rotated_at', type.millis)
      .addColumn('created_at', type.millis, c => c.notNull())
      .addColumn('expires_at', type.millis)
      .addColumn('failures', 'integer', c => c.notNull())
      .addColumn('last_reason', 'text')
      .addColumn('disabled_reason', 'text'),
    table('webhook_deliveries')
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('webhook_id', 'text', c => c.notNull().references('webhooks.id').onDelete('cascade'))
      .addColumn('account', 'text', c => c.notNull())
      .addColumn('mailbox_hash', 'text', c => c.notNull())
      .addColumn('sealed_body', 'text', c => c.notNull())
      .addColumn('is_confirmed', 'integer', c => c.notNull())
      .addColumn('attempts', 'integer', c => c.notNull())
      .addColumn('next_attempt_at', type.millis, c => c.notNull())
      .addColumn('expires_at', type.millis, c => c.notNull()),
  ]
}

function mailboxTables(table: Table, type: Types) {
  return [
    table('mail_domains')
      .addColumn('name', 'text', c => c.primaryKey())
      .addColumn('state', 'text', c => c.notNull())
      .addColumn('has_subdomains', 'integer', c => c.notNull())
      .addColumn('position', 'integer', c => c.notNull())
      .addColumn('ends_at', type.millis)
      .addColumn('living_until', type.millis, c => c.notNull())
      .addColumn('created_at', type.millis, c => c.notNull()),
    table('push_subscriptions')
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('mailbox_hash', 'text', c => c.notNull())
      .addColumn('browser_hash', 'text', c => c.notNull())
      .addColumn('sealed', 'text', c => c.notNull())
      .addColumn('created_at', type.millis, c => c.notNull())
      .addColumn('expires_at', type.millis, c => c.notNull()),
  ]
}

function operatorTables(table: Table, type: Types) {
  return [
    table('blocks')
      .addColumn('id', type.serial)
      .addColumn('kind', 'text', c => c.notNull())
      .addColumn('value', 'text', c => c.notNull())
      .addColumn('created_at', type.millis, c => c.notNull())
      .addColumn('ends_at', type.millis)
      .addUniqueConstraint('blocks_once', ['kind', 'value'] as never[]),
    table('settings')
      .addColumn('name', 'text', c => c.primaryKey())
      .addColumn('value', 'text', c => c.notNull()),
    table('audit_log')
      .addColumn('id', type.serial)
      .addColumn('at', type.millis, c => c.notNull())
      .addColumn('actor', 'text', c => c.notNull())
      .addColumn('action', 'text', c => c.notNull())
      .addColumn('subject', 'text', c => c.notNull()),
    table('minute_figures')
      .addColumn('minute', type.millis, c => c.notNull())
      .addColumn('process', 'text', c => c.notNull())
      .addColumn('figures', 'text', c => c.notNull())
      .addPrimaryKeyConstraint('minute_figures_key', ['minute', 'process'] as never[]),
    table('abuse_reports')
      .addColumn('id', type.serial)
      .addColumn('sealed', type.bytes, c => c.notNull())
      .addColumn('received_at', type.millis, c => c.notNull())
      .addColumn('read_at', type.millis)
      .addColumn('closed_at', type.millis)
      .addColumn('network', 'text', c => c.notNull()),
  ]
}

function siteTables(table: Table, type: Types) {
  return [
    table('about')
      .addColumn('name', 'text', c => c.primaryKey())
      .addColumn('value', 'text', c => c.notNull()),
    table('contact_messages')
      .addColumn('id', type.serial)
      .addColumn('name', 'text', c => c.notNull())
      .addColumn('email', 'text', c => c.notNull())
      .addColumn('subject', 'text', c => c.notNull())
      .addColumn('message', 'text', c => c.notNull())
      .addColumn('language', 'text', c => c.notNull())
      .addColumn('received_at', type.millis, c => c.notNull())
      .addColumn('read_at', type.millis)
      .addColumn('forwarded_at', type.millis)
      .addColumn('network', 'text', c => c.notNull()),
    table('blog_post_views')
      .addColumn('post_id', 'text', c => c.primaryKey())
      .addColumn('views_count', type.millis, c => c.notNull()),
    table('operator_messages')
      .addColumn('id', type.serial)
      .addColumn('sealed', type.bytes, c => c.notNull())
      .addColumn('bytes', type.millis, c => c.notNull())
      .addColumn('received_at', type.millis, c => c.notNull())
      .addColumn('read_at', type.millis)
      .addColumn('content_hash', 'text', c => c.notNull().unique())
      .addColumn('network', 'text', c => c.notNull()),
    table('outbox')
      .addColumn('id', type.serial)
      .addColumn('sealed', 'text', c => c.notNull())
      .addColumn('attempts', 'integer', c => c.notNull())
      .addColumn('is_retry', 'integer', c => c.notNull())
      .addColumn('next_attempt_at', type.millis, c => c.notNull())
      .addColumn('gives_up_at', type.millis, c => c.notNull())
      .addColumn('contact_message_id', type.millis, c => c.references('contact_messages.id').onDelete('cascade'))
      .addColumn('network', 'text', c => c.notNull())
      .addColumn('domain', 'text', c => c.notNull()),
  ]
}
