/** Configuration, challenges, and what operators' tools ask for: health, metrics, the OpenAPI document, security.txt. */
import { type Context, Hono } from 'hono'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { DAY_MS } from '#contract/limits.ts'
import { routes } from '#contract/routes.ts'
import { readChallenge, readConfig } from '#contract/site.ts'
import { AppError } from '#server/errors.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import { createMtaSts, domainOfMtaSts } from '#server/mail/mta-sts.ts'
import { toIso } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import { build } from '#server/platform/installation.ts'
import { canonicalIp, IpRanges, middleNetwork } from '#server/platform/net/ip-address.ts'
import { OWN_CLOCK, type StoreHealth, type StoreProblem } from '#server/store/store.ts'
import type { HttpEnv } from '../env.ts'
import { docsPage } from '../openapi/docs-page.ts'
import type { ApiDocument } from '../openapi/openapi.ts'
import { chooseLanguage, sendFile } from '../pages/pages.ts'
import { memoryFile, type SiteFile, type SiteFiles, toSiteConfig } from '../pages/site-files.ts'
import { readHost } from '../requests/input.ts'
import { problemResponse } from '../responses/problem.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

export function deploymentRoutes({ config, admission: { botCheck, limits }, operator: { rules } }: HttpDeps, guards: Guards): BoundRoute[] {
  return [
    defineRoute(readConfig, ({ c }) => {
      c.header('cache-control', 'no-cache')
      return { ...toSiteConfig(config, rules.domains, botCheck), build }
    }),
    defineRoute(readChallenge, async request => {
      await guards.enforceLimit(request, limits.challenges)
      const challenge =
        (await botCheck.challenge(request.query.action, middleNetwork(request.c.get('networks')))) ?? request.fail('not_found')
      request.c.header('cache-control', 'no-store')
      return challenge
    }),
  ]
}

/** Labels of the metric. */
const USES = { mail: 'smtp', site: 'https' } as const

/** Names that nobody can buy: one without a dot, and those of networks (RFC 6762, RFC 8375, Kubernetes). */
const LOCAL_NAME = /^[^.]+$|\.(?:localhost|local|internal|svc|home\.arpa)$/

/** A stranger's page whose name leads to this machine could read the answer, but it cannot choose the name in the header. */
function isOwnHost(host: string, { publicUrl, mailHosts }: Config): boolean {
  return canonicalIp(host) !== undefined || LOCAL_NAME.test(host) || [new URL(publicUrl).hostname, ...mailHosts].includes(host)
}

const has = ({ problems = [] }: StoreHealth, wanted: StoreProblem['kind']) => problems.some(({ kind }) => kind === wanted)

function describeUnready({ shards, problems = [] }: StoreHealth): { detail?: string } {
  if (problems.some(({ kind, where }) => kind === 'clock' && where.includes(OWN_CLOCK)))
    return { detail: 'The clock of this machine is not that of the mail store.' }
  // Where only a replica refuses it, readers are served.
  const refusing = problems.filter(({ kind, isHarmless }) => kind === 'denied' && !isHarmless).flatMap(({ where }) => where)
  const causes = [
    { count: shards?.away ?? 0, does: 'do not reply' },
    { count: new Set(refusing).size, does: 'refuse this server' },
  ]
  const said = causes.flatMap(({ count, does }) => (count > 0 ? [`${count} of ${shards?.total} shards of the mail store ${does}.`] : []))
  return said.length > 0 ? { detail: said.join(' ') } : {}
}

/** What operators' tools ask: health and metrics. */
export function probeRoutes({ config, mail, operator: { statistics }, server }: HttpDeps): Hono<HttpEnv> {
  const { telemetry, health, isDatabaseAway, stopping, certificates } = server
  const app = new Hono<HttpEnv>()
  const metricsFrom = new IpRanges(config.metricsFrom)
  const proxies = new IpRanges(config.trustedProxies)

  app.get(routes.healthz, c => c.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' }))

  app.get(routes.readyz, async c => {
    // Not an error, because each probe would log one. What is wrong was logged when it began.
    const known = health()
    const { ok, shards } = known
    if (stopping.aborted) return problemResponse('unavailable', { detail: 'The server is stopping.' })
    if (!ok) return problemResponse('unavailable', describeUnready(known))
    // Another process would see the same, so this one stays in the load balancer.
    const unwell = {
      ...(shards && Object.entries(shards).some(([state, count]) => state !== 'total' && count > 0) ? { shards } : {}),
      ...(has(known, 'clock') ? { clock: 'wrong' } : {}),
      ...(isDatabaseAway() ? { database: 'away' } : {}),
      ...(mail.isRefusing() ? { mail: 'refused' } : {}),
      ...(has(known, 'lost') ? { mail: 'lost' } : {}),
    }
    const status = Object.keys(unwell).length > 0 ? 'degraded' : 'ready'
    return c.json({ status, ...unwell }, 200, { 'cache-control': 'no-store' })
  })

  // A proxy on this machine connects from loopback too. A header that only proxies set means that somebody else is asking.
  app.get(routes.metrics, async c => {
    const isForwarded = ['x-forwarded-for', 'forwarded', 'via'].some(name => c.req.header(name) !== undefined)
    // So does a client address that is one of the proxies' own: the network in front of the proxy hides the visitor's.
    const peer = canonicalIp(c.env.incoming.socket.remoteAddress ?? '')
    const isProxied = isForwarded && (c.get('clientIp') === peer || proxies.has(c.get('clientIp')))
    if (isProxied || !metricsFrom.has(c.get('clientIp')) || !isOwnHost(readHost(c), config)) throw new AppError('not_found')
    const expiry = Object.fromEntries(
      certificates().map(({ use, validTo }) => [USES[use], validTo === null ? undefined : Date.parse(validTo)]),
    )
    const measured = { ...(await statistics.live()), store: health(), certificates: expiry, isDatabaseAway: isDatabaseAway() }
    return c.body(await telemetry.text(measured), 200, { 'content-type': telemetry.contentType, 'cache-control': 'no-store' })
  })

  return app
}

/** Documents outside of the API: the OpenAPI document, which `describe` builds, and its page, policies, the mail frame. */
export function documentRoutes(
  { config, clock, operator: { rules }, server: { isMailVerifiable } }: HttpDeps,
  describe: () => Promise<ApiDocument>,
  siteFiles: () => Promise<SiteFiles | undefined>,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const { description, descriptionPage } = keepDescription(config, rules, describe, siteFiles)

  app.get(routes.openapi, async c => sendFile(c, await description(), 200, 'no-cache'))
  app.get(routes.docs, async c => sendFile(c, await descriptionPage(chooseLanguage(c)), 200, 'no-cache'))

  app.get(routes.securityTxt, c => c.text(securityTxt(config, rules.domains, clock()), 200, { 'cache-control': 'no-cache' }))

  app.get(routes.mtaSts, c => {
    const domain = domainOfMtaSts(readHost(c))
    const isOurs = domain !== undefined && rules.domains.receiving(domain)?.name === domain
    // Senders that enforce the policy do not deliver to a host whose certificate they cannot verify.
    if (!isOurs || !isMailVerifiable()) throw new AppError('not_found')
    return c.text(createMtaSts(config.mailHosts).policy, 200, { 'cache-control': 'no-cache' })
  })

  app.get(routes.mailFrame, serveMailFrame)

  return app
}

/**
 * The OpenAPI document and its pages, drawn at the first request for them, after the domains changed and, as the pages name a file of it,
 * once the site is built. They are kept as they are sent: drawing them takes 20 ms.
 */
function keepDescription(
  { publicUrl, siteName }: Config,
  rules: { readonly domains: MailDomains },
  describe: () => Promise<ApiDocument>,
  siteFiles: () => Promise<SiteFiles | undefined>,
) {
  let kept: { readonly of: MailDomains; readonly document: Promise<ApiDocument>; json?: Promise<SiteFile> } | undefined
  let pages = new Map<Language, { readonly files: SiteFiles | undefined; readonly page: Promise<SiteFile> }>()
  const current = () => {
    const { domains } = rules
    if (kept?.of !== domains) {
      const document = describe()
      kept = { of: domains, document }
      pages = new Map()
      // The next request tries again: maybe no more files could be opened.
      document.catch(() => {
        if (kept?.document === document) kept = undefined
      })
    }
    return kept
  }
  return {
    description(): Promise<SiteFile> {
      const described = current()
      described.json ??= described.document.then(drawn => memoryFile('application/json', Buffer.from(JSON.stringify(drawn))))
      return described.json
    },
    async descriptionPage(language: Language): Promise<SiteFile> {
      const { document } = current()
      const files = await siteFiles()
      const known = pages.get(language)
      if (known && known.files === files) return known.page
      const styleSheet = [...(files?.keys() ?? [])].find(path => path.endsWith('.css'))
      const sitePage = files?.get(`/pages/${language}/privacy/index.html`)?.bytes.toString()
      const page = document.then(drawn =>
        memoryFile('text/html; charset=utf-8', Buffer.from(docsPage(drawn, { publicUrl, siteName, language, styleSheet, sitePage }))),
      )
      pages.set(language, { files, page })
      return page
    },
  }
}

/** RFC 9116 section 2.5.5 recommends less than a year. */
const VALID_DAYS = 180

function securityTxt({ publicUrl }: Config, { main, supportEmail }: MailDomains, nowMs: number): string {
  // Rounded to the day, so that caches see the same file all day.
  const expires = toIso((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS)
  return [
    `Contact: mailto:${supportEmail}`,
    `Contact: mailto:abuse@${main}`,
    `Contact: ${publicUrl}/report`,
    `Expires: ${expires}`,
    `Preferred-Languages: ${LANGUAGES.join(', ')}`,
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
  // The page asks for it when a mail arrives, so that a press on the mail does not wait for it.
  return c.body(PAGE, 200, { 'content-type': 'text/html; charset=UTF-8', 'cache-control': 'private, max-age=600' })
}

/** Mail runs no script, sends no form and loads only the images that the visitor asked for. */
function framePolicy(images: string): string {
  return `default-src 'none'; img-src ${images}; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`
}
