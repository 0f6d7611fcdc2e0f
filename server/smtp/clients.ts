/** What one client, or one network, may take: connections at once and guesses at recipients. */
import type { Clock } from '#server/clock.ts'
import { KeyedCounter } from '#server/limiter/keyed-counter.ts'
import { clientPrefix, IpRanges, networkPrefix } from '#server/net/ip-address.ts'

/** Networks remembered; the one that guessed longest ago is forgotten first. */
const NETWORKS_MAX = 10_000
/** Unknown recipients a network may name at once. Generous, for most mail of a big sender goes to addresses that have expired. */
const PROBES_MAX = 1000
const PROBES_BACK_PER_SECOND = 2
/** A network that delivers mail earns guesses: harvesters deliver nothing. */
const PROBES_BACK_PER_MESSAGE = 20

type Probes = { left: number; at: number }

type ClientsOptions = {
  readonly trusted: readonly string[]
  readonly connectionsPerClientMax: number
  /** Monotonic milliseconds. */
  readonly nowMs: Clock
}

export class Clients {
  readonly #trusted: IpRanges
  readonly #connectionsMax: number
  readonly #nowMs: Clock
  readonly #connections = new KeyedCounter()
  readonly #probes = new Map<string, Probes>()

  constructor(options: ClientsOptions) {
    this.#trusted = new IpRanges(options.trusted)
    this.#connectionsMax = options.connectionsPerClientMax
    this.#nowMs = options.nowMs
  }

  isTrusted(address: string): boolean {
    return this.#trusted.has(address)
  }

  /** Counts a connection; call the result once when it has closed. `undefined` when this client has as many as it may. */
  enter(address: string): (() => void) | undefined {
    const client = clientPrefix(address)
    if (this.#connections.heldBy(client) >= this.#connectionsMax && !this.isTrusted(address)) return undefined
    return this.#connections.hold(client)
  }

  mayProbe(address: string): boolean {
    return this.isTrusted(address) || this.#probesOf(networkPrefix(address)).left >= 1
  }

  countProbe(address: string): void {
    this.#add(networkPrefix(address), -1)
  }

  countMessage(address: string): void {
    if (this.#probes.has(networkPrefix(address))) this.#add(networkPrefix(address), PROBES_BACK_PER_MESSAGE)
  }

  #add(network: string, probes: number): void {
    const { left } = this.#probesOf(network)
    this.#probes.delete(network)
    this.#probes.set(network, { left: Math.min(PROBES_MAX, left + probes), at: this.#nowMs() })
    const [oldest] = this.#probes.keys()
    if (oldest !== undefined && this.#probes.size > NETWORKS_MAX) this.#probes.delete(oldest)
  }

  #probesOf(network: string): Probes {
    const now = this.#nowMs()
    const known = this.#probes.get(network) ?? { left: PROBES_MAX, at: now }
    return { left: Math.min(PROBES_MAX, known.left + ((now - known.at) / 1000) * PROBES_BACK_PER_SECOND), at: now }
  }
}
