/**
 * Calls the API within this process, for the tools of the MCP server: they use the same client as every other program, so that credentials,
 * limits and errors are those of the API.
 */
import { EventEmitter } from 'node:events'
import type { HttpBindings } from '@hono/node-server'

type ApiFetch = (request: Request, env: HttpBindings) => Response | Promise<Response>

/** `clientIp`: the address whose network's limits apply. */
export function createInProcessFetch(fetchApi: ApiFetch, clientIp: () => string): typeof fetch {
  return async (input, init = {}) => {
    init.signal?.throwIfAborted()
    const { body = null } = init
    if (body !== null && typeof body !== 'string') throw new TypeError('the client sends its bodies as text')
    const connection = new Connection(clientIp(), body ?? '')
    init.signal?.addEventListener('abort', () => connection.end(), { once: true })
    try {
      const { status, headers, ...response } = await readWhole(await fetchApi(new Request(input, init), connection.bindings))
      return new Response(response.bytes, { status, headers })
    } finally {
      connection.end()
    }
  }
}

/** The response is read at once, so its memory is given back before the tool continues. */
async function readWhole(response: Response) {
  const bytes = response.body === null ? null : await response.arrayBuffer()
  return { status: response.status, headers: response.headers, bytes }
}

/** The parts of a Node connection that the API uses. */
class Connection {
  readonly #socket: EventEmitter & { destroyed: boolean; remoteAddress: string }
  readonly #outgoing = Object.assign(new EventEmitter(), { setHeader: () => undefined })
  readonly bindings: HttpBindings

  constructor(remoteAddress: string, body: string) {
    this.#socket = Object.assign(new EventEmitter(), { destroyed: false, remoteAddress })
    const incoming = {
      headersDistinct: {},
      socket: this.#socket,
      async *[Symbol.asyncIterator]() {
        yield Buffer.from(body)
      },
    }
    // Nothing in http/ uses the other properties.
    this.bindings = { incoming, outgoing: this.#outgoing } as unknown as HttpBindings
  }

  /** The response was read, or is no longer needed. */
  end(): void {
    this.#outgoing.emit('close')
  }
}
