/** Limits the response bytes that slow readers have not read yet, because they stay in memory until they are sent. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'hono'
import { KIB } from '#contract/limits.ts'
import { AppError } from '#server/errors.ts'
import { describeShare } from '#server/platform/limits/clients.ts'
import { MostHeld, type Yielding } from '#server/platform/limits/most-held.ts'
import { equalShares, ShareBudget } from '#server/platform/limits/share-budget.ts'
import type { Networks } from '#server/platform/net/ip-address.ts'
import type { HttpEnv } from '../env.ts'

/** Share of one network: with the usual 256 MiB, two of the largest messages at once. */
const NETWORK_SHARE = 4
/** Lists, ordinary messages and most attachments may use the reserve. */
const SMALL_BYTES_MAX = 256 * KIB
/** A network with less of the whole gives way to nobody. */
const KEPT_SHARE = 16
const RETRY_SECONDS = 5

/**
 * Memory for response bytes that are not read yet. Nothing says how slowly a reader may read, and some networks that hardly read would
 * keep all of it; so the longest unread response of the network that holds most gives way to a network that holds nothing or far less.
 */
export class ResponseBudget {
  readonly #perNetworkMax: number
  readonly #shares: ShareBudget
  readonly #unread: MostHeld<Yielding>

  constructor(bytesMax: number) {
    this.#perNetworkMax = bytesMax / NETWORK_SHARE
    this.#shares = new ShareBudget({ ...equalShares(bytesMax, SMALL_BYTES_MAX), perHolderMax: this.#perNetworkMax })
    this.#unread = new MostHeld(this.#shares, { keptMax: bytesMax / KEPT_SHARE })
  }

  /**
   * Takes `bytes` until the result is disposed of; a response larger than a share takes a whole share. `giveWay` is called if it must end.
   * @throws AppError `rate_limited` for a network over its share, `unavailable` if there is not enough memory at all.
   */
  take(networks: Networks, bytes: number, giveWay: () => void): Disposable {
    const amount = Math.min(bytes, this.#perNetworkMax)
    const lease = this.#unread.acquire(networks, amount)
    if (!lease) throw tooMuchUnread(this.#shares.fullShare(networks, amount))
    return this.#unread.add({ networks, lease, giveWay })
  }
}

function tooMuchUnread(fullShare: string | undefined): AppError {
  return new AppError(fullShare === undefined ? 'unavailable' : 'rate_limited', {
    retryAfterSeconds: RETRY_SECONDS,
    detail: `Responses that were not read yet take all the memory of ${describeShare(fullShare)}.`,
  })
}

/** Counts `bytes` until the response was sent or its reader disconnected. @throws as `ResponseBudget.take` */
export function reserveResponseBytes(c: Context<HttpEnv>, bytes: number): void {
  if (c.req.method === 'HEAD') return
  const lease = c.get('responseBudget').take(c.get('networks'), bytes, () => c.env.incoming.socket.destroy())
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
