/** Rate limits: how often a key may do something within a time window, and what else is counted with them. */
import { hash, randomBytes } from 'node:crypto'
import type { ProblemCode } from '#contract/problems.ts'
import { AppError } from '#server/errors.ts'
import { BoundedMap } from '../bounded-map.ts'
import type { Clock } from '../clock.ts'
import type { Holder } from './share-budget.ts'

/** `name` separates the counters of different limits. */
export type Limit = {
  readonly name: string
  /** How many in one window. */
  readonly max: number
  readonly windowSeconds: number
  /** Multiplied by NETWORK_LIMIT_FACTOR. */
  readonly isPerNetwork?: boolean
}

/** `retryAfterSeconds` is 0 if enough remains, else whole seconds until the window ends. */
export type Allowance = { readonly remaining: number; readonly retryAfterSeconds: number }

/** A quota has no window: it counts what is held at once. */
type LimitOrQuota = Omit<Limit, 'windowSeconds'> & { readonly windowSeconds?: number }

/** `rate_limited`, or the code of a quota, with what was reached: the rate headers of the response. */
export class LimitReached extends AppError {
  readonly limit: LimitOrQuota
  readonly remaining: number
  /** The network that has reached it. */
  readonly network: string | undefined

  constructor(
    limit: LimitOrQuota,
    { remaining, key, ...options }: { remaining: number; key?: string; retryAfterSeconds?: number; detail?: string },
    code: ProblemCode = 'rate_limited',
  ) {
    super(code, options)
    this.limit = limit
    this.remaining = remaining
    this.network = key
  }
}

/** What a middle and a large network may do for each that a small one may (see `Client.networks`): many visitors may share it. */
const NETWORK_GROWTH = [1, 8, 20]

type Keyed = { readonly limit: Limit; readonly key: string }

/** A limit per network counts for each of the client's networks, and larger ones have more. */
function limitOfEach(limit: Limit, holder: string | Holder): readonly Keyed[] {
  if (typeof holder === 'string') return [{ limit, key: holder }]
  return holder.map((key, size) => ({ key, limit: { ...limit, max: limit.max * (NETWORK_GROWTH[size] ?? 1) } }))
}

/** @throws LimitReached if fewer are left, and then takes none. */
export async function enforceLimit(limits: Counts, limit: Limit, holder: string | Holder, count = 1): Promise<void> {
  const refusal = await takeFromLimit(limits, limit, holder, count)
  if (refusal) throw refusal
}

/** Returns why none are taken if fewer are left. */
export async function takeFromLimit(limits: Counts, limit: Limit, holder: string | Holder, count = 1): Promise<LimitReached | undefined> {
  const all = limitOfEach(limit, holder)
  // Who is refused by one network takes nothing from those around it.
  const refused = all.length > 1 ? await findRefusal(limits, all, count) : undefined
  if (refused) return refused
  const taken = await Promise.all(all.map(keyed => takeOne(limits, keyed, count)))
  return taken.find(refusal => refusal !== undefined)
}

async function takeOne(limits: Counts, { limit, key }: Keyed, count: number): Promise<LimitReached | undefined> {
  if (await limits.take(limit, key, count)) return undefined
  const allowance = await limits.peek(limit, key, count)
  // Room now: the window has ended, or the shard is full, and `peek` does not see what this process counts alone.
  if (allowance.remaining >= count && (await limits.take(limit, key, count))) return undefined
  return refusal({ limit, key }, allowance, count)
}

/** @throws LimitReached if fewer are left. Takes none. */
export async function checkLimit(limits: Pick<Counts, 'peek'>, limit: Limit, holder: string | Holder, count = 1): Promise<void> {
  const refusal = await findRefusal(limits, limitOfEach(limit, holder), count)
  if (refusal) throw refusal
}

async function findRefusal(limits: Pick<Counts, 'peek'>, all: readonly Keyed[], count: number): Promise<LimitReached | undefined> {
  const allowances = await Promise.all(all.map(({ limit, key }) => limits.peek(limit, key, count)))
  for (const [at, keyed] of all.entries()) {
    const allowance = allowances[at]
    if (allowance && allowance.remaining < count) return refusal(keyed, allowance, count)
  }
  return undefined
}

function refusal({ limit, key }: Keyed, { remaining, retryAfterSeconds }: Allowance, count: number): LimitReached {
  const whom = limit.isPerNetwork ? { key } : {}
  return new LimitReached(limit, {
    ...whom,
    remaining: Math.min(remaining, count - 1),
    retryAfterSeconds: retryAfterSeconds || limit.windowSeconds,
  })
}

/** A bucket of `capacity` tokens, refilled with `perSecond`. `name` separates the buckets of different limits. */
export type Bucket = { readonly name: string; readonly capacity: number; readonly perSecond: number }

/** Why a limit was counted by one process alone: its shard did not reply, or had no memory left. */
export const LOCAL_COUNT_REASONS = ['away', 'full'] as const
export type LocalCountReason = (typeof LOCAL_COUNT_REASONS)[number]

/** What all processes on one mail store count together: on a cluster there, else in the memory of the only one. */
export interface SharedLimits {
  /** Keys derived from it are valid for as long as the counts: in memory until the process ends. */
  readonly secret: string
  /**
   * Takes `count`, by default one, in one atomic step; `undefined` if fewer are left, and then takes none. The window starts when the first
   * is taken.
   */
  take(limit: Limit, key: string, count?: number): Promise<Allowance | undefined>
  /** What is left, without taking any. */
  peek(limit: Limit, key: string, count?: number): Promise<Allowance>
  /**
   * `true` for the first call among all processes, then `false` until `lifetimeMs` have passed. While the shared store cannot be reached,
   * for the first call of each process.
   */
  once(name: string, key: string, lifetimeMs: number): Promise<boolean>
  /** Takes `tokens`; a negative number returns some. Resolves to what is left, below 0 if there were too few. AppError `unavailable`. */
  takeTokens(bucket: Bucket, key: string, tokens: number): Promise<number>
}

type Counts = Pick<SharedLimits, 'take' | 'peek'>

/**
 * Windows of networks, those of accounts and addresses, and buckets, about 20 MB each when full: an attacker who owns an IPv6 /32 has four
 * billion keys to choose from.
 */
const KEYS_MAX = 100_000
/** Share of the oldest entries removed when all are live, so that making room happens once in a thousand times. */
const EVICTED_SHARE = 0.01
/** For each name, about 30 MB when full: solving as many proofs of work within their lifetime takes 66 machines that do nothing else. */
const MARKS_MAX = 200_000

/** Longer than any key that is made of a network or an id. Of others, clients may choose a part, such as the sender of a mail. */
const KEY_CHARS_MAX = 100

const entryOf = (name: string, key: string) => `${name} ${key.length > KEY_CHARS_MAX ? hash('sha256', key, 'base64url') : key}`

type Window = { count: number; readonly max: number; readonly endsAt: number }
/** A mark that would end by `voidUntil` may be one that was removed to make room. */
type Marks = { readonly entries: Map<string, { readonly endsAt: number }>; readonly voidUntil: number }

/** Counts in the memory of this process, with a bounded size. */
export function createMemoryLimits(clock: Clock, { keysMax = KEYS_MAX, marksMax = MARKS_MAX } = {}): SharedLimits {
  // Apart: whoever has many networks empties no count of one account or address.
  const [ofNetworks, ofOthers] = [new Map<string, Window>(), new Map<string, Window>()]
  const buckets = new BoundedMap<string, { readonly left: number; readonly at: number }>(keysMax)
  const marks = new Map<string, Marks>()

  const windowsOf = (limit: Limit) => (limit.isPerNetwork ? ofNetworks : ofOthers)

  function findWindow(limit: Limit, key: string): Window | undefined {
    const window = windowsOf(limit).get(entryOf(limit.name, key))
    return window && window.endsAt > clock() ? window : undefined
  }

  function open(limit: Limit, key: string): Window {
    const windows = windowsOf(limit)
    makeRoom(windows, keysMax, clock(), ({ count, max }) => count >= max)
    const window = { count: 0, max: limit.max, endsAt: clock() + limit.windowSeconds * 1000 }
    const entry = entryOf(limit.name, key)
    windows.delete(entry)
    windows.set(entry, window)
    return window
  }

  function allowance(limit: Limit, window: Window | undefined, count: number): Allowance {
    const remaining = Math.max(0, limit.max - (window?.count ?? 0))
    return { remaining, retryAfterSeconds: window && remaining < count ? Math.max(1, Math.ceil((window.endsAt - clock()) / 1000)) : 0 }
  }

  return {
    secret: randomBytes(32).toString('hex'),
    async take(limit, key, count = 1) {
      if (count > limit.max) return undefined
      const window = findWindow(limit, key) ?? open(limit, key)
      if (window.count + count > limit.max) return undefined
      window.count += count
      return allowance(limit, window, 1)
    },
    async peek(limit, key, count = 1) {
      return allowance(limit, findWindow(limit, key), count)
    },
    async once(name, key, lifetimeMs) {
      const [now, endsAt] = [clock(), clock() + lifetimeMs]
      const { entries, voidUntil } = marks.get(name) ?? { entries: new Map(), voidUntil: 0 }
      const known = entries.get(key)
      if ((known && known.endsAt > now) || endsAt <= Math.max(now, voidUntil)) return false
      entries.delete(key)
      marks.set(name, { entries, voidUntil: Math.max(voidUntil, makeRoom(entries, marksMax, now)) })
      entries.set(key, { endsAt })
      return true
    },
    async takeTokens({ name, capacity, perSecond }, key, tokens) {
      const now = clock()
      const entry = entryOf(name, key)
      const held = buckets.get(entry) ?? { left: capacity, at: now }
      const left = Math.min(capacity, held.left + (Math.max(0, now - held.at) / 1000) * perSecond - tokens)
      if (tokens !== 0) buckets.set(entry, { left: Math.max(0, left), at: now })
      return left
    },
  }
}

/**
 * Room for one more: removes what has ended, and then the oldest, first of those that refuse nothing. Returns when the last of those would
 * have ended.
 */
function makeRoom<Entry extends { readonly endsAt: number }>(
  entries: Map<string, Entry>,
  max: number,
  now: number,
  refuses: (entry: Entry) => boolean = () => false,
): number {
  let lastEnd = 0
  if (entries.size < max) return lastEnd
  for (const [key, { endsAt }] of entries) if (endsAt <= now) entries.delete(key)
  const surplus = entries.size - Math.floor(max * (1 - EVICTED_SHARE))
  const idle = entries.entries().filter(([, entry]) => !refuses(entry))
  const oldest = [...idle.take(Math.max(0, surplus))]
  // Only when all of them refuse something.
  if (oldest.length < surplus)
    oldest.push(
      ...entries
        .entries()
        .filter(([, entry]) => refuses(entry))
        .take(surplus - oldest.length),
    )
  for (const [key, { endsAt }] of oldest) {
    entries.delete(key)
    lastEnd = Math.max(lastEnd, endsAt)
  }
  return lastEnd
}
