import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export type Dialect = 'sqlite' | 'postgres'

/**
 * Every migration of the site database, oldest first. All missing ones run in one transaction. To change the tables, add a migration. Never
 * edit a released one: databases out there have run it (test/fixtures/releases has one of each).
 */
export function migrations(dialect: Dialect): Record<string, Migration> {
  return {
    '0001_site': { up: db => firstTables(db, types(dialect)) },
    '0002_operator_mail_once': { up: operatorMailOnce },
    '0003_about': { up: about },
    '0004_sign_ups': { up: db => signUps(db, types(dialect)) },
    '0005_api_mailboxes': { up: db => apiMailboxes(db, types(dialect)) },
    '0006_operator': { up: db => operatorTables(db, types(dialect)) },
    '0007_idempotent_requests': { up: db => idempotentRequests(db, types(dialect)) },
    '0008_webhooks': { up: db => createWebhookTables(db, types(dialect).millis) },
    '0009_webhook_accounts': { up: addWebhookAccounts },
    '0010_push_subscriptions': { up: db => createPushTable(db, types(dialect).millis) },
    '0011_agent_sessions': { up: db => createAgentTables(db, types(dialect).millis) },
    '0012_idempotent_mailboxes': { up: idempotentMailboxes },
    '0013_webhook_mailboxes': { up: addWebhookMailboxes },
    '0014_api_tokens': { up: db => createApiTokens(db, types(dialect).millis) },
  }
}

async function about(db: Kysely<unknown>): Promise<void> {
  const table = db.schema.createTable('about')
  await table
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('value', 'text', c => c.notNull())
    .execute()
}

/** Mail stored before this migration has no hash, and is never taken for a retry. */
async function operatorMailOnce(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('operator_messages').addColumn('content_hash', 'text').execute()
  await db.schema.createIndex('operator_messages_once').on('operator_messages').column('content_hash').unique().execute()
}

/**
 * Moves unconfirmed sign-ups from `users` to a table of their own, with their password and link, so that several of one address can wait.
 * Those with expired links are dropped: they could only be confirmed by signing in again.
 */
async function signUps(db: Kysely<unknown>, type: Types): Promise<void> {
  const create = (name: string) => db.schema.createTable(name)
  await create('sign_ups')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('email', 'text', c => c.notNull())
    .addColumn('email_key', 'text', c => c.notNull())
    .addColumn('password_hash', 'text', c => c.notNull())
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('created_at', type.millis, c => c.notNull())
    .addColumn('link_hash', 'text', c => c.notNull().unique())
    .addColumn('link_expires_at', type.millis, c => c.notNull())
    .execute()
  await db.schema.createIndex('sign_ups_email_key').on('sign_ups').column('email_key').execute()
  await create('known_networks')
    .addColumn('network_hash', 'text', c => c.primaryKey())
    .addColumn('user_id', 'text', c => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('seen_at', type.millis, c => c.notNull())
    .execute()
  await db.schema.createIndex('known_networks_user').on('known_networks').column('user_id').execute()
  await db.schema.alterTable('pro_mailboxes').addColumn('mailbox_hash', 'text').execute()
  await db.schema.createIndex('pro_mailboxes_hash').on('pro_mailboxes').column('mailbox_hash').execute()
  await db.schema.createIndex('pro_mailboxes_expiry').on('pro_mailboxes').column('expires_at').execute()
  const unconfirmed = sql`"emailVerified" = ${type.no}`
  await sql`insert into sign_ups (id, email, email_key, password_hash, language, created_at, link_hash, link_expires_at)
    select users.id, users.email, users."emailKey", credentials.password, users.language,
      link_tokens.expires_at - 86400000, link_tokens.token_hash, link_tokens.expires_at
    from users join credentials on credentials."userId" = users.id
      join link_tokens on link_tokens.user_id = users.id and link_tokens.purpose = 'confirm'
    where ${unconfirmed} and credentials.password is not null`.execute(db)
  await sql`delete from users where ${unconfirmed}`.execute(db)
  await sql`delete from link_tokens where purpose = 'confirm'`.execute(db)
}

async function idempotentRequests(db: Kysely<unknown>, type: Types): Promise<void> {
  const table = db.schema.createTable('idempotent_requests')
  await table
    .addColumn('key_hash', 'text', c => c.primaryKey())
    .addColumn('request_hash', 'text', c => c.notNull())
    .addColumn('sealed', 'text', c => c.notNull())
    .addColumn('expires_at', type.millis, c => c.notNull())
    .execute()
  await db.schema.createIndex('idempotent_requests_expiry').on('idempotent_requests').column('expires_at').execute()
}

async function idempotentMailboxes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotent_mailboxes')
    .addColumn('mailbox_hash', 'text', c => c.primaryKey())
    .addColumn('key_hash', 'text', c => c.notNull().references('idempotent_requests.key_hash').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('idempotent_mailboxes_key').on('idempotent_mailboxes').column('key_hash').execute()
}

async function apiMailboxes(db: Kysely<unknown>, type: Types): Promise<void> {
  const table = db.schema.createTable('api_mailboxes')
  await table
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('owner', 'text', c => c.notNull())
    .addColumn('sealed_email', 'text', c => c.notNull())
    .addColumn('sealed_mailbox', 'text', c => c.notNull())
    .addColumn('mailbox_hash', 'text', c => c.notNull())
    .addColumn('created_at', type.millis, c => c.notNull())
    .addColumn('expires_at', type.millis, c => c.notNull())
    .execute()
  await db.schema.createIndex('api_mailboxes_owner').on('api_mailboxes').columns(['owner', 'created_at', 'id']).execute()
  await db.schema.createIndex('api_mailboxes_hash').on('api_mailboxes').column('mailbox_hash').execute()
  await db.schema.createIndex('api_mailboxes_expiry').on('api_mailboxes').column('expires_at').execute()
}

/** Adds blocks, settings, the audit log, the operators' second factor, figures of the last day, abuse reports. */
async function operatorTables(db: Kysely<unknown>, type: Types): Promise<void> {
  const create = (name: string) => db.schema.createTable(name)
  const userId = (table: CreateTableBuilder<string, never>) =>
    table.addColumn('user_id', 'text', c => c.primaryKey().references('users.id').onDelete('cascade'))
  const tables = [
    create('blocks')
      .addColumn('id', type.serial)
      .addColumn('kind', 'text', c => c.notNull())
      .addColumn('value', 'text', c => c.notNull())
      .addColumn('created_at', type.millis, c => c.notNull())
      .addColumn('ends_at', type.millis)
      .addUniqueConstraint('blocks_once', ['kind', 'value'] as never[]),
    create('settings')
      .addColumn('name', 'text', c => c.primaryKey())
      .addColumn('value', 'text', c => c.notNull()),
    create('audit_log')
      .addColumn('id', type.serial)
      .addColumn('at', type.millis, c => c.notNull())
      .addColumn('actor', 'text', c => c.notNull())
      .addColumn('action', 'text', c => c.notNull())
      .addColumn('subject', 'text', c => c.notNull()),
    userId(create('suspensions')).addColumn('since', type.millis, c => c.notNull()),
    userId(create('second_factors'))
      .addColumn('sealed_secret', 'text', c => c.notNull())
      .addColumn('confirmed_at', type.millis)
      .addColumn('last_step', type.millis, c => c.notNull())
      .addColumn('failures', 'integer', c => c.notNull())
      .addColumn('locked_until', type.millis, c => c.notNull())
      .addColumn('recovery_hashes', 'text', c => c.notNull()),
    create('verified_sessions')
      .addColumn('token_hash', 'text', c => c.primaryKey())
      .addColumn('session_id', 'text', c => c.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('expires_at', type.millis, c => c.notNull()),
    create('minute_figures')
      .addColumn('minute', type.millis, c => c.notNull())
      .addColumn('process', 'text', c => c.notNull())
      .addColumn('figures', 'text', c => c.notNull())
      .addPrimaryKeyConstraint('minute_figures_key', ['minute', 'process'] as never[]),
    create('abuse_reports')
      .addColumn('id', type.serial)
      .addColumn('sealed', type.bytes, c => c.notNull())
      .addColumn('received_at', type.millis, c => c.notNull())
      .addColumn('read_at', type.millis)
      .addColumn('closed_at', type.millis),
  ]
  for (const table of tables) await table.execute()
  await db.schema.createIndex('verified_sessions_session').on('verified_sessions').column('session_id').execute()
}

type Types = ReturnType<typeof types>

/** Type names that differ between the two engines. SQLite's INTEGER has 64 bits; better-auth stores dates as ISO text on SQLite. */
function types(dialect: Dialect) {
  return dialect === 'sqlite'
    ? {
        millis: sql`integer`,
        bytes: sql`blob`,
        date: sql`text`,
        flag: sql`integer`,
        no: sql`0`,
        serial: sql`integer primary key autoincrement`,
      }
    : {
        millis: sql`bigint`,
        bytes: sql`bytea`,
        date: sql`timestamptz`,
        flag: sql`boolean`,
        no: sql`false`,
        serial: sql`bigint generated always as identity primary key`,
      }
}

async function firstTables(db: Kysely<unknown>, type: Types): Promise<void> {
  const table = (name: string) => db.schema.createTable(name)
  const run = async (...builders: CreateTableBuilder<string, never>[]) => {
    for (const builder of builders) await builder.execute()
  }
  await run(...accountTables(table, type), ...proTables(table, type), ...siteTables(table, type))
  await db.schema.createIndex('sessions_user').on('sessions').column('userId').execute()
  await db.schema.createIndex('credentials_user').on('credentials').column('userId').execute()
  await db.schema.createIndex('verifications_identifier').on('verifications').column('identifier').execute()
  await db.schema.createIndex('outbox_next').on('outbox').column('next_attempt_at').execute()
}

type Table = (name: string) => CreateTableBuilder<string, never>

/** Tables that better-auth 1.7 expects, with our columns `language` and `emailKey`. */
function accountTables(table: Table, type: Types) {
  return [
    table('users')
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('name', 'text', c => c.notNull())
      .addColumn('email', 'text', c => c.notNull().unique())
      .addColumn('emailVerified', type.flag, c => c.notNull())
      .addColumn('image', 'text')
      .addColumn('createdAt', type.date, c => c.notNull())
      .addColumn('updatedAt', type.date, c => c.notNull())
      .addColumn('language', 'text', c => c.notNull())
      .addColumn('emailKey', 'text', c => c.notNull().unique()),
    table('sessions')
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('expiresAt', type.date, c => c.notNull())
      .addColumn('token', 'text', c => c.notNull().unique())
      .addColumn('createdAt', type.date, c => c.notNull())
      .addColumn('updatedAt', type.date, c => c.notNull())
      .addColumn('ipAddress', 'text')
      .addColumn('userAgent', 'text')
      .addColumn('userId', 'text', c => c.notNull().references('users.id').onDelete('cascade')),
    table('credentials')
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('accountId', 'text', c => c.notNull())
      .addColumn('providerId', 'text', c => c.notNull())
      .addColumn('userId', 'text', c => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('accessToken', 'text')
      .addColumn('refreshToken', 'text')
      .addColumn('idToken', 'text')
      .addColumn('accessTokenExpiresAt', type.date)
      .addColumn('refreshTokenExpiresAt', type.date)
      .addColumn('scope', 'text')
      .addColumn('password', 'text')
      .addColumn('createdAt', type.date, c => c.notNull())
      .addColumn('updatedAt', type.date, c => c.notNull()),
    table('verifications')
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('identifier', 'text', c => c.notNull())
      .addColumn('value', 'text', c => c.notNull())
      .addColumn('expiresAt', type.date, c => c.notNull())
      .addColumn('createdAt', type.date, c => c.notNull())
      .addColumn('updatedAt', type.date, c => c.notNull()),
    table('link_tokens')
      .addColumn('user_id', 'text', c => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('purpose', 'text', c => c.notNull())
      .addColumn('token_hash', 'text', c => c.notNull().unique())
      .addColumn('expires_at', type.millis, c => c.notNull())
      .addPrimaryKeyConstraint('link_tokens_key', ['user_id', 'purpose'] as never[]),
  ]
}

function proTables(table: Table, type: Types) {
  return [
    table('pro_mailboxes')
      .addColumn('user_id', 'text', c => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('slot', 'integer', c => c.notNull())
      .addColumn('sealed', 'text', c => c.notNull())
      .addColumn('created_at', type.millis, c => c.notNull())
      .addColumn('expires_at', type.millis, c => c.notNull())
      .addPrimaryKeyConstraint('pro_mailboxes_key', ['user_id', 'slot'] as never[]),
    table('chosen_names')
      .addColumn('name_hash', 'text', c => c.primaryKey())
      .addColumn('owner_id', 'text', c => c.notNull())
      .addColumn('refused_until', type.millis, c => c.notNull()),
    table('api_keys')
      .addColumn('id', 'text', c => c.primaryKey())
      .addColumn('user_id', 'text', c => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('slot', 'integer', c => c.notNull())
      .addColumn('name', 'text', c => c.notNull())
      .addColumn('prefix', 'text', c => c.notNull())
      .addColumn('key_hash', 'text', c => c.notNull().unique())
      .addColumn('created_at', type.millis, c => c.notNull())
      .addColumn('last_used_at', type.millis)
      .addUniqueConstraint('api_keys_slot', ['user_id', 'slot'] as never[]),
  ]
}

function siteTables(table: Table, type: Types) {
  return [
    table('contact_messages')
      .addColumn('id', type.serial)
      .addColumn('name', 'text', c => c.notNull())
      .addColumn('email', 'text', c => c.notNull())
      .addColumn('subject', 'text', c => c.notNull())
      .addColumn('message', 'text', c => c.notNull())
      .addColumn('language', 'text', c => c.notNull())
      .addColumn('received_at', type.millis, c => c.notNull())
      .addColumn('read_at', type.millis)
      .addColumn('forwarded_at', type.millis),
    table('blog_post_views')
      .addColumn('post_id', 'text', c => c.primaryKey())
      .addColumn('views_count', type.millis, c => c.notNull()),
    table('operator_messages')
      .addColumn('id', type.serial)
      .addColumn('sealed', type.bytes, c => c.notNull())
      .addColumn('bytes', type.millis, c => c.notNull())
      .addColumn('received_at', type.millis, c => c.notNull())
      .addColumn('read_at', type.millis),
    table('outbox')
      .addColumn('id', type.serial)
      .addColumn('sealed', 'text', c => c.notNull())
      .addColumn('attempts', 'integer', c => c.notNull())
      .addColumn('next_attempt_at', type.millis, c => c.notNull())
      .addColumn('gives_up_at', type.millis, c => c.notNull())
      .addColumn('contact_message_id', type.millis),
  ]
}

/** `millis`: the column type of times. */
async function createPushTable(db: Kysely<unknown>, millis: RawBuilder<unknown>): Promise<void> {
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

async function createApiTokens(db: Kysely<unknown>, millis: RawBuilder<unknown>): Promise<void> {
  await db.schema
    .createTable('api_tokens')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('sha256', 'text', c => c.notNull().unique())
    .addColumn('created_at', millis, c => c.notNull())
    .addColumn('last_used_at', millis)
    .execute()
}

async function createAgentTables(db: Kysely<unknown>, millis: RawBuilder<unknown>): Promise<void> {
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

async function createWebhookTables(db: Kysely<unknown>, millis: RawBuilder<unknown>): Promise<void> {
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
async function addWebhookAccounts(db: Kysely<unknown>): Promise<void> {
  const table = db.schema.alterTable('webhook_deliveries')
  await table.addColumn('account', 'text', c => c.notNull().defaultTo('')).execute()
}

/** The mailbox that a delivery is about: it goes with it. Deliveries from before are sent or given up within hours. */
async function addWebhookMailboxes(db: Kysely<unknown>): Promise<void> {
  const table = db.schema.alterTable('webhook_deliveries')
  await table.addColumn('mailbox_hash', 'text', c => c.notNull().defaultTo('')).execute()
  await db.schema.createIndex('webhook_deliveries_mailbox').on('webhook_deliveries').column('mailbox_hash').execute()
}
