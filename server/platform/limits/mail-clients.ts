/** Limits of the mail port per client and per network: open connections, and unknown recipients that a network may name. */
import { BoundedMap } from '../bounded-map.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { canonicalIp, clientPrefix, IpRanges, networkPrefix } from '../net/ip-address.ts'
import type { SharedLimits } from './limiter.ts'
import { type BudgetLease, equalShares, KeyedCounter, ShareBudget } from './share-budget.ts'

/** Networks remembered; the one whose last unknown recipient is the oldest is forgotten first. */
const NETWORKS_MAX = 10_000
/**
 * Unknown recipients that a network may name in a burst. Generous, because most mail of a large sender goes to addresses that have expired.
 */
const UNKNOWN_RECIPIENTS_MAX = 1000
const REGAINED_PER_SECOND = 2
/** A network that delivers to a mailbox for the first time gets more of them. Address harvesters deliver nothing. */
const REGAINED_PER_MAILBOX = 20
/** Processes of other versions use the same two names on Valkey. */
const UNKNOWN_RECIPIENTS = { name: 'unknown-recipients', capacity: UNKNOWN_RECIPIENTS_MAX, perSecond: REGAINED_PER_SECOND } as const
const REGAINED = 'unknown-recipients-regained'
/** How long all processes together remember that a network has delivered to a mailbox. */
const REGAINED_ONCE_IN_MS = 24 * 3_600_000
/** Pairs of network and mailbox remembered, so that each pair counts once. */
const PAIRS_MAX = 20_000

const IDENTIFIED_MAX = 1000

/**
 * The client of a connection, parsed once. `prefix` is the key of the limits per client: an IPv4 address or an IPv6 /64. `network` is that
 * of the limits per network: an IPv4 /24 or an IPv6 /64. A trusted client has no limits, so it counts for no network.
 */
export type Client = { readonly address: string; readonly prefix: string } & (
  | { readonly isTrusted: true; readonly network: undefined }
  | { readonly isTrusted: false; readonly network: string }
)

/** How many more unknown recipients a network could name `at` this time. */
type UnknownRecipients = { left: number; at: number }

type ClientsOptions = {
  readonly trusted: readonly string[]
  readonly connectionsPerClientMax: number
  /** Monotonic milliseconds. */
  readonly nowMs: Clock
  /** Counts for all processes. The numbers kept here are the last ones received from there. */
  readonly sharedLimits: SharedLimits
}

export class Clients {
  readonly #trusted: IpRanges
  readonly #connectionsMax: number
  readonly #nowMs: Clock
  readonly #sharedLimits: SharedLimits
  readonly #connections = new KeyedCounter()
  readonly #unknownRecipients = new BoundedMap<string, UnknownRecipients>(NETWORKS_MAX)
  /** Cached, because parsing an address takes 30 µs, a tenth of what a connection costs. */
  readonly #identified = new BoundedMap<string, Client>(IDENTIFIED_MAX)
  readonly #rewarded = new BoundedMap<string, true>(PAIRS_MAX)
  #hasNotedProxy = false

  constructor(options: ClientsOptions) {
    this.#trusted = new IpRanges(options.trusted)
    this.#connectionsMax = options.connectionsPerClientMax
    this.#nowMs = options.nowMs
    this.#sharedLimits = options.sharedLimits
  }

  /** `remoteAddress` as reported by the socket. */
  identify(remoteAddress: string): Client {
    const known = this.#identified.get(remoteAddress)
    if (known) return known
    const address = canonicalIp(remoteAddress) ?? ''
    const limits = this.#trusted.has(address)
      ? ({ isTrusted: true, network: undefined } as const)
      : ({ isTrusted: false, network: networkPrefix(address) } as const)
    const client = { address, prefix: clientPrefix(address), ...limits }
    this.#identified.set(remoteAddress, client)
    return client
  }

  /** Logs this once, without the address, which may belong to a stranger if the header was made up. */
  noteUnnamedProxy(log: Log): void {
    if (this.#hasNotedProxy) return
    this.#hasNotedProxy = true
    log.warn(
      'A PROXY header came from an address that PROXY_PROTOCOL_FROM does not name, and was refused. If your proxy sent it, name it there; else ignore this',
    )
  }

  /** Counts a connection until the lease is disposed of. `undefined` when this client is at its limit. */
  acquireConnection({ prefix, isTrusted }: Client): Disposable | undefined {
    if (!isTrusted && this.#connections.heldBy(prefix) >= this.#connectionsMax) return undefined
    return this.#connections.acquire(prefix)
  }

  /** `false` when too many recipients that its network named were unknown. */
  mayNameRecipients({ isTrusted, network }: Client): boolean {
    return isTrusted || this.#find(network).left >= 1
  }

  countUnknownRecipient({ isTrusted, network }: Client): void {
    if (!isTrusted) this.#count(network, -1)
  }

  /** Only the first message of a network to each mailbox counts: otherwise a sender could deliver to its own mailbox again and again. */
  countDelivery({ isTrusted, network }: Client, mailboxes: Iterable<string>): void {
    if (isTrusted || this.#unknownRecipients.get(network) === undefined) return
    for (const mailbox of mailboxes) {
      const pair = `${network} ${mailbox}`
      if (this.#rewarded.get(pair)) continue
      this.#rewarded.set(pair, true)
      void this.#reward(network, pair)
    }
  }

  async #reward(network: string, pair: string): Promise<void> {
    // Without the shared store, the network gets new attempts only as time passes.
    const isFirst = await this.#sharedLimits.once(REGAINED, pair, REGAINED_ONCE_IN_MS).catch(() => false)
    if (isFirst) this.#count(network, REGAINED_PER_MAILBOX)
  }

  /** Counts locally first, so that a burst cannot outrun the shared count, and then takes over the shared count. */
  #count(network: string, change: number): void {
    this.#add(network, change)
    this.#sharedLimits.takeTokens(UNKNOWN_RECIPIENTS, network, -change).then(
      left => this.#keep(network, left),
      () => undefined,
    )
  }

  #add(network: string, change: number): void {
    this.#keep(network, this.#find(network).left + change)
  }

  #keep(network: string, left: number): void {
    this.#unknownRecipients.set(network, { left: Math.min(UNKNOWN_RECIPIENTS_MAX, left), at: this.#nowMs() })
  }

  #find(network: string): UnknownRecipients {
    const now = this.#nowMs()
    const known = this.#unknownRecipients.get(network) ?? { left: UNKNOWN_RECIPIENTS_MAX, at: now }
    return { left: Math.min(UNKNOWN_RECIPIENTS_MAX, known.left + ((now - known.at) / 1000) * REGAINED_PER_SECOND), at: now }
  }
}

const WINDOW_MS = 3_600_000
/** Reports and bounces of a busy service stay below a few per hour. */
const MESSAGES_MAX = 160

/**
 * Limits mail to postmaster and abuse per hour. Every server must accept it (RFC 5321 section 4.5.1) and the operator reads all of it. Each
 * network has a share, so that a rare report still arrives while other networks flood.
 */
export class OperatorMailQuota {
  readonly #budget = new ShareBudget({ ...equalShares(MESSAGES_MAX, 1), reservePerNetworkMax: 1 })
  readonly #nowMs: Clock
  /** Oldest first. */
  readonly #recent: { readonly endsMs: number; readonly lease: BudgetLease }[] = []

  constructor(nowMs: Clock) {
    this.#nowMs = nowMs
  }

  hasRoom(network: string | undefined): boolean {
    this.#forget()
    return this.#budget.hasRoom(network, 1)
  }

  /** Counts a message. `false` when the network, or all of them together, reached the limit. */
  take(network: string | undefined): boolean {
    this.#forget()
    const lease = this.#budget.acquire(network, 1)
    if (!lease) return false
    this.#recent.push({ endsMs: this.#nowMs() + WINDOW_MS, lease })
    return true
  }

  #forget(): void {
    const now = this.#nowMs()
    while (this.#recent[0] && this.#recent[0].endsMs <= now) this.#recent.shift()?.lease[Symbol.dispose]()
  }
}
