/** Response bytes that slow readers have not read yet: they stay in our memory until they are sent. */
import type { Context } from 'hono'
import { AppError } from '#server/errors.ts'
import { KeyedCounter } from '#server/limiter/keyed-counter.ts'
import type { HttpEnv } from '../env.ts'
import { atResponseEnd } from './response-end.ts'

/** All readers together. */
const BYTES_MAX = 256 * 1024 * 1024
/** One network's share, so that a few very slow readers leave room for others. The first download of a network may be of any size. */
const BYTES_PER_NETWORK_MAX = 64 * 1024 * 1024
const RETRY_SECONDS = 5

const inFlight = new KeyedCounter()

/**
 * Counts `bytes` of a response until its reader has them or has disconnected.
 * @throws AppError `rate_limited` for a network over its share, `unavailable` when there is no room at all.
 */
export function holdUntilSent(c: Context<HttpEnv>, bytes: number): void {
  if (c.req.method === 'HEAD') return
  const { network } = c.var
  const own = inFlight.heldBy(network)
  if (own > 0 && own + bytes > BYTES_PER_NETWORK_MAX) throw new AppError('rate_limited', { retryAfterSeconds: RETRY_SECONDS })
  if (inFlight.total > 0 && inFlight.total + bytes > BYTES_MAX) throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS })
  atResponseEnd(c.env, inFlight.hold(network, bytes))
}
