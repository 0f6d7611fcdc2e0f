/**
 * Requests of agents that use MCP over HTTP (Streamable HTTP, protocol version 2025-06-18). Each is served by a server of its own, and what
 * a session knows is in the database, so any process can serve it.
 */

import { EventEmitter } from 'node:events'
import type { HttpBindings } from '@hono/node-server'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { isInitializeRequest, isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import type { AgentSession, AgentSessions } from '#server/accounts/agent-sessions.ts'
import type { ApiCaller } from '#server/accounts/api-credentials.ts'
import { AppError } from '#server/errors.ts'
import { version } from '#server/platform/installation.ts'
import { enforceLimit, type Limit, type SharedLimits } from '#server/platform/limits/limiter.ts'
import type { Mailbox } from '../../../client/mailbox.ts'
import { Mayfly } from '../../../client/mayfly.ts'
import { createMcpServer } from '../../../client/mcp/mcp-server.ts'
import { type Inboxes, throwUnknownInbox } from '../../../client/mcp/tools.ts'
import { problemResponse } from '../responses/problem.ts'

type ApiFetch = (request: Request, env: HttpBindings) => Response | Promise<Response>

/**
 * Calls the API within this process, for the tools of the MCP server: they use the same client as every other program, so that credentials,
 * limits and errors are those of the API. `clientIp`: the address whose network's limits apply. `holdsKey`: whether the key of the call
 * was not revoked meanwhile, since a call may wait for minutes, with the token of a mailbox that the key alone led to.
 */
function createInProcessFetch(fetchApi: ApiFetch, clientIp: () => string, holdsKey: () => Promise<boolean>): typeof fetch {
  return async (input, init = {}) => {
    init.signal?.throwIfAborted()
    const { body = null } = init
    if (body !== null && typeof body !== 'string') throw new TypeError('the client sends its bodies as text')
    const connection = new Connection(clientIp(), body ?? '')
    init.signal?.addEventListener('abort', () => connection.end(), { once: true })
    try {
      const { status, headers, ...response } = await readWhole(await fetchApi(new Request(input, init), connection.bindings))
      if (!(await holdsKey())) return problemResponse('api_token_invalid')
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

/** The inboxes of a session that any process can serve. `undefined`: before the session has begun, when there are none. */
function storedInboxes(session: AgentSession | undefined, mayfly: Mayfly): Inboxes {
  return {
    async add({ address, token, expiresAt }: Mailbox) {
      await session?.addInbox({ address, token, expiresAt })
    },
    async find(address) {
      const inbox = await session?.findInbox(address)
      return inbox ? await mayfly.openMailbox(inbox.token) : throwUnknownInbox(address)
    },
    async remove({ address }) {
      await session?.removeInbox(address)
    },
  }
}

/** An agent uses a few inboxes at once; a waiting call takes a place until it ends. */
const CALLS_PER_SESSION_MAX = 20
const RETRY_SECONDS = 5

type Deps = {
  readonly publicUrl: string
  readonly sessions: AgentSessions
  readonly sharedLimits: SharedLimits
  /** New sessions of one owner. */
  readonly sessionLimit: Limit
  /** Aborts when the server stops: calls end with it. */
  readonly closing: AbortSignal
  readonly fetchApi: Parameters<typeof createInProcessFetch>[0]
  /** Whether it is an API key or API token in force. */
  readonly isValid: (credential: string) => Promise<boolean>
}

type JsonRpcMessage = Readonly<Record<string, unknown>>

/** One request to `/mcp`, with a valid key or token. */
type McpRequest = {
  readonly request: Request
  /** The JSON of a POST. */
  readonly message: JsonRpcMessage | undefined
  readonly caller: ApiCaller
  readonly credential: string
  readonly clientIp: string
  /** Runs its argument when the response was sent or the client disconnected. */
  onResponseEnd(run: () => void): void
}

type Call = { readonly transport: WebStandardStreamableHTTPServerTransport; readonly requestId: unknown }

export class McpRequests {
  readonly #deps: Deps
  /** By session: those that this process is serving. */
  readonly #calls = new Map<string, Set<Call>>()

  constructor(deps: Deps) {
    this.#deps = deps
    deps.closing.addEventListener('abort', () => {
      for (const calls of this.#calls.values()) for (const { transport } of calls) void transport.close()
    })
  }

  /** @throws AppError `rate_limited` for too many new sessions or calls under way, `unavailable` when the server stops. */
  async respond(asked: McpRequest): Promise<Response> {
    if (this.#deps.closing.aborted) throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS })
    const id = asked.request.headers.get('mcp-session-id')
    if (id === null) return await this.#begin(asked)
    const session = await this.#deps.sessions.find(id, asked.caller)
    // The session of another key or token gets the same response as an unknown one; either way the client starts a new one.
    if (!session) return refusal(404, -32001, 'Session not found')
    if (asked.request.method === 'DELETE') {
      await session.end()
      for (const call of this.#calls.get(session.key) ?? []) close(call)
      return new Response(null)
    }
    return await this.#serve(asked, session)
  }

  /** The response to the first message names the session. */
  async #begin(asked: McpRequest): Promise<Response> {
    const { caller, message } = asked
    if (message?.method !== 'initialize') return refusal(400, -32000, 'Bad Request: Mcp-Session-Id header is required')
    if (!isJSONRPCRequest(message) || !isInitializeRequest(message)) return refusal(400, -32602, 'Invalid params of initialize')
    const { sessions, sharedLimits, sessionLimit } = this.#deps
    await enforceLimit(sharedLimits, sessionLimit, caller.owner)
    const response = await this.#serve(asked, undefined)
    if (response.ok) response.headers.set('mcp-session-id', await sessions.begin(caller, key => this.#calls.has(key)))
    return response
  }

  async #serve(
    { request, message, credential, clientIp, onResponseEnd }: McpRequest,
    session: AgentSession | undefined,
  ): Promise<Response> {
    const key = session?.key ?? ''
    const calls = this.#calls.get(key) ?? new Set()
    if (session && calls.size >= CALLS_PER_SESSION_MAX) throw new AppError('rate_limited', { retryAfterSeconds: RETRY_SECONDS })
    if (message?.method === 'notifications/cancelled') cancelCall(calls, message.params)
    const fetch = createInProcessFetch(
      this.#deps.fetchApi,
      () => clientIp,
      () => this.#deps.isValid(credential),
    )
    const mayfly = new Mayfly({ url: this.#deps.publicUrl, apiKey: credential, fetch })
    const transport = new WebStandardStreamableHTTPServerTransport({})
    const call = { transport, requestId: message?.id }
    this.#calls.set(key, calls.add(call))
    onResponseEnd(() => {
      // Streams cannot be resumed, so nobody could get the result of a call whose client disconnected.
      close(call)
      const release = () => {
        calls.delete(call)
        if (calls.size === 0) this.#calls.delete(key)
      }
      if (!session || this.#deps.closing.aborted) release()
      // If the database fails, the session only looks as idle as at the start of this call.
      else void session.use().then(release, release)
    })
    await createMcpServer(mayfly, version, storedInboxes(session, mayfly)).connect(transport)
    return await transport.handleRequest(request, message && { parsedBody: message })
  }
}

/** A client cancels a call by another request. Where another process serves the call, it goes on until its time-out. */
function cancelCall(calls: ReadonlySet<Call>, params: unknown): void {
  const requestId = typeof params === 'object' && params !== null && 'requestId' in params ? params.requestId : undefined
  for (const call of calls) if (call.requestId === requestId) cancel(call)
}

function close(call: Call): void {
  cancel(call)
  void call.transport.close()
}

/** Does nothing after the call. */
function cancel({ transport, requestId }: Call): void {
  if (typeof requestId !== 'string' && typeof requestId !== 'number') return
  transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
}

/** In the form that the protocol requires. After 404 a client starts a new session. */
function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
}
