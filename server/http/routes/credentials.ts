/** Who sends a request: reads the credentials that its route needs, before the handler runs. */
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import { MAILBOX_TOKEN } from '#contract/text-patterns.ts'
import type { Accounts } from '#server/accounts/accounts.ts'
import type { ApiCaller } from '#server/accounts/api-credentials.ts'
import type { SignedIn } from '#server/accounts/sessions.ts'
import { isNamedOperator } from '#server/accounts/sign-up.ts'
import { AppError } from '#server/errors.ts'
import type { OpenMailbox } from '#server/mail/mailboxes.ts'
import type { Config } from '#server/platform/config/config.ts'
import { enforceLimit } from '#server/platform/limits/limiter.ts'
import type { HttpEnv } from '../env.ts'
import { isCrossSite, isExtension } from '../requests/cross-site.ts'
import { setHeaders } from '../responses/security-headers.ts'
import type { CheckCredentials, GuardedRequest } from './define-route.ts'
import type { HttpDeps } from './http-deps.ts'

/**
 * The token stands behind the scheme, whose name has no case (RFC 9110 section 11.1). An event stream takes the tokens of further mailboxes
 * with it, as many as an account has: Caddy, and others, mask this header in their logs, and no header that is ours.
 */
const BEARER = new RegExp(`^Bearer ([\\w-]+)((?:, ?[\\w-]{64}){0,${PRO_MAILBOXES_MAX}})$`, 'i')
/** A prefix and 43 characters: the length alone tells them from mailbox tokens. */
const API_CREDENTIAL = /^mf[kt]_[\w-]{43}$/
const NEEDS_TOKEN = { detail: 'A page of another site creates addresses with an API key or API token, and reads mail with its token.' }
/** Headers of every response that depends on a token. */
const PRIVATE = Object.entries({ 'cache-control': 'no-store', vary: 'Authorization' })

export function createCredentialCheck(deps: HttpDeps): CheckCredentials {
  return async (request, { auth, ownPagesOnly, response }) => {
    const { c, fail } = request
    if (ownPagesOnly && isCrossSite(c, deps.config.publicUrl)) fail('forbidden', NEEDS_TOKEN)
    if (auth === 'mailbox') return { mailbox: await requireMailbox(request, deps, response === 'events') }
    if (auth === 'session') return requireSession(c, deps.accounts)
    if (auth === 'api') return { caller: await requireApiCaller(request, deps) }
    if (auth === 'operator') return { account: await requireOperator(c, deps) }
    if (auth === 'optional') return { actor: await findActor(request, deps) }
    return {}
  }
}

/**
 * Wrong, expired and never-issued tokens get the same response; after too many the network waits. What cannot be a token is told so, which
 * reveals nothing about any mailbox.
 */
async function requireMailbox(
  { c, fail }: GuardedRequest<'token_required' | 'mailbox_not_found' | 'rate_limited'>,
  deps: HttpDeps,
  mayNameOthers: boolean,
): Promise<OpenMailbox> {
  setHeaders(c, PRIVATE)
  if (c.req.header('authorization') === undefined) return fail('token_required')
  const token = mayNameOthers ? readBearers(c)[0] : readBearer(c)
  if (API_CREDENTIAL.test(token)) return fail('token_required', { detail: 'API keys and API tokens open no mailbox.' })
  if (!MAILBOX_TOKEN.test(token))
    return fail('token_required', { detail: 'This is not a mailbox token, which has 64 letters, digits, - and _.' })
  return (await openOrCount(c, deps, token)) ?? fail('mailbox_not_found')
}

async function openOrCount(c: Context<HttpEnv>, { mail, admission: { sharedLimits, limits } }: HttpDeps, token: string) {
  const mailbox = await mail.openMailbox(token)
  if (!mailbox) await enforceLimit(sharedLimits, limits.tokenMisses, c.get('networks'))
  return mailbox
}

/** The further mailboxes of an event stream; `undefined` where a token opens none, which refuses nobody their own. */
export function openOthers(c: Context<HttpEnv>, deps: HttpDeps): Promise<readonly (OpenMailbox | undefined)[]> {
  const [, ...others] = readBearers(c)
  return Promise.all(others.map(token => openOrCount(c, deps, token).catch(ignoreRefusal)))
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}

/** After too many wrong keys and tokens, the network has to wait. */
export async function requireApiCaller(
  { c, fail }: GuardedRequest<'api_token_required' | 'api_token_invalid' | 'rate_limited'>,
  { accounts, admission: { sharedLimits, limits } }: HttpDeps,
): Promise<ApiCaller> {
  setHeaders(c, PRIVATE)
  if (c.req.header('authorization') === undefined) return fail('api_token_required')
  const credential = readBearer(c)
  const caller = await accounts.apiCredentials.find(credential)
  if (caller) return caller
  await enforceLimit(sharedLimits, limits.tokenMisses, c.get('networks'))
  return fail('api_token_invalid', MAILBOX_TOKEN.test(credential) ? { detail: 'A mailbox token opens its own mailbox only.' } : {})
}

/** What the `Authorization` header carries, or an empty string. */
export function readBearer(c: Context<HttpEnv>): string {
  const [own, ...others] = readBearers(c)
  return others.length === 0 ? own : ''
}

function readBearers(c: Context<HttpEnv>): readonly [string, ...string[]] {
  const [, own = '', others = ''] = BEARER.exec(c.req.header('authorization') ?? '') ?? []
  return [own, ...others.split(/, ?/).slice(1)]
}

/**
 * A cookie counts only from our own pages and never together with an `Authorization` header: another site can make a browser send both.
 * Without that header the limits are those of the network, which a page of another site would use up for all of the visitor's office.
 */
async function findActor(
  request: GuardedRequest<'api_token_required' | 'api_token_invalid' | 'rate_limited' | 'forbidden'>,
  deps: HttpDeps,
) {
  const { c } = request
  if (c.req.header('authorization') !== undefined) return { by: 'api', caller: await requireApiCaller(request, deps) } as const
  if (isCrossSite(c, deps.config.publicUrl)) return isExtension(c) ? undefined : request.fail('forbidden', NEEDS_TOKEN)
  const { signedIn } = await deps.accounts.sessions.current(c.req.raw.headers)
  return signedIn && ({ by: 'session', accountId: signedIn.account.id, sessionId: signedIn.sessionId } as const)
}

/** The signed-in account, by cookie only. @throws AppError `sign_in_required`. */
async function requireSession(c: Context<HttpEnv>, { sessions }: Accounts): Promise<SignedIn> {
  const { signedIn, setCookies: cookies } = await sessions.current(c.req.raw.headers)
  setCookies(c, cookies)
  if (!signedIn) throw new AppError('sign_in_required')
  return signedIn
}

export const isHttps = ({ publicUrl }: Config) => publicUrl.startsWith('https:')
export const operatorCookie = (config: Config) => (isHttps(config) ? '__Host-mayfly_operator' : 'mayfly_operator')

/** The signed-in account if OPERATORS names it. AppError `sign_in_required`; `not_found` for all others, as if no page existed. */
export async function requireNamedOperator(c: Context<HttpEnv>, { config, accounts }: HttpDeps): Promise<SignedIn> {
  const signedIn = await requireSession(c, accounts)
  if (!isNamedOperator(signedIn.account.email, config)) throw new AppError('not_found')
  return signedIn
}

/** The operator, with the second factor passed. AppError `sign_in_required`, `not_found`, `second_factor_required`. */
async function requireOperator(c: Context<HttpEnv>, deps: HttpDeps): Promise<SignedIn['account']> {
  const { account, sessionId } = await requireNamedOperator(c, deps)
  if (!(await deps.operator.secondFactor.isVerified(sessionId, getCookie(c, operatorCookie(deps.config)))))
    throw new AppError('second_factor_required')
  return account
}

/** Sets the session's cookies and keeps the response out of caches. */
export function setCookies(c: Context<HttpEnv>, cookies: readonly string[]): void {
  c.header('cache-control', 'no-store')
  c.header('vary', 'Cookie')
  for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
}

/**
 * After signing out, the back button must not show the account. Never `"storage"` or `"cookies"`, which would delete the visitor's mailbox
 * and language. Browsers accept it over https only. It takes about a second (measured in Chromium with 6,000 other entries in its cache),
 * so nothing else uses it.
 */
export function clearCache(c: Context<HttpEnv>, publicUrl: string): void {
  if (publicUrl.startsWith('https:')) c.header('clear-site-data', '"cache"')
}
