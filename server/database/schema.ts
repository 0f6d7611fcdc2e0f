import type { Generated } from 'kysely'

/**
 * Tables of the site's own database, the same on SQLite and PostgreSQL. Times are milliseconds since the epoch.
 * `users`, `sessions`, `credentials` and `verifications` belong to better-auth, which knows their columns; we only create and count them.
 */
export interface SiteSchema {
  users: { id: string; emailVerified: number | boolean; createdAt: string | Date }
  sessions: { id: string; expiresAt: string | Date }
  credentials: { id: string }
  verifications: { id: string }
  /** Tokens of confirmation and reset links: one per user and purpose, so that only the newest works. */
  link_tokens: { user_id: string; purpose: string; token_hash: string; expires_at: number }
  /** Live Pro addresses. The slot number, unique per user, is what holds the limit under concurrency. */
  pro_mailboxes: { user_id: string; slot: number; sealed: string; created_at: number; expires_at: number }
  /** Local parts somebody chose, as keyed hashes: refused to others until `refused_until` (decision 6). */
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
  /** Mail to postmaster and abuse, sealed under the server's secret. `content_hash` is a keyed hash by which a retry is known. */
  operator_messages: {
    id: Generated<number>
    sealed: Uint8Array
    bytes: number
    received_at: number
    read_at: number | null
    content_hash: string | null
  }
  /** Mail on its way out, sealed, since confirmation mails hold live tokens. */
  outbox: {
    id: Generated<number>
    sealed: string
    attempts: number
    next_attempt_at: number
    gives_up_at: number
    contact_message_id: number | null
  }
  /** What the database knows of itself; see about.ts. */
  about: { name: string; value: string }
}
