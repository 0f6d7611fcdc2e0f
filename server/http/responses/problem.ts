/** Turns failures into RFC 9457 problem documents: titles from the failure table, and never the text of an exception. */
import { type ProblemCode, problems } from '#contract/problems.ts'
import type { Problem } from '#contract/route.ts'
import { AppError, failures } from '#server/errors.ts'
import { describeShare } from '#server/platform/limits/clients.ts'
import { LimitReached } from '#server/platform/limits/limiter.ts'
import { createLogInterval, type Log } from '#server/platform/log.ts'
import { InvalidRequest } from '../requests/input.ts'

type ProblemFields = Pick<Problem, 'detail' | 'retryAfterSeconds' | 'errors'>

/** RFC 9110 section 15.5.2: a 401 says how to authenticate. API tokens, which belong to no account, open what API keys do. */
const CHALLENGES: Partial<Record<ProblemCode, string>> = {
  token_required: 'Bearer realm="mailbox"',
  api_token_required: 'Bearer realm="account"',
  api_token_invalid: 'Bearer realm="account", error="invalid_token"',
  sign_in_required: 'Bearer realm="account"',
}

/** Extra help for developers who test against their own server and reach these limits. */
const perNetwork = (network: string) =>
  `This limit counts everybody of ${describeShare(network)} together. API keys and API tokens (API_TOKENS) have quotas of their own; the operator can widen it with NETWORK_LIMIT_FACTOR.`

export function problemResponse(code: ProblemCode, fields: ProblemFields = {}, headers: Readonly<Record<string, string>> = {}): Response {
  const status = problems[code]
  const { title } = failures[code]
  const body: Problem = { type: `/api/docs#${code}`, title, status, code, ...fields }
  const challenge = CHALLENGES[code]
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
      ...(fields.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fields.retryAfterSeconds) }),
      ...headers,
    },
  })
}

/** While an engine is away, every request fails for the same reason. */
const LOG_EVERY_MS = 10_000

/** The error handler. Anything but an AppError is our error: logged in full, and sent as `internal`. */
export function createErrorHandler(log: Log): (error: unknown) => Response {
  const atIntervals = createLogInterval(LOG_EVERY_MS)
  return error => {
    if (error instanceof AppError) {
      if (isOurFault(error)) atIntervals(() => log.error({ err: error }, 'Request failed'))
      return toProblemResponse(error)
    }
    log.error({ err: error }, 'Request failed')
    return problemResponse('internal')
  }
}

/** Not with `retryAfterSeconds`: there we chose to refuse. A full store is logged once, when `HealthWatch` notices it. */
function isOurFault({ code, retryAfterSeconds }: AppError): boolean {
  return problems[code] >= 500 && retryAfterSeconds === undefined && code !== 'storage_full'
}

function toProblemResponse(error: AppError): Response {
  const fields = {
    ...(error instanceof InvalidRequest ? { errors: error.errors } : {}),
    ...problemDetail(error),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  }
  return problemResponse(error.code, fields, error instanceof LimitReached ? rateLimitHeaders(error) : {})
}

function problemDetail(error: AppError): Pick<ProblemFields, 'detail'> {
  const detail = error.detail ?? (error instanceof LimitReached && error.network !== undefined ? perNetwork(error.network) : undefined)
  return detail === undefined ? {} : { detail }
}

/** draft-ietf-httpapi-ratelimit-headers-10: the limit that was reached, and when it allows the next attempt. A quota has no window. */
function rateLimitHeaders({ limit: { name, max, windowSeconds }, remaining, retryAfterSeconds }: LimitReached): Record<string, string> {
  const parameter = (key: string, value: number | undefined) => (value === undefined ? '' : `;${key}=${value}`)
  return {
    ratelimit: `"${name}";r=${remaining}${parameter('t', retryAfterSeconds)}`,
    'ratelimit-policy': `"${name}";q=${max}${parameter('w', windowSeconds)}`,
  }
}
