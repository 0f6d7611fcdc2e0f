/** Where webhooks may be sent: the open internet, and what the operator names. Checked on the very address a connection is made to. */
import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { IpRanges } from '#server/net/ip-address.ts'

/** Azure's own services answer its machines at this public address. */
const METADATA = '168.63.129.16'

type TargetRefusal = 'not_https' | 'private_address' | 'has_credentials' | 'too_long'
const URL_CHARS_MAX = 2000

/** Raised where a connection would be made to an address that is not allowed. */
export class RefusedAddress extends Error {
  constructor() {
    super('the name leads to an address that webhooks may not be sent to')
    this.name = 'RefusedAddress'
  }
}

export class WebhookTargets {
  readonly #own: IpRanges
  readonly #hasOwn: boolean

  /** @param own addresses and ranges of the operator's that may be reached though they are private. */
  constructor(own: readonly string[]) {
    this.#own = new IpRanges(own)
    this.#hasOwn = own.length > 0
  }

  /** What can be told from the URL alone; a name is looked up at each connection. `undefined`: nothing is wrong. */
  refuse(url: URL): TargetRefusal | undefined {
    if (url.href.length > URL_CHARS_MAX) return 'too_long'
    if (url.username !== '' || url.password !== '') return 'has_credentials'
    // What is sent to the internet must not be readable on its way; the operator's own networks may have no certificates.
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.#hasOwn)) return 'not_https'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    return isIP(host) !== 0 && !this.#mayConnect(url, host) ? 'private_address' : undefined
  }

  /** Looks the name up for `node:http` and fails when any of its addresses is not allowed: check and connection see the same answer. */
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

  #mayConnect({ protocol }: URL, ip: string): boolean {
    return this.#own.has(ip) || (protocol === 'https:' && isPublic(ip))
  }
}

/** Unicast of the internet: no private, loopback, link-local, shared, multicast or reserved range, also not with an IPv4 address inside IPv6. */
function isPublic(ip: string): boolean {
  const bare = ip.replace(/%.*$/, '')
  if (isIP(bare) === 0) return false
  const address = ipaddr.process(bare)
  return address.range() === 'unicast' && address.toString() !== METADATA
}
