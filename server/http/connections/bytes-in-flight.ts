/** Response bytes that slow readers have not read yet: they stay in our memory until they are sent. */
import type { Context } from 'hono'
import { KIB, MIB } from '#contract/limits.ts'
import { AppError } from '#server/errors.ts'
import { equalShares, ShareBudget } from '#server/limiter/share-budget.ts'
import type { HttpEnv } from '../env.ts'
import { atResponseEnd } from './response-end.ts'

/** All readers together. */
const BYTES_MAX = 256 * MIB
/** One network's share: two messages of 25 MiB at once. */
const BYTES_PER_NETWORK_MAX = 64 * MIB
/** Lists, ordinary messages and most attachments: they may use the reserve. */
const SMALL_BYTES_MAX = 256 * KIB
const RETRY_SECONDS = 5

const inFlight = new ShareBudget({ ...equalShares(BYTES_MAX, SMALL_BYTES_MAX), perNetworkMax: BYTES_PER_NETWORK_MAX })

/**
 * Counts `bytes` of a response until its reader has them or has disconnected. What is larger than a share takes the whole of one.
 * @throws AppError `rate_limited` for a network over its share, `unavailable` when there is no room at all.
 */
export function holdUntilSent(c: Context<HttpEnv>, bytes: number): void {
  if (c.req.method === 'HEAD') return
  const { network } = c.var
  const counted = Math.min(bytes, BYTES_PER_NETWORK_MAX)
  const hold = inFlight.open(network)
  if (!hold.grow(counted)) {
    const isOverShare = inFlight.usedBy(network) + counted > BYTES_PER_NETWORK_MAX
    throw new AppError(isOverShare ? 'rate_limited' : 'unavailable', { retryAfterSeconds: RETRY_SECONDS })
  }
  atResponseEnd(c.env, () => hold.release())
}
