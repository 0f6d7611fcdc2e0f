/**
 * Decides which push services the server sends to. A visitor's browser names one, and visitors must not make the server send requests
 * elsewhere.
 */
import { isIP } from 'node:net'
import { isIpRange } from '#server/net/ip-address.ts'
import { RequestTargets } from '#server/outgoing/targets.ts'

export class PushTargets {
  readonly #hosts: readonly string[]
  /** Checks the address at each connection. */
  readonly targets: RequestTargets

  /** @param services hosts, each with its subdomains, and addresses or ranges of the operator's own that may be private. */
  constructor(services: readonly string[]) {
    const own = services.filter(isIpRange)
    this.#hosts = services.filter(service => !own.includes(service))
    this.targets = new RequestTargets(own)
  }

  accepts(endpoint: string): boolean {
    const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
    return url !== undefined && this.#isListed(url) && this.targets.refuse(url) === undefined
  }

  #isListed({ hostname, port }: URL): boolean {
    const ip = hostname.replace(/^\[|\]$/g, '')
    if (isIP(ip) !== 0) return this.targets.isOwn(ip)
    return port === '' && this.#hosts.some(host => hostname === host || hostname.endsWith(`.${host}`))
  }
}
