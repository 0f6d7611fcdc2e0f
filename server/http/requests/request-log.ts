/** Logs and measures each request under its route pattern. The path itself may contain a capability or an id. */
import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { type Log, REQUEST_MESSAGE } from '#server/platform/log.ts'
import type { HttpEnv } from '../env.ts'

export type ObserveRequest = (request: {
  readonly route: string
  readonly method: string
  readonly status: number
  readonly seconds: number
  /** The header of W3C Trace Context, unchecked. */
  readonly traceparent?: string | undefined
}) => void

/** nginx's status for a client that disconnected: its request counts neither as an error nor as a success. */
const CLIENT_GONE = 499

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function logRequests(log: Log, observe: ObserveRequest): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const startedMs = performance.now()
    await next()
    const seconds = (performance.now() - startedMs) / 1000
    const route = matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path ?? 'page'
    const method = METHODS.has(c.req.method) ? c.req.method : 'other'
    const status = c.env.incoming.socket.destroyed ? CLIENT_GONE : c.res.status
    observe({ route, method, status, seconds, traceparent: c.req.header('traceparent') })
    log.info({ method, route, status, ms: Math.round(seconds * 1000) }, REQUEST_MESSAGE)
  }
}
