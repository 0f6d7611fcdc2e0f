/** What stands before a handler: credentials, limits, the bot check. Each guard fails only with codes that its route declares. */
import { AUTH_LIMIT } from '#contract/limits.ts'
import { passBotCheck } from '#server/bot-check/bot-check.ts'
import { enforce, type Limit, refuseWhenSpent } from '#server/limiter/limiter.ts'
import type { OpenMailbox } from '#server/mail/mail.ts'
import { isCrossSite } from '../requests/cross-site.ts'
import type { Actor, CheckCredentials, Guarded } from './define-route.ts'
import type { HttpDeps } from './http-deps.ts'
import { requireSession } from './session-cookies.ts'

/** base64url of 16 bytes of mailbox id and 32 random bytes: nothing else is looked up. */
const TOKEN = /^Bearer ([A-Za-z0-9_-]{64})$/i
const API_KEY = /^Bearer (mfk_[\w-]+)$/i

/** Passwords tried on one account from all networks it never signed in from, taken together: many networks get no further than this. */
const ACCOUNT_ATTEMPTS = { name: 'auth-account', attempts: 30, windowSeconds: AUTH_LIMIT.windowSeconds } as const

/** Mails that requests from unknown networks send to one address: nobody's inbox is flooded in our name. */
const ACCOUNT_MAILS = { name: 'auth-mails', attempts: 10, windowSeconds: AUTH_LIMIT.windowSeconds } as const

type GuardDeps = Pick<HttpDeps, 'config' | 'accounts' | 'mail' | 'limiter' | 'limits' | 'botCheck'>

export type Guards = ReturnType<typeof createGuards>

export function createGuards({ accounts, limiter, limits, botCheck }: GuardDeps) {
  /** A network the account signed in from has attempts of its own: strangers who use up the others do not lock the owner out. */
  async function enforcePerAccount(limit: Limit, email: string, network: string): Promise<void> {
    const key = accounts.limitKey(email)
    const isKnown = await accounts.knownNetworks.has(email, network)
    await enforce(limiter, limit, isKnown ? `${key} ${network}` : key)
  }

  return {
    /** Uses one attempt up; by network unless another `key` is given. */
    async limit({ c }: Guarded<'rate_limited'>, limit: Limit, key = c.var.network): Promise<void> {
      await enforce(limiter, limit, key)
    },
    /** Fails when no attempt is left, and uses nothing up. */
    async hasAttempts({ c }: Guarded<'rate_limited'>, limit: Limit, key = c.var.network): Promise<void> {
      await refuseWhenSpent(limiter, limit, key)
    },
    /** Each form of the account pages has attempts of its own: a forgotten password must not use up the sign-ins after it. */
    async attempt({ c }: Guarded<'rate_limited'>, form: 'sign-up' | 'sign-in' | 'link' | 'forgot' | 'delete'): Promise<void> {
      await enforce(limiter, { ...limits.auth, name: `auth-${form}` }, c.var.network)
    },
    async passwordAttempt({ c }: Guarded<'rate_limited'>, email: string): Promise<void> {
      await enforcePerAccount(ACCOUNT_ATTEMPTS, email, c.var.network)
    },
    async mailTo({ c }: Guarded<'rate_limited'>, email: string): Promise<void> {
      await enforcePerAccount(ACCOUNT_MAILS, email, c.var.network)
    },
    async botCheck(
      { c }: Guarded<'bot_check_failed' | 'rate_limited' | 'unavailable'>,
      token: string | undefined,
      action: Parameters<typeof botCheck.verify>[1],
    ): Promise<void> {
      await passBotCheck({ botCheck, limiter, captcha: limits.captcha }, c.var.network, token, action)
    },
  }
}

/** The one place where credentials are read. */
export function createCredentialCheck(deps: GuardDeps): CheckCredentials {
  return async (request, { auth, ownPagesOnly }) => {
    const { c, fail } = request
    if (ownPagesOnly && isCrossSite(c, deps.config.publicUrl)) fail('forbidden')
    if (auth === 'mailbox') return { mailbox: await requireMailbox(request, deps) }
    if (auth === 'session') return { account: (await requireSession(c, deps.accounts)).account }
    if (auth === 'optional') return { actor: await findActor(request, deps) }
    return {}
  }
}

/** Malformed, wrong, expired and never-issued tokens get one and the same response; after too many of them the network waits. */
async function requireMailbox(
  { c, fail }: Guarded<'token_required' | 'mailbox_not_found' | 'rate_limited'>,
  deps: GuardDeps,
): Promise<OpenMailbox> {
  c.header('cache-control', 'no-store')
  c.header('vary', 'Authorization')
  const header = c.req.header('authorization')
  if (header === undefined) return fail('token_required')
  const token = TOKEN.exec(header)?.[1]
  const mailbox = token === undefined ? undefined : await deps.mail.openMailbox(token)
  if (mailbox) return mailbox
  await enforce(deps.limiter, deps.limits.tokenMisses, c.var.network)
  return fail('mailbox_not_found')
}

/**
 * A cookie counts only when our own page sends it, and never beside an `Authorization` header: another site can make a browser send both.
 * Anything but a valid API key in that header is refused, after too many of them for a while.
 */
async function findActor(
  { c, fail }: Guarded<'sign_in_required' | 'rate_limited'>,
  { accounts, config, limiter, limits }: GuardDeps,
): Promise<Actor | undefined> {
  const authorization = c.req.header('authorization')
  if (authorization === undefined) {
    if (isCrossSite(c, config.publicUrl)) return undefined
    const { signedIn } = await accounts.sessions.current(c.req.raw.headers)
    return signedIn && { id: signedIn.account.id, by: 'session' }
  }
  const key = API_KEY.exec(authorization)?.[1]
  const owner = key === undefined ? undefined : await accounts.apiKeys.owner(key)
  if (owner) return { id: owner.id, by: 'api_key' }
  await enforce(limiter, limits.tokenMisses, c.var.network)
  return fail('sign_in_required')
}
