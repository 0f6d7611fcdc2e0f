/** What a network may do at the mail port: name unknown recipients, and write to the operator. */
import { DAY_MS, HOUR_MS } from '#contract/limits.ts'
import { BoundedMap } from '#server/platform/bounded-map.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Client } from '#server/platform/limits/clients.ts'
import type { Bucket, SharedLimits } from '#server/platform/limits/limiter.ts'
import { equalShares, ShareBudget } from '#server/platform/limits/share-budget.ts'

/** Networks remembered; the one whose last unknown recipient is the oldest is forgotten first. */
const NETWORKS_MAX = 30_000
/**
 * Unknown recipients that a network may name in a burst. Generous, because most mail of a large sender goes to addresses that have expired.
 */
const UNKNOWN_RECIPIENTS_MAX = 1000
const REGAINED_PER_SECOND = 2
/** A network that delivers to a mailbox for the first time gets more of them. Address harvesters deliver nothing. */
const REGAINED_PER_MAILBOX = 20
/** Larger networks may name more: see `Client.networks`. Processes of other versions use this name and the next on Valkey. */
const UNKNOWN_RECIPIENTS: readonly Bucket[] = [1, 1.5, 2].map(growth => ({
  name: 'unknown-recipients',
  capacity: UNKNOWN_RECIPIENTS_MAX * growth,
  perSecond: REGAINED_PER_SECOND * growth,
}))
const REGAINED = 'unknown-recipients-regained'
/** How long all processes together remember that a network has delivered to a mailbox. */
const REGAINED_ONCE_IN_MS = DAY_MS
/** Pairs of network and mailbox remembered, so that each pair counts once. */
const PAIRS_MAX = 60_000

/** How many more unknown recipients a network could name `at` this time. */
type UnknownRecipients = { left: number; at: number }

/** Limits how many unknown recipients a network may name. */
export class UnknownRecipientQuota {
  readonly #sharedLimits: SharedLimits
  /** Monotonic milliseconds. */
  readonly #nowMs: Clock
  /** The numbers last received from the shared limits. */
  readonly #unknownRecipients = new BoundedMap<string, UnknownRecipients>(NETWORKS_MAX)
  /** The sum, by network, of the changes that the shared limits have not answered yet. */
  readonly #uncounted = new Map<string, number>()
  /** When the last turn is that a recipient waits for. */
  readonly #turns = new BoundedMap<string, number>(NETWORKS_MAX)
  readonly #regained = new BoundedMap<string, true>(PAIRS_MAX)
  /** Recipients that are being looked up: until it is known, each may be unknown. */
  readonly #lookups = new ShareBudget()
  /** Recipients that wait for the end of a lookup of this network, the longest waiting first. */
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor(sharedLimits: SharedLimits, nowMs: Clock) {
    this.#sharedLimits = sharedLimits
    this.#nowMs = nowMs
  }

  /** `false` when too many recipients that its networks named were unknown. */
  mayNameMore(client: Client): boolean {
    return this.usedUpBy(client) === undefined
  }

  /** The network of the client that may not name more now. */
  usedUpBy({ networks }: Client): string | undefined {
    return networks.find((network, size) => this.#find(network, size).left - this.#lookups.heldBy(network) < 1)
  }

  /** `isUnknown`: whether what was found counts; it does so before the lookup ends. */
  async whileLookingUp<T>(client: Client, lookup: () => Promise<T>, isUnknown: (found: T) => boolean): Promise<T> {
    const { networks } = client
    try {
      using _ = this.#lookups.acquire(networks, 1)
      const found = await lookup()
      if (isUnknown(found)) this.countUnknown(client)
      return found
    } finally {
      for (const network of networks) this.#waiting.get(network)?.values().next().value?.()
    }
  }

  /** Resolves when a lookup ended, or after `msMax`; `undefined` if more than those keeps the client waiting: then it needs a turn. */
  lookupEnd(client: Client, msMax: number): Promise<void> | undefined {
    const network = this.usedUpBy(client)
    const needsTurn = client.networks.some((each, size) => this.#find(each, size).left < 1)
    if (network === undefined || needsTurn || msMax <= 0) return undefined
    const waiting = this.#waiting.get(network) ?? new Set()
    this.#waiting.set(network, waiting)
    return new Promise(resolve => {
      const end = () => {
        clearTimeout(timer)
        waiting.delete(end)
        if (waiting.size === 0) this.#waiting.delete(network)
        resolve()
      }
      const timer = setTimeout(end, msMax).unref()
      waiting.add(end)
    })
  }

  /** Takes the next turn of a client that may not name more now; returns the milliseconds until then, `undefined` if over `msMax`. */
  takeTurn({ networks }: Client, msMax: number): number | undefined {
    const now = this.#nowMs()
    const turns = networks.map((network, size) => ({ network, at: this.#nextTurn(network, size, now) }))
    const at = Math.max(now, ...turns.map(turn => turn.at))
    if (at - now > msMax) return undefined
    for (const turn of turns) if (turn.at > now) this.#turns.set(turn.network, at)
    return Math.max(1, Math.ceil(at - now))
  }

  /** In the past if the network has some left, and nobody waits. */
  #nextTurn(network: string, size: number, now: number): number {
    const everyMs = 1000 / bucketOf(size).perSecond
    const regainedAt = now + (1 - this.#find(network, size).left) * everyMs
    return Math.max(regainedAt, (this.#turns.get(network) ?? Number.NEGATIVE_INFINITY) + everyMs)
  }

  countUnknown({ networks }: Client): void {
    for (const [size, network] of networks.entries()) this.#count(network, size, -1)
  }

  /** Only the first message of a network to each mailbox counts: otherwise a sender could deliver to its own mailbox again and again. */
  countDelivery({ networks }: Client, mailboxes: readonly string[]): void {
    for (const [size, network] of networks.entries()) {
      if (this.#unknownRecipients.get(network) === undefined) continue
      for (const mailbox of mailboxes) {
        const pair = `${network} ${mailbox}`
        if (this.#regained.get(pair)) continue
        this.#regained.set(pair, true)
        void this.#regain(network, size, pair)
      }
    }
  }

  async #regain(network: string, size: number, pair: string): Promise<void> {
    // Without the shared store, the network gets new attempts only as time passes.
    const isFirst = await this.#sharedLimits.once(REGAINED, pair, REGAINED_ONCE_IN_MS).catch(() => false)
    if (isFirst) this.#count(network, size, REGAINED_PER_MAILBOX)
  }

  /** Counts locally first, so that a burst cannot outrun the shared count, and then takes over the shared count. */
  #count(network: string, size: number, change: number): void {
    this.#keep(network, size, this.#find(network, size).left + change)
    this.#addUncounted(network, change)
    this.#sharedLimits.takeTokens(bucketOf(size), network, -change).then(
      left => this.#keep(network, size, left + this.#addUncounted(network, -change)),
      () => this.#addUncounted(network, -change),
    )
  }

  #addUncounted(network: string, change: number): number {
    const sum = (this.#uncounted.get(network) ?? 0) + change
    if (sum === 0) this.#uncounted.delete(network)
    else this.#uncounted.set(network, sum)
    return sum
  }

  #keep(network: string, size: number, left: number): void {
    this.#unknownRecipients.set(network, { left: Math.min(bucketOf(size).capacity, left), at: this.#nowMs() })
  }

  #find(network: string, size: number): UnknownRecipients {
    const now = this.#nowMs()
    const { capacity, perSecond } = bucketOf(size)
    const known = this.#unknownRecipients.get(network) ?? { left: capacity, at: now }
    return { left: Math.min(capacity, known.left + ((now - known.at) / 1000) * perSecond), at: now }
  }
}

function bucketOf(size: number): Bucket {
  const bucket = UNKNOWN_RECIPIENTS[size]
  if (!bucket) throw new TypeError(`no client has a network of size ${size}`)
  return bucket
}

/** How long a mail to the operator counts. */
export const OPERATOR_MAIL_MS = HOUR_MS
/** Reports and bounces of a busy service stay below a few per hour. */
const OPERATOR_MAILS_MAX = 160

/**
 * Mail to postmaster and abuse. Every server must accept it (RFC 5321 section 4.5.1) and the operator reads all of it. Each network has a
 * share, so that a rare report still arrives while other networks flood.
 */
export const operatorMailBudget = (): ShareBudget => new ShareBudget({ ...equalShares(OPERATOR_MAILS_MAX, 1), reservePerHolderMax: 1 })
