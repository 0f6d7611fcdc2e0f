/** Who a connection comes from. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { BoundedMap } from '../bounded-map.ts'
import { canonicalIp, clientIp, IpRanges, isLocalIp, middleNetwork, networksAround } from '../net/ip-address.ts'
import type { Holder } from './share-budget.ts'

const IDENTIFIED_MAX = 1000

/** The client of a connection, parsed once. */
export type Client = {
  readonly address: string
  /** Stands for many, such as a proxy or the operator's own relay. */
  readonly isTrusted: boolean
  /** From this machine or a private network. */
  readonly isLocal: boolean
  /** It uses the limits and shares of these. None if it is trusted. */
  readonly networks: Holder
  /** How the log names it. */
  readonly network: string
}

const served = new AsyncLocalStorage<Holder>()

/** Runs `work`, with everything that it starts, for a client. Without networks it is work of the server, which many clients wait for. */
export const serve = <T>(networks: Holder, work: () => T): T => served.run(networks, work)

/** The client for whom the caller works: what all share below the edges is shared by it. */
export const networksServed = (): Holder => served.getStore() ?? []

/** Returns whose share is used up, for the text of a refusal: a network, an owner of mailboxes, or all of them if there is no key. */
export function describeShare(key: string | undefined): string {
  if (key === undefined) return 'everybody'
  // Whoever has a mailbox token reads this, and does not need to know the account's id or the token's name.
  if (key.startsWith('account:')) return 'your account'
  if (key.startsWith('token:')) return 'your API token'
  return `your ${key.includes('/') ? 'network' : 'address'} ${key}`
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

  /** `remoteAddress` as reported by the socket, `forwardedFor` by it if it is trusted. */
  identify(remoteAddress: string, forwardedFor?: string): Client {
    return forwardedFor === undefined ? this.#identify(remoteAddress) : this.#identify(clientIp(remoteAddress, forwardedFor, this.#trusted))
  }

  #identify(remoteAddress: string): Client {
    const known = this.#identified.get(remoteAddress)
    if (known) return known
    const address = canonicalIp(remoteAddress) ?? ''
    const isTrusted = this.#trusted.has(address)
    const around = networksAround(address)
    const networks = isTrusted ? [] : around
    const client = { address, isTrusted, isLocal: isLocalIp(address), networks, network: middleNetwork(around) }
    this.#identified.set(remoteAddress, client)
    return client
  }
}
