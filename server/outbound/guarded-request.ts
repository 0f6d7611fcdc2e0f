/** One request to a server that others named: a POST on a new connection, without redirects, with limits on time and response size. */

import { lookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { IpRanges } from '#server/platform/net/ip-address.ts'

/** The Standard Webhooks specification recommends 15 to 30 s; a receiver that needs longer should respond first and work later. */
const TIMEOUT_MS = 15_000
/** The response is not used; this much is read so that the receiver can finish writing it. */
const RESPONSE_BYTES_MAX = 64 * 1024

type Attempt = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string | Uint8Array }
/** `reason` is shown to whoever named the server: a status, or why there was none. It contains nothing that the receiver wrote. */
export type Attempted = { readonly isDelivered: boolean; readonly status: number | undefined; readonly reason: string }

type Limits = {
  readonly timeoutMs?: number
  /** Cuts the attempt off; whether the receiver got it is then unknown. */
  readonly signal?: AbortSignal
}

export async function postOnce(attempt: Attempt, targets: RequestTargets, limits: Limits = {}): Promise<Attempted> {
  const { timeoutMs = TIMEOUT_MS, signal } = limits
  const url = new URL(attempt.url)
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

function post(url: URL, { headers, body }: Attempt, targets: RequestTargets, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent: false,
        lookup: targets.lookupFor(url),
        signal,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      },
      resolve,
    )
    sent.on('error', reject)
    sent.end(body)
  })
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

function reasonFor(error: unknown): string {
  if (error instanceof RefusedAddress) return 'private_address'
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) return 'timeout'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(E[A-Z]+|CERT_[A-Z_]+|[A-Z_]*CERT[A-Z_]*)$/.test(code) ? code.toLowerCase() : 'connection_failed'
}

/** Azure's metadata service for its machines is at this public address. */
const METADATA = '168.63.129.16'
/** RFC 4291 section 2.4, as IANA assigns it today. */
const GLOBAL_UNICAST = new IpRanges(['2000::/3'])

type TargetRefusal = 'not_https' | 'private_address' | 'has_credentials' | 'too_long'
const URL_CHARS_MAX = 2000

/** Thrown before a connection to a forbidden address. */
class RefusedAddress extends Error {
  constructor() {
    super('the name leads to an address that requests may not be sent to')
    this.name = 'RefusedAddress'
  }
}

/**
 * Where requests to a server that others named may go: the open internet, and networks that the operator allows. Checked on the address
 * that a connection is made to.
 */
export class RequestTargets {
  readonly #own: IpRanges
  readonly #hasOwn: boolean

  /** @param own addresses and ranges of the operator's that may be reached though they are private. */
  constructor(own: readonly string[]) {
    this.#own = new IpRanges(own)
    this.#hasOwn = own.length > 0
  }

  /** Checks the URL alone; its name is looked up at each connection. `undefined` if it is allowed. */
  refuse(url: URL): TargetRefusal | undefined {
    if (url.href.length > URL_CHARS_MAX) return 'too_long'
    if (url.username !== '' || url.password !== '') return 'has_credentials'
    // Requests to the internet must be encrypted; the operator's own networks may have no certificates.
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.#hasOwn)) return 'not_https'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    return isIP(host) !== 0 && !this.#mayConnect(url, host) ? 'private_address' : undefined
  }

  /** Looks up the name for `node:http` and fails if any of its addresses is forbidden: check and connection use the same result. */
  lookupFor(url: URL): LookupFunction {
    return (hostname, options, found) => {
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return found(error, '', 4)
        const isAllowed = addresses.length > 0 && addresses.every(({ address }) => this.#mayConnect(url, address))
        if (!isAllowed) return found(new RefusedAddress(), '', 4)
        if (options.all) return found(null, addresses)
        found(null, addresses[0]?.address ?? '', addresses[0]?.family)
      })
    }
  }

  /** Whether the operator named this address. */
  isOwn(ip: string): boolean {
    return this.#own.has(ip)
  }

  #mayConnect({ protocol }: URL, ip: string): boolean {
    return this.#own.has(ip) || (protocol === 'https:' && isPublic(ip))
  }
}

/**
 * Public unicast addresses only: no private, loopback, link-local, shared, multicast or reserved range, even with an IPv4 address inside
 * IPv6.
 */
function isPublic(ip: string): boolean {
  const bare = ip.replace(/%.*$/, '')
  if (isIP(bare) === 0) return false
  const address = ipaddr.process(bare)
  // Other blocks hold IPv4-compatible addresses (::127.0.0.1) and translation prefixes. IANA assigns from 2000::/3 alone.
  if (address.kind() === 'ipv6' && !GLOBAL_UNICAST.has(bare)) return false
  return address.range() === 'unicast' && address.toString() !== METADATA
}
