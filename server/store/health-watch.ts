/** The store's last known health, at once: a probe that waits behind deliveries would make a busy server look broken. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MailStore, StoreHealth, StoreProblem } from './store.ts'

const CHECK_MS = 500
/** A store that has not responded for this long is stuck, not just busy. */
const STUCK_MS = 30_000
/** A node must be well for this long before the end of its problem is told: it may be so for one reading only. */
const WELL_MS = 3000
/** While anything is refused, the end of an outage is told after this many times as long: for what is refused now is another cause. */
const HELD_MAX = 4

const UNKNOWN: StoreHealth = { ok: false, isFull: false, mailboxes: 0, bytesOnDisk: 0, roomBytes: 0, capacityBytes: 0 }

/** What is assumed of a store before its first check. */
const HEALTHY: KnownHealth = { ok: true, isFull: false }

export type KnownHealth = Pick<StoreHealth, 'ok' | 'isFull' | 'problems' | 'calmMs'>
type WatchedStore = { health(): ReturnType<MailStore['health']> }
type Options = {
  readonly checkMs?: number
  readonly stuckMs?: number
  /**
   * Called when the store has failed twice in a row, since one check may only have been slow, or does not respond at all; when it has had a
   * problem as often; when it is full; and when it recovers. `before`: what was told last.
   */
  readonly onChange?: (health: KnownHealth, before: KnownHealth) => void
  /** Called when each node that had a problem of this kind has been seen without it for `wellMs`. */
  readonly onEnd?: (kind: StoreProblem['kind']) => void
  readonly wellMs?: number
}

export class HealthWatch implements AsyncDisposable {
  readonly #store: WatchedStore
  readonly #closing = new AbortController()
  readonly #stuckMs: number
  readonly #onChange: NonNullable<Options['onChange']>
  readonly #onEnd: NonNullable<Options['onEnd']>
  readonly #wellMs: number
  /** By kind of problem, the nodes for which it was reported, and since when each is well. */
  readonly #unended = new Map<StoreProblem['kind'], Map<string, number>>()
  readonly #watching: Promise<void>
  #seen: StoreHealth | undefined
  #seenAtMs = Number.NEGATIVE_INFINITY
  #reported: KnownHealth = HEALTHY
  /** Since when the store has taken mail, as far as it is seen. */
  #wellSinceMs: number | undefined
  /** The problems of `#reported` that are seen no more, while their end is not told. */
  #held: readonly StoreProblem[] = []

  private constructor(store: WatchedStore, options: Options) {
    const { checkMs = CHECK_MS, stuckMs = STUCK_MS, wellMs = WELL_MS, onChange = () => undefined, onEnd = () => undefined } = options
    this.#store = store
    this.#stuckMs = stuckMs
    this.#wellMs = wellMs
    this.#onChange = onChange
    this.#onEnd = onEnd
    this.#watching = this.#watch(checkMs)
  }

  /** Resolves after the first check. */
  static async start(store: WatchedStore, options: Options = {}): Promise<HealthWatch> {
    const watch = new HealthWatch(store, options)
    await watch.#check()
    return watch
  }

  /** The same object until the next check. */
  get latest(): StoreHealth {
    const isStuck = performance.now() - this.#seenAtMs > this.#stuckMs
    return this.#seen && !isStuck ? this.#seen : UNKNOWN
  }

  /** What `onChange` was last called with: what is wrong for longer than one slow check. */
  get reported(): KnownHealth {
    return this.#reported
  }

  async [Symbol.asyncDispose]() {
    this.#closing.abort()
    await this.#watching
  }

  async #watch(checkMs: number): Promise<void> {
    const { signal } = this.#closing
    while (await sleep(checkMs, true, { signal, ref: false }).catch(() => false)) await this.#check()
  }

  async #check(): Promise<void> {
    const stuck = setTimeout(() => {
      this.#seen = undefined
      this.#report(UNKNOWN)
    }, this.#stuckMs).unref()
    const seen = await this.#store.health().catch(() => ({ ...UNKNOWN }))
    clearTimeout(stuck)
    const before = this.#seen
    this.#seen = seen
    this.#seenAtMs = performance.now()
    // A store may return a reading several times: it is one of the two in a row.
    if (seen === before) return
    this.#wellSinceMs = takesMail(seen) ? (this.#wellSinceMs ?? this.#seenAtMs) : undefined
    if (!seen.ok && !seen.isFull && before?.ok !== false) return
    const told = { ...seen, problems: keepKnown(seen.problems, before?.problems) }
    // One problem has taken the place of another: what was told has not ended before the next check.
    if (!(takesMail(told) && !takesMail(seen) && !takesMail(this.#reported))) this.#report(this.#isHeld(told) ? this.#hold(told) : told)
    this.#reportEnds(seen)
  }

  /** Whether the end of an outage is not told yet, as something has been refused a moment ago. */
  #isHeld(told: KnownHealth): boolean {
    const { calmMs = Number.POSITIVE_INFINITY } = told
    const wellMs = this.#seenAtMs - (this.#wellSinceMs ?? this.#seenAtMs)
    return takesMail(told) && !takesMail(this.#reported) && calmMs < this.#wellMs && wellMs < HELD_MAX * this.#wellMs
  }

  #hold(told: KnownHealth): KnownHealth {
    const { ok, isFull, problems = [] } = this.#reported
    const places = new Set(told.problems?.map(placeOf))
    this.#held = problems.filter(problem => !problem.isHarmless && !places.has(placeOf(problem)))
    return { ...told, ok, isFull, problems: [...(told.problems ?? []), ...this.#held] }
  }

  /** A failed reading shows no node without its problem. */
  #reportEnds(seen: StoreHealth): void {
    const { problems = [] } = this.#reported
    for (const { kind, where } of problems) {
      const nodes = this.#unended.get(kind) ?? new Map<string, number>()
      this.#unended.set(kind, nodes)
      for (const name of where) if (!nodes.has(name)) nodes.set(name, this.#seenAtMs)
    }
    for (const [kind, nodes] of this.#unended) {
      const unwell = new Set([
        ...(seen.unsure ?? []),
        ...(seen.problems ?? []).flatMap(problem => (problem.kind === kind ? problem.where : [])),
      ])
      for (const [name, sinceMs] of nodes) {
        if (seen.problems === undefined || unwell.has(name)) nodes.set(name, this.#seenAtMs)
        else if (this.#seenAtMs - sinceMs >= this.#wellMs) nodes.delete(name)
      }
      if (nodes.size > 0 || problems.some(problem => problem.kind === kind) || this.#closing.signal.aborted) continue
      this.#unended.delete(kind)
      this.#onEnd(kind)
    }
  }

  #report(seen: KnownHealth): void {
    const { problems = [] } = this.#reported
    // Where the end of one is not told yet, the next at its place is as new as behind its end.
    const over = this.#held.filter(held => seen.problems?.some(now => placeOf(now) === placeOf(held) && causeOf(now) !== causeOf(held)))
    this.#held = this.#held.filter(held => seen.problems?.includes(held))
    const before = { ...this.#reported, problems: problems.filter(problem => !over.includes(problem)) }
    const isSame = seen.ok === before.ok && seen.isFull === before.isFull && listPlaces(seen) === listPlaces(before)
    if (this.#closing.signal.aborted || isSame) return
    this.#reported = seen
    this.#onChange(seen, before)
  }
}

/** Returns those of `problems` that `before` has too. Of one that has spread to further nodes, what it was before. */
function keepKnown(problems: readonly StoreProblem[] = [], before: readonly StoreProblem[] = []): StoreProblem[] {
  const known = problems.flatMap(problem => {
    if (problem.isSure) return [problem]
    const same = before.filter(({ kind }) => kind === problem.kind)
    const names = new Set(same.flatMap(({ where }) => where))
    if (problem.where.every(name => names.has(name))) return [problem]
    return same.filter(({ where }) => where.some(name => problem.where.includes(name)))
  })
  return [...new Map(known.map(problem => [placeOf(problem), problem])).values()]
}

/** Returns those of `problems` that `others` has not. */
export function omitKnown(problems: readonly StoreProblem[] = [], others: readonly StoreProblem[] = []): StoreProblem[] {
  const known = new Set(others.map(placeOf))
  return problems.filter(problem => !known.has(placeOf(problem)))
}

/** A problem that gets another cause, effect or remedy is told again. */
const placeOf = ({ kind, where, fact, successors = [], isHarmless }: StoreProblem) =>
  `${kind} ${kind === 'denied' ? fact : where.join(', ')}; ${successors.join(', ')}; ${isHarmless}`

/** How long it was waited for says nothing of it. */
const causeOf = ({ fact }: StoreProblem) => fact.replaceAll(/\bwithin \d+ ms/g, '')

export const takesMail = ({ ok, isFull, problems = [] }: KnownHealth) => ok && !isFull && problems.every(({ isHarmless }) => isHarmless)

function listPlaces({ problems = [] }: KnownHealth): string {
  return problems.map(placeOf).join(', ')
}
