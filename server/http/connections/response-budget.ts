/** Limits the response bytes that slow readers have not read yet, because they stay in memory until they are sent. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'hono'
import { KIB } from '#contract/limits.ts'
import { AppError } from '#server/errors.ts'
import { describeShare } from '#server/platform/limits/clients.ts'
import { equalShares, ShareBudget } from '#server/platform/limits/share-budget.ts'
import type { HttpEnv, ResponseBudget } from '../env.ts'

/** Share of one network: with the usual 256 MiB, two of the largest messages at once. */
const NETWORK_SHARE = 4
/** Lists, ordinary messages and most attachments may use the reserve. */
const SMALL_BYTES_MAX = 256 * KIB
const RETRY_SECONDS = 5

export function responseBudget(bytesMax: number): ResponseBudget {
  const perNetworkMax = bytesMax / NETWORK_SHARE
  return { perNetworkMax, shares: new ShareBudget({ ...equalShares(bytesMax, SMALL_BYTES_MAX), perHolderMax: perNetworkMax }) }
}

/**
 * Counts `bytes` until the response was sent or its reader disconnected. A response larger than a share takes a whole share. @throws
 * AppError `rate_limited` for a network over its share, `unavailable` if there is not enough memory at all.
 */
export function reserveResponseBytes(c: Context<HttpEnv>, bytes: number): void {
  if (c.req.method === 'HEAD') return
  const [networks, budget] = [c.get('networks'), c.get('responseBudget')]
  const counted = Math.min(bytes, budget.perNetworkMax)
  const lease = budget.shares.acquire(networks, counted)
  if (!lease) {
    const fullShare = budget.shares.fullShare(networks, counted)
    throw new AppError(fullShare === undefined ? 'unavailable' : 'rate_limited', {
      retryAfterSeconds: RETRY_SECONDS,
      detail: `Responses that were not read yet take all the memory of ${describeShare(fullShare)}.`,
    })
  }
  onResponseEnd(c.env, () => lease[Symbol.dispose]())
}

/**
 * Calls `run` once when the response was sent or its reader disconnected, or at once if that already happened. The response's own `close`
 * event is not enough: it is over if the reader left early, and never comes for a pipelined request that was not reached.
 */
export function onResponseEnd({ incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse }, run: () => void): void {
  const { socket } = incoming
  if (socket.destroyed || outgoing.destroyed || outgoing.writableFinished) {
    run()
    return
  }
  let hasEnded = false
  const end = () => {
    // While a socket closes, Node closes its response: a listener removed then is still called.
    if (hasEnded) return
    hasEnded = true
    outgoing.off('close', end)
    socket.off('close', end)
    run()
  }
  // One listener per pipelined request; each removes its own.
  socket.setMaxListeners(0)
  outgoing.once('close', end)
  socket.once('close', end)
}

/** Made once, because an exception of each response would take a stack trace. */
const ENDED = new DOMException('The response has ended', 'AbortError')

/** Aborts when the response was sent or its reader disconnected, so that work for it can stop. */
export function responseEndSignal(connection: { incoming: IncomingMessage; outgoing: ServerResponse }): AbortSignal {
  const ended = new AbortController()
  onResponseEnd(connection, () => ended.abort(ENDED))
  return ended.signal
}
