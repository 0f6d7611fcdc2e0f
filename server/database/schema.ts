import type { Generated } from 'kysely'

/** The state in `mail_domains` of a removed domain. Until `ends_at` it takes mail, and it returns if an address was given. */
export const REMOVED_DOMAIN = 'removed'

/** Tables of the site database, the same on SQLite and PostgreSQL. Times are milliseconds since the epoch. */
export interface DatabaseSchema {
  /** Confirmed accounts. `email_key` is the address without its tag in a canonical spelling, so that a person has one account. */
  users: { id: string; email: string; email_key: string; password_hash: string; language: string; created_at: number }
  /** `device`: the names of browser and system; see accounts/sessions.ts. */
  sessions: { id: string; token_hash: string; user_id: string; device: string | null; created_at: number; expires_at: number }
  /** Passkeys of accounts; see accounts/passkeys.ts. `credential_id` and `public_key` are base64url, `transports` is JSON. */
  passkeys: {
    id: string
    user_id: string
    credential_id: string
    public_key: string
    counter: number
    transports: string
    device: string | null
    created_at: number
    last_used_at: number | null
  }
  /** Challenges that a browser may answer once; see accounts/webauthn.ts. `subject`: for whom a passkey is created, as JSON. */
  passkey_challenges: { challenge_hash: string; kind: string; subject: string; expires_at: number }
  /** Sign-ups that wait for confirmation. An address may have several, each with its own link, and a password or a passkey (JSON). */
  sign_ups: {
    id: string
    email: string
    email_key: string
    password_hash: string
    passkey: string | null
    language: string
    created_at: number
    link_hash: string
    link_expires_at: number
  }
  /** Tokens of reset links. Those of one user all work, and end together. */
  link_tokens: { user_id: string; token_hash: string; expires_at: number }
  /** Networks that an account signed in from, as keyed hashes. */
  known_networks: { network_hash: string; around_hash: string; user_id: string; seen_at: number }
  /** Local parts chosen by accounts, as keyed hashes: refused to others until `refused_until`. */
  chosen_names: { name_hash: string; owner_id: string; refused_until: number }
  api_keys: { id: string; user_id: string; name: string; prefix: string; key_hash: string; created_at: number; last_used_at: number | null }
  /** See `StoredDomains` in operator/domains.ts. `has_subdomains`: 0 or 1. */
  mail_domains: {
    name: string
    state: string
    has_subdomains: number
    position: number
    ends_at: number | null
    living_until: number
    created_at: number
  }
  /** API tokens of the operator; those in API_TOKENS are not here. */
  api_tokens: { name: string; sha256: string; created_at: number; last_used_at: number | null }
  /** Mailboxes of accounts and API tokens, before they are created until they are gone; see accounts/owned-mailboxes.ts. */
  owned_mailboxes: {
    id: string
    owner: string
    /** The server needs it to destroy the mailbox, and for an address of the account to show and open it. */
    sealed: string
    /** Its address, readable only with the API key or API token. */
    sealed_email: string | null
    mailbox_hash: string
    created_at: number
    expires_at: number
    /**
     * Null while it lives, a time by which it has to live while it is being created, 0 once it has to be destroyed, -1 while the account
     * keeps it but the mail store does not know yet.
     */
    destroy_at: number | null
  }
  /**
   * Results of requests with an `Idempotency-Key`; see accounts/idempotent-requests.ts. `sealed` is empty while the first is being handled.
   */
  idempotent_requests: { key_hash: string; request_hash: string; sealed: string; expires_at: number }
  /** The mailboxes of each result, which is removed with the first of them. */
  idempotent_mailboxes: { mailbox_hash: string; key_hash: string }
  /** Sessions of agents over MCP, and their inboxes with sealed tokens; see accounts/agent-sessions.ts. */
  agent_sessions: { id_hash: string; owner: string; api_key_id: string | null; used_at: number }
  agent_inboxes: { id: string; session_hash: string; mailbox_hash: string; sealed: string; created_at: number; expires_at: number }
  /** Webhooks of accounts, API tokens and single mailboxes, with sealed URLs and secrets. See outbound/webhook-registry.ts. */
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
    /** The API key that created it. It is removed with that key. */
    api_key_id: string | null
  }
  /** Requests that webhooks have to send. See outbound/webhook-deliveries.ts. */
  webhook_deliveries: {
    id: string
    webhook_id: string
    account: string
    mailbox_hash: string
    sealed_body: string
    /** 0 until the mail that it is about is stored too. */
    is_confirmed: number
    attempts: number
    next_attempt_at: number
    expires_at: number
  }
  /** Browsers to notify of a mailbox's new mail, with sealed endpoints and keys. See outbound/push-subscriptions.ts. */
  push_subscriptions: { id: string; mailbox_hash: string; browser_hash: string; sealed: string; created_at: number; expires_at: number }
  /** `network` here and in the two other tables of messages to the operator: see operator/operator-inbox.ts. */
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
    network: string
  }
  blog_post_views: { post_id: string; views_count: number }
  /** Mail to the operator, sealed under the server's secret. `content_hash` is a keyed hash that recognises a retry. */
  operator_messages: {
    id: Generated<number>
    sealed: Uint8Array
    bytes: number
    received_at: number
    read_at: number | null
    content_hash: string
    network: string
  }
  /** Outgoing mail, sealed because confirmation mails contain live tokens. */
  outbox: {
    id: Generated<number>
    sealed: string
    attempts: number
    /** Whether there was an attempt, for the index. */
    is_retry: number
    next_attempt_at: number
    gives_up_at: number
    contact_message_id: number | null
    /** Marks of the network that caused it and of the recipient's domain. */
    network: string
    domain: string
  }
  /** The operator's blocks of senders, domains, networks and recipients. `ends_at` is null for a block without an end. */
  blocks: { id: Generated<number>; kind: string; value: string; created_at: number; ends_at: number | null }
  /** The operator's settings. `revision` grows with every change of this table and of `blocks`, so that every process notices. */
  settings: { name: string; value: string }
  /** The audit log: who did what. It has no content of mails and messages, and addresses only as keyed hashes. */
  audit_log: { id: Generated<number>; at: number; actor: string; action: string; subject: string }
  suspensions: { user_id: string; since: number }
  /**
   * The second factor of an operator. `person` is a keyed hash of the address that OPERATORS names, so that it outlives the account.
   * Without `confirmed_at`, enrolment is not complete. `last_step` is the newest code that was used.
   */
  second_factors: {
    person: string
    sealed_secret: string
    confirmed_at: number | null
    last_step: number
    failures: number
    locked_until: number
    recovery_hashes: string
  }
  /** Sessions that passed the second factor: the hash of a separate cookie. */
  verified_sessions: { token_hash: string; session_id: string; person: string; expires_at: number }
  /** Counts per minute and process, as JSON; see operator/statistics.ts. */
  minute_figures: { minute: number; process: string; figures: string }
  /** Abuse reports from third parties, sealed. */
  abuse_reports: {
    id: Generated<number>
    sealed: Uint8Array
    received_at: number
    read_at: number | null
    closed_at: number | null
    network: string
  }
  /** Facts about this database: see `readFact` in database.ts. */
  about: { name: string; value: string }
}
