/** Configuration, challenges, and what operators' tools ask for: health, metrics, the OpenAPI document, security.txt. */
import { type Context, Hono } from 'hono'
import { routes } from '#contract/routes.ts'
import { readChallenge, readConfig } from '#contract/site.ts'
import { AppError } from '#server/errors.ts'
import type { Config } from '#server/platform/config/config.ts'
import { build } from '#server/platform/installation.ts'
import { canonicalIp, IpRanges } from '#server/platform/net/ip-address.ts'
import type { HttpEnv } from '../env.ts'
import { docsPage } from '../openapi/docs-page.ts'
import type { ApiDocument } from '../openapi/openapi.ts'
import { toSiteConfig } from '../pages/site-files.ts'
import { problemResponse } from '../responses/problem.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

const tag = 'Site'

export function deploymentRoutes(
  { config, botCheck, limits }: Pick<HttpDeps, 'config' | 'botCheck' | 'limits'>,
  guards: Guards,
): BoundRoute[] {
  return [
    defineRoute(readConfig, {
      tag,
      summary: 'Read the configuration of this deployment',
      handle({ c }) {
        c.header('cache-control', 'no-cache')
        return { ...toSiteConfig(config, botCheck), build }
      },
    }),
    defineRoute(readChallenge, {
      tag,
      summary: 'Get a proof of work to solve for one action',
      description: 'Send the solution as `botCheck`. 404 if this deployment has no proof of work.',
      async handle(request) {
        await guards.limit(request, limits.challenges)
        const challenge = (await botCheck.challenge(request.query.action, request.c.var.network)) ?? request.fail('not_found')
        request.c.header('cache-control', 'no-store')
        return challenge
      },
    }),
  ]
}

/** Labels of the metric. */
const USES = { mail: 'smtp', site: 'https' } as const

type Deps = Pick<HttpDeps, 'config' | 'metrics' | 'health' | 'stopping' | 'clock' | 'statistics' | 'certificates'>

/**
 * Routes for operators' tools and documents outside of the API: health, metrics, the OpenAPI document, the mail frame. `describe` builds
 * the OpenAPI document at the first request for it.
 */
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
    // No error, which would be logged for each probe: what is wrong was logged when it began.
    const { ok, shards } = health()
    if (stopping.aborted || !ok) return problemResponse('unavailable')
    // Another process would see the same shards, so this one stays in the load balancer.
    const state = shards && shards.away + shards.full > 0 ? { status: 'degraded', shards } : { status: 'ready' }
    return c.json(state, 200, { 'cache-control': 'no-store' })
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

const DAY_MS = 86_400_000
/** RFC 9116 section 2.5.5 recommends less than a year. */
const VALID_DAYS = 180

function securityTxt({ supportEmail, domains, publicUrl }: Pick<Config, 'supportEmail' | 'domains' | 'publicUrl'>, nowMs: number): string {
  // Rounded to the day, so that caches see the same file all day.
  const expires = new Date((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString()
  return [
    `Contact: mailto:${supportEmail}`,
    `Contact: mailto:abuse@${domains[0]}`,
    `Contact: ${publicUrl}/report`,
    `Expires: ${expires}`,
    'Preferred-Languages: en, es',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}

const PAGE = '<!doctype html><html><head><meta charset="utf-8"><base target="_blank"><title>Mail</title></head><body></body></html>'

/**
 * The blank page that sanitised mail is shown in (web/features/message/body/mail-frame.tsx), with its own content security policy. With
 * `?images=1`, on the visitor's request, the frame may load remote images.
 */
function serveMailFrame(c: Context<HttpEnv>): Response {
  c.header('content-security-policy', framePolicy(c.req.query('images') === '1' ? 'data: https: http:' : 'data:'))
  // Set here as well as for the whole site, so that image servers never learn where the visitor reads mail, even if the site's policy
  // changes.
  c.header('referrer-policy', 'no-referrer')
  c.header('x-frame-options', 'SAMEORIGIN')
  return c.body(PAGE, 200, { 'content-type': 'text/html; charset=UTF-8', 'cache-control': 'no-cache' })
}

/** Mail runs no script, sends no form and loads only the images that the visitor asked for. */
function framePolicy(images: string): string {
  return `default-src 'none'; img-src ${images}; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`
}
