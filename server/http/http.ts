/**
 * The HTTP app: reads requests, calls the mail core and the accounts, writes responses. It knows routes and problem codes, and decides
 * nothing about mail.
 */
import { Hono } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { routes } from '#contract/routes.ts'
import { AppError } from '#server/errors.ts'
import { clientPrefix, IpRanges } from '#server/platform/net/ip-address.ts'
import { responseBudget } from './connections/response-budget.ts'
import type { HttpEnv } from './env.ts'
import { mcpRoute } from './mcp/mcp-route.ts'
import { createChallengeHeader } from './pages/first-challenge.ts'
import { servePages } from './pages/pages.ts'
import { refuseBlockedNetworks } from './requests/blocked-network.ts'
import { clientIp } from './requests/client-ip.ts'
import { allowCors, refuseEmbedding } from './requests/cross-site.ts'
import { logRequests } from './requests/request-log.ts'
import { createProxyWarning } from './requests/untrusted-proxy.ts'
import { problemResponse, toProblemResponse } from './responses/problem.ts'
import { addSecurityHeaders, securityHeaders } from './responses/security-headers.ts'
import { apiRoutes } from './routes/api-routes.ts'
import { createCredentialCheck } from './routes/credentials.ts'
import { healthAndMetricsRoutes } from './routes/health-and-metrics.ts'
import type { HttpDeps } from './routes/http-deps.ts'

/** Routes that pages of other sites may call (CORS): they authenticate by bearer token. Routes that use cookies are not among them. */
const CORS_ROUTES = [
  routes.mailboxes,
  `${routes.mailboxes}/*`,
  routes.webhooks,
  `${routes.webhooks}/*`,
  `${routes.mailbox}/*`,
  routes.config,
  routes.botCheckChallenge,
  routes.openapi,
]

export function createHttp(deps: HttpDeps): Hono<HttpEnv> {
  const { config, log, metrics } = deps
  const app = new Hono<HttpEnv>()
  const trusted = new IpRanges(config.trustedProxies)
  const warnOfProxy = createProxyWarning(log, trusted, deps.onUntrustedProxy)
  const headers = securityHeaders(config)
  const responses = responseBudget(config.memory.responseBytesMax)

  app.use(async (c, next) => {
    // RFC 9112 section 3.2. An unknown host name gets the same response as any other, because nothing depends on it.
    if ((c.env.incoming.headersDistinct.host?.length ?? 0) > 1) throw new AppError('invalid_request')
    const [peer, forwardedFor] = [c.env.incoming.socket.remoteAddress, c.req.header('x-forwarded-for')]
    warnOfProxy(peer, forwardedFor)
    const ip = clientIp(peer, forwardedFor, trusted)
    c.set('clientIp', ip)
    c.set('network', clientPrefix(ip))
    c.set('responseBudget', responses)
    await next()
  })
  app.use(logRequests(log, metrics.observeRequest), addSecurityHeaders(headers))
  app.use('/api/*', refuseEmbedding, refuseBlockedNetworks(deps.livePolicy))
  app.use(
    '/api/*',
    methodNotAllowed({ app, onMethodNotAllowed: (_, methods) => problemResponse('method_not_allowed', {}, { allow: methods.join(', ') }) }),
  )
  for (const path of CORS_ROUTES) app.use(path, allowCors)

  const api = apiRoutes(deps)
  const authenticate = createCredentialCheck(deps)
  for (const { route, run } of api) app.on(route.method, route.path, c => run(c, authenticate))
  app.route(
    '/',
    healthAndMetricsRoutes(deps, async () => (await import('./openapi/openapi.ts')).openApiDocument(api, config)),
  )

  if (config.mcp)
    app.route(
      '/',
      mcpRoute(deps, (request, env) => app.fetch(request, env)),
    )

  app.all('/api/*', () => problemResponse('not_found'))
  app.all('*', servePages({ config, policy: deps.livePolicy, load: deps.siteFiles, challengeHeader: createChallengeHeader(deps) }))
  app.onError(error => toProblemResponse(error, log))
  return app
}
