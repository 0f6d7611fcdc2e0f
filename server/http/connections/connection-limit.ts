import { ShareBudget } from '#server/platform/limits/share-budget.ts'
import { clientPrefix, IpRanges } from '#server/platform/net/ip-address.ts'

/** All clients together. */
const CONNECTIONS_MAX = 10_000
/** Connections of one client in the last eighth: a browser opens six. */
const RESERVED_PER_CLIENT_MAX = 6

export type ConnectionLimitOptions = {
  readonly perClientMax: number
  /** Proxies, as addresses or CIDR ranges: each stands for many clients. */
  readonly trusted: readonly string[]
  readonly totalMax?: number
}

/** Limits HTTP connections per client and in all, so that nobody uses up all file descriptors. */
export class ConnectionLimit {
  readonly #budget: ShareBudget
  readonly #trusted: IpRanges

  constructor({ perClientMax, trusted, totalMax = CONNECTIONS_MAX }: ConnectionLimitOptions) {
    this.#budget = new ShareBudget({
      total: totalMax,
      perNetworkMax: perClientMax,
      reserve: Math.floor(totalMax / 8),
      smallMax: 1,
      reservePerNetworkMax: RESERVED_PER_CLIENT_MAX,
    })
    this.#trusted = new IpRanges(trusted)
  }

  /** Counts a connection until the lease is disposed of. `undefined` if this client is at its limit. */
  acquire(peer: string | undefined): Disposable | undefined {
    const address = peer ?? ''
    return this.#budget.acquire(this.#trusted.has(address) ? undefined : clientPrefix(address), 1)
  }
}
