/** Every rate limit of the HTTP side. The browser has its own for new addresses: web/lib/mailbox/new-address-limit.ts. */
import { NEW_ADDRESSES_PER_NETWORK, NEW_ADDRESSES_PRO } from '#contract/limits.ts'
import type { Config } from '../config/config.ts'
import type { Limit } from './limiter.ts'

/** Sign-in, sign-up and the other account forms. */
const AUTH_LIMIT = { max: 5, windowSeconds: 900 } as const
/** Writes that need no token: contact form, reports, blog views. */
const PUBLIC_WRITES = { max: 10, windowSeconds: 60 } as const
/** Messages and reports to the operator. */
const MESSAGES_PER_DAY = { max: 20, windowSeconds: 86_400 } as const
const BOT_CHECK_FAILURES = { max: 3, windowSeconds: 180 } as const
/** Event streams and long polls of one network, e.g. an office behind one address where everybody has a tab open. */
const STREAMS_PER_NETWORK_MAX = 200
/** Wrong tokens from one network. A page whose address has expired sends a few. */
const TOKEN_MISSES = { max: 20, windowSeconds: 60 } as const
/**
 * Challenges for one network: each form asks for one before it is sent. As many come with the home page, where each load has one, needed or
 * not; they are counted apart. One costs half a millisecond of a thread, and a school may load the page two hundred times a minute.
 */
const CHALLENGES = { max: 240, windowSeconds: 60 } as const
/** Browsers that one network subscribes to notifications: each address and each tab that turns them on asks once. */
const PUSH_SUBSCRIPTIONS = { max: 30, windowSeconds: 300 } as const
/** Passwords tried on one account from all networks it never signed in from, so that many networks do not help. */
const ACCOUNT_ATTEMPTS = { max: 30, windowSeconds: AUTH_LIMIT.windowSeconds } as const
/** Mails that requests from unknown networks may send to one address, so that nobody can flood an inbox through this server. */
const ACCOUNT_MAILS = { max: 10, windowSeconds: AUTH_LIMIT.windowSeconds } as const
/** The same for links to set a new password. Nobody is refused: a link of the last minutes is in the inbox, and works. */
const RESET_MAILS = { max: 3, windowSeconds: 300 } as const
/** Mails that tell an owner of one kind of change. Whoever makes more of them has told the owner five times. */
const ACCOUNT_WARNINGS = { max: 5, windowSeconds: 86_400 } as const

export type Limits = ReturnType<typeof limitsFor>

/** `factor` multiplies the limits per network, for visitors who share an address (a school, a load test); not those per account. */
export function limitsFor({ networkLimitFactor: factor, apiCreationsPerHour }: Pick<Config, 'networkLimitFactor' | 'apiCreationsPerHour'>) {
  const perNetwork = (name: string, limit: Omit<Limit, 'name'>): Limit => ({ ...limit, name, max: limit.max * factor, isPerNetwork: true })
  return {
    // The names are keys on Valkey and stand in the RateLimit headers.
    newAddresses: perNetwork('generation', NEW_ADDRESSES_PER_NETWORK),
    newAddressesPro: { ...NEW_ADDRESSES_PRO, name: 'generation-pro' },
    /** API keys and webhooks that are made or changed. */
    credentialWrites: { name: 'credential-writes', max: 60, windowSeconds: 60 },
    /** Webhooks that are made or changed with the token of one mailbox, and with those of all mailboxes of an owner. */
    mailboxWrites: { name: 'mailbox-writes', max: 10, windowSeconds: 60 },
    mailboxesWrites: { name: 'mailboxes-writes', max: 60, windowSeconds: 60 },
    /** Tests of webhooks: by one API key or with the token of one mailbox; by all keys of an owner; and by all of its mailboxes. */
    holderTests: { name: 'holder-tests', max: 10, windowSeconds: 60 },
    webhookTests: { name: 'webhook-tests', max: 20, windowSeconds: 60 },
    mailboxesTests: { name: 'mailboxes-tests', max: 20, windowSeconds: 60 },
    apiCreations: { name: 'api-creations', max: apiCreationsPerHour, windowSeconds: 3600 },
    takenNames: { name: 'taken-names', max: 300, windowSeconds: 3600 },
    mcpSessions: { name: 'mcp-sessions', max: 120, windowSeconds: 60 },
    // `captcha` and `api` are the oldest names: clients may compare them in the RateLimit header.
    botCheckFailures: perNetwork('captcha', BOT_CHECK_FAILURES),
    publicWrites: perNetwork('api', PUBLIC_WRITES),
    messagesPerDay: perNetwork('messages', MESSAGES_PER_DAY),
    auth: perNetwork('auth', AUTH_LIMIT),
    accountAttempts: { ...ACCOUNT_ATTEMPTS, name: 'auth-account' },
    accountMails: { ...ACCOUNT_MAILS, name: 'auth-mails' },
    resetMails: { ...RESET_MAILS, name: 'auth-resets' },
    accountWarnings: { ...ACCOUNT_WARNINGS, name: 'auth-warnings' },
    tokenMisses: perNetwork('token-misses', TOKEN_MISSES),
    challenges: perNetwork('challenges', CHALLENGES),
    pageChallenges: perNetwork('page-challenges', CHALLENGES),
    pushSubscriptions: perNetwork('push-subscriptions', PUSH_SUBSCRIPTIONS),
    streamsPerNetworkMax: STREAMS_PER_NETWORK_MAX * factor,
  }
}
