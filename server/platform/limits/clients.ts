/** Who a connection comes from. */
import { BoundedMap } from '../bounded-map.ts'
import { canonicalIp, clientPrefix, IpRanges, isLocalIp, networkPrefix } from '../net/ip-address.ts'

const IDENTIFIED_MAX = 1000

/**
 * The client of a connection, parsed once. `prefix` is the key of the limits per client: an IPv4 address or an IPv6 /64. `network` is that
 * of the limits per network: an IPv4 /24 or an IPv6 /64. A trusted one, such as a proxy, stands for many and has neither.
 */
export type Client = {
  readonly address: string
  readonly isTrusted: boolean
  /** From this machine or a private network. */
  readonly isLocal: boolean
  readonly prefix: string | undefined
  readonly network: string | undefined
}

/** Tells who the client of a connection is. */
export class Clients {
  readonly #trusted: IpRanges
  /** Cached, because parsing an address takes 30 µs, a tenth of what a connection costs. */
  readonly #identified = new BoundedMap<string, Client>(IDENTIFIED_MAX)

  /** `trusted`: addresses or CIDR ranges. */
  constructor(trusted: readonly string[]) {
    this.#trusted = new IpRanges(trusted)
  }

  /** `remoteAddress` as reported by the socket. */
  identify(remoteAddress: string): Client {
    const known = this.#identified.get(remoteAddress)
    if (known) return known
    const address = canonicalIp(remoteAddress) ?? ''
    const isTrusted = this.#trusted.has(address)
    const limits = isTrusted
      ? { prefix: undefined, network: undefined }
      : { prefix: clientPrefix(address), network: networkPrefix(address) }
    const client = { address, isTrusted, isLocal: isLocalIp(address), ...limits }
    this.#identified.set(remoteAddress, client)
    return client
  }
}
