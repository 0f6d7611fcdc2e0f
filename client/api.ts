/** Calls a server by a route of the contract, parses the response with the route's schema, and tries again what fails for the moment. */
import * as z from 'zod/mini'
import { type PathParameters, pathTo, withoutLastSlashes } from '../contract/path-to.ts'
import type { Route } from '../contract/route.ts'
import { routes } from '../contract/routes.ts'
import { MayflyError, type MayflyErrorCode } from './errors.ts'
import type { MayflyOptions, Patience } from './options.ts'

/** Longer than the slowest successful response. Long polls and streams have their own time-outs. */
const REQUEST_TIMEOUT_MS = 30_000
/** One attempt of several: a connection that hangs must leave time for the next. */
const ATTEMPT_MS = { min: 5000, max: 15_000 } as const
/** Many tests wait at once, so pauses vary by half. */
const BACKOFF_MS = { first: 200, max: 5000 } as const
const RETRIES_MAX = 50

/** The used part of a problem document. A newer server may return a code that this client does not know. */
const anyProblemSchema = z.object({
  code: z.string(),
  title: z.string(),
  detail: z.optional(z.string()),
  retryAfterSeconds: z.optional(z.number()),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
})

/** JSON of the route's response schema; `undefined` without one, and where a long poll ends without a message. */
type Reply<R extends Route> = R extends { response: infer Schema extends z.ZodMiniType } ? z.output<Schema> : undefined

type Call<R extends Route> = {
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined
  readonly body?: unknown
  /** A mailbox token, an API key or an API token. */
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** `Infinity` for streams. */
  readonly timeoutMs?: number
} & (PathParameters<R['path']> extends never
  ? { readonly params?: undefined }
  : { readonly params: Readonly<Record<PathParameters<R['path']>, string | number>> })

export class Api {
  readonly url: string
  readonly #fetch: typeof globalThis.fetch

  constructor({ url, fetch = globalThis.fetch }: Pick<MayflyOptions, 'url' | 'fetch'>) {
    this.url = parseUrl(url)
    // Browsers refuse `fetch` called as a method of another object.
    this.#fetch = (input, init) => fetch(input, init)
  }

  async call<const R extends Route>(route: R, call: Call<R>): Promise<Reply<R>> {
    const response = await this.send(route, call)
    // The route has the schema, which the compiler cannot see here.
    if (typeof route.response !== 'object') return undefined as Reply<R>
    if (response.status === 204) {
      if (route.path === routes.wait) return undefined as Reply<R>
      throw unreadable(this.url, response, undefined)
    }
    const text = new TextDecoder().decode(await this.#read(response, call.signal))
    try {
      return z.parse(route.response, JSON.parse(text)) as Reply<R>
    } catch (cause) {
      // A proxy may end a response in the middle as if it were whole.
      const isCut = cause instanceof SyntaxError && /json/.test(response.headers.get('content-type') ?? '')
      throw isCut ? new MayflyError('network', `${this.url} sent half a response`, { cause }) : unreadable(this.url, response, cause)
    }
  }

  /** However long it takes while bytes keep coming: `timeoutMs` is how long none may come. */
  async bytes<const R extends Route>(route: R, call: Call<R>): Promise<Uint8Array<ArrayBuffer>> {
    const silence = new AbortController()
    const signal = call.signal ? AbortSignal.any([call.signal, silence.signal]) : silence.signal
    let timer: ReturnType<typeof setTimeout> | undefined
    const onBytes = () => {
      clearTimeout(timer)
      timer = setTimeout(
        () => silence.abort(new MayflyError('network', `${this.url} stopped sending`)),
        call.timeoutMs ?? REQUEST_TIMEOUT_MS,
      )
    }
    onBytes()
    try {
      const { body } = await this.send(route, { ...call, signal, timeoutMs: Number.POSITIVE_INFINITY })
      const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          onBytes()
          controller.enqueue(chunk)
        },
      })
      return new Uint8Array(await this.#read(new Response(body?.pipeThrough(heard)), signal))
    } finally {
      clearTimeout(timer)
    }
  }

  async #read(response: Response, signal: AbortSignal | undefined): Promise<ArrayBuffer> {
    try {
      return await response.arrayBuffer()
    } catch (cause) {
      signal?.throwIfAborted()
      throw new MayflyError('network', `${this.url} did not finish its response: ${errorReason(cause)}`, { cause })
    }
  }

  /** The response of a successful request. Everything else throws `MayflyError`. */
  async send<const R extends Route>(route: R, call: Call<R>): Promise<Response> {
    const { token, body, signal, timeoutMs = REQUEST_TIMEOUT_MS } = call
    const headers = new Headers(call.headers)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    if (body !== undefined) headers.set('content-type', 'application/json')
    // On the way to another origin a key would be dropped, and a POST become a GET.
    const init: RequestInit = { method: route.method, headers, cache: 'no-store', redirect: 'manual' }
    if (body !== undefined) init.body = JSON.stringify(body)
    const signals = Number.isFinite(timeoutMs) ? [AbortSignal.timeout(Math.ceil(timeoutMs))] : []
    if (signal) signals.push(signal)
    init.signal = AbortSignal.any(signals)
    let response: Response
    try {
      response = await this.#fetch(this.#address(route.path, call.query, call.params), init)
    } catch (cause) {
      signal?.throwIfAborted()
      throw new MayflyError('network', `${this.url} did not answer: ${errorReason(cause)}`, { cause })
    }
    if (!response.ok) throw await readProblem(this.url, response)
    return response
  }

  #address(path: string, query: Call<Route>['query'], params: Readonly<Record<string, string | number>> = {}): string {
    const parameters = Object.entries(query ?? {}).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    )
    const search = new URLSearchParams(parameters).toString()
    return `${this.url}${pathTo(path, params)}${search && `?${search}`}`
  }
}

async function readProblem(url: string, response: Response): Promise<MayflyError> {
  try {
    const { code, title, detail, errors, retryAfterSeconds } = z.parse(anyProblemSchema, await response.json())
    const fields = errors?.map(({ path, message }) => `${path}: ${message}`).join('; ')
    const wait = retryAfterSeconds === undefined ? undefined : `Retry after ${retryAfterSeconds} s.`
    const message = [title, detail, fields, wait, `(${code}, ${response.status})`].filter(Boolean).join(' ')
    return new MayflyError(code as MayflyErrorCode, message, { status: response.status, errors, retryAfterSeconds })
  } catch (cause) {
    return unreadable(url, response, cause)
  }
}

/** This may be the page of a proxy in front of a server that restarts, which may have a `Retry-After` of its own. */
function unreadable(url: string, { status, headers }: Response, cause: unknown): MayflyError {
  const location = headers.get('location')
  const message = location
    ? `${url} redirects to ${location}: use the address that it redirects to`
    : `${url} answered ${status} with something that is not a reply of Mayfly. Is it the right address?`
  return new MayflyError('unreadable_reply', message, { status, retryAfterSeconds: readRetryAfter(headers), cause })
}

/** Whole seconds, or a date by the clock of who sent it (RFC 9110 10.2.3). */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const sentAt = Date.parse(headers.get('date') ?? '') || Date.now()
  const seconds = Math.ceil((Date.parse(value) - sentAt) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Without a slash or blanks at its ends. */
function parseUrl(text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(`url must be the http or https address of a Mayfly server, not ${JSON.stringify(text)}`)
  const { origin, pathname, search, hash, username, password } = url
  if (search || hash || username || password) throw new TypeError('url must have no user name, password, query or fragment')
  return origin + withoutLastSlashes(pathname)
}

/** `fetch` only says "fetch failed"; its cause says why. */
function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it took too long'
  const { cause } = error
  if (cause instanceof Error) return cause.message || ('code' in cause ? String(cause.code) : cause.name)
  return error.message
}

/** The time that a caller gave, and how much of it is left. */
export class Deadline {
  readonly signal: AbortSignal | undefined
  readonly #endsAt: number

  constructor(timeoutMs: number, signal: AbortSignal | undefined) {
    this.signal = signal
    this.#endsAt = performance.now() + timeoutMs
  }

  get leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now())
  }

  get attempt(): { readonly timeoutMs: number; readonly signal: AbortSignal | undefined } {
    return { timeoutMs: Math.min(ATTEMPT_MS.max, Math.max(ATTEMPT_MS.min, this.leftMs)), signal: this.signal }
  }

  /** Tries again what fails for the moment, while there is time, but no final refusal. `mayRetry`: what else may be repeated. */
  async retry<T>(attempt: () => Promise<T>, mayRetry: (error: MayflyError) => boolean = () => false): Promise<T> {
    for (let failures = 0; ; failures++) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof MayflyError && (error.isTransient || mayRetry(error))) || failures >= RETRIES_MAX) throw error
        const wantedMs = (error.retryAfterSeconds ?? 0) * 1000
        // The last attempt falls just before the end.
        const pauseMs = Math.max(wantedMs, Math.min(backoffMs(failures), this.leftMs - BACKOFF_MS.first / 2))
        if (pauseMs <= 0 || wantedMs >= this.leftMs) throw error
        await pause(pauseMs, this.signal)
      }
    }
  }
}

const PATIENCE_MS = 30_000

/** A call that may be repeated, e.g. to read or to delete, within the time of the caller. `limits` are options of one attempt. */
export function patiently<T>({ timeoutMs = PATIENCE_MS, signal }: Patience, call: (limits: Deadline['attempt']) => Promise<T>): Promise<T> {
  const deadline = new Deadline(timeoutMs, signal)
  return deadline.retry(() => call(deadline.attempt))
}

/** Doubles with each failure in a row, up to `max`. */
export function backoffMs(failures: number, { first, max }: { first: number; max: number } = BACKOFF_MS): number {
  return Math.min(max, first * 2 ** failures) * (0.5 + Math.random() / 2)
}

/** Rejects with the signal's reason when it aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>(resolve => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
  signal?.throwIfAborted()
}
