/** Routes for operators' tools and documents outside of the API: health, metrics, the OpenAPI document, the mail frame. */
import { Hono } from 'hono'
import { routes } from '#contract/routes.ts'
import { AppError } from '#server/errors.ts'
import { canonicalIp, IpRanges } from '#server/platform/net/ip-address.ts'
import type { HttpEnv } from '../env.ts'
import { docsPage } from '../openapi/docs-page.ts'
import type { ApiDocument } from '../openapi/openapi.ts'
import { serveMailFrame } from '../pages/mail-frame.ts'
import { securityTxt } from '../pages/security-txt.ts'
import type { HttpDeps } from './http-deps.ts'

/** Labels of the metric. */
const USES = { mail: 'smtp', site: 'https' } as const

type Deps = Pick<HttpDeps, 'config' | 'metrics' | 'health' | 'stopping' | 'clock' | 'statistics' | 'certificates'>

/** `describe` builds the OpenAPI document at the first request for it. */
export function healthAndMetricsRoutes(
  { config, clock, statistics, metrics, health, stopping, certificates }: Deps,
  describe: () => Promise<ApiDocument>,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const metricsFrom = new IpRanges(config.metricsFrom)
  let document: Promise<ApiDocument> | undefined
  const described = () => {
    document ??= describe()
    return document
  }

  app.get(routes.healthz, c => c.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' }))

  app.get(routes.readyz, async c => {
    if (stopping.aborted || !health().ok) throw new AppError('unavailable')
    return c.json({ status: 'ready' }, 200, { 'cache-control': 'no-store' })
  })

  // A proxy on this machine connects from loopback too. A header that only proxies set means that somebody else is asking.
  app.get(routes.metrics, async c => {
    const isForwarded = ['x-forwarded-for', 'forwarded', 'via'].some(name => c.req.header(name) !== undefined)
    const isProxied = isForwarded && c.var.clientIp === canonicalIp(c.env.incoming.socket.remoteAddress ?? '')
    if (isProxied || !metricsFrom.has(c.var.clientIp)) throw new AppError('not_found')
    const expiry = Object.fromEntries(
      certificates().map(({ use, validTo }) => [USES[use], validTo === null ? undefined : Date.parse(validTo)]),
    )
    return c.body(await metrics.text(health(), { ...(await statistics.live()), certificates: expiry }), 200, {
      'content-type': metrics.contentType,
      'cache-control': 'no-store',
    })
  })

  app.get(routes.openapi, async c => c.json(await described(), 200, { 'cache-control': 'no-cache' }))
  app.get(routes.docs, async c => c.html(docsPage(await described(), config.publicUrl), 200, { 'cache-control': 'no-cache' }))

  app.get(routes.securityTxt, c => c.text(securityTxt(config, clock()), 200, { 'cache-control': 'no-cache' }))

  app.get(routes.mailFrame, serveMailFrame)

  return app
}
