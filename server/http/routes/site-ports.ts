import type { Context } from 'hono'
import type { SignedIn } from '#server/accounts/account.ts'
import type { BotCheck } from '#server/bot-check/bot-check.ts'
import type { Config } from '#server/config.ts'
import { AppError } from '#server/errors.ts'
import type { HttpEnv } from '#server/http/env.ts'
import type { Limiter } from '#server/limiter/limiter.ts'
import type { Limits } from '#server/limiter/limits.ts'
import type { Site } from '#server/site.ts'

/** What the routes of accounts, contact and blog stand on. */
export type SitePorts = {
  readonly config: Pick<Config, 'publicUrl'>
  readonly site: Site
  readonly limiter: Limiter
  readonly limits: Limits
  readonly botCheck: BotCheck
}

/** Hands the session's cookies on and keeps the answer out of every cache (case W21). */
export function setCookies(c: Context<HttpEnv>, cookies: readonly string[]): void {
  c.header('cache-control', 'no-store')
  c.header('vary', 'Cookie')
  for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
}

/**
 * What is shown by the back button after a sign-out shows nobody's account (case W22). Never `"storage"` or `"cookies"`: they would lose the
 * visitor's own mailbox and language. Browsers take it over https only and complain elsewhere; it costs about a second (measured: Chromium
 * with 6,000 foreign entries in its cache), which is why nothing else asks for it.
 */
export function clearCache(c: Context<HttpEnv>, publicUrl: string): void {
  if (publicUrl.startsWith('https:')) c.header('clear-site-data', '"cache"')
}

/** The signed-in account, by cookie only. AppError `sign_in_required`. */
export async function requireSession(c: Context<HttpEnv>, site: Site): Promise<SignedIn> {
  const { signedIn, setCookies: cookies } = await site.accounts.session(c.req.raw.headers)
  setCookies(c, cookies)
  if (!signedIn) throw new AppError('sign_in_required')
  return signedIn
}
