/** Who sends a request: reads the credentials that its route needs, before the handler runs. */
import type { Context } from 'hono'
import type { ApiCaller } from '#server/accounts/api-credentials.ts'
import type { OpenMailbox } from '#server/mail/mail-core.ts'
import { enforceLimit } from '#server/platform/limits/limiter.ts'
import type { HttpEnv } from '../env.ts'
import { isCrossSite } from '../requests/cross-site.ts'
import { setHeaders } from '../responses/security-headers.ts'
import type { CheckCredentials, GuardedRequest } from './define-route.ts'
import type { HttpDeps } from './http-deps.ts'
import { requireOperator } from './operator-session.ts'
import { requireSession } from './session-cookies.ts'

/** What follows the scheme, whose name has no case (RFC 9110 section 11.1). */
const BEARER = /^Bearer ([\w-]+)$/i
/**
 * base64url of 16 bytes of mailbox id and 32 random bytes, which may begin with any letters. API keys and API tokens have a prefix and 43
 * characters: the length alone tells them from mailbox tokens.
 */
const MAILBOX_TOKEN = /^[\w-]{64}$/
const API_CREDENTIAL = /^mf[kt]_[\w-]{43}$/
/** Headers of every response that depends on a token. */
const PRIVATE = Object.entries({ 'cache-control': 'no-store', vary: 'Authorization' })

type CredentialDeps = Pick<HttpDeps, 'config' | 'accounts' | 'mail' | 'limiter' | 'limits' | 'secondFactor'>

export function createCredentialCheck(deps: CredentialDeps): CheckCredentials {
  return async (request, { auth, ownPagesOnly }) => {
    const { c, fail } = request
    if (ownPagesOnly && isCrossSite(c, deps.config.publicUrl)) fail('forbidden')
    if (auth === 'mailbox') return { mailbox: await requireMailbox(request, deps) }
    if (auth === 'session') return { account: (await requireSession(c, deps.accounts)).account }
    if (auth === 'api') return { caller: await requireApiCaller(request, deps) }
    if (auth === 'operator') return { account: await requireOperator(c, deps) }
    if (auth === 'optional') return { actor: await findActor(request, deps) }
    return {}
  }
}

/**
 * Wrong, expired and never-issued tokens get the same response; after too many, the network has to wait. What cannot be a token is told so,
 * which reveals nothing about any mailbox.
 */
async function requireMailbox(
  { c, fail }: GuardedRequest<'token_required' | 'mailbox_not_found' | 'rate_limited'>,
  deps: CredentialDeps,
): Promise<OpenMailbox> {
  setHeaders(c, PRIVATE)
  if (c.req.header('authorization') === undefined) return fail('token_required')
  const token = readBearer(c)
  if (API_CREDENTIAL.test(token)) return fail('token_required', { detail: 'API keys and API tokens open no mailbox.' })
  if (!MAILBOX_TOKEN.test(token))
    return fail('token_required', { detail: 'This is not a mailbox token, which has 64 letters, digits, - and _.' })
  const mailbox = await deps.mail.openMailbox(token)
  if (mailbox) return mailbox
  await enforceLimit(deps.limiter, deps.limits.tokenMisses, c.var.network)
  return fail('mailbox_not_found')
}

/** After too many wrong keys and tokens, the network has to wait. */
export async function requireApiCaller(
  { c, fail }: GuardedRequest<'api_token_required' | 'api_token_invalid' | 'rate_limited'>,
  { accounts, limiter, limits }: Pick<CredentialDeps, 'accounts' | 'limiter' | 'limits'>,
): Promise<ApiCaller> {
  setHeaders(c, PRIVATE)
  if (c.req.header('authorization') === undefined) return fail('api_token_required')
  const credential = readBearer(c)
  const caller = API_CREDENTIAL.test(credential) ? await accounts.apiCredentials.find(credential) : undefined
  if (caller) return caller
  await enforceLimit(limiter, limits.tokenMisses, c.var.network)
  return fail('api_token_invalid', MAILBOX_TOKEN.test(credential) ? { detail: 'A mailbox token opens its own mailbox only.' } : {})
}

/** What the `Authorization` header carries, or an empty string. */
export function readBearer(c: Context<HttpEnv>): string {
  return BEARER.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
}

/** A cookie counts only from our own pages and never together with an `Authorization` header: another site can make a browser send both. */
async function findActor(request: GuardedRequest<'api_token_required' | 'api_token_invalid' | 'rate_limited'>, deps: CredentialDeps) {
  const { c } = request
  if (c.req.header('authorization') !== undefined) return { by: 'api', caller: await requireApiCaller(request, deps) } as const
  if (isCrossSite(c, deps.config.publicUrl)) return undefined
  const { signedIn } = await deps.accounts.sessions.current(c.req.raw.headers)
  return signedIn && ({ by: 'session', accountId: signedIn.account.id } as const)
}
