/** Decides which webhook is next. In memory, so that it costs the same however many deliveries wait in the database. */
import { BoundedMap } from '#server/platform/bounded-map.ts'

/** Requests of one process that have run for less than `SLOW_MS_MIN`, one per webhook. */
const SENDERS_MAX = 32
/**
 * Connections for the mail of one account or API token, so that its slow receivers delay nobody else. Those who share it are an API key, or
 * the holder of one mailbox's token; none of them holds all, and the mailboxes together leave one to the keys.
 */
const PLACES_MAX = { account: 4, group: 3, holder: 2 } as const
const LEVELS = ['account', 'group', 'holder'] as const
/** Connections for failing webhooks and for slow groups, so that dead and slow receivers of many accounts do not delay working ones. */
const SLOW_SENDERS_MAX = 16
/**
 * A group is slow when one of its requests has run for this long, or all of the last minutes together have: some forty ordinary ones.
 * A request that has run for as long takes no place of `SENDERS_MAX` any more.
 */
export const SLOW_MS_MIN = 2000
/** Requests end after 15 s, so that `SENDERS_MAX` new ones in each `SLOW_MS_MIN` stay below this. */
const CONNECTIONS_MAX = 256
/** The time that a group used counts half after this long, so that neither a pause nor a few fast requests make it forgotten. */
const USED_HALF_LIFE_MS = 600_000
const GROUPS_KEPT_MAX = 2000

/**
 * The owners of a request's place: the account that has the mailbox, the group of its API keys or of its mailboxes, and the one key or
 * mailbox that the webhook was made with. No two levels have a name in common.
 */
type Line = Readonly<Record<(typeof LEVELS)[number], string>>
/** A webhook that may have something due. `isFailing`: its last attempt failed. */
export type Lane = Line & { readonly webhookId: string; readonly isFailing: boolean }
type Sending = { readonly lane: Lane; readonly isSlow: boolean; readonly startedMs: number }
type Places = { quick: number; slow: number; readonly of: Map<string, number> }
type Holders = Map<string, Map<string, Lane>>
/** By group, holder and id. Who was served last is the last, on each of the three levels. */
type Waiting = Map<string, Holders>

/** The webhooks that wait for a request, and those that have one. Each has one at a time. */
export class WebhookTurns {
  readonly #working: Waiting = new Map()
  /** They are apart, so that the search for others does not visit those for which there is no place. */
  readonly #failing: Waiting = new Map()
  readonly #sendings = new Map<string, Sending>()
  /** The time used, by group: who has one mailbox's token makes no key slow. */
  readonly #used = new BoundedMap<string, { readonly group: string; readonly ms: number; readonly atMs: number }>(GROUPS_KEPT_MAX)

  /** It has something due, or may have. */
  add(lane: Lane): void {
    const { group, holder, webhookId } = lane
    const [waiting, other] = lane.isFailing ? [this.#failing, this.#working] : [this.#working, this.#failing]
    const ofGroup: Holders = waiting.get(group) ?? new Map()
    const own = ofGroup.get(holder) ?? new Map<string, Lane>()
    waiting.set(group, ofGroup.set(holder, own.set(webhookId, lane)))
    remove(other, lane)
  }

  /**
   * Returns those that may have a request now. They no longer wait, and have a place until `end`. Accounts with fewer requests go first,
   * however long others wait. Slow groups have places of their own, in which those that used least go first.
   */
  take(): Lane[] {
    const nowMs = performance.now()
    const places = this.#placesTaken(nowMs)
    const slow = this.#slowGroups(nowMs)
    const slowGroups = new Set(slow)
    const taken: Lane[] = []
    const takeFrom = (waiting: Waiting, isOfSlow: boolean) => {
      const isSlow = isOfSlow || waiting === this.#failing
      const hasPlace = () => this.#sendings.size < CONNECTIONS_MAX && (isSlow ? places.slow < SLOW_SENDERS_MAX : places.quick < SENDERS_MAX)
      if (!hasPlace()) return
      const groups = isOfSlow ? slow : [...waiting.keys()].filter(group => !slowGroups.has(group))
      for (let max = 1; max <= PLACES_MAX.account; max++)
        for (const group of groups) {
          if (!hasPlace()) return
          const lane = this.#firstOf(waiting, group, places, max)
          if (!lane) continue
          this.#begin(waiting, lane, places, { lane, isSlow, startedMs: nowMs })
          taken.push(lane)
        }
    }
    for (const isOfSlow of [false, true]) for (const waiting of [this.#working, this.#failing]) takeFrom(waiting, isOfSlow)
    return taken
  }

  /** Its place is free. `isFailing`: as its attempt ended, if that is known. The time of a request counts however it ended. */
  end({ group, holder, webhookId }: Lane, attempt?: { readonly isFailing: boolean | undefined }): void {
    const sending = this.#sendings.get(webhookId)
    this.#sendings.delete(webhookId)
    if (!sending || !attempt) return
    const atMs = performance.now()
    this.#used.set(group, { group, ms: this.#usedBy(group, atMs) + atMs - sending.startedMs, atMs })
    const { isFailing } = attempt
    const [lane] = [this.#working, this.#failing].flatMap(waiting => waiting.get(group)?.get(holder)?.get(webhookId) ?? [])
    if (lane && isFailing !== undefined) this.add({ ...lane, isFailing })
  }

  #placesTaken(nowMs: number): Places {
    const sendings = [...this.#sendings.values()]
    const of = new Map<string, number>()
    for (const { lane } of sendings) countPlace(of, lane)
    const quick = sendings.filter(({ isSlow, startedMs }) => !isSlow && nowMs - startedMs < SLOW_MS_MIN).length
    return { quick, slow: sendings.filter(({ isSlow }) => isSlow).length, of }
  }

  /** Holders without a request go first. */
  #firstOf(waiting: Waiting, group: string, places: Places, ofAccountMax: number): Lane | undefined {
    for (const holder of [1, PLACES_MAX.holder])
      for (const lanes of waiting.get(group)?.values() ?? [])
        for (const lane of lanes.values()) {
          const max = { account: ofAccountMax, group: PLACES_MAX.group, holder }
          const full = LEVELS.find(level => (places.of.get(lane[level]) ?? 0) >= max[level])
          if (full === 'holder') break
          if (full !== undefined) return undefined
          if (!this.#sendings.has(lane.webhookId)) return lane
        }
    return undefined
  }

  #begin(waiting: Waiting, lane: Lane, places: Places, sending: Sending): void {
    remove(waiting, lane)
    const { group, holder, webhookId } = lane
    const ofGroup = waiting.get(group)
    const own = ofGroup?.get(holder)
    if (ofGroup && own) moveToEnd(ofGroup, holder, own)
    if (ofGroup) moveToEnd(waiting, group, ofGroup)
    this.#sendings.set(webhookId, sending)
    places[sending.isSlow ? 'slow' : 'quick']++
    countPlace(places.of, lane)
  }

  #usedBy(group: string, nowMs: number): number {
    const used = this.#used.get(group)
    return used ? used.ms * 2 ** ((used.atMs - nowMs) / USED_HALF_LIFE_MS) : 0
  }

  /** The one that used least first. */
  #slowGroups(nowMs: number): string[] {
    const long = [...this.#sendings.values()].filter(({ startedMs }) => nowMs - startedMs >= SLOW_MS_MIN)
    const used = [...this.#used.values()].map(({ group }) => group).filter(group => this.#usedBy(group, nowMs) >= SLOW_MS_MIN)
    return [...new Set([...long.map(({ lane }) => lane.group), ...used])].sort((a, b) => this.#usedBy(a, nowMs) - this.#usedBy(b, nowMs))
  }
}

function countPlace(of: Map<string, number>, lane: Lane): void {
  for (const level of LEVELS) of.set(lane[level], (of.get(lane[level]) ?? 0) + 1)
}

function remove(waiting: Waiting, { group, holder, webhookId }: Lane): void {
  const ofGroup = waiting.get(group)
  const own = ofGroup?.get(holder)
  if (!own?.delete(webhookId)) return
  if (own.size === 0) ofGroup?.delete(holder)
  if (ofGroup?.size === 0) waiting.delete(group)
}

function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
}
