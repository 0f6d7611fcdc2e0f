/** One line and one measurement per request: the route's pattern, never the path, which may hold a capability or an identifier. */
import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Log } from '#server/log.ts'
import type { HttpEnv } from './env.ts'

export type ObserveRequest = (request: { route: string; method: string; status: number; seconds: number }) => void

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function requestLog(log: Log, observe: ObserveRequest): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const startedMs = performance.now()
    await next()
    const seconds = (performance.now() - startedMs) / 1000
    const route = matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path ?? 'page'
    const method = METHODS.has(c.req.method) ? c.req.method : 'other'
    observe({ route, method, status: c.res.status, seconds })
    log.info({ method, route, status: c.res.status, ms: Math.round(seconds * 1000) }, 'request')
  }
}
