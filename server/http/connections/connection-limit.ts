/** Limits HTTP connections per client and in all, so that nobody uses up all file descriptors. */
import { ShareBudget } from '#server/limiter/share-budget.ts'
import { clientPrefix, IpRanges } from '#server/net/ip-address.ts'

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

  /** Counts a connection; call the result when it has closed. `undefined` if this client is at its limit. */
  enter(peer: string | undefined): (() => void) | undefined {
    const address = peer ?? ''
    const hold = this.#budget.open(this.#trusted.has(address) ? undefined : clientPrefix(address))
    return hold.grow(1) ? () => hold.release() : undefined
  }
}
