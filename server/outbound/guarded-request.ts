/** One request to a server that others named: a POST on a new connection, without redirects, with limits on time and response size. */
import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { Turns } from '#server/platform/limits/fair-queue.ts'
import { EncryptedStream } from '#server/platform/net/encrypted-stream.ts'
import { IpRanges, isPublicIp } from '#server/platform/net/ip-address.ts'
import { isWithoutProxy, type OutgoingProxy } from '#server/platform/net/outgoing-proxy.ts'

/** The Standard Webhooks specification recommends 15 to 30 s; a receiver that needs longer should respond first and work later. */
const TIMEOUT_MS = 15_000
/** The response is not used; this much is read so that the receiver can finish writing it. */
const RESPONSE_BYTES_MAX = 64 * 1024
/** All bytes of a response: with its status lines, headers, trailers and the framing of its chunks. */
const READ_BYTES_MAX = 2 * RESPONSE_BYTES_MAX
/** Responses before the one that counts (RFC 9110 section 15.2). */
const INFORMATIONAL_MAX = 8
/** Parsed before others have their turn: Node calls JavaScript for each chunk and each informational response, in about a millisecond. */
const PIECE_BYTES = 2 * 1024

type Attempt = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string | Uint8Array }
/** `reason` is for the operator: a status, or why there was none. It contains nothing that the receiver wrote. */
export type Attempted = { readonly isDelivered: boolean; readonly status: number | undefined; readonly reason: string }

/** `host`: what the proxy connects to. `name`: whose certificate it must be. `ca`: trusted instead of the system's. */
type Destination = Named & { readonly host: string; readonly port: number }
type Named = { readonly name: string; readonly ca?: string | undefined }
const HTTPS_PORT = 443

type Limits = {
  readonly timeoutMs?: number
  /** Cuts the attempt off; whether the receiver got it is then unknown. */
  readonly signal?: AbortSignal
}

export async function postOnce(attempt: Attempt, targets: RequestTargets, limits: Limits = {}): Promise<Attempted> {
  const { timeoutMs = TIMEOUT_MS, signal } = limits
  const url = new URL(attempt.url)
  url.hostname = withoutRoot(url.hostname)
  const refusal = targets.refuse(url)
  if (refusal !== undefined) return { isDelivered: false, status: undefined, reason: refusal }
  try {
    const timeout = AbortSignal.timeout(timeoutMs)
    const response = await post(url, attempt, targets, signal ? AbortSignal.any([signal, timeout]) : timeout)
    const status = response.statusCode ?? 0
    await drain(response)
    return { isDelivered: status >= 200 && status < 300, status, reason: `status_${status}` }
  } catch (error) {
    return { isDelivered: false, status: undefined, reason: reasonFor(error) }
  }
}

async function post(url: URL, { headers, body }: Attempt, targets: RequestTargets, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  const way = await targets.wayTo(url, signal)
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', ...way, signal, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
      resolve,
    )
    sent.on('error', reject)
    // Node tells no error of a response that switches to another protocol.
    sent.on('close', () => reject(new Error('the connection closed without a response')))
    limitReading(sent)
    sent.end(body)
  })
}

const readings = new Turns()
/** They tell that a connection is over, and come behind what was written before. */
const ENDINGS: ReadonlySet<string | symbol> = new Set(['end', 'error', 'close'])

/** Hands what the receiver writes to Node's parser in turn with other receivers, and cuts off one that writes without end. */
function limitReading(sent: ClientRequest): void {
  let informational = 0
  sent.on('information', () => {
    if (++informational > INFORMATIONAL_MAX) sent.destroy()
  })
  sent.once('socket', socket => {
    const emit = socket.emit.bind(socket)
    const events: (readonly [name: string | symbol, ...values: unknown[]])[] = []
    let bytes = 0
    const emitNext = () =>
      readings.push([sent.host], () => {
        // The rest of an attempt that was cut off is not parsed.
        while (sent.destroyed && events[0]?.[0] === 'data') events.shift()
        const [event] = events
        if (!event) return
        emit(...event)
        events.shift()
        if (events.length > 0) emitNext()
      })
    const enqueue = (name: string | symbol, ...values: unknown[]) => {
      if (events.push([name, ...values]) === 1) emitNext()
    }
    // Node's own listener of errors may be gone when one has its turn.
    socket.on('error', () => undefined)
    socket.emit = (name: string | symbol, ...values: unknown[]) => {
      const [chunk] = values
      if (name === 'data' && Buffer.isBuffer(chunk)) {
        bytes += chunk.length
        if (bytes - chunk.length > READ_BYTES_MAX) socket.destroy()
        else for (let at = 0; at < chunk.length; at += PIECE_BYTES) enqueue(name, chunk.subarray(at, at + PIECE_BYTES))
      } else if (ENDINGS.has(name) && events.length > 0) enqueue(name, ...values)
      else return emit(name, ...values)
      return true
    }
  })
}

/** TLS to `name` over a connection. What it sends is decrypted in turn with what other receivers send. */
function secure(socket: Socket, { name, ca }: Named): TLSSocket {
  const encrypted = new EncryptedStream(socket, begin => readings.push([name], begin))
  const identity = { host: name, ...(ca && { ca }), ...(isIP(name) === 0 && { servername: name }) }
  const secured = connectTls({ socket: encrypted, ALPNProtocols: ['http/1.1'], ...identity })
  encrypted.secured = secured
  return secured
}

/** TLS to `name` through the proxy (RFC 9110 section 9.3.6). Not by an agent of Node, whose tunnels no signal can cut off. */
export async function openTunnel(proxy: OutgoingProxy, destination: Destination, signal: AbortSignal): Promise<TLSSocket> {
  const { host, port } = destination
  const url = new URL(proxy.url)
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const login = Buffer.from(decodeURIComponent(`${url.username}:${url.password}`)).toString('base64')
  const headers = { host: authority, ...(url.username !== '' && { 'proxy-authorization': `Basic ${login}` }) }
  const asked = request(url, { method: 'CONNECT', path: authority, agent: false, auth: null, headers, signal }).end()
  const [response, socket] = (await once(asked, 'connect', { signal })) as [IncomingMessage, Socket]
  if (response.statusCode === 200) return secure(socket, destination)
  socket.destroy()
  throw new RefusedByProxy()
}

/** A name server may take longer than the attempt. */
async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function drain(response: IncomingMessage): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += Buffer.isBuffer(chunk) ? chunk.length : 0
      if (bytes > RESPONSE_BYTES_MAX) break
    }
  } catch {
    // Only the status matters.
  } finally {
    response.destroy()
  }
}

/**
 * The reason as whoever named the server is told it. One kind for whatever kept the request from a server: otherwise they could
 * ask this machine which names, addresses and ports its network has.
 */
export function shownReason({ status, reason }: Attempted): string {
  if (status !== undefined) return `status_${status}`
  if (reason === 'timeout' || reason === 'etimedout') return 'timeout'
  if (reason === 'sealed_under_another_secret') return reason
  return /cert|verify/.test(reason) ? 'certificate_refused' : 'unreachable'
}

function reasonFor(error: unknown): string {
  if (error instanceof RefusedAddress) return 'private_address'
  if (error instanceof RefusedByProxy) return 'proxy_refused'
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) return 'timeout'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(E[A-Z]+|[A-Z_]*(CERT|VERIFY)[A-Z_]*)$/.test(code) ? code.toLowerCase() : 'connection_failed'
}

/** For one query; a name server that does not reply is asked once more. */
const QUERY_MS_MAX = 3000
const QUERIES_MAX = 2
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/**
 * By queries of our own instead of the system's `getaddrinfo`: that has four threads for the whole process, and names whose servers do not
 * answer would keep them from everyone else's requests. /etc/hosts comes first, as it does there.
 */
async function resolveAddresses(hostname: string): Promise<LookupAddress[]> {
  const listed = await addressesInHosts(hostname)
  if (listed.length > 0) return listed
  const resolver = new Resolver({ timeout: QUERY_MS_MAX, tries: QUERIES_MAX })
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value.map(address => ({ address, family: 4 })) : []),
    ...(ipv6.status === 'fulfilled' ? ipv6.value.map(address => ({ address, family: 6 })) : []),
  ]
  if (found.length > 0) return found
  const error: unknown = ipv4.status === 'rejected' ? ipv4.reason : undefined
  const isUnanswered = error instanceof Error && 'code' in error && !NO_SUCH_NAME.has(String(error.code))
  throw isUnanswered ? error : Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
}

async function addressesInHosts(hostname: string): Promise<LookupAddress[]> {
  const lines = (await readFile('/etc/hosts', 'utf8').catch(() => '')).split('\n')
  return lines.flatMap(line => {
    const [address = '', ...names] = line.replace(/#.*$/, '').trim().toLowerCase().split(/\s+/)
    return isIP(address) !== 0 && names.includes(hostname.toLowerCase()) ? [{ address, family: isIP(address) }] : []
  })
}

const URL_CHARS_MAX = 2000

/** Thrown before a connection to a forbidden address. */
class RefusedAddress extends Error {
  constructor() {
    super('the name leads to an address that requests may not be sent to')
    this.name = 'RefusedAddress'
  }
}

class RefusedByProxy extends Error {
  constructor() {
    super('the proxy refused to connect')
    this.name = 'RefusedByProxy'
  }
}

/** Where requests to a named server may go: the open internet and networks the operator allows, by the address connected to. */
export class RequestTargets {
  readonly #own: IpRanges
  readonly #hasOwn: boolean
  readonly #isOperators: boolean
  readonly #proxy: OutgoingProxy | undefined

  /**
   * @param own addresses and ranges of the operator's that may be reached though they are private.
   * @param options `isOperators`: only the operator names servers here, and in any way that the system knows.
   */
  constructor(own: readonly string[], { isOperators = false, proxy }: { isOperators?: boolean; proxy?: OutgoingProxy | undefined } = {}) {
    this.#proxy = proxy
    this.#own = new IpRanges(own)
    this.#hasOwn = own.length > 0
    this.#isOperators = isOperators
  }

  /** Checks the URL alone; its name is looked up at each connection. `undefined` if it is allowed. */
  refuse(url: URL): 'not_https' | 'private_address' | 'has_credentials' | 'too_long' | undefined {
    if (url.href.length > URL_CHARS_MAX) return 'too_long'
    if (url.username !== '' || url.password !== '') return 'has_credentials'
    // Requests to the internet must be encrypted; the operator's own networks may have no certificates.
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.#hasOwn)) return 'not_https'
    const host = hostOf(url)
    return isIP(host) !== 0 && !this.#mayConnect(url, host) ? 'private_address' : undefined
  }

  /**
   * How `node:http` connects. A proxy is given the address that was checked here, not the name: it could look up another one, in its own
   * network. It gets names from the operator alone, and nothing for the operator's own networks, which are near this machine.
   */
  async wayTo(url: URL, signal: AbortSignal): Promise<RequestOptions> {
    const lookup = this.#lookupFor(url)
    if (url.protocol !== 'https:') return { agent: false, lookup }
    const name = hostOf(url)
    const port = Number(url.port) || HTTPS_PORT
    const directly = {
      createConnection: () => secure(connect({ host: name, port, lookup, noDelay: true }), { name }),
      defaultPort: HTTPS_PORT,
    }
    const proxy = this.#proxy
    if (!proxy || isWithoutProxy(proxy, url)) return directly
    const isNamed = isIP(name) === 0 && !this.#isOperators
    const addresses = isNamed ? await untilAborted(this.#addresses(url, name), signal) : [{ address: name }]
    const [{ address: host } = { address: name }] = addresses
    if (!this.#isOperators && addresses.some(({ address }) => this.#own.has(address))) return directly
    const tunnel = await openTunnel(proxy, { host, port, name }, signal)
    return { createConnection: () => tunnel, defaultPort: HTTPS_PORT }
  }

  /** Looks up the name for `node:http` and fails if any of its addresses is forbidden: check and connection use the same result. */
  #lookupFor(url: URL): LookupFunction {
    return (hostname, options, found) => {
      this.#addresses(url, withoutRoot(hostname)).then(
        addresses => {
          if (options.all) return found(null, addresses)
          found(null, addresses[0]?.address ?? '', addresses[0]?.family)
        },
        (error: Error) => found(error, '', 4),
      )
    }
  }

  async #addresses(url: URL, hostname: string): Promise<LookupAddress[]> {
    // Names without a dot, as container engines give them, are the operator's own: nobody else can say what they lead to, or when.
    const isOwnName = this.#isOperators || (this.#hasOwn && !hostname.includes('.'))
    const addresses = isOwnName ? await lookup(hostname, { all: true }) : await resolveAddresses(hostname)
    const isAllowed = addresses.length > 0 && addresses.every(({ address }) => this.#mayConnect(url, address))
    if (!isAllowed) throw new RefusedAddress()
    return addresses
  }

  #mayConnect({ protocol }: URL, ip: string): boolean {
    return this.#own.has(ip) || (protocol === 'https:' && isPublicIp(ip))
  }
}

const hostOf = ({ hostname }: URL): string => withoutRoot(hostname.replace(/^\[|\]$/g, ''))

/** The dot at the end of an absolute name changes nothing about where it leads. TLS and /etc/hosts know none (RFC 6066 section 3). */
const withoutRoot = (hostname: string): string => hostname.replace(/\.$/, '')
