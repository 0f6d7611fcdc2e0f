/** Writes server-sent events to a socket (WHATWG HTML section 9.2), with limits for readers that do not read. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { HEARTBEAT_MS } from '#contract/event-stream.ts'
import { onResponseEnd } from '../connections/response-budget.ts'

/** A reader this far behind is disconnected. It reconnects with `Last-Event-ID` and misses nothing. */
const DRAIN_MS = 20_000

/** What a handler returns that has begun to write its response itself. */
export const ALREADY_SENT = RESPONSE_ALREADY_SENT
// Hono's listener would send it a second time from its cache, where a response is until something of it was read.
void ALREADY_SENT.body

/** `retryMs`: when the reader should reconnect after the stream has ended. */
type ServerEvent = { readonly event: string; readonly id?: string; readonly retryMs?: number; readonly data: string }

export class EventStream {
  readonly #response: ServerResponse
  readonly #heartbeat: NodeJS.Timeout
  readonly #closed = new AbortController()
  /** One for all senders, of whom a stream has one for each mailbox. */
  #drained: Promise<unknown> | undefined

  /** Writes the head and a first comment, so that the reader knows that it is connected. */
  constructor(connection: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }, heartbeatMs = HEARTBEAT_MS) {
    const { outgoing: response } = connection
    this.#response = response
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    response.write(':\n\n')
    this.#heartbeat = setInterval(() => {
      if (!response.writableNeedDrain) response.write(':\n\n')
    }, heartbeatMs)
    this.#heartbeat.unref()
    onResponseEnd(connection, () => this.#stop())
  }

  /** Aborts when the reader disconnected or the stream was ended. */
  get closed(): AbortSignal {
    return this.#closed.signal
  }

  /** Resolves when there is room for the next event: at most one waits in memory beyond the socket's 64 kB. */
  async send(event: ServerEvent): Promise<void> {
    if (this.closed.aborted || this.#response.write(toText(event))) return
    const signal = AbortSignal.any([this.closed, AbortSignal.timeout(DRAIN_MS)])
    this.#drained ??= once(this.#response, 'drain', { signal })
      .catch(() => this.#response.destroy())
      .finally(() => {
        this.#drained = undefined
      })
    await this.#drained
  }

  /** For events that a reader can do without: skipped while it is behind, since strangers can cause any number of them. */
  offer(event: ServerEvent): void {
    if (!this.closed.aborted && !this.#response.writableNeedDrain) this.#response.write(toText(event))
  }

  end(): void {
    this.#stop()
    this.#response.end()
  }

  #stop(): void {
    clearInterval(this.#heartbeat)
    this.#closed.abort()
  }
}

function toText({ event, id, retryMs, data }: ServerEvent): string {
  const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`
  return `${retry}${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`
}
