/** Rate limits: how often a key may do something within a time window. */
import { AppError, type FailureCode } from '#server/errors.ts'
import type { Clock } from '../clock.ts'

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

export interface Limiter {
  /**
   * Takes `count`, by default one, in one atomic step; `undefined` if fewer are left, and then takes none. The window starts when the first
   * is taken.
   */
  take(limit: Limit, key: string, count?: number): Promise<Allowance | undefined>
  /** What is left, without taking any. */
  peek(limit: Limit, key: string, count?: number): Promise<Allowance>
}

/** A quota has no window: it counts what is held at once. */
type ReachedLimit = Omit<Limit, 'windowSeconds'> & { readonly windowSeconds?: number }

/** `rate_limited`, or the code of a quota, with what was reached: the rate headers of the response. */
export class RateLimited extends AppError {
  readonly limit: ReachedLimit
  readonly remaining: number

  constructor(
    limit: ReachedLimit,
    { remaining, ...options }: { remaining: number; retryAfterSeconds?: number; detail?: string },
    code: FailureCode = 'rate_limited',
  ) {
    super(code, options)
    this.limit = limit
    this.remaining = remaining
  }
}

/** @throws RateLimited if fewer are left, and then takes none. */
export async function enforceLimit(limiter: Limiter, limit: Limit, key: string, count = 1): Promise<void> {
  if ((await limiter.take(limit, key, count)) === undefined) await checkLimit(limiter, limit, key, count)
}

/** @throws RateLimited if fewer are left. Takes none. */
export async function checkLimit(limiter: Limiter, limit: Limit, key: string, count = 1): Promise<void> {
  const allowance = await limiter.peek(limit, key, count)
  if (allowance.remaining < count)
    throw new RateLimited(limit, { ...allowance, retryAfterSeconds: allowance.retryAfterSeconds || limit.windowSeconds })
}

/** About 20 MB when full: an attacker who owns an IPv6 /32 has four billion keys to choose from. */
const KEYS_MAX = 100_000
/** Share of the oldest counters removed when all are live, so that making room happens once in a thousand times. */
const EVICTED_SHARE = 0.01

type Window = { count: number; readonly endsAt: number }

/** Rate limits counted in the memory of this process, with a bounded size. */
export function createMemoryLimiter(clock: Clock, keysMax = KEYS_MAX): Limiter {
  const windows = new Map<string, Window>()

  function findWindow(limit: Limit, key: string): Window | undefined {
    const window = windows.get(`${limit.name} ${key}`)
    return window && window.endsAt > clock() ? window : undefined
  }

  function open(limit: Limit, key: string): Window {
    if (windows.size >= keysMax) makeRoom()
    const window = { count: 0, endsAt: clock() + limit.windowSeconds * 1000 }
    windows.delete(`${limit.name} ${key}`)
    windows.set(`${limit.name} ${key}`, window)
    return window
  }

  function makeRoom(): void {
    const now = clock()
    for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key)
    const surplus = windows.size - Math.floor(keysMax * (1 - EVICTED_SHARE))
    for (const key of [...windows.keys()].slice(0, Math.max(0, surplus))) windows.delete(key)
  }

  function allowance(limit: Limit, window: Window | undefined, count: number): Allowance {
    const remaining = Math.max(0, limit.max - (window?.count ?? 0))
    return { remaining, retryAfterSeconds: window && remaining < count ? Math.max(1, Math.ceil((window.endsAt - clock()) / 1000)) : 0 }
  }

  return {
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
  }
}

/** A bucket of `capacity` tokens, refilled with `perSecond`. `name` separates the buckets of different limits. */
export type Bucket = { readonly name: string; readonly capacity: number; readonly perSecond: number }

/** Why a limit was counted by one process alone: its shard did not reply, or had no memory left. */
export const LOCAL_COUNT_REASONS = ['away', 'full'] as const
export type LocalCountReason = (typeof LOCAL_COUNT_REASONS)[number]

/** What several processes count together, besides rate limits. Without a shared store each process counts on its own. */
export interface SharedCounts {
  /**
   * `true` for the first call among all processes, then `false` until `lifetimeMs` have passed. While the shared store cannot be reached,
   * for the first call of each process.
   */
  once(name: string, key: string, lifetimeMs: number): Promise<boolean>
  /** Takes `tokens`; a negative number returns some. Resolves to what is left, below 0 if there were too few. AppError `unavailable`. */
  takeTokens(bucket: Bucket, key: string, tokens: number): Promise<number>
}
