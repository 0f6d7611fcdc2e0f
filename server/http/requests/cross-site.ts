/** Which requests of other sites are allowed. */
import type { Context, MiddlewareHandler } from 'hono'
import { AppError } from '#server/errors.ts'
import type { HttpEnv } from '../env.ts'

/**
 * Whether a browser says that another site sends this. Browsers always set `Origin` on writes and, today, `Sec-Fetch-Site` on all;
 * programs set neither and carry no cookie of a victim. Host and port must match to the letter.
 */
export function isCrossSite(c: Context<HttpEnv>, publicUrl: string): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const origin = c.req.header('origin')
  if (origin === undefined) return false
  const host = c.req.header('host')
  return origin !== new URL(publicUrl).origin && origin !== `http://${host}` && origin !== `https://${host}`
}

/** An image or script tag of another site has no business with the API; it could only measure us (XS-Leaks). */
export const refuseEmbedding: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.header('sec-fetch-site') === 'cross-site' && c.req.header('sec-fetch-mode') === 'no-cors') throw new AppError('forbidden')
  await next()
}

/**
 * The token API takes a bearer token and nothing that a browser adds by itself, so any page may call it: `*`, and never with credentials.
 * Routes that act by cookie get no such header at all.
 */
export const openToOtherSites: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.method === 'OPTIONS') {
    return c.body(null, 204, {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, last-event-id, range',
      'access-control-max-age': '7200',
    })
  }
  await next()
  c.header('access-control-allow-origin', '*')
  c.header('access-control-expose-headers', 'content-disposition, etag, ratelimit, ratelimit-policy, retry-after, www-authenticate')
}
