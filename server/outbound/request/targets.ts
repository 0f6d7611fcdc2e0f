/**
 * Where requests to a server that others named may go: the open internet, and networks that the operator allows. Checked on the address
 * that a connection is made to.
 */
import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { IpRanges } from '#server/platform/net/ip-address.ts'

/** Azure's metadata service for its machines is at this public address. */
const METADATA = '168.63.129.16'

type TargetRefusal = 'not_https' | 'private_address' | 'has_credentials' | 'too_long'
const URL_CHARS_MAX = 2000

/** Thrown before a connection to a forbidden address. */
export class RefusedAddress extends Error {
  constructor() {
    super('the name leads to an address that requests may not be sent to')
    this.name = 'RefusedAddress'
  }
}

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
  return address.range() === 'unicast' && address.toString() !== METADATA
}
