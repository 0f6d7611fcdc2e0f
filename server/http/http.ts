/** The HTTP edge: who may ask, what is asked, how it is answered. Knows requests and codes; decides nothing about mail. */
import { type Context, Hono } from 'hono'
import { routes } from '#contract/routes.ts'
import { AppError } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { clientPrefix, IpRanges } from '#server/net/ip-address.ts'
import type { HttpEnv } from './env.ts'
import type { MailPorts } from './mail-ports.ts'
import { pages } from './pages/pages.ts'
import type { SiteFiles } from './pages/site-files.ts'
import { clientIp } from './requests/client-ip.ts'
import { openToOtherSites, refuseEmbedding } from './requests/cross-site.ts'
import { requestLog } from './requests/request-log.ts'
import { createProxyNotice } from './requests/untrusted-proxy.ts'
import { problem, problemOf } from './responses/problem.ts'
import { securityHeaders, withHeaders } from './responses/security-headers.ts'
import { attachmentRoutes } from './routes/attachments.ts'
import { type DeploymentPorts, deploymentRoutes } from './routes/deployment.ts'
import { eventRoutes } from './routes/events.ts'
import { mailboxRoutes } from './routes/mailboxes.ts'
import { messageRoutes } from './routes/messages.ts'

type HttpPorts = MailPorts &
  Omit<DeploymentPorts, 'api'> & {
    readonly log: Log
    /** Routes of accounts, contact and blog. */
    readonly siteRoutes: readonly Hono<HttpEnv>[]
    readonly siteFiles: () => Promise<SiteFiles | undefined>
  }

/** Bearer routes any page may call; what acts by cookie is not among them (cases W07–W09). */
const OPEN = [routes.mailboxes, `${routes.mailbox}/*`, routes.config, routes.botCheckChallenge, routes.openapi]

export function createHttp(ports: HttpPorts): Hono<HttpEnv> {
  const { config, log, metrics } = ports
  const app = new Hono<HttpEnv>()
  const trusted = new IpRanges(config.trustedProxies)
  const noticeProxy = createProxyNotice(log, trusted)
  const headers = securityHeaders(config)

  app.use(async (c, next) => {
    // RFC 9112 section 3.2. One unknown name is answered like any other: nothing that is said or sent depends on it (case W13).
    if ((c.env.incoming.headersDistinct.host?.length ?? 0) > 1) throw new AppError('invalid_request')
    const [peer, forwardedFor] = [c.env.incoming.socket.remoteAddress, c.req.header('x-forwarded-for')]
    noticeProxy(peer, forwardedFor)
    const ip = clientIp(peer, forwardedFor, trusted)
    c.set('clientIp', ip)
    c.set('network', clientPrefix(ip))
    await next()
  })
  app.use(requestLog(log, metrics.observeRequest), withHeaders(headers))
  app.use('/api/*', refuseEmbedding)
  for (const path of OPEN) app.use(path, openToOtherSites)

  app.route('/', deploymentRoutes({ ...ports, api: () => app }))
  app.route('/', mailboxRoutes(ports))
  app.route('/', messageRoutes(ports))
  app.route('/', attachmentRoutes(ports))
  app.route('/', eventRoutes(ports, headers))
  for (const site of ports.siteRoutes) app.route('/', site)

  const methods = methodsByPath(app)
  app.all('/api/*', c => unknownRoute(c, methods))
  app.all('*', pages(ports.siteFiles))
  app.onError(error => problemOf(error, log))
  return app
}

type Methods = readonly { readonly pattern: RegExp; readonly method: string }[]

function methodsByPath(app: Hono<HttpEnv>): Methods {
  return app.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'))
    .map(({ method, path }) => ({ method, pattern: new RegExp(`^${path.replace(/:[a-zA-Z]+/g, '[^/]+')}$`) }))
}

/** Right path and wrong verb is 405 with `Allow` (RFC 9110 section 15.5.6); everything else is 404. */
function unknownRoute(c: Context<HttpEnv>, methods: Methods): Response {
  const allowed = [...new Set(methods.filter(({ pattern }) => pattern.test(c.req.path)).map(({ method }) => method))]
  if (allowed.length === 0) return problem('not_found')
  const answer = problem('method_not_allowed')
  answer.headers.set('allow', allowed.join(', '))
  return answer
}
