/** Rate limits: how often a key may do a named thing in a window. */
import { AppError } from '#server/errors.ts'

/** `name` keeps the counters of different things apart. */
export type Limit = { readonly name: string; readonly attempts: number; readonly windowSeconds: number }

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

/** @throws RateLimited when no attempt was left. */
export async function enforce(limiter: Limiter, limit: Limit, key: string): Promise<void> {
  if (await limiter.take(limit, key)) return
  await refuseWhenSpent(limiter, limit, key)
}

/** @throws RateLimited when no attempt is left; uses nothing up. */
export async function refuseWhenSpent(limiter: Limiter, limit: Limit, key: string): Promise<void> {
  const { remaining, retryAfterSeconds } = await limiter.peek(limit, key)
  if (remaining === 0) throw new RateLimited(limit, retryAfterSeconds)
}
