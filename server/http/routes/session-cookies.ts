import type { Context } from 'hono'
import type { SignedIn } from '#server/accounts/account.ts'
import type { Accounts } from '#server/accounts/accounts.ts'
import { AppError } from '#server/errors.ts'
import type { HttpEnv } from '../env.ts'

/** Sends the session's cookies and keeps the response out of every cache. */
export function setCookies(c: Context<HttpEnv>, cookies: readonly string[]): void {
  c.header('cache-control', 'no-store')
  c.header('vary', 'Cookie')
  for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
}

/**
 * After a sign-out the back button must not show the account. Never `"storage"` or `"cookies"`: they would delete the visitor's own mailbox
 * and language. Browsers accept it over https only and complain elsewhere; it costs about a second (measured: Chromium with 6,000 foreign
 * entries in its cache), which is why nothing else asks for it.
 */
export function clearCache(c: Context<HttpEnv>, publicUrl: string): void {
  if (publicUrl.startsWith('https:')) c.header('clear-site-data', '"cache"')
}

/** The signed-in account, by cookie only. @throws AppError `sign_in_required`. */
export async function requireSession(c: Context<HttpEnv>, { sessions }: Accounts): Promise<SignedIn> {
  const { signedIn, setCookies: cookies } = await sessions.current(c.req.raw.headers)
  setCookies(c, cookies)
  if (!signedIn) throw new AppError('sign_in_required')
  return signedIn
}
