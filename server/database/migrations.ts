import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export type Dialect = 'sqlite' | 'postgres'

/**
 * Every migration of the site database, oldest first. All missing ones run in one transaction. To change the tables, add a migration, whose
 * number is the new format (server/platform/formats.ts). Never edit a released one: databases out there have run it
 * (test/fixtures/releases has one of each). Until 0.1.0 is tagged none is: change the one there is, and raise its number.
 */
export const migrations = (dialect: Dialect): Record<string, Migration> => ({ '0028_site': { up: db => firstTables(db, TYPES[dialect]) } })

/** Type names that differ between the two engines. SQLite's INTEGER has 64 bits. */
const TYPES = {
  sqlite: { MILLIS: 'integer', BYTES: 'blob', SERIAL: 'integer primary key autoincrement' },
  postgres: { MILLIS: 'bigint', BYTES: 'bytea', SERIAL: 'bigint generated always as identity primary key' },
} as const

async function firstTables(db: Kysely<unknown>, types: (typeof TYPES)[Dialect]): Promise<void> {
  const named = (columns: string) => columns.replace(/\b(?:MILLIS|BYTES|SERIAL)\b/g, type => types[type as keyof typeof types])
  for (const [table, columns] of Object.entries(TABLES)) await sql.raw(`create table ${table} (${named(columns)})`).execute(db)
  for (const [index, columns] of Object.entries(INDEXES)) await sql.raw(`create index ${index} on ${columns}`).execute(db)
}

/** The columns of each table, a table after those that it refers to. schema.ts says what they mean. */
const TABLES = {
  users: `
    id text primary key, email text not null unique, email_key text not null unique, password_hash text not null, language text not null,
    created_at MILLIS not null`,
  sessions: `
    user_id text not null references users (id) on delete cascade, id text primary key, token_hash text not null unique, device text,
    created_at MILLIS not null, expires_at MILLIS not null`,
  link_tokens: 'user_id text not null references users (id) on delete cascade, token_hash text primary key, expires_at MILLIS not null',
  sign_ups: `
    id text primary key, email text not null, email_key text not null, password_hash text not null, passkey text, language text not null,
    created_at MILLIS not null, link_hash text not null unique, link_expires_at MILLIS not null`,
  passkeys: `
    user_id text not null references users (id) on delete cascade, id text primary key, credential_id text not null unique,
    public_key text not null, counter MILLIS not null, transports text not null, device text, created_at MILLIS not null,
    last_used_at MILLIS`,
  passkey_challenges: 'challenge_hash text primary key, kind text not null, subject text not null, expires_at MILLIS not null',
  known_networks: `
    network_hash text primary key, around_hash text not null, user_id text not null references users (id) on delete cascade,
    seen_at MILLIS not null`,
  suspensions: 'user_id text primary key references users (id) on delete cascade, since MILLIS not null',
  second_factors: `
    person text primary key, sealed_secret text not null, confirmed_at MILLIS, last_step MILLIS not null, failures integer not null,
    locked_until MILLIS not null, recovery_hashes text not null`,
  verified_sessions: `
    token_hash text primary key, session_id text not null references sessions (id) on delete cascade,
    person text not null references second_factors (person) on delete cascade, expires_at MILLIS not null`,
  chosen_names: 'name_hash text primary key, owner_id text not null, refused_until MILLIS not null',
  api_keys: `
    id text primary key, user_id text not null references users (id) on delete cascade, name text not null, prefix text not null,
    key_hash text not null unique, created_at MILLIS not null, last_used_at MILLIS`,
  api_tokens: 'name text primary key, sha256 text not null unique, created_at MILLIS not null, last_used_at MILLIS',
  owned_mailboxes: `
    id text primary key, owner text not null, sealed text not null, sealed_email text, mailbox_hash text not null unique,
    created_at MILLIS not null, expires_at MILLIS not null, destroy_at MILLIS`,
  idempotent_requests: 'key_hash text primary key, request_hash text not null, sealed text not null, expires_at MILLIS not null',
  idempotent_mailboxes: 'mailbox_hash text primary key, key_hash text not null references idempotent_requests (key_hash) on delete cascade',
  agent_sessions: 'id_hash text primary key, owner text not null, api_key_id text, used_at MILLIS not null',
  agent_inboxes: `
    id text primary key, session_hash text not null references agent_sessions (id_hash) on delete cascade, mailbox_hash text not null,
    sealed text not null, created_at MILLIS not null, expires_at MILLIS not null`,
  webhooks: `
    id text primary key, owner text not null, api_key_id text, sealed_url text not null, sealed_secret text not null,
    sealed_old_secret text, rotated_at MILLIS, created_at MILLIS not null, expires_at MILLIS, failures integer not null, last_reason text,
    disabled_reason text`,
  webhook_deliveries: `
    id text primary key, webhook_id text not null references webhooks (id) on delete cascade, account text not null,
    mailbox_hash text not null, sealed_body text not null, is_confirmed integer not null, attempts integer not null,
    next_attempt_at MILLIS not null, expires_at MILLIS not null`,
  mail_domains: `
    name text primary key, state text not null, has_subdomains integer not null, position integer not null, ends_at MILLIS,
    living_until MILLIS not null, created_at MILLIS not null`,
  push_subscriptions: `
    id text primary key, mailbox_hash text not null, browser_hash text not null, sealed text not null, created_at MILLIS not null,
    expires_at MILLIS not null`,
  blocks: `
    id SERIAL, kind text not null, value text not null, created_at MILLIS not null, ends_at MILLIS,
    constraint blocks_once unique (kind, value)`,
  settings: 'name text primary key, value text not null',
  audit_log: 'id SERIAL, at MILLIS not null, actor text not null, action text not null, subject text not null',
  minute_figures: `
    minute MILLIS not null, process text not null, figures text not null, constraint minute_figures_key primary key (minute, process)`,
  abuse_reports: 'id SERIAL, sealed BYTES not null, received_at MILLIS not null, read_at MILLIS, closed_at MILLIS, network text not null',
  about: 'name text primary key, value text not null',
  contact_messages: `
    id SERIAL, name text not null, email text not null, subject text not null, message text not null, language text not null,
    received_at MILLIS not null, read_at MILLIS, forwarded_at MILLIS, network text not null`,
  blog_post_views: 'post_id text primary key, views_count MILLIS not null',
  operator_messages: `
    id SERIAL, sealed BYTES not null, bytes MILLIS not null, received_at MILLIS not null, read_at MILLIS,
    content_hash text not null unique, network text not null`,
  outbox: `
    id SERIAL, sealed text not null, attempts integer not null, is_retry integer not null, next_attempt_at MILLIS not null,
    gives_up_at MILLIS not null, contact_message_id MILLIS references contact_messages (id) on delete cascade, network text not null,
    domain text not null`,
}

const INDEXES = {
  sessions_user: 'sessions (user_id)',
  link_tokens_user: 'link_tokens (user_id)',
  sign_ups_email_key: 'sign_ups (email_key)',
  known_networks_user: 'known_networks (user_id)',
  verified_sessions_session: 'verified_sessions (session_id)',
  passkeys_user: 'passkeys (user_id)',
  api_keys_user: 'api_keys (user_id)',
  owned_mailboxes_owner: 'owned_mailboxes (owner, created_at, id)',
  owned_mailboxes_expiry: 'owned_mailboxes (expires_at)',
  owned_mailboxes_destroy: 'owned_mailboxes (destroy_at, id)',
  idempotent_requests_expiry: 'idempotent_requests (expires_at)',
  idempotent_mailboxes_key: 'idempotent_mailboxes (key_hash)',
  agent_sessions_owner: 'agent_sessions (owner, used_at)',
  agent_inboxes_session: 'agent_inboxes (session_hash, created_at)',
  agent_inboxes_mailbox: 'agent_inboxes (mailbox_hash)',
  agent_inboxes_expiry: 'agent_inboxes (expires_at)',
  webhooks_owner: 'webhooks (owner)',
  webhooks_expiry: 'webhooks (expires_at)',
  webhook_deliveries_next: 'webhook_deliveries (next_attempt_at)',
  webhook_deliveries_webhook: 'webhook_deliveries (webhook_id, next_attempt_at, id)',
  webhook_deliveries_mailbox: 'webhook_deliveries (mailbox_hash)',
  webhook_deliveries_expiry: 'webhook_deliveries (expires_at)',
  push_subscriptions_mailbox: 'push_subscriptions (mailbox_hash)',
  push_subscriptions_expiry: 'push_subscriptions (expires_at)',
  contact_messages_network: 'contact_messages (network, id)',
  outbox_next: 'outbox (next_attempt_at)',
  outbox_domain: 'outbox (domain, is_retry, next_attempt_at, id)',
}
