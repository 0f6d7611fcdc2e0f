/** Rate limits: how often a key may do a named thing in a window. */
import { AppError } from '#server/errors.ts'

/** `name` keeps the counters of different things apart. */
export type Limit = {
  readonly name: string
  readonly attempts: number
  readonly windowSeconds: number
  /** Widened by NETWORK_LIMIT_FACTOR. */
  readonly isPerNetwork?: boolean
}

/** `retryAfterSeconds` is 0 while attempts remain, else whole seconds until the window ends. */
export type Allowance = { readonly remaining: number; readonly retryAfterSeconds: number }

export interface Limiter {
  /** Uses one attempt up in one atomic step; `undefined` when none was left. The window starts with its first attempt. */
  take(limit: Limit, key: string): Promise<Allowance | undefined>
  /** What is left, without using anything up. */
  peek(limit: Limit, key: string): Promise<Allowance>
}

/** `rate_limited`, with the limit that was hit. */
export class RateLimited extends AppError {
  readonly limit: Limit

  constructor(limit: Limit, retryAfterSeconds: number) {
    super('rate_limited', { retryAfterSeconds })
    this.limit = limit
  }
}

/** @throws RateLimited when fewer attempts were left. What was there is used up all the same, so that several batches at once get no more. */
export async function enforce(limiter: Limiter, limit: Limit, key: string, attempts = 1): Promise<void> {
  const taken = await Promise.all(Array.from({ length: attempts }, () => limiter.take(limit, key)))
  if (taken.every(allowance => allowance !== undefined)) return
  await refuseWhenSpent(limiter, limit, key)
}

/** @throws RateLimited when no attempt is left; uses nothing up. */
export async function refuseWhenSpent(limiter: Limiter, limit: Limit, key: string): Promise<void> {
  const { remaining, retryAfterSeconds } = await limiter.peek(limit, key)
  if (remaining === 0) throw new RateLimited(limit, retryAfterSeconds)
}
