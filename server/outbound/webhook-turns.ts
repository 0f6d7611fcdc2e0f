/** Decides which webhook is next. In memory, so that it costs the same however many deliveries wait in the database. */
import { BoundedMap } from '#server/platform/bounded-map.ts'

/** Requests of one process that have run for less than `SLOW_MS_MIN`, one per webhook. */
const SENDERS_MAX = 32
/** Connections for the mail of one account or API token, so that its slow receivers delay nobody else. */
const SENDERS_PER_ACCOUNT_MAX = 2
/** Connections for failing webhooks and for slow owners, so that dead and slow receivers of many accounts do not delay working ones. */
const SLOW_SENDERS_MAX = 16
/**
 * An owner is slow when one of its requests has run for this long, or all of the last minutes together have: some forty ordinary ones.
 * A request that has run for as long takes no place of `SENDERS_MAX` any more.
 */
export const SLOW_MS_MIN = 2000
/** Requests end after 15 s, so that `SENDERS_MAX` new ones in each `SLOW_MS_MIN` stay below this. */
const CONNECTIONS_MAX = 256
/** The time that an owner used counts half after this long, so that neither a pause nor a few fast requests make it forgotten. */
const USED_HALF_LIFE_MS = 600_000
const OWNERS_KEPT_MAX = 2000

/** A webhook that may have something due, and whose mail that is about. `isFailing`: its last attempt failed. */
export type Lane = { readonly webhookId: string; readonly owner: string; readonly isFailing: boolean }
type Sending = { readonly owner: string; readonly isSlow: boolean; readonly startedMs: number }
type Places = { quick: number; slow: number; readonly ofOwner: Map<string, number> }

/** The webhooks that wait for a request, and those that have one. Each has one at a time. */
export class WebhookTurns {
  /** By owner and id. Who was served last is the last, among the owners and among the webhooks of one. */
  readonly #waiting = new Map<string, Map<string, Lane>>()
  readonly #sendings = new Map<string, Sending>()
  readonly #used = new BoundedMap<string, { readonly owner: string; readonly ms: number; readonly atMs: number }>(OWNERS_KEPT_MAX)

  /** It has something due, or may have. */
  add(lane: Lane): void {
    const own = this.#waiting.get(lane.owner) ?? new Map<string, Lane>()
    own.set(lane.webhookId, lane)
    this.#waiting.set(lane.owner, own)
  }

  /**
   * Returns those that may have a request now. They no longer wait, and have a place until `end`. Owners without a request go first,
   * however long others wait. Slow owners have places of their own, in which those that used least go first.
   */
  take(): Lane[] {
    const nowMs = performance.now()
    const places = this.#placesTaken(nowMs)
    const slow = this.#slowOwners(nowMs)
    const isSlow = new Set(slow)
    const others = [...this.#waiting.keys()].filter(owner => !isSlow.has(owner))
    const taken: Lane[] = []
    const takeOf = (owners: readonly string[], ownMax: number) => {
      const isOfSlow = owners === slow
      for (const owner of owners) {
        const isFull = isOfSlow ? places.slow >= SLOW_SENDERS_MAX : places.quick >= SENDERS_MAX
        if (isFull || this.#sendings.size >= CONNECTIONS_MAX) return
        const lane = (places.ofOwner.get(owner) ?? 0) < ownMax ? this.#firstOf(owner, places) : undefined
        if (!lane) continue
        this.#begin(lane, places, { owner, isSlow: isOfSlow || lane.isFailing, startedMs: nowMs })
        taken.push(lane)
      }
    }
    for (const owners of [others, slow]) for (const ownMax of [1, SENDERS_PER_ACCOUNT_MAX]) takeOf(owners, ownMax)
    return taken
  }

  /** Its place is free. `isFailing`: as its attempt ended; without one nothing was due. */
  end({ webhookId, owner }: Lane, isFailing?: boolean): void {
    const sending = this.#sendings.get(webhookId)
    this.#sendings.delete(webhookId)
    if (!sending || isFailing === undefined) return
    const atMs = performance.now()
    this.#used.set(owner, { owner, ms: this.#usedBy(owner, atMs) + atMs - sending.startedMs, atMs })
    const own = this.#waiting.get(owner)
    const lane = own?.get(webhookId)
    if (lane) own?.set(webhookId, { ...lane, isFailing })
  }

  #placesTaken(nowMs: number): Places {
    const sendings = [...this.#sendings.values()]
    const ofOwner = new Map<string, number>()
    for (const { owner } of sendings) ofOwner.set(owner, (ofOwner.get(owner) ?? 0) + 1)
    const quick = sendings.filter(({ isSlow, startedMs }) => !isSlow && nowMs - startedMs < SLOW_MS_MIN).length
    return { quick, slow: sendings.filter(({ isSlow }) => isSlow).length, ofOwner }
  }

  #firstOf(owner: string, places: Places): Lane | undefined {
    for (const lane of this.#waiting.get(owner)?.values() ?? [])
      if (!this.#sendings.has(lane.webhookId) && !(lane.isFailing && places.slow >= SLOW_SENDERS_MAX)) return lane
    return undefined
  }

  #begin({ webhookId, owner }: Lane, places: Places, sending: Sending): void {
    const own = this.#waiting.get(owner)
    own?.delete(webhookId)
    this.#waiting.delete(owner)
    if (own && own.size > 0) this.#waiting.set(owner, own)
    this.#sendings.set(webhookId, sending)
    places[sending.isSlow ? 'slow' : 'quick']++
    places.ofOwner.set(owner, (places.ofOwner.get(owner) ?? 0) + 1)
  }

  #usedBy(owner: string, nowMs: number): number {
    const used = this.#used.get(owner)
    return used ? used.ms * 2 ** ((used.atMs - nowMs) / USED_HALF_LIFE_MS) : 0
  }

  /** The one that used least first. */
  #slowOwners(nowMs: number): string[] {
    const sending = [...this.#sendings.values()].filter(({ startedMs }) => nowMs - startedMs >= SLOW_MS_MIN).map(({ owner }) => owner)
    const used = [...this.#used.values()].map(({ owner }) => owner).filter(owner => this.#usedBy(owner, nowMs) >= SLOW_MS_MIN)
    return [...new Set([...sending, ...used])].sort((a, b) => this.#usedBy(a, nowMs) - this.#usedBy(b, nowMs))
  }
}
