/** Limits the response bytes that slow readers have not read yet, because they stay in memory until they are sent. */
import type { Context } from 'hono'
import { KIB } from '#contract/limits.ts'
import { AppError } from '#server/errors.ts'
import { equalShares, ShareBudget } from '#server/platform/limits/share-budget.ts'
import type { HttpEnv, ResponseBudget } from '../env.ts'
import { onResponseEnd } from './response-end.ts'

/** Share of one network: with the usual 256 MiB, two messages of 25 MiB at once. */
const NETWORK_SHARE = 4
/** Lists, ordinary messages and most attachments may use the reserve. */
const SMALL_BYTES_MAX = 256 * KIB
const RETRY_SECONDS = 5

export function responseBudget(bytesMax: number): ResponseBudget {
  const perNetworkMax = bytesMax / NETWORK_SHARE
  return { perNetworkMax, shares: new ShareBudget({ ...equalShares(bytesMax, SMALL_BYTES_MAX), perNetworkMax }) }
}

/**
 * Counts `bytes` until the response was sent or its reader disconnected. A response larger than a share takes a whole share. @throws
 * AppError `rate_limited` for a network over its share, `unavailable` if there is not enough memory at all.
 */
export function reserveResponseBytes(c: Context<HttpEnv>, bytes: number): void {
  if (c.req.method === 'HEAD') return
  const { network, responseBudget: budget } = c.var
  const counted = Math.min(bytes, budget.perNetworkMax)
  const lease = budget.shares.acquire(network, counted)
  if (!lease) {
    const isOverShare = budget.shares.usedBy(network) + counted > budget.perNetworkMax
    throw new AppError(isOverShare ? 'rate_limited' : 'unavailable', { retryAfterSeconds: RETRY_SECONDS })
  }
  onResponseEnd(c.env, () => lease[Symbol.dispose]())
}
