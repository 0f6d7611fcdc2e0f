/** Rate limits: how often a key may do something within a time window. */
import { AppError } from '#server/errors.ts'

/** `name` separates the counters of different limits. */
export type Limit = {
  readonly name: string
  readonly attempts: number
  readonly windowSeconds: number
  /** Multiplied by NETWORK_LIMIT_FACTOR. */
  readonly isPerNetwork?: boolean
}

/** `retryAfterSeconds` is 0 while attempts remain, else whole seconds until the window ends. */
export type Allowance = { readonly remaining: number; readonly retryAfterSeconds: number }

export interface Limiter {
  /** Takes one attempt in one atomic step; `undefined` if none is left. The window starts with its first attempt. */
  take(limit: Limit, key: string): Promise<Allowance | undefined>
  /** What is left, without taking an attempt. */
  peek(limit: Limit, key: string): Promise<Allowance>
}

/** `rate_limited`, with the limit that was reached. */
export class RateLimited extends AppError {
  readonly limit: Limit

  constructor(limit: Limit, retryAfterSeconds: number) {
    super('rate_limited', { retryAfterSeconds })
    this.limit = limit
  }
}

/**
 * @throws RateLimited if fewer attempts are left. Those that were left are used up all the same, so that simultaneous batches get no more.
 */
export async function enforceLimit(limiter: Limiter, limit: Limit, key: string, attempts = 1): Promise<void> {
  const taken = await Promise.all(Array.from({ length: attempts }, () => limiter.take(limit, key)))
  if (taken.every(allowance => allowance !== undefined)) return
  await requireAttemptsLeft(limiter, limit, key)
}

/** @throws RateLimited if no attempt is left. Takes none. */
export async function requireAttemptsLeft(limiter: Limiter, limit: Limit, key: string): Promise<void> {
  const { remaining, retryAfterSeconds } = await limiter.peek(limit, key)
  if (remaining === 0) throw new RateLimited(limit, retryAfterSeconds)
}
