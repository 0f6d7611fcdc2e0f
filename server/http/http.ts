/** The HTTP app: reads requests, calls the mail core and the accounts, writes responses. It decides nothing about mail. */
import { Hono, type MiddlewareHandler } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { matchedRoutes } from 'hono/route'
import { routes } from '#contract/routes.ts'
import { AppError } from '#server/errors.ts'
import type { Config } from '#server/platform/config/config.ts'
import { serve } from '#server/platform/limits/clients.ts'
import { type Log, REQUEST_MESSAGE } from '#server/platform/log.ts'
import { canonicalIp, clientIp, IpRanges, isLocalIp, networksAround } from '#server/platform/net/ip-address.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import { ResponseBudget } from './connections/response-budget.ts'
import type { HttpEnv } from './env.ts'
import { mcpRoute } from './mcp/mcp-route.ts'
import { createChallengeHeader, keepSiteFiles, servePages } from './pages/pages.ts'
import { refuseBlockedNetworks } from './requests/blocked-networks.ts'
import { allowCors, refuseEmbedding } from './requests/cross-site.ts'
import { readHost } from './requests/input.ts'
import { createErrorHandler, problemResponse } from './responses/problem.ts'
import { accountRoutes, passkeyRoutes } from './routes/accounts.ts'
import { createCredentialCheck } from './routes/credentials.ts'
import type { BoundRoute } from './routes/define-route.ts'
import { deploymentRoutes, documentRoutes, probeRoutes } from './routes/deployment.ts'
import { eventRoutes } from './routes/events.ts'
import { createGuards, type Guards } from './routes/guards.ts'
import type { HttpDeps } from './routes/http-deps.ts'
import { mailboxRoutes, messageRoutes } from './routes/mailboxes.ts'
import { accountWebhookRoutes, pushRoutes, webhookRoutes } from './routes/notifications.ts'
import { operatorMessageRoutes, operatorRoutes } from './routes/operator.ts'
import { siteRoutes } from './routes/site.ts'

/**
 * Routes whose responses pages of other sites may read (CORS): they authenticate by bearer token. Without one, creating an address and
 * asking for a challenge are refused, with a response that says so. Routes that use cookies are not among them.
 */
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
  const { config, log, operator, admission, server } = deps
  const app = new Hono<HttpEnv>()
  const trusted = new IpRanges(config.trustedProxies)
  const warnOfProxy = createProxyWarning(log, trusted, server.onUntrustedProxy)
  const responses = new ResponseBudget(config.memory.responseBytesMax)

  app.use(async (c, next) => {
    // RFC 9112 section 3.2. An unknown host name gets the same response as any other, because nothing depends on it.
    if ((c.env.incoming.headersDistinct.host?.length ?? 0) > 1) throw new AppError('invalid_request')
    const [peer, forwardedFor] = [c.env.incoming.socket.remoteAddress, c.req.header('x-forwarded-for')]
    warnOfProxy(peer, forwardedFor)
    const ip = clientIp(peer, forwardedFor, trusted)
    c.set('clientIp', ip)
    c.set('networks', networksAround(ip))
    c.set('responseBudget', responses)
    await serve(c.get('networks'), next)
  })
  app.use(logRequests(log, server.telemetry))
  if (config.formerHosts.length > 0) app.use(redirectFormerHosts(config))
  app.use('/api/*', refuseEmbedding, refuseBlockedNetworks(operator.rules))
  app.use(
    '/api/*',
    methodNotAllowed({ app, onMethodNotAllowed: (_, methods) => problemResponse('method_not_allowed', {}, { allow: methods.join(', ') }) }),
  )
  for (const path of CORS_ROUTES) app.use(path, allowCors)

  const guards = createGuards(deps)
  const documented = documentedRoutes(deps, guards)
  const authenticate = createCredentialCheck(deps)
  const all = [...Object.values(documented).flat(), ...operatorRoutes(deps, guards), ...operatorMessageRoutes(deps)]
  for (const { route, run } of all) app.on(route.method, route.path, c => run(c, authenticate))
  const siteFiles = keepSiteFiles(operator.rules, server.siteFiles)
  const describe = async () => (await import('./openapi/openapi.ts')).openApiDocument(documented, config, operator.rules.domains)
  app.route('/', probeRoutes(deps))
  app.route('/', documentRoutes(deps, describe, siteFiles))

  if (config.mcp)
    app.route(
      '/',
      mcpRoute(deps, (request, env) => app.fetch(request, env)),
    )

  app.all('/api/*', () => problemResponse('not_found'))
  app.all('*', servePages({ config, rules: operator.rules, siteFiles, challengeHeader: createChallengeHeader({ ...admission, log }) }))
  app.onError(createErrorHandler(log))
  return app
}

/** nginx's status for a client that disconnected: its request counts neither as an error nor as a success. */
const CLIENT_GONE = 499

/** Asked every few seconds by load balancers and Prometheus. */
const PROBES = new Set<string>([routes.healthz, routes.readyz, routes.metrics])

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** From names that the site had before, to the same path. 308 keeps the method. Probes that use such a name still get their response. */
function redirectFormerHosts({ formerHosts, publicUrl }: Config): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (!formerHosts.includes(readHost(c)) || PROBES.has(c.req.path)) return next()
    const { pathname, search } = new URL(c.req.url)
    return c.body(null, c.req.method === 'GET' || c.req.method === 'HEAD' ? 301 : 308, { location: publicUrl + pathname + search })
  }
}

/** Logs and measures each request under its route pattern. The path itself may contain an attachment link or an id. */
function logRequests(log: Log, telemetry: Telemetry): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const startedMs = performance.now()
    await next()
    const seconds = (performance.now() - startedMs) / 1000
    const route = matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path ?? 'page'
    const method = METHODS.has(c.req.method) ? c.req.method : 'other'
    const status = c.env.incoming.socket.destroyed ? CLIENT_GONE : c.res.status
    telemetry.requestEnded({ route, method, status, seconds, traceparent: c.req.header('traceparent') })
    log[PROBES.has(route) ? 'debug' : 'info']({ method, route, status, ms: Math.round(seconds * 1000) }, REQUEST_MESSAGE)
  }
}

/** Every route of contract/ with its handler, but the operator's, under its tag in the documentation of the API. */
function documentedRoutes(deps: HttpDeps, guards: Guards): Readonly<Record<string, BoundRoute[]>> {
  return {
    Mailboxes: mailboxRoutes(deps, guards),
    Messages: [...messageRoutes(deps), ...eventRoutes(deps)],
    Webhooks: [...webhookRoutes(deps, guards), ...accountWebhookRoutes(deps)],
    Push: pushRoutes(deps, guards),
    Site: [...deploymentRoutes(deps, guards), ...siteRoutes(deps, guards)],
    Account: [...accountRoutes(deps, guards), ...passkeyRoutes(deps, guards)],
  }
}

const HARM = 'so every visitor who comes that way counts as one and shares one limit'

/** Logs once that a proxy missing from TRUST_PROXY forwards requests, if its address is private: a public one may be a visitor's. */
export function createProxyWarning(log: Pick<Log, 'warn'>, trusted: IpRanges, onFound: (ip: string) => void = () => undefined) {
  const logged = new Set<'near' | 'far'>()
  return (peer: string | undefined, forwardedFor: string | undefined): void => {
    const ip = canonicalIp(peer ?? '')
    if (forwardedFor === undefined || ip === undefined || trusted.has(ip)) return
    const where = isLocalIp(ip) ? 'near' : 'far'
    if (logged.has(where)) return
    logged.add(where)
    if (where === 'near') onFound(ip)
    if (where === 'near')
      log.warn(`A proxy at ${ip} sends X-Forwarded-For and is not trusted, ${HARM}. If it is yours, set TRUST_PROXY=${ip}`)
    else
      log.warn(
        `A request came with X-Forwarded-For from an address that is not trusted. If your proxy has it, name it in TRUST_PROXY; else ignore this`,
      )
  }
}
