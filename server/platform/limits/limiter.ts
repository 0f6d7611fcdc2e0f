/** Rate limits: how often a key may do something within a time window. */
import { AppError, type FailureCode } from '#server/errors.ts'

/** `name` separates the counters of different limits. */
export type Limit = {
  readonly name: string
  readonly attempts: number
  readonly windowSeconds: number
  /** Multiplied by NETWORK_LIMIT_FACTOR. */
  readonly isPerNetwork?: boolean
}

/** `retryAfterSeconds` is 0 if enough attempts remain, else whole seconds until the window ends. */
export type Allowance = { readonly remaining: number; readonly retryAfterSeconds: number }

export interface Limiter {
  /**
   * Takes `attempts`, by default one, in one atomic step; `undefined` if fewer are left, and then takes none. The window starts with its
   * first attempt.
   */
  take(limit: Limit, key: string, attempts?: number): Promise<Allowance | undefined>
  /** What is left, without taking an attempt. */
  peek(limit: Limit, key: string, attempts?: number): Promise<Allowance>
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

/** @throws RateLimited if fewer attempts are left, and then takes none. */
export async function enforceLimit(limiter: Limiter, limit: Limit, key: string, attempts = 1): Promise<void> {
  if ((await limiter.take(limit, key, attempts)) === undefined) await requireAttemptsLeft(limiter, limit, key, attempts)
}

/** @throws RateLimited if fewer attempts are left. Takes none. */
export async function requireAttemptsLeft(limiter: Limiter, limit: Limit, key: string, attempts = 1): Promise<void> {
  const allowance = await limiter.peek(limit, key, attempts)
  if (allowance.remaining < attempts)
    throw new RateLimited(limit, { ...allowance, retryAfterSeconds: allowance.retryAfterSeconds || limit.windowSeconds })
}
