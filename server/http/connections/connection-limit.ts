/** How many connections one client may hold at once, so that nobody takes all file descriptors. */
import { KeyedCounter } from '#server/limiter/keyed-counter.ts'
import { clientPrefix, IpRanges } from '#server/net/ip-address.ts'

export type ConnectionLimitOptions = {
  readonly perClientMax: number
  /** Proxies, as addresses or CIDR ranges: each of them stands for many clients. */
  readonly trusted: readonly string[]
}

export class ConnectionLimit {
  readonly #max: number
  readonly #trusted: IpRanges
  readonly #open = new KeyedCounter()

  constructor({ perClientMax, trusted }: ConnectionLimitOptions) {
    this.#max = perClientMax
    this.#trusted = new IpRanges(trusted)
  }

  /** Counts a connection; call the result once when it has closed. `undefined` when this client has as many as it may. */
  enter(peer: string | undefined): (() => void) | undefined {
    const address = peer ?? ''
    if (this.#trusted.has(address)) return () => undefined
    const client = clientPrefix(address)
    return this.#open.heldBy(client) < this.#max ? this.#open.hold(client) : undefined
  }
}
