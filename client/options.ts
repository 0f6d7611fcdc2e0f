/** Options of the client. */
import type { PlannedFailure } from '../contract/mailbox.ts'

export type MayflyOptions = {
  /** The URL of the server, e.g. `http://localhost:8080`. */
  readonly url: string
  /** A key of an account or an API token of the server. Without one, or with an empty one, the limits and bot check for visitors apply. */
  readonly apiKey?: string | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** How long to try again what fails for the moment: a lost connection, a restart of the server, a rate limit. */
export type Patience = {
  /** Default: 30 seconds. */
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
}

export type CreateMailboxOptions = Patience & {
  /** Needs an API key. Default: the server's, usually ten minutes. */
  lifetimeSeconds?: number | undefined
  /** One of the server's domains. Default: its first. */
  domain?: string | undefined
  /** The part before the @. Needs an API key. */
  localPart?: string | undefined
  /**
   * The address refuses mail on purpose: `reply` (`'450 4.2.1'`, `'550 5.1.1'`, or `'cut'` to end the connection) at RCPT, at DATA or after
   * the whole message, after `delaySeconds`, for the first `attempts` (default: 1). Then it takes mail. Needs an API key.
   */
  failure?: PlannedFailure | undefined
}

export type CreateMailboxesOptions = Omit<CreateMailboxOptions, 'localPart'>

export type MessageFilter = {
  /**
   * Conditions match as case-insensitive substrings, and all must match. `from` searches name and address, `envelopeTo` the recipients of
   * the envelope (also of Bcc, each with its tag), `to` those and the addresses of To and Cc, `body` the text.
   */
  from?: string | undefined
  envelopeTo?: string | undefined
  to?: string | undefined
  subject?: string | undefined
  body?: string | undefined
  /** Only what arrived after this message, this cursor of a message or list, or this time. */
  after?: { readonly cursor: string } | Date | string | undefined
}

export type WaitOptions = MessageFilter & {
  /** Default: 30 seconds. */
  timeoutMs?: number | undefined
  /** Aborts the wait with the signal's reason. */
  signal?: AbortSignal | undefined
}

export type NoMailOptions = MessageFilter & {
  /** How long to watch. */
  withinMs: number
  signal?: AbortSignal | undefined
}

export type LiveOptions = {
  /** Default: begins with the messages that are already there. */
  readonly after?: MessageFilter['after']
  /** Ends the loop without an error. */
  readonly signal?: AbortSignal | undefined
}

export type CheckOptions = Patience & {
  /** Whether links and images are requested, by this machine. Default: true. */
  follow?: boolean | undefined
  /** Instead of connections to the addresses that were judged: it decides itself where a name leads. */
  fetch?: typeof globalThis.fetch | undefined
}

export type StartOptions = {
  /** A checkout of Mayfly, or its package. Default: `MAYFLY_HOME`, the checkout that this code is in, or an installed package `mayfly`. */
  home?: string | undefined
  /** Other settings of the server, e.g. `{ MAIL_DOMAINS: 'test.example' }`. */
  env?: Readonly<Record<string, string>> | undefined
  /** Default: two minutes, because a fresh checkout first installs its packages and builds its site. */
  timeoutMs?: number | undefined
}
