/**
 * Decides which push services the server sends to. A visitor's browser names one, and visitors must not make the server send requests
 * elsewhere.
 */
import { isIP } from 'node:net'
import { IpRanges, isIpRange } from '#server/platform/net/ip-address.ts'
import { RequestTargets } from '../request/targets.ts'

export class PushTargets {
  readonly #hosts: readonly string[]
  readonly #ranges: readonly { readonly service: string; readonly addresses: IpRanges }[]
  /** Checks the address at each connection. */
  readonly targets: RequestTargets

  /** @param services hosts, each with its subdomains, and addresses or ranges of the operator's own that may be private. */
  constructor(services: readonly string[]) {
    const own = services.filter(isIpRange)
    this.#hosts = services.filter(service => !own.includes(service))
    this.#ranges = own.map(service => ({ service, addresses: new IpRanges([service]) }))
    this.targets = new RequestTargets(own)
  }

  accepts(endpoint: string): boolean {
    return this.findService(endpoint) !== undefined
  }

  /** The name or range that allows this endpoint; `undefined` if none does. All hosts of a service share one limit. */
  findService(endpoint: string): string | undefined {
    const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
    return url && this.targets.refuse(url) === undefined ? this.#findListed(url) : undefined
  }

  #findListed({ hostname, port }: URL): string | undefined {
    const ip = hostname.replace(/^\[|\]$/g, '')
    if (isIP(ip) !== 0) return this.#ranges.find(({ addresses }) => addresses.has(ip))?.service
    return port === '' ? this.#hosts.find(host => hostname === host || hostname.endsWith(`.${host}`)) : undefined
  }
}
