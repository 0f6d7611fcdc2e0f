/**
 * Requests of agents that use MCP over HTTP (Streamable HTTP). Each is served by a server of its own. Since revision 2026-07-28 a request
 * says all that is needed, and the name of an inbox is its token, encrypted. What an older client's session knows is in the database.
 * So any process can serve any request.
 */
import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import {
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { AgentSession, AgentSessions } from '#server/accounts/agent-sessions.ts'
import type { ApiCaller } from '#server/accounts/api-credentials.ts'
import { AppError } from '#server/errors.ts'
import { deriveSubkey, openText, sealText } from '#server/platform/cryptography.ts'
import { version } from '#server/platform/installation.ts'
import { enforceLimit, type Limit, type SharedLimits } from '#server/platform/limits/limiter.ts'
import { MayflyError } from '../../../client/errors.ts'
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
  readonly #socket: EventEmitter & { destroyed: boolean; remoteAddress: string; destroy: () => void }
  readonly #outgoing = Object.assign(new EventEmitter(), { setHeader: () => undefined })
  readonly bindings: HttpBindings

  constructor(remoteAddress: string, body: string) {
    this.#socket = Object.assign(new EventEmitter(), { destroyed: false, remoteAddress, destroy: () => this.end() })
    const incoming = Object.assign(Readable.from([Buffer.from(body)]), { headersDistinct: {}, socket: this.#socket })
    // Nothing in http/ uses the other properties.
    this.bindings = { incoming, outgoing: this.#outgoing } as unknown as HttpBindings
  }

  /** The response was read, or is no longer needed. */
  end(): void {
    this.#outgoing.emit('close')
  }
}

/** The inboxes of a session. `undefined`: before the session has begun, when there are none. */
function storedInboxes(session: AgentSession | undefined, mayfly: Mayfly): Inboxes {
  return {
    async add({ address, token, expiresAt }: Mailbox) {
      await session?.addInbox({ address, token, expiresAt })
      return address
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

/** Inboxes of requests without a session: only this key or token opens their names, and nothing is stored. */
function namedInboxes({ sealingKey }: ApiCaller, mayfly: Mayfly): Inboxes {
  const key = deriveSubkey(sealingKey, 'mayfly agent inbox v1')
  return {
    add: ({ token }) => Buffer.from(sealText(key, INBOX_NAME, token), 'base64').toString('base64url'),
    async find(name) {
      const token = name === undefined ? undefined : openText(key, INBOX_NAME, name)
      if (token === undefined) throw new MayflyError('mailbox_not_found', 'Pass the `inbox` that create_inbox returned to this API key.')
      return await mayfly.openMailbox(token)
    },
    remove: () => undefined,
  }
}

/** What a name is sealed for. */
const INBOX_NAME = 'inbox'

/** An agent uses a few inboxes at once; a waiting call takes a place until it ends. */
const CALLS_PER_SESSION_MAX = 20
/** Many agents may use one key. */
const CALLS_PER_KEY_MAX = 100
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

/** One request to `/mcp`, with a valid key or token. */
type McpRequest = {
  readonly request: Request
  /** The JSON of a POST. */
  readonly message: Readonly<Record<string, unknown>> | undefined
  readonly caller: ApiCaller
  readonly credential: string
  readonly clientIp: string
  /** Runs its argument when the response was sent or the client disconnected. */
  onResponseEnd(run: () => void): void
}

type Call = { readonly requestId: unknown; cancel(): void; close(): void }

export class McpRequests {
  readonly #deps: Deps
  /** The requests that this process is serving, by session, or by key where there is none. */
  readonly #calls = new Map<string, Set<Call>>()

  constructor(deps: Deps) {
    this.#deps = deps
    deps.closing.addEventListener('abort', () => {
      for (const calls of this.#calls.values()) for (const call of calls) call.close()
    })
  }

  /** @throws AppError `rate_limited` for too many new sessions or calls under way, `unavailable` when the server stops. */
  async respond(asked: McpRequest): Promise<Response> {
    if (this.#deps.closing.aborted) throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS })
    const { request, message, caller } = asked
    if (!(await isLegacyRequest(request, message))) return await this.#serveAlone(asked)
    const id = request.headers.get('mcp-session-id')
    if (id === null) return await this.#begin(asked)
    const session = await this.#deps.sessions.find(id, caller)
    // The session of another key or token gets the same response as an unknown one; either way the client starts a new one.
    if (!session) return refusal(404, -32001, 'Session not found')
    if (request.method === 'DELETE') {
      await session.end()
      for (const call of this.#calls.get(session.key) ?? []) call.close()
      return new Response(null)
    }
    return await this.#serve(asked, session)
  }

  /** A request of revision 2026-07-28 or later. */
  async #serveAlone(asked: McpRequest): Promise<Response> {
    const { request, message, caller, onResponseEnd } = asked
    const key = `${caller.owner} ${caller.apiKeyId ?? ''}`
    if (this.#callsOf(key).size >= CALLS_PER_KEY_MAX) throw new AppError('rate_limited', { retryAfterSeconds: RETRY_SECONDS })
    const mayfly = this.#clientFor(asked)
    const handler = createMcpHandler(() => createMcpServer(mayfly, version, namedInboxes(caller, mayfly)), {
      legacy: 'reject',
      responseMode: 'sse',
    })
    const close = () => void handler.close()
    const release = this.#add(key, { requestId: undefined, cancel: close, close })
    onResponseEnd(() => {
      close()
      release()
    })
    return await handler.fetch(request, { parsedBody: message })
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

  async #serve(asked: McpRequest, session: AgentSession | undefined): Promise<Response> {
    const { request, message, onResponseEnd } = asked
    const key = session?.key ?? ''
    const calls = this.#callsOf(key)
    if (session && calls.size >= CALLS_PER_SESSION_MAX) throw new AppError('rate_limited', { retryAfterSeconds: RETRY_SECONDS })
    if (message?.method === 'notifications/cancelled') cancelCall(calls, message.params)
    const mayfly = this.#clientFor(asked)
    const transport = new WebStandardStreamableHTTPServerTransport()
    const call = callOf(transport, message?.id)
    const release = this.#add(key, call)
    onResponseEnd(() => {
      // Streams cannot be resumed, so nobody could get the result of a call whose client disconnected.
      call.close()
      if (!session || this.#deps.closing.aborted) release()
      // If the database fails, the session only looks as idle as at the start of this call.
      else void session.use().then(release, release)
    })
    await createMcpServer(mayfly, version, storedInboxes(session, mayfly)).connect(transport)
    return await transport.handleRequest(request, message && { parsedBody: message })
  }

  #clientFor({ credential, clientIp }: McpRequest): Mayfly {
    const { fetchApi, publicUrl, isValid } = this.#deps
    const fetch = createInProcessFetch(
      fetchApi,
      () => clientIp,
      () => isValid(credential),
    )
    return new Mayfly({ url: publicUrl, apiKey: credential, fetch })
  }

  #callsOf(key: string): Set<Call> {
    return this.#calls.get(key) ?? new Set()
  }

  /** Returns what gives its place back. */
  #add(key: string, call: Call): () => void {
    const calls = this.#callsOf(key)
    this.#calls.set(key, calls.add(call))
    return () => {
      calls.delete(call)
      if (calls.size === 0) this.#calls.delete(key)
    }
  }
}

/** A client cancels a call by another request. Where another process serves the call, it goes on until its time-out. */
function cancelCall(calls: ReadonlySet<Call>, params: unknown): void {
  const requestId = typeof params === 'object' && params !== null && 'requestId' in params ? params.requestId : undefined
  for (const call of calls) if (call.requestId === requestId) call.cancel()
}

function callOf(transport: WebStandardStreamableHTTPServerTransport, requestId: unknown): Call {
  const cancel = () => {
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return
    transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
  }
  return {
    requestId,
    cancel,
    close() {
      cancel()
      void transport.close()
    },
  }
}

/** In the form that the protocol requires. After 404 a client starts a new session. */
function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
}
