/** What callers may ask for. */

export type MayflyOptions = {
  /** The address of the server, e.g. `http://localhost:8080`. */
  readonly url: string
  /** A key of an account, or an API token of the server. Without one the server's limits and bot check for visitors apply. */
  readonly apiKey?: string | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}

export type CreateMailboxOptions = {
  /** Needs an API key. Default: the server's own, ten minutes unless it was configured otherwise. */
  lifetimeSeconds?: number | undefined
  /** One of the server's domains. Default: its first. */
  domain?: string | undefined
  /** The part before the @. Needs an API key. */
  localPart?: string | undefined
  signal?: AbortSignal | undefined
}

export type MessageFilter = {
  /** Conditions match as case-insensitive substrings, all of them. `from` looks at name and address, `to` at To and Cc, `body` at the text. */
  from?: string | undefined
  to?: string | undefined
  subject?: string | undefined
  body?: string | undefined
  /** Only what arrived after this message, after this cursor of a message or list, or after this time. */
  after?: { readonly cursor: string } | Date | string | undefined
}

export type WaitOptions = MessageFilter & {
  /** Default: 30 seconds. */
  timeoutMs?: number | undefined
  /** Ends the wait with the signal's reason. */
  signal?: AbortSignal | undefined
}

export type LiveOptions = {
  /** Starts after this message or cursor. Left out: with the messages that are already there. */
  readonly after?: { readonly cursor: string } | string | undefined
  /** Ends the loop without an error. */
  readonly signal?: AbortSignal | undefined
}

export type StartOptions = {
  /** The folder of a Mayfly checkout. Default: `MAYFLY_HOME`, the checkout this runs in, or an installed package `mayfly`. */
  home?: string | undefined
  /** More of the server's settings, e.g. `{ MAIL_DOMAINS: 'test.example' }`. */
  env?: Readonly<Record<string, string>> | undefined
  /** Default: two minutes, since a fresh checkout installs its packages and builds its site first. */
  timeoutMs?: number | undefined
}
