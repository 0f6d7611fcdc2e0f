/** What a network may do at the mail port: name unknown recipients, and write to the operator. */
import { DAY_MS, HOUR_MS } from '#contract/limits.ts'
import { BoundedMap } from '#server/platform/bounded-map.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Client } from '#server/platform/limits/clients.ts'
import type { SharedLimits } from '#server/platform/limits/limiter.ts'
import { equalShares, ShareBudget } from '#server/platform/limits/share-budget.ts'

/** Networks remembered; the one whose last unknown recipient is the oldest is forgotten first. */
const NETWORKS_MAX = 10_000
/**
 * Unknown recipients that a network may name in a burst. Generous, because most mail of a large sender goes to addresses that have expired.
 */
const UNKNOWN_RECIPIENTS_MAX = 1000
const REGAINED_PER_SECOND = 2
const REGAINED_EVERY_MS = 1000 / REGAINED_PER_SECOND
/** A network that delivers to a mailbox for the first time gets more of them. Address harvesters deliver nothing. */
const REGAINED_PER_MAILBOX = 20
/** Processes of other versions use the same two names on Valkey. */
const UNKNOWN_RECIPIENTS = { name: 'unknown-recipients', capacity: UNKNOWN_RECIPIENTS_MAX, perSecond: REGAINED_PER_SECOND } as const
const REGAINED = 'unknown-recipients-regained'
/** How long all processes together remember that a network has delivered to a mailbox. */
const REGAINED_ONCE_IN_MS = DAY_MS
/** Pairs of network and mailbox remembered, so that each pair counts once. */
const PAIRS_MAX = 20_000

/** How many more unknown recipients a network could name `at` this time. */
type UnknownRecipients = { left: number; at: number }

/** Limits how many unknown recipients a network may name. */
export class UnknownRecipientQuota {
  readonly #sharedLimits: SharedLimits
  /** Monotonic milliseconds. */
  readonly #nowMs: Clock
  /** The numbers last received from the shared limits. */
  readonly #unknownRecipients = new BoundedMap<string, UnknownRecipients>(NETWORKS_MAX)
  /** When the last turn is that a recipient waits for. */
  readonly #turns = new BoundedMap<string, number>(NETWORKS_MAX)
  readonly #regained = new BoundedMap<string, true>(PAIRS_MAX)

  constructor(sharedLimits: SharedLimits, nowMs: Clock) {
    this.#sharedLimits = sharedLimits
    this.#nowMs = nowMs
  }

  /** `false` when too many recipients that its network named were unknown. */
  mayNameMore({ network }: Client): boolean {
    return network === undefined || this.#find(network).left >= 1
  }

  /**
   * Takes the next turn of a network that may not name more now. Returns how many milliseconds to wait for it; `undefined` if it would be
   * more than `msMax`.
   */
  takeTurn({ network }: Client, msMax: number): number | undefined {
    if (network === undefined) return 0
    const now = this.#nowMs()
    const regainedAt = now + (1 - this.#find(network).left) * REGAINED_EVERY_MS
    const at = Math.max(regainedAt, (this.#turns.get(network) ?? 0) + REGAINED_EVERY_MS)
    if (at - now > msMax) return undefined
    this.#turns.set(network, at)
    return Math.max(1, Math.ceil(at - now))
  }

  countUnknown({ network }: Client): void {
    if (network !== undefined) this.#count(network, -1)
  }

  /** Only the first message of a network to each mailbox counts: otherwise a sender could deliver to its own mailbox again and again. */
  countDelivery({ network }: Client, mailboxes: Iterable<string>): void {
    if (network === undefined || this.#unknownRecipients.get(network) === undefined) return
    for (const mailbox of mailboxes) {
      const pair = `${network} ${mailbox}`
      if (this.#regained.get(pair)) continue
      this.#regained.set(pair, true)
      void this.#regain(network, pair)
    }
  }

  async #regain(network: string, pair: string): Promise<void> {
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

/** How long a mail to the operator counts. */
export const OPERATOR_MAIL_MS = HOUR_MS
/** Reports and bounces of a busy service stay below a few per hour. */
const OPERATOR_MAILS_MAX = 160

/**
 * Mail to postmaster and abuse. Every server must accept it (RFC 5321 section 4.5.1) and the operator reads all of it. Each network has a
 * share, so that a rare report still arrives while other networks flood.
 */
export function operatorMailBudget(): ShareBudget {
  return new ShareBudget({ ...equalShares(OPERATOR_MAILS_MAX, 1), reservePerHolderMax: 1 })
}
