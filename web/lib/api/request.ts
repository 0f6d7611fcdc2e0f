/** Sends requests to the server: adds the token, parses the response, turns every failure into a `ProblemError`. */

import type { ProblemCode } from '#contract/problems.ts'
import type { Problem } from '#contract/route.ts'
import type { Shape } from '../shape.ts'
import { problem as problemShape } from './response-shapes.ts'

/** Longer than the slowest successful response on a bad mobile connection, shorter than a visitor's patience. */
const REQUEST_TIMEOUT_MS = 20_000

/** `network`: no response came. `unreadable_reply`: the response does not match the contract (an old page, a captive portal). */
export type ProblemErrorCode = ProblemCode | 'network' | 'unreadable_reply'

/** The only error that `web/lib/api/mailbox-api.ts` throws, except when the caller's own signal aborts. */
export class ProblemError extends Error {
  readonly code: ProblemErrorCode
  /** HTTP status; 0 without a response. */
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  /** With `invalid_request`: which field is wrong, and why. */
  readonly errors: Problem['errors']
  /** One English sentence that is more exact than the code. Shown to operators only. */
  readonly detail: string | undefined

  constructor(code: ProblemErrorCode, options: { status?: number; problem?: Problem; cause?: unknown } = {}) {
    super(code, { cause: options.cause })
    this.name = 'ProblemError'
    this.code = code
    this.status = options.status ?? 0
    this.retryAfterSeconds = options.problem?.retryAfterSeconds
    this.errors = options.problem?.errors
    this.detail = options.problem?.detail
  }
}

/** Whether a generation that failed with `error` was an attempt: one that never reached the server, or failed the bot check, was none. */
export function isAttempt(error: unknown): boolean {
  return error instanceof ProblemError && !['network', 'unreadable_reply', 'bot_check_failed'].includes(error.code)
}

/** Whether no server answered: none was reached, or a proxy reached none. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ProblemError && (error.code === 'network' || [502, 503, 504].includes(error.status))
}

/** `token` is a mailbox token or an API key; `json` is sent as the body. */
type RequestOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  token?: string | undefined
  json?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** `false` for streams, which end when the caller aborts. */
  isTimed?: boolean
  /** The request is completed even while the page is being left. */
  isKept?: boolean
}

/** The response of a successful request. Everything else throws `ProblemError`. */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const headers = new Headers(options.headers)
  if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`)
  if (options.json !== undefined) headers.set('content-type', 'application/json')
  const signals = options.isTimed === false ? [] : [AbortSignal.timeout(REQUEST_TIMEOUT_MS)]
  if (options.signal) signals.push(options.signal)
  const init: RequestInit = { method: options.method ?? 'GET', headers, cache: 'no-store', signal: AbortSignal.any(signals) }
  if (options.isKept) init.keepalive = true
  if (options.json !== undefined) init.body = JSON.stringify(options.json)
  let response: Response
  try {
    response = await fetch(path, init)
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    throw new ProblemError('network', { cause })
  }
  if (!response.ok) throw await parseProblem(response)
  return response
}

/** Sends the request and parses the JSON response. */
export async function request<T>(path: string, shape: Shape<T>, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options)
  try {
    return check(shape, await response.json())
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    throw new ProblemError('unreadable_reply', { status: response.status, cause })
  }
}

async function parseProblem(response: Response): Promise<ProblemError> {
  try {
    const problem = check(problemShape, await response.json())
    return new ProblemError(problem.code, { status: response.status, problem })
  } catch (cause) {
    return new ProblemError('unreadable_reply', { status: response.status, cause })
  }
}

function check<T>(shape: Shape<T>, value: unknown): T {
  if (!shape(value)) throw new TypeError('Not what the contract says')
  return value
}
