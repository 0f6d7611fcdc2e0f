/** Failures as RFC 9457 problem documents; the only texts are those of the failure table. */
import type { Problem, ProblemCode } from '#contract/problems.ts'
import { AppError, failures } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { RequestFault } from '../requests/invalid-request.ts'

type ProblemOptions = Pick<Problem, 'detail' | 'retryAfterSeconds' | 'errors'>

export function problem(code: ProblemCode, options: ProblemOptions = {}): Response {
  const { http: status, title } = failures[code]
  const body: Problem = { type: `/api/docs#${code}`, title, status, code, ...options }
  const headers = new Headers({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
  if (options.retryAfterSeconds !== undefined) headers.set('retry-after', String(options.retryAfterSeconds))
  return new Response(JSON.stringify(body), { status, headers })
}

/** The one error handler. What is not an AppError is a fault of ours: logged whole, answered with `internal`. */
export function problemOf(error: unknown, log: Log): Response {
  if (!(error instanceof AppError)) {
    log.error({ err: error }, 'request failed')
    return problem('internal')
  }
  // Shedding load is what we chose to do, and a stranger must not choose how long our log is.
  if (failures[error.code].http >= 500 && error.retryAfterSeconds === undefined) log.error({ err: error }, 'request failed')
  return problem(error.code, {
    ...(error instanceof RequestFault ? { errors: error.errors } : {}),
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  })
}
