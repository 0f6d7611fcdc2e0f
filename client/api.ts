/** Calls a server by a route of the contract, and parses the response with the route's schema. */
import * as z from 'zod/mini'
import type { Route } from '../contract/api/route.ts'
import { problemSchema } from '../contract/problem-document.ts'
import { type PathParameters, pathTo } from '../contract/routes.ts'
import { MayflyError, type MayflyErrorCode } from './errors.ts'
import type { MayflyOptions } from './options.ts'

/** Longer than the slowest successful response. Long polls and streams have their own time-outs. */
const REQUEST_TIMEOUT_MS = 30_000

/** A newer server may return a code that this client does not know. */
const anyProblemSchema = z.extend(problemSchema, { code: z.string() })

/** JSON of the route's response schema; `undefined` with status 204. */
export type Reply<R extends Route> = R extends { response: infer Schema extends z.ZodMiniType } ? z.output<Schema> : undefined

export type Call<R extends Route> = {
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
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new TypeError(`url must be the http or https address of a Mayfly server, not ${JSON.stringify(url)}`)
    }
    this.url = url.replace(/\/+$/, '')
    // Browsers refuse `fetch` called as a method of another object.
    this.#fetch = (input, init) => fetch(input, init)
  }

  async call<const R extends Route>(route: R, call: Call<R>): Promise<Reply<R>> {
    const response = await this.send(route, call)
    // The route has the schema, which the compiler cannot see here.
    if (response.status === 204 || typeof route.response !== 'object') return undefined as Reply<R>
    try {
      return z.parse(route.response, await response.json()) as Reply<R>
    } catch (cause) {
      call.signal?.throwIfAborted()
      throw unreadable(this.url, response, cause)
    }
  }

  async bytes<const R extends Route>(route: R, call: Call<R>): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.send(route, { timeoutMs: Number.POSITIVE_INFINITY, ...call })
    return new Uint8Array(await response.arrayBuffer())
  }

  /** The response of a successful request. Everything else throws `MayflyError`. */
  async send<const R extends Route>(route: R, call: Call<R>): Promise<Response> {
    const { token, body, signal, timeoutMs = REQUEST_TIMEOUT_MS } = call
    const headers = new Headers(call.headers)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    if (body !== undefined) headers.set('content-type', 'application/json')
    const init: RequestInit = { method: route.method, headers, cache: 'no-store' }
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

function unreadable(url: string, { status }: Response, cause: unknown): MayflyError {
  return new MayflyError(
    'unreadable_reply',
    `${url} answered ${status} with something that is not a reply of Mayfly. Is it the right address?`,
    {
      status,
      cause,
    },
  )
}

/** `fetch` only says "fetch failed"; its cause says why. */
function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it took too long'
  const { cause } = error
  if (cause instanceof Error) return cause.message || ('code' in cause ? String(cause.code) : cause.name)
  return error.message
}
