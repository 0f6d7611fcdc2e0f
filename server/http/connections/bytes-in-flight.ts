/** Bytes on their way to readers, who may be slow: what is not read yet stands in our memory (case W15). */
import type { Context } from 'hono'
import { AppError } from '#server/errors.ts'
import type { HttpEnv } from '../env.ts'
import { atConnectionEnd } from './response-end.ts'

/** All readers together. */
const BYTES_MAX = 256 * 1024 * 1024
/** One network's share, so that a few that read a byte a second leave the others theirs. Its first download may be of any size. */
const BYTES_PER_NETWORK_MAX = 64 * 1024 * 1024
const RETRY_SECONDS = 5

class BytesUnderWay {
  readonly #byNetwork = new Map<string, number>()
  #bytes = 0

  /** Takes room; call the result once when all is sent. @throws AppError `rate_limited` for a network over its share, `unavailable` when there is no room. */
  enter(network: string, bytes: number): () => void {
    const own = this.#byNetwork.get(network) ?? 0
    if (own > 0 && own + bytes > BYTES_PER_NETWORK_MAX) throw new AppError('rate_limited', { retryAfterSeconds: RETRY_SECONDS })
    if (this.#bytes > 0 && this.#bytes + bytes > BYTES_MAX) throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS })
    this.#bytes += bytes
    this.#byNetwork.set(network, own + bytes)
    return () => {
      this.#bytes -= bytes
      const left = (this.#byNetwork.get(network) ?? 0) - bytes
      if (left > 0) this.#byNetwork.set(network, left)
      else this.#byNetwork.delete(network)
    }
  }
}

const underWay = new BytesUnderWay()

/** Counts `bytes` of an answer until its reader has them or is gone. @throws as `enter` does. */
export function holdUntilSent(c: Context<HttpEnv>, bytes: number): void {
  if (c.req.method !== 'HEAD') atConnectionEnd(c.env, underWay.enter(c.var.network, bytes))
}
