/** Sends requests to the server: adds the token, parses the response, turns every failure into a `ProblemError`. */
import type * as z from 'zod/mini'
import { type PathParameters, pathTo } from '#contract/path-to.ts'
import type { ProblemCode } from '#contract/problems.ts'
import type { Route } from '#contract/route.ts'
import { anySignal } from '../browser/any-signal.ts'
import type { Shape } from '../shape.ts'
import { problem as problemShape } from './mailbox-routes.ts'
import type { PageRoute, Replying } from './page-route.ts'
import { closeSession, inSession } from './session.ts'

/** Longer than the slowest successful response on a bad mobile connection, shorter than a visitor's patience. */
const REQUEST_TIMEOUT_MS = 20_000

/**
 * Firefox and WebKit cut the requests of a page that is being left, and the replies that it is reading, and its scripts still run. That
 * failure is nobody's: it is held back until the page is gone. One that stays after all, because the link was a download, fails a moment
 * later.
 */
const LEAVING_MS = 2000
let leavingUntilMs = 0

if (typeof window !== 'undefined') {
  for (const sign of ['beforeunload', 'pagehide'])
    window.addEventListener(sign, () => {
      leavingUntilMs = performance.now() + LEAVING_MS
    })
}

const untilLeft = async () => {
  if (performance.now() < leavingUntilMs) await new Promise(resolve => setTimeout(resolve, LEAVING_MS))
}

/**
 * `network`: no response came. `unreadable_reply`: the response does not match the contract (an old page, a captive portal). A newer server
 * may know others.
 */
type ProblemErrorCode = ProblemCode | 'network' | 'unreadable_reply' | (string & Record<never, never>)

type ProblemOptions = {
  status?: number
  problem?: { detail?: string | undefined; retryAfterSeconds?: number | undefined }
  cause?: unknown
}

/** The only error that `send`, `sendLast` and `request` throw, except when the caller's own signal aborts. */
export class ProblemError extends Error {
  readonly code: ProblemErrorCode
  /** HTTP status; 0 without a response. */
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  /** One English sentence that is more exact than the code. Shown to operators only. */
  readonly detail: string | undefined

  constructor(code: ProblemErrorCode, { status = 0, problem = {}, cause }: ProblemOptions = {}) {
    super(code, { cause })
    this.name = 'ProblemError'
    this.code = code
    this.status = status
    this.retryAfterSeconds = problem.retryAfterSeconds
    this.detail = problem.detail
  }
}

/** Whether no server answered: none was reached, or a proxy reached none. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ProblemError && (error.code === 'network' || [502, 503, 504].includes(error.status))
}

type RequestOptions<R extends Route> = {
  /** A mailbox token or an API key. */
  token?: string | undefined
  query?: Record<string, string>
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** The request is completed even while the page is being left. */
  isKept?: boolean
  /** The server, unless it is that of the page. */
  origin?: string
} & (PathParameters<R['path']> extends never ? { params?: undefined } : { params: Record<PathParameters<R['path']>, string | number> }) &
  (R extends { body: infer Body extends z.ZodMiniType } ? { json: z.input<Body> } : { json?: undefined })

/** The response of a successful request. Everything else throws `ProblemError`. */
export function send<R extends Route>(route: PageRoute<R>, options: RequestOptions<R>): Promise<Response> {
  return whileSignedIn(route, options, each => fetchResponse(route, each))
}

export function request<R extends Route, T>(route: PageRoute<R> & Replying<T>, options: RequestOptions<R>): Promise<T> {
  return whileSignedIn(route, options, async each => {
    const response = await fetchResponse<R>(route, each)
    try {
      return check(route.reply, await response.json())
    } catch (cause) {
      await untilLeft()
      if (each.signal?.aborted) throw cause
      throw new ProblemError('unreadable_reply', { status: response.status, cause })
    }
  })
}

/** Sends the request that ends the session, e.g. the one that signs out. */
export function sendLast<R extends Route>(route: PageRoute<R>, options: RequestOptions<R>): Promise<void> {
  return closeSession(() => fetchResponse(route, options))
}

function whileSignedIn<R extends Route, T>(
  route: PageRoute<R>,
  options: RequestOptions<R>,
  exchange: (options: RequestOptions<R>) => Promise<T>,
): Promise<T> {
  if (!route.needsSession) return exchange(options)
  const isRead = (route.method ?? 'GET') === 'GET'
  return inSession(isRead, ended => exchange({ ...options, signal: anySignal(ended, options.signal) }))
}

async function fetchResponse<R extends Route>(route: PageRoute<R>, options: RequestOptions<R>): Promise<Response> {
  const { token, query, json, signal, isKept, origin = '', params } = options
  const headers = new Headers(options.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const timeout = route.isStream ? undefined : AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  const init: RequestInit = { headers, cache: 'no-store', signal: anySignal(timeout, signal) }
  if (route.method) init.method = route.method
  if (isKept) init.keepalive = true
  if (json !== undefined) {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(json)
  }
  let response: Response
  try {
    response = await fetch(`${origin}${pathTo<string>(route.path, params ?? {})}${query ? `?${new URLSearchParams(query)}` : ''}`, init)
  } catch (cause) {
    if (!signal?.aborted) await untilLeft()
    if (signal?.aborted) throw cause
    throw new ProblemError('network', { cause })
  }
  if (!response.ok) throw await parseProblem(response)
  return response
}

async function parseProblem(response: Response): Promise<ProblemError> {
  try {
    const problem = check(problemShape, await response.json())
    return new ProblemError(problem.code, { status: response.status, problem })
  } catch (cause) {
    await untilLeft()
    return new ProblemError('unreadable_reply', { status: response.status, cause })
  }
}

function check<T>(shape: Shape<T>, value: unknown): T {
  if (!shape(value)) throw new TypeError('Not what the contract says')
  return value
}
