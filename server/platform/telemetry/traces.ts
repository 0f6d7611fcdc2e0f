/**
 * Traces for OpenTelemetry: one span for each HTTP request and each message, sent as OTLP over HTTP in JSON. A request that names its
 * caller's span is its child. Route patterns, methods, status codes and outcomes only: nothing of an address, a token or a mail.
 */
import { randomBytes } from 'node:crypto'
import { withoutLastSlashes } from '#contract/path-to.ts'
import type { Clock } from '#server/platform/clock.ts'
import { version } from '#server/platform/installation.ts'
import type { Log } from '#server/platform/log.ts'

const SEND_EVERY_MS = 5000
/** More than these are dropped: a collector that is away must not cost memory. About 1 MB. */
const WAITING_MAX = 2000
const TIMEOUT_MS = 5000
/** OpenTelemetry's numbers for "the side that serves" and "failed". */
const KIND_SERVER = 2
const STATUS_ERROR = 2
const SERVER_FAULT = 500

export type EndedRequest = {
  readonly route: string
  readonly method: string
  readonly status: number
  readonly seconds: number
  /** The header of W3C Trace Context, unchecked. */
  readonly traceparent?: string | undefined
}

type Attributes = Readonly<Record<string, string | number>>
type Span = {
  readonly name: string
  readonly seconds: number
  readonly attributes: Attributes
  readonly hasFailed: boolean
  readonly parent?: Parent | undefined
}
type Parent = { readonly traceId: string; readonly spanId: string; readonly isSampled: boolean }
type TracesDeps = { readonly endpoint: string; readonly clock: Clock; readonly log: Log }

export class Traces implements AsyncDisposable {
  readonly #deps: TracesDeps
  readonly #timer: NodeJS.Timeout
  #waiting: object[] = []
  #hasFailed = false

  constructor(deps: TracesDeps) {
    this.#deps = deps
    this.#timer = setInterval(() => void this.#send(), SEND_EVERY_MS).unref()
  }

  requestEnded({ route, method, status, seconds, traceparent }: EndedRequest): void {
    const parent = parseTraceparent(traceparent)
    if (parent?.isSampled === false) return
    const attributes = { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status }
    this.#ended({ name: `${method} ${route}`, seconds, attributes, hasFailed: status >= SERVER_FAULT, parent })
  }

  messageAnswered(outcome: string, seconds: number): void {
    const hasFailed = outcome === 'unavailable' || outcome === 'internal'
    this.#ended({ name: 'smtp message', seconds, attributes: { 'mayfly.mail.outcome': outcome }, hasFailed })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#send()
  }

  #ended({ name, seconds, attributes, hasFailed, parent }: Span): void {
    if (this.#waiting.length >= WAITING_MAX) return
    const end = BigInt(Math.round(this.#deps.clock() * 1000)) * 1000n
    this.#waiting.push({
      traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      ...(parent && { parentSpanId: parent.spanId }),
      name,
      kind: KIND_SERVER,
      startTimeUnixNano: String(end - BigInt(Math.round(seconds * 1e9))),
      endTimeUnixNano: String(end),
      attributes: toAttributes(attributes),
      ...(hasFailed && { status: { code: STATUS_ERROR } }),
    })
  }

  async #send(): Promise<void> {
    const spans = this.#waiting
    if (spans.length === 0) return
    this.#waiting = []
    const { endpoint, log } = this.#deps
    const resource = { attributes: toAttributes({ 'service.name': 'mayfly', 'service.version': version }) }
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'mayfly', version }, spans }] }] })
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const response = await fetch(`${withoutLastSlashes(endpoint)}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal,
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`it answers ${response.status}`)
      this.#hasFailed = false
    } catch (err) {
      if (!this.#hasFailed)
        log.warn({ err }, 'The collector of OTEL_EXPORTER_OTLP_ENDPOINT does not take traces; they are dropped until it does')
      this.#hasFailed = true
    }
  }
}

/** The caller's span (W3C Trace Context, section 3.2.2). `undefined` for anything that is not exactly one. */
function parseTraceparent(header: string | undefined): Parent | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header ?? '') ?? []
  const isOfVersion = version === '00' ? more === '' : version !== 'ff'
  if (version === undefined || !isOfVersion || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

function toAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: value } : { stringValue: value },
  }))
}
