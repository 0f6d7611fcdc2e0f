import type { ColumnType, Generated } from 'kysely'

/** better-auth keeps dates as ISO 8601 text and flags as numbers on SQLite; the dialect of this folder writes them so. */
type DateColumn = ColumnType<string | Date, Date, Date>
type FlagColumn = ColumnType<number | boolean, boolean, boolean>

/**
 * Tables of the server's own database, the same on SQLite and PostgreSQL. Times of ours are milliseconds since the epoch.
 * `users`, `sessions`, `credentials` and `verifications` have the shape that better-auth expects; only columns we use ourselves are listed.
 */
export interface DatabaseSchema {
  /** Confirmed accounts. `emailKey` is the address without tag and spelling, so that one person has one account. */
  users: {
    id: string
    name: string
    email: string
    emailKey: string
    emailVerified: FlagColumn
    language: string
    createdAt: DateColumn
    updatedAt: DateColumn
  }
  sessions: { id: string; userId: string; expiresAt: DateColumn }
  credentials: {
    id: string
    userId: string
    accountId: string
    providerId: string
    password: string | null
    createdAt: DateColumn
    updatedAt: DateColumn
  }
  verifications: { id: string }
  /** Sign-ups that wait for their confirmation. An address may have several: each has a password and a link of its own. */
  sign_ups: {
    id: string
    email: string
    email_key: string
    password_hash: string
    language: string
    created_at: number
    link_hash: string
    link_expires_at: number
  }
  /** Tokens of reset links: one per user and purpose, so that only the newest works. */
  link_tokens: { user_id: string; purpose: string; token_hash: string; expires_at: number }
  /** Networks an account signed in from, as keyed hashes. */
  known_networks: { network_hash: string; user_id: string; seen_at: number }
  /** Live Pro addresses. The slot number, unique per user, holds the limit under concurrency. `mailbox_hash` finds the row of a destroyed mailbox. */
  pro_mailboxes: {
    user_id: string
    slot: number
    sealed: string
    created_at: number
    expires_at: number
    mailbox_hash: string | null
  }
  /** Local parts that accounts chose, as keyed hashes: refused to others until `refused_until`. */
  chosen_names: { name_hash: string; owner_id: string; refused_until: number }
  api_keys: {
    id: string
    user_id: string
    slot: number
    name: string
    prefix: string
    key_hash: string
    created_at: number
    last_used_at: number | null
  }
  /** Live mailboxes made with API keys and API tokens; see accounts/api-mailboxes.ts. */
  api_mailboxes: {
    id: string
    owner: string
    sealed_email: string
    sealed_mailbox: string
    mailbox_hash: string
    created_at: number
    expires_at: number
  }
  /** What requests with an `Idempotency-Key` got; see accounts/idempotent-requests.ts. `sealed` is empty while the first is being worked on. */
  idempotent_requests: { key_hash: string; request_hash: string; sealed: string; expires_at: number }
  /** Webhooks of accounts, API tokens and single mailboxes; address and secrets are sealed. See webhooks/webhooks.ts. */
  webhooks: {
    id: string
    owner: string
    sealed_url: string
    sealed_secret: string
    sealed_old_secret: string | null
    rotated_at: number | null
    created_at: number
    expires_at: number | null
    failures: number
    last_reason: string | null
    disabled_reason: string | null
  }
  /** What webhooks have to send. */
  webhook_deliveries: {
    id: string
    webhook_id: string
    sealed_body: string
    attempts: number
    next_attempt_at: number
    created_at: number
  }
  contact_messages: {
    id: Generated<number>
    name: string
    email: string
    subject: string
    message: string
    language: string
    received_at: number
    read_at: number | null
    forwarded_at: number | null
  }
  blog_post_views: { post_id: string; views_count: number }
  /** Mail to the operator, sealed under the server's secret. `content_hash` is a keyed hash that recognises a retry. */
  operator_messages: {
    id: Generated<number>
    sealed: Uint8Array
    bytes: number
    received_at: number
    read_at: number | null
    content_hash: string | null
  }
  /** Mail to send, sealed, since confirmation mails hold live tokens. */
  outbox: {
    id: Generated<number>
    sealed: string
    attempts: number
    next_attempt_at: number
    gives_up_at: number
    contact_message_id: number | null
  }
  /** What the operator refuses: senders, domains, networks, recipients. `ends_at` is null until somebody removes it. */
  blocks: { id: Generated<number>; kind: string; value: string; created_at: number; ends_at: number | null }
  /** What the operator changed. `revision` grows with every change of this table and of `blocks`, so that every process notices. */
  settings: { name: string; value: string }
  /** Who did what; never what a mail or a message says, and addresses only as keyed hashes. */
  audit_log: { id: Generated<number>; at: number; actor: string; action: string; subject: string }
  suspensions: { user_id: string; since: number }
  /** The second factor of an operator; without `confirmed_at` its enrolment has not ended. `last_step` is the newest code that was used. */
  second_factors: {
    user_id: string
    sealed_secret: string
    confirmed_at: number | null
    last_step: number
    failures: number
    locked_until: number
    recovery_hashes: string
  }
  /** Sessions that passed the second factor: hash of a cookie of their own. */
  verified_sessions: { token_hash: string; session_id: string; expires_at: number }
  /** Counted per minute and process, JSON; see operator/figures.ts. */
  minute_figures: { minute: number; process: string; figures: string }
  /** Reports of abuse by third parties, sealed. */
  abuse_reports: { id: Generated<number>; sealed: Uint8Array; received_at: number; read_at: number | null; closed_at: number | null }
  /** What the database knows of itself; see about.ts. */
  about: { name: string; value: string }
}
