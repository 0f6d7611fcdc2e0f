import type { MiddlewareHandler } from 'hono'
import { AUTH_LIMIT } from '#contract/limits.ts'
import type { HttpEnv } from '#server/http/env.ts'
import { enforce } from '#server/limiter/limiter.ts'
import { sameSiteOnly } from '../requests/cross-site.ts'
import type { SitePorts } from './site-ports.ts'

/**
 * Passwords tried on one account from everywhere: many networks together get no further than this.
 * Wide enough that a stranger cannot easily keep its owner out, and over after the window (case W24).
 */
const ACCOUNT_ATTEMPTS = { name: 'auth-account', attempts: 30, windowSeconds: AUTH_LIMIT.windowSeconds } as const

/** Mails one address is sent because somebody asked for them, from everywhere: nobody's inbox is flooded in our name (case W24). */
const ACCOUNT_MAILS = { name: 'auth-mails', attempts: 10, windowSeconds: AUTH_LIMIT.windowSeconds } as const

/** What the routes of accounts are guarded by. Each of the limits throws AppError `rate_limited`. */
export type AuthGuards = {
  readonly sameSite: MiddlewareHandler<HttpEnv>
  /** Five in 900 s for each thing one can do here (spec 5.06): a forgotten password must not use up the sign-ins after it. */
  attempt(what: string, network: string): Promise<void>
  /** A password is tried on this account. */
  attemptOn(email: string): Promise<void>
  /** This address is to be sent a link. */
  mailTo(email: string): Promise<void>
}

export function authGuards({ config, site, limiter, limits }: SitePorts): AuthGuards {
  const keyOf = (email: string) => site.accounts.keyOf(email)
  return {
    sameSite: sameSiteOnly(config.publicUrl),
    attempt: (what, network) => enforce(limiter, { ...limits.auth, name: `auth-${what}` }, network),
    attemptOn: email => enforce(limiter, ACCOUNT_ATTEMPTS, keyOf(email)),
    mailTo: email => enforce(limiter, ACCOUNT_MAILS, keyOf(email)),
  }
}
