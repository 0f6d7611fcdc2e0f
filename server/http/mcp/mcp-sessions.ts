/**
 * Sessions of agents that use MCP over HTTP (Streamable HTTP, protocol version 2025-06-18). A session has the tokens of the inboxes it
 * created, so it stays in the memory of this process and belongs to the key or token that started it.
 */
import { randomUUID } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Clock } from '#server/clock.ts'
import { AppError } from '#server/errors.ts'
import { version } from '#server/version.ts'
import { Mayfly } from '../../../client/mayfly.ts'
import { createMcpServer } from '../../../client/mcp/mcp-server.ts'
import { createInProcessFetch } from './in-process-fetch.ts'

/** A session takes about 20 kB, and as much again for a hundred inboxes. */
const SESSIONS_MAX = 500
/** Many clients never end a session: the one idle for longest ends first. */
const SESSIONS_PER_OWNER_MAX = 50
const INBOXES_PER_SESSION_MAX = 200
/** An agent uses a few inboxes at once; a waiting call takes a place until it ends. */
const CALLS_PER_SESSION_MAX = 20
const RETRY_SECONDS = 5
const IDLE_MS = 60 * 60 * 1000
const SWEEP_MS = 60_000

type Session = {
  readonly owner: string
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** The network whose limits apply: that of the last call. */
  clientIp: string
  usedAt: number
  calls: number
}

type Deps = {
  readonly publicUrl: string
  readonly clock: Clock
  /** Aborts when the server stops: sessions end with it. */
  readonly signal: AbortSignal
  readonly fetchApi: Parameters<typeof createInProcessFetch>[0]
}

/** One request to `/mcp`, with a valid key or token. */
type McpRequest = {
  readonly request: Request
  /** The JSON of a POST. */
  readonly message: Readonly<Record<string, unknown>> | undefined
  readonly owner: string
  readonly credential: string
  readonly clientIp: string
  /** Runs its argument when the response was sent or the client disconnected. */
  onResponseEnd(run: () => void): void
}

export class McpSessions {
  readonly #deps: Deps
  readonly #sessions = new Map<string, Session>()

  constructor(deps: Deps) {
    this.#deps = deps
    const sweeping = setInterval(() => this.#endIdle(), SWEEP_MS)
    sweeping.unref()
    deps.signal.addEventListener('abort', () => {
      clearInterval(sweeping)
      for (const session of this.#sessions.values()) void session.transport.close()
    })
  }

  /** @throws AppError `rate_limited` if the session has too many calls under way, `unavailable` when the server stops. */
  async respond(asked: McpRequest): Promise<Response> {
    if (this.#deps.signal.aborted) throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS })
    this.#endIdle()
    const id = asked.request.headers.get('mcp-session-id')
    const session = id === null ? await this.#begin(asked) : this.#sessions.get(id)
    // Another key's session gets the same response as an unknown one; either way the client starts a new one.
    if (!session || session.owner !== asked.owner) return sessionNotFound()
    if (session.calls >= CALLS_PER_SESSION_MAX) throw new AppError('rate_limited', { retryAfterSeconds: RETRY_SECONDS })
    session.usedAt = this.#deps.clock()
    session.clientIp = asked.clientIp
    return await this.#pass(session, asked)
  }

  /** Keeps the session if the message starts one correctly. */
  async #begin({ owner, credential, clientIp }: McpRequest): Promise<Session> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => this.#add(id, session),
    })
    const session: Session = { owner, transport, clientIp, usedAt: this.#deps.clock(), calls: 0 }
    const fetch = createInProcessFetch(this.#deps.fetchApi, () => session.clientIp)
    const mayfly = new Mayfly({ url: this.#deps.publicUrl, apiKey: credential, fetch })
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId)
    }
    await createMcpServer(mayfly, { version, inboxesMax: INBOXES_PER_SESSION_MAX }).connect(transport)
    return session
  }

  async #pass(session: Session, { request, message, onResponseEnd }: McpRequest): Promise<Response> {
    session.calls++
    onResponseEnd(() => {
      session.calls--
      session.usedAt = this.#deps.clock()
      cancelCall(session, message?.id)
    })
    return await session.transport.handleRequest(request, message && { parsedBody: message })
  }

  #add(id: string, session: Session): void {
    const ofOwner = [...this.#sessions.values()].filter(({ owner }) => owner === session.owner)
    if (ofOwner.length >= SESSIONS_PER_OWNER_MAX) endOldest(ofOwner)
    else if (this.#sessions.size >= SESSIONS_MAX) endOldest(this.#ofGreediest())
    this.#sessions.set(id, session)
  }

  #ofGreediest(): Session[] {
    const byOwner = Map.groupBy(this.#sessions.values(), ({ owner }) => owner)
    return [...byOwner.values()].reduce((most, sessions) => (sessions.length > most.length ? sessions : most), [])
  }

  #endIdle(): void {
    const idleSince = this.#deps.clock() - IDLE_MS
    for (const { transport, usedAt, calls } of this.#sessions.values()) if (calls === 0 && usedAt <= idleSince) void transport.close()
  }
}

function endOldest(sessions: readonly Session[]): void {
  const oldest = sessions.reduce<Session | undefined>((found, next) => (found && found.usedAt <= next.usedAt ? found : next), undefined)
  void oldest?.transport.close()
}

/**
 * Cancels the call of a client that disconnected: streams cannot be resumed, so nobody could get its result. Does nothing after the call.
 */
function cancelCall({ transport }: Session, requestId: unknown): void {
  if (typeof requestId !== 'string' && typeof requestId !== 'number') return
  transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
}

/** As the protocol requires; a client then starts a new session. */
function sessionNotFound(): Response {
  const error = { code: -32001, message: 'Session not found' }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 })
}
