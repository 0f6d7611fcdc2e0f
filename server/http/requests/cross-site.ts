/** What requests from other sites may do. */
import type { Context, MiddlewareHandler } from 'hono'
import { AppError } from '#server/errors.ts'
import type { HttpEnv } from '../env.ts'
import { setHeaders } from '../responses/security-headers.ts'

/**
 * Whether a browser says that another site sent the request. Browsers set `Origin` on writes and `Sec-Fetch-Site` on all requests; programs
 * set neither and have no victim's cookies. Host and port must match exactly.
 */
export function isCrossSite(c: Context<HttpEnv>, publicUrl: string): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const origin = c.req.header('origin')
  if (origin === undefined) return false
  const host = c.req.header('host')
  return origin !== new URL(publicUrl).origin && origin !== `http://${host}` && origin !== `https://${host}`
}

/**
 * Extensions of a browser are no pages: the visitor installed them, and no page can send such an `Origin`. With the permission for a host
 * they are of the same site there, but browsers say so to secure origins only.
 */
export const isExtension = (c: Context<HttpEnv>): boolean => /^(?:chrome|moz)-extension:\/\//.test(c.req.header('origin') ?? '')

/** An image or script tag of another site has no reason to load the API, except to measure responses (XS-Leaks). */
export const refuseEmbedding: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.header('sec-fetch-site') === 'cross-site' && c.req.header('sec-fetch-mode') === 'no-cors') throw new AppError('forbidden')
  await next()
}

const READABLE_BY_ALL = Object.entries({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'content-disposition, etag, ratelimit, ratelimit-policy, retry-after, www-authenticate',
})

/** Routes with a bearer token may be called by any page: `*`, without credentials. Routes that use cookies never get this header. */
export const allowCors: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.method === 'OPTIONS') {
    return c.body(null, 204, {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, last-event-id, range',
      'access-control-max-age': '7200',
    })
  }
  setHeaders(c, READABLE_BY_ALL)
  await next()
}
