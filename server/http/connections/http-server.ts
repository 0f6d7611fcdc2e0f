/** The HTTP server socket, with protocol limits and a close that lets responses finish. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer, Server as SecureServer } from 'node:https'
import { Server as NetServer, type Socket } from 'node:net'
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server'
import { failures } from '#server/errors.ts'
import { tlsOptions } from '#server/platform/certificates/mail-certificate.ts'
import { INHERITED_BACKLOG } from '#server/platform/net/inherited-sockets.ts'
import { canonicalIp, IpRanges } from '#server/platform/net/ip-address.ts'
import { problemResponse } from '../responses/problem.ts'
import type { ConnectionLimit } from './connection-limit.ts'
import { ClosingResponse, CountedRequest, endWith, handleInOrder, hasBegunToRespond, readInTurn } from './http-connection.ts'
import { onResponseEnd } from './response-budget.ts'

type Fetch = Parameters<typeof getRequestListener>[0]

/** Request line and headers together. A cookie, a token and what browsers send are far below it. */
const HEADER_BYTES_MAX = 16 * 1024
/** A browser sends about twenty and a proxy a few more. A thousand of one letter each take five times as much memory as their bytes. */
const HEADERS_MAX = 100
/** A client that takes longer to send its headers or request is a slowloris attack. */
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 30_000
/** A silent connection is closed after this long. Event streams have heartbeats, and long polls end earlier (WAIT_SECONDS_MAX). */
const IDLE_TIMEOUT_MS = 60_000
/** Longer than the 60 s of common proxies, so that the proxy closes idle connections first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000
const HANDSHAKE_TIMEOUT_MS = 10_000
/** At a shutdown, a client that has just connected, or kept its connection, may send one request within this time. */
const REQUEST_FOLLOWS_MS = 500

/** PEM. */
type Certificate = { readonly cert: string; readonly key: string }

type ListenOptions = {
  readonly host: string
  readonly port: number
  /** Every response has these, also one that no handler sees, unless the response sets them itself. */
  readonly headers: ReadonlyMap<string, string>
  /** See `inheritedSockets`. */
  readonly inherited?: ReadonlyMap<number, number>
  /** By default they are not limited. */
  readonly connections?: ConnectionLimit
  readonly requestTimeoutMs?: number
  /** Aborts when the server is about to stop: from then on no connection is kept alive. */
  readonly stopping?: AbortSignal
  /** How long closing waits for responses under way. */
  readonly drainMs?: number
  /** A second port, encrypted; the first one then sends visitors there. */
  readonly https?:
    | { readonly host: string; readonly port: number; readonly certificate: Certificate; readonly plain: PlainPort }
    | undefined
}

const DRAIN_MS_DEFAULT = 5_000

/** Listens before the rest of the server is ready, so that a port in use is reported first. */
export async function listenHttp(options: ListenOptions) {
  let fetch: Fetch = () => starting()
  const limits = {
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS),
    requestTimeout: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: Math.min(5_000, options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS),
    insecureHTTPParser: false,
    // A request without `Host` is refused in http.ts, with a problem document.
    requireHostHeader: false,
    IncomingMessage: CountedRequest,
    ServerResponse: ClosingResponse,
  }
  const listener = getRequestListener((request, env) => options.connections?.refuse(env as HttpBindings) ?? fetch(request, env), {
    // It would reset the connection 500 ms after a response to a body that is still arriving, and a proxy that sends all of a body before
    // it reads would lose the response.
    autoCleanupIncoming: false,
    errorHandler: error => problemResponse(error instanceof RequestError ? 'invalid_request' : 'internal'),
  })
  const handle = closingConnections(options.stopping, listener)
  const { headers, https } = options
  const plainHeaders = https ? withoutHsts(headers) : headers
  const prepare = (own: ReadonlyMap<string, string>, next: RequestListener) => handleInOrder(withHeaders(own, withFewHeaders(next)))
  const plain = createServer(limits, prepare(plainHeaders, https ? plainPortListener(https.plain, handle) : handle))
  const tls = https && { ...limits, ...tlsOptions(https.certificate), handshakeTimeout: HANDSHAKE_TIMEOUT_MS }
  const secure = tls && createSecureServer(tls, prepare(headers, handle))
  const drainMs = options.drainMs ?? DRAIN_MS_DEFAULT
  await using opening = new AsyncDisposableStack()
  const ports: number[] = []
  const waiting: (() => void)[] = []
  for (const [server, { host, port }] of [[plain, options] as const, ...(secure ? [[secure, https] as const] : [])]) {
    const ownHeaders = server === plain ? plainHeaders : headers
    // One more than allowed, so that it is noticed: Node drops the rest.
    server.maxHeadersCount = HEADERS_MAX + 1
    // A client that sends no more still gets its response. Node's types lack it.
    Object.assign(server, { httpAllowHalfOpen: true })
    server.on('clientError', refuseMalformed(ownHeaders))
    // RFC 9110 section 10.1.1. Node's own reply lacks the headers.
    server.on('checkExpectation', handleInOrder(withHeaders(ownHeaders, (_, outgoing) => outgoing.writeHead(417).end())))
    options.connections?.limit(server)
    readInTurn(server, request => options.connections?.networksOf(request) ?? [])
    opening.use(protect(server, drainMs))
    const fd = options.inherited?.get(port)
    if (fd === undefined) ports.push(await listen(server, { host, port }))
    else {
      waiting.push(() => server.listen({ fd }, INHERITED_BACKLOG))
      ports.push(port)
    }
  }
  const [port = 0, httpsPort] = ports
  const opened = opening.move()
  return {
    port,
    /** Only if `https` was requested. */
    httpsPort,
    /** Until this is called, every request gets 503 with Retry-After; those to an inherited socket wait. */
    serve(next: Fetch): void {
      fetch = next
      for (const begin of waiting.splice(0)) begin()
    },
    /** For connections to the HTTPS port that ask for this name (RFC 6066 section 3). Throws when it cannot be used. */
    addCertificate: (name: string, certificate: Certificate) => secure?.addContext(name, tlsOptions(certificate)),
    /** For new connections to the HTTPS port. Throws when it cannot be used. */
    setCertificate: (certificate: Certificate) => secure?.setSecureContext(tlsOptions(certificate)),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function listen(server: Server, where: { readonly host: string; readonly port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, () => {
      server.off('error', reject)
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new TypeError('an HTTP server listens on a port'))
      else resolve(address.port)
    })
  })
}

/** Time-outs and limits; the result closes it, after responses under way. */
function protect(server: Server | SecureServer, drainMs: number): AsyncDisposable {
  server.setTimeout(IDLE_TIMEOUT_MS)
  const endWaiting = trackWaiting(server)
  return {
    async [Symbol.asyncDispose]() {
      if (!server.listening) return
      // Only no longer listens. HTTP's own `close` resets connections on which it waits for a request, from Node 26 on also those whose
      // first request is on its way, and those that have not yet read all of the last response.
      const closed = new Promise<void>(resolve => NetServer.prototype.close.call(server, () => resolve()))
      endWaiting()
      const drained = setTimeout(() => server.closeAllConnections(), drainMs)
      await closed
      clearTimeout(drained)
      // Ends Node's own check of time-outs.
      server.close()
    },
  }
}

/** RFC 6797 section 7.2: never on a connection that is not encrypted. One to a proxy may be, so only our own HTTPS port tells. */
function withoutHsts(headers: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...headers].filter(([name]) => name !== 'strict-transport-security'))
}

function withHeaders(headers: ReadonlyMap<string, string>, listener: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    for (const [name, value] of headers) outgoing.setHeader(name, value)
    return listener(incoming, outgoing)
  }
}

function withFewHeaders(listener: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    if (incoming.rawHeaders.length <= 2 * HEADERS_MAX) return listener(incoming, outgoing)
    const refusal = refusedRequest(431)
    outgoing.writeHead(431, { connection: 'close', ...refusal.headers }).end(refusal.body)
  }
}

/** A proxy that keeps connections would send its next request into a closing one, so each response says that it was the last. */
function closingConnections(stopping: AbortSignal | undefined, listener: RequestListener): RequestListener {
  const underWay = new Set<ServerResponse>()
  stopping?.addEventListener('abort', () => {
    for (const outgoing of underWay) if (!outgoing.headersSent) outgoing.setHeader('connection', 'close')
  })
  return (incoming, outgoing) => {
    if (stopping?.aborted) outgoing.setHeader('connection', 'close')
    underWay.add(outgoing)
    outgoing.once('close', () => underWay.delete(outgoing))
    return listener(incoming, outgoing)
  }
}

/**
 * Tracks which connections wait for a request. Once the result is called, those are closed when they have waited for REQUEST_FOLLOWS_MS,
 * and every other one as long after its response.
 */
function trackWaiting(server: Server | SecureServer): () => void {
  /** With the bytes read so far: where there are more, a request is on its way. */
  const waiting = new Map<Socket, number>()
  const underWay = new WeakMap<Socket, number>()
  let isEnding = false
  const endSoon = (socket: Socket) => {
    const end = () => {
      if (waiting.get(socket) === socket.bytesRead) socket.destroy()
    }
    const timer = setTimeout(end, REQUEST_FOLLOWS_MS)
    socket.once('close', () => clearTimeout(timer))
  }
  const wait = (socket: Socket) => {
    waiting.set(socket, socket.bytesRead)
    if (isEnding) endSoon(socket)
  }
  server.on(server instanceof SecureServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    wait(socket)
    socket.once('close', () => waiting.delete(socket))
  })
  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming
    waiting.delete(socket)
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1)
    onResponseEnd({ incoming, outgoing }, () => {
      const left = (underWay.get(socket) ?? 1) - 1
      underWay.set(socket, left)
      if (left === 0 && !socket.destroyed) wait(socket)
    })
  })
  return () => {
    isEnding = true
    for (const socket of waiting.keys()) endSoon(socket)
  }
}

const starting = (): Response => new Response(null, { status: 503, headers: { 'retry-after': '1' } })

/** Requests that the parser refuses never reach a handler, so their response is written here. */
function refuseMalformed(headers: ReadonlyMap<string, string>): (error: NodeJS.ErrnoException, socket: Socket) => void {
  const written = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    if (hasBegunToRespond(socket)) {
      endWith(socket, '')
      return
    }
    const status = STATUS_OF.get(error.code ?? '') ?? '400 Bad Request'
    const { headers: described, body } = refusedRequest(Number(status.slice(0, 3)))
    const own = Object.entries(described).map(([name, value]) => `${name}: ${value}\r\n`)
    endWith(socket, `HTTP/1.1 ${status}\r\n${written}connection: close\r\n${own.join('')}\r\n${body}`)
  }
}

const STATUS_OF = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
])

/** The response to a request that is no HTTP of this server. */
function refusedRequest(status: number) {
  const { title } = failures.invalid_request
  const body = JSON.stringify({ type: '/api/docs#invalid_request', title, status, code: 'invalid_request' })
  return { headers: { 'content-type': 'application/problem+json', 'content-length': Buffer.byteLength(body) }, body }
}

const CHALLENGE = '/.well-known/acme-challenge/'
/** Asked by programs on their way past the site's name: probes and Prometheus. */
const UNREDIRECTED = new Set(['/healthz', '/readyz', '/metrics'])
const LOOPBACK = new IpRanges(['127.0.0.0/8', '::1'])
const LOCAL_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/

type PlainPort = {
  /** Where visitors are sent: an https origin. */
  readonly publicUrl: string
  keyAuthorization(token: string): string | undefined
  /** Whether the HTTPS port shows a certificate that browsers trust. Until then the site is served here. */
  canRedirect(): boolean
}

/** The responses of the plain port where the server has its own HTTPS port: challenges of the certificate authority, and redirects. */
function plainPortListener({ publicUrl, keyAuthorization, canRedirect }: PlainPort, serve: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    const target = requestTarget(incoming)
    if (target.startsWith(CHALLENGE)) {
      const reply = keyAuthorization(target.slice(CHALLENGE.length))
      outgoing.writeHead(reply === undefined ? 404 : 200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(reply)
      return
    }
    if (!canRedirect() || UNREDIRECTED.has(target.replace(/\?.*$/, '')) || isFromThisMachine(incoming)) return serve(incoming, outgoing)
    // 308 keeps the method; the body, which nobody reads, ends with the connection.
    const isReading = incoming.method === 'GET' || incoming.method === 'HEAD'
    outgoing.writeHead(isReading ? 301 : 308, { location: publicUrl + target, 'content-length': 0, connection: 'close' }).end()
  }
}

/** Path and query, also of a request in absolute form (RFC 9112 section 3.2.2). */
function requestTarget({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  if (!URL.canParse(url)) return '/'
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** The doctor, a health check or `curl` on this machine, but neither a proxy nor a visitor who used the site's name. */
function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return !isForwarded && LOOPBACK.has(canonicalIp(socket.remoteAddress ?? '') ?? '') && LOCAL_HOST.test(headers.host ?? '')
}
