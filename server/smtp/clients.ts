/** Limits per client and per network: open connections, and guesses. A guess is a recipient that turned out to be unknown. */
import { BoundedMap } from '#server/bounded-map.ts'
import type { Clock } from '#server/clock.ts'
import { KeyedCounter } from '#server/limiter/keyed-counter.ts'
import type { SharedCounts } from '#server/limiter/shared-counts.ts'
import type { Log } from '#server/log.ts'
import { canonicalIp, clientPrefix, IpRanges, networkPrefix } from '#server/net/ip-address.ts'
import type { MailboxId } from '#server/store/store.ts'

/** Networks remembered; the one whose last unknown recipient is the oldest is forgotten first. */
const NETWORKS_MAX = 10_000
/**
 * Guesses that a network may make in a burst. Generous, because most mail of a large sender goes to addresses that have expired.
 */
const GUESSES_MAX = 1000
const GUESSES_BACK_PER_SECOND = 2
/** A network that delivers to a mailbox for the first time gets more of them. Address harvesters deliver nothing. */
const GUESSES_BACK_PER_MAILBOX = 20
const GUESSES = { name: 'recipient-guesses', capacity: GUESSES_MAX, perSecond: GUESSES_BACK_PER_SECOND } as const
/** How long all processes together remember that a network has delivered to a mailbox. */
const EARNED_ONCE_IN_MS = 24 * 3_600_000
/** Pairs of network and mailbox remembered, so that each pair counts once. */
const PAIRS_MAX = 20_000

const IDENTIFIED_MAX = 1000

/** The client of a connection, parsed once. */
export type Client = {
  readonly address: string
  /** Key of the limits per client: an IPv4 address or an IPv6 /64. */
  readonly prefix: string
  /** Key of the limits per network: an IPv4 /24 or an IPv6 /64. `undefined` for a trusted client, which has no limits. */
  readonly network: string | undefined
}

type Guesses = { left: number; at: number }

type ClientsOptions = {
  readonly trusted: readonly string[]
  readonly connectionsPerClientMax: number
  /** Monotonic milliseconds. */
  readonly nowMs: Clock
  /** Set when several processes count together. The numbers kept here are then the last ones received from there. */
  readonly shared?: SharedCounts | undefined
}

export class Clients {
  readonly #trusted: IpRanges
  readonly #connectionsMax: number
  readonly #nowMs: Clock
  readonly #shared: SharedCounts | undefined
  readonly #connections = new KeyedCounter()
  readonly #guesses = new BoundedMap<string, Guesses>(NETWORKS_MAX)
  /** Cached, because parsing an address takes 30 µs, a tenth of what a connection costs. */
  readonly #identified = new BoundedMap<string, Client>(IDENTIFIED_MAX)
  readonly #rewarded = new BoundedMap<string, true>(PAIRS_MAX)
  #hasNotedProxy = false

  constructor(options: ClientsOptions) {
    this.#trusted = new IpRanges(options.trusted)
    this.#connectionsMax = options.connectionsPerClientMax
    this.#nowMs = options.nowMs
    this.#shared = options.shared
  }

  /** `remoteAddress` as reported by the socket. */
  identify(remoteAddress: string): Client {
    const known = this.#identified.get(remoteAddress)
    if (known) return known
    const address = canonicalIp(remoteAddress) ?? ''
    const network = this.#trusted.has(address) ? undefined : networkPrefix(address)
    const client = { address, prefix: clientPrefix(address), network }
    this.#identified.set(remoteAddress, client)
    return client
  }

  /** Logs this once, without the address, which may belong to a stranger if the header was made up. */
  noteUnnamedProxy(log: Pick<Log, 'warn'>): void {
    if (this.#hasNotedProxy) return
    this.#hasNotedProxy = true
    log.warn(
      'A PROXY header came from an address that PROXY_PROTOCOL_FROM does not name, and was refused. If your proxy sent it, name it there; else ignore this',
    )
  }

  /** Counts a connection until the lease is disposed of. `undefined` when this client is at its limit. */
  acquireConnection({ prefix, network }: Client): Disposable | undefined {
    if (network !== undefined && this.#connections.heldBy(prefix) >= this.#connectionsMax) return undefined
    return this.#connections.acquire(prefix)
  }

  mayGuess({ network }: Client): boolean {
    return network === undefined || this.#findGuesses(network).left >= 1
  }

  countGuess({ network }: Client): void {
    if (network !== undefined) this.#count(network, -1)
  }

  /** Only the first message of a network to each mailbox counts: otherwise a sender could deliver to its own mailbox again and again. */
  countDelivery({ network }: Client, mailboxes: Iterable<MailboxId>): void {
    if (network === undefined || this.#guesses.get(network) === undefined) return
    for (const mailbox of mailboxes) {
      const pair = `${network} ${mailbox}`
      if (this.#rewarded.get(pair)) continue
      this.#rewarded.set(pair, true)
      void this.#reward(network, pair)
    }
  }

  async #reward(network: string, pair: string): Promise<void> {
    // Without the shared store, the network gets new attempts only as time passes.
    const isFirst = this.#shared ? await this.#shared.once('guesses-earned', pair, EARNED_ONCE_IN_MS).catch(() => false) : true
    if (isFirst) this.#count(network, GUESSES_BACK_PER_MAILBOX)
  }

  /** Counts locally first, so that a burst cannot outrun the shared count, and then takes over the shared count. */
  #count(network: string, guesses: number): void {
    this.#add(network, guesses)
    this.#shared?.takeTokens(GUESSES, network, -guesses).then(
      left => this.#keep(network, left),
      () => undefined,
    )
  }

  #add(network: string, guesses: number): void {
    this.#keep(network, this.#findGuesses(network).left + guesses)
  }

  #keep(network: string, left: number): void {
    this.#guesses.set(network, { left: Math.min(GUESSES_MAX, left), at: this.#nowMs() })
  }

  #findGuesses(network: string): Guesses {
    const now = this.#nowMs()
    const known = this.#guesses.get(network) ?? { left: GUESSES_MAX, at: now }
    return { left: Math.min(GUESSES_MAX, known.left + ((now - known.at) / 1000) * GUESSES_BACK_PER_SECOND), at: now }
  }
}
