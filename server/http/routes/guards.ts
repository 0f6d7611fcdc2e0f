/** What stands before a handler: credentials, limits, the bot check. Each guard fails only with codes that its route declares. */
import { AUTH_LIMIT } from '#contract/limits.ts'
import { passBotCheck } from '#server/bot-check/bot-check.ts'
import { AppError } from '#server/errors.ts'
import { enforce, type Limit, refuseWhenSpent } from '#server/limiter/limiter.ts'
import type { OpenMailbox } from '#server/mail/mail.ts'
import { isCrossSite } from '../requests/cross-site.ts'
import type { Actor, Authenticate, Guarded } from './define-route.ts'
import type { HttpDeps } from './http-deps.ts'
import { requireSession } from './session-cookies.ts'

/** base64url of 16 bytes of mailbox id and 32 random bytes: nothing else is looked up. */
const TOKEN = /^Bearer ([A-Za-z0-9_-]{64})$/i

/**
 * Passwords tried on one account from everywhere: many networks together get no further than this.
 * Wide enough that a stranger cannot easily keep its owner out, and over after the window.
 */
const ACCOUNT_ATTEMPTS = { name: 'auth-account', attempts: 30, windowSeconds: AUTH_LIMIT.windowSeconds } as const

/** Mails one address is sent because somebody asked for them, from everywhere: nobody's inbox is flooded in our name. */
const ACCOUNT_MAILS = { name: 'auth-mails', attempts: 10, windowSeconds: AUTH_LIMIT.windowSeconds } as const

type GuardDeps = Pick<HttpDeps, 'config' | 'site' | 'mail' | 'limiter' | 'limits' | 'botCheck'>

export type Guards = ReturnType<typeof createGuards>

export function createGuards({ site, limiter, limits, botCheck }: GuardDeps) {
  const accountKey = (email: string) => site.accounts.keyOf(email)
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
    async passwordAttempt(_: Guarded<'rate_limited'>, email: string): Promise<void> {
      await enforce(limiter, ACCOUNT_ATTEMPTS, accountKey(email))
    },
    async mailTo(_: Guarded<'rate_limited'>, email: string): Promise<void> {
      await enforce(limiter, ACCOUNT_MAILS, accountKey(email))
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
export function createAuthenticate(deps: GuardDeps): Authenticate {
  return async (request, { auth, ownPagesOnly }) => {
    const { c, fail } = request
    if (ownPagesOnly && isCrossSite(c, deps.config.publicUrl)) fail('forbidden')
    if (auth === 'mailbox') return { mailbox: await requireMailbox(request, deps) }
    if (auth === 'session') return { account: (await requireSession(c, deps.site)).account }
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
 * A cookie counts only when our own page sends it. Asking costs a database read, so requests without credentials are not asked about.
 * Whoever sends an `Authorization` header means it: anything but a valid API key is refused, after too many of them for a while.
 */
async function findActor({ c, fail }: Guarded<'sign_in_required' | 'rate_limited'>, { site, config, limiter, limits }: GuardDeps) {
  const hasKey = c.req.header('authorization') !== undefined
  const hasCookie = c.req.header('cookie') !== undefined && !isCrossSite(c, config.publicUrl)
  if (!hasKey) return hasCookie ? site.accountOf(c.req.raw.headers) : undefined
  const actor: Actor | undefined = await site.accountOf(c.req.raw.headers).catch(onlyUnknownKey)
  if (actor?.by === 'api_key') return actor
  await enforce(limiter, limits.tokenMisses, c.var.network)
  return fail('sign_in_required')
}

function onlyUnknownKey(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'sign_in_required')) throw error
}
