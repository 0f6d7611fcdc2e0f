/** What is told of the deployment: configuration, bot check, health, metrics, the API's description, the frame mail is shown in. */
import { Hono } from 'hono'
import { describeRoute, generateSpecs } from 'hono-openapi'
import * as z from 'zod/mini'
import { routes } from '#contract/routes.ts'
import { botCheckActionSchema, configReplySchema } from '#contract/site.ts'
import type { BotCheck } from '#server/bot-check/bot-check.ts'
import { build } from '#server/build.ts'
import type { Config } from '#server/config.ts'
import { AppError } from '#server/errors.ts'
import { enforce, type Limiter } from '#server/limiter/limiter.ts'
import type { Limits } from '#server/limiter/limits.ts'
import type { Metrics } from '#server/metrics.ts'
import { canonicalIp, IpRanges } from '#server/net/ip-address.ts'
import type { StoreHealth } from '#server/store/store.ts'
import type { HttpEnv } from '../env.ts'
import { docsPage } from '../openapi/docs-page.ts'
import { answers, documentation, queryParameters } from '../openapi/openapi.ts'
import { siteConfigOf } from '../pages/site-config.ts'
import { readQuery } from '../requests/json-body.ts'

export type DeploymentPorts = {
  readonly config: Config
  readonly botCheck: BotCheck
  readonly limiter: Limiter
  readonly limits: Limits
  readonly metrics: Metrics
  readonly health: () => Promise<StoreHealth>
  readonly signal: AbortSignal
  /** The whole application, for its description. */
  readonly api: () => Hono<HttpEnv>
}

const challengeQuerySchema = z.strictObject({ action: botCheckActionSchema })
const FRAME = '<!doctype html><html><head><meta charset="utf-8"><base target="_blank"><title>Mail</title></head><body></body></html>'

export function deploymentRoutes({ config, botCheck, limiter, limits, metrics, health, signal, api }: DeploymentPorts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const metricsFrom = new IpRanges(config.metricsFrom)
  let described: ReturnType<typeof generateSpecs> | undefined
  const describe = () => {
    described ??= generateSpecs(api(), { documentation: documentation(config.publicUrl) })
    return described
  }

  app.get(
    routes.config,
    describeRoute({ summary: 'What a page must know of this deployment', responses: answers(200, configReplySchema) }),
    c => {
      c.header('cache-control', 'no-cache')
      return c.json({ ...siteConfigOf(config, botCheck), build })
    },
  )

  app.get(
    routes.botCheckChallenge,
    describeRoute({
      summary: 'A proof of work for one action',
      parameters: queryParameters(challengeQuerySchema),
      responses: answers(200, z.looseObject({}), 'invalid_request', 'not_found', 'rate_limited'),
    }),
    async c => {
      const { action } = readQuery(c, challengeQuerySchema)
      await enforce(limiter, limits.challenges, c.var.network)
      const challenge = await botCheck.challenge(action)
      if (!challenge) throw new AppError('not_found')
      c.header('cache-control', 'no-store')
      return c.json(challenge)
    },
  )

  app.get(routes.healthz, c => c.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' }))

  app.get(routes.readyz, async c => {
    if (signal.aborted || !(await health()).ok) throw new AppError('unavailable')
    return c.json({ status: 'ready' }, 200, { 'cache-control': 'no-store' })
  })

  // A proxy on this machine connects from loopback too: a header that only a proxy sets means that somebody else is asking.
  app.get(routes.metrics, async c => {
    const isForwarded = ['x-forwarded-for', 'forwarded', 'via'].some(name => c.req.header(name) !== undefined)
    const isProxied = isForwarded && c.var.clientIp === canonicalIp(c.env.incoming.socket.remoteAddress ?? '')
    if (isProxied || !metricsFrom.has(c.var.clientIp)) throw new AppError('not_found')
    return c.body(await metrics.text(await health()), 200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' })
  })

  app.get(routes.openapi, async c => c.json(await describe(), 200, { 'cache-control': 'no-cache' }))
  app.get(routes.docs, async c => c.html(docsPage(await describe(), config.publicUrl), 200, { 'cache-control': 'no-cache' }))

  app.get(routes.mailFrame, c => {
    const images = c.req.query('images') === '1' ? 'data: https: http:' : 'data:'
    c.header('content-security-policy', framePolicy(images))
    c.header('x-frame-options', 'SAMEORIGIN')
    return c.html(FRAME, 200, { 'cache-control': 'no-cache' })
  })

  return app
}

/** Mail runs nothing, sends nothing and loads what the visitor asked for: see decision 16. */
function framePolicy(images: string): string {
  return `default-src 'none'; img-src ${images}; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`
}
