/**
 * The site: its ports, open before the rest of the server is ready, and the HTTP side, wired when everything else is there. The modules of
 * `server/http` are imported only then: SMTP already greets senders.
 */
import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DnsLists } from '#contract/operator.ts'
import { createBotCheck } from '#server/http/bot-check/bot-check.ts'
import { ConnectionLimit, connectionBudget, connectionsMax } from '#server/http/connections/connection-limit.ts'
import { listenHttp } from '#server/http/connections/http-server.ts'
import type { StreamLimit } from '#server/http/connections/stream-limit.ts'
import { securityHeaders } from '#server/http/responses/security-headers.ts'
import { mtaStsHost } from '#server/mail/mta-sts.ts'
import type { Control } from '#server/operator/control.ts'
import type { OutsideServers } from '#server/operator/doctor/context.ts'
import { findConditions, refusedDomainsCheck } from '#server/operator/notices.ts'
import { type CertificateStatus, type Certificates, portCertificates } from '#server/platform/certificates/certificates.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Basics, Config } from '#server/platform/config/config.ts'
import { root } from '#server/platform/installation.ts'
import { Clients } from '#server/platform/limits/clients.ts'
import { limitsFor } from '#server/platform/limits/rate-limits.ts'
import type { Log } from '#server/platform/log.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { SmtpServer } from '#server/smtp/smtp-server.ts'
import type { Features } from './features.ts'
import type { MailStorage } from './open-mail-store.ts'

type HttpSideDeps = {
  readonly storage: MailStorage
  readonly telemetry: Telemetry
  readonly streams: StreamLimit
  readonly features: Features
  readonly smtp: SmtpServer
  readonly site: Awaited<ReturnType<typeof listenSite>>
  readonly control: Control
  readonly shutdown: Shutdown
  /** Tests replace this: see `Replacements` in app.ts. */
  readonly siteFolder: string | undefined
  readonly outside: OutsideServers | undefined
}

/** From now on, requests to the site's ports are handled. */
export async function serveHttp(basics: Basics, deps: HttpSideDeps): Promise<void> {
  const { config, clock, log } = basics
  const { storage, telemetry, streams, features, smtp, site, control, shutdown, siteFolder = join(root, 'dist/web'), outside } = deps
  const { mail, operator, moderation, accounts, webhooks, push, views } = features
  const { sharedLimits, health } = storage
  const [{ createHttp }, { loadSiteFiles, toSiteConfig }] = await Promise.all([
    import('#server/http/http.ts'),
    import('#server/http/pages/site-files.ts'),
  ])
  const difficulty = () => operator.rules.policy.difficulty
  const botCheck = await createBotCheck(config, { clock, signal: shutdown.closing, difficulty, sharedLimits })
  const certificates = () =>
    portCertificates({
      mail: smtp.certificate(),
      mailHost: config.mailHost,
      siteHost: config.acme?.siteHost,
      obtained: site.certificateStatus(),
    })
  const refusedDomains = refusedDomainsCheck(() => operator.describeDomains())
  operator.notices.watch(async () => [...findConditions(health.reported, certificates(), clock()), ...(await refusedDomains())])
  const app = createHttp({
    config,
    clock,
    log,
    mail,
    accounts,
    operator,
    moderation,
    outbound: { webhooks, push },
    views,
    admission: { sharedLimits, limits: limitsFor(config), botCheck, streams },
    server: {
      telemetry,
      health: () => health.latest,
      isDatabaseAway: features.isDatabaseAway,
      certificates,
      isMailVerifiable() {
        const { isSelfSigned, isComplete } = smtp.certificate()
        return isComplete && !isSelfSigned
      },
      startedAt: control.identify().startedAt,
      onUntrustedProxy: control.noteProxy,
      examine: async () => (await import('#server/operator/doctor/doctor.ts')).examineSelf(config, control, clock, outside),
      askLists: askingLists(config, clock),
      siteFiles: () =>
        loadSiteFiles(siteFolder, { publicUrl: config.publicUrl, config: toSiteConfig(config, operator.rules.domains, botCheck) }),
      stopping: shutdown.stopping,
      closing: shutdown.closing,
    },
  })
  site.http.serve(app.fetch)
}

/** Loaded when an operator looks at the domains. With DNS_SERVERS=off nothing is asked. */
function askingLists({ authenticateMail, dnsServers }: Config, clock: Clock) {
  const open = async () => {
    const [{ DomainLists }, { createNameServer }] = await Promise.all([
      import('#server/operator/doctor/list-checks.ts'),
      import('#server/platform/net/name-server.ts'),
    ])
    return new DomainLists({ names: createNameServer(dnsServers), clock })
  }
  let lists: ReturnType<typeof open> | undefined
  return async (domains: readonly string[]): Promise<ReadonlyMap<string, DnsLists>> => {
    if (!authenticateMail) return new Map()
    lists ??= open()
    return (await lists).of(domains)
  }
}

type SiteDeps = { readonly clock: Clock; readonly log: Log; readonly stopping: AbortSignal }

/**
 * The site's ports: plain HTTP and, with ACME_EMAIL, HTTPS with certificates that the server obtains itself.
 */
export async function listenSite(config: Config, { clock, log, stopping }: SiteDeps) {
  const { httpHost, httpPort: port, shutdownDrainMs: drainMs, acme, publicUrl, inheritedSockets: inherited } = config
  const budget = () => connectionBudget(...connectionsMax(config))
  const connections = new ConnectionLimit(new Clients(config.trustedProxies), budget(), budget())
  await using opening = new AsyncDisposableStack()
  const certificates = acme && opening.use(await openCertificates(config, acme, { clock, log, stopping }))
  const https = acme && {
    host: config.host,
    port: acme.httpsPort,
    // Browsers warn of the self-made one: it lets the operator look, and is replaced within seconds.
    certificate: certificates?.valid(acme.siteHost) ?? selfSign(acme.siteHost, clock()),
    plain: {
      publicUrl,
      keyAuthorization: (token: string) => certificates?.keyAuthorization(token),
      canRedirect: () => certificates?.valid(acme.siteHost) !== undefined,
    },
  }
  const http = opening.use(
    await listenHttp({ host: httpHost, port, headers: securityHeaders(config), inherited, connections, drainMs, stopping, https }),
  )
  const present = (names: readonly string[]) => {
    const obtained = certificates?.valid(names[0] ?? '')
    if (!obtained) return
    // It may lack names that were added to the settings later.
    const certificate = new X509Certificate(obtained.cert)
    for (const name of names) if (certificate.checkHost(name) !== undefined) http.addCertificate(name, obtained)
  }
  for (const names of acme?.certificates ?? []) present(names)
  const opened = opening.move()
  return {
    http,
    /** Empty without ACME_EMAIL. */
    certificateStatus: (): CertificateStatus[] => certificates?.status() ?? [],
    /**
     * Obtains certificates from now on. `onMailCertificate`: called when the mail port has a new one. `mailDomains`: as they are now,
     * because the HTTPS port serves their policies of MTA-STS.
     */
    startCertificates(onMailCertificate: () => void, mailDomains: () => readonly string[]): void {
      certificates?.start({
        onChange(names) {
          present(names)
          const [name] = names
          const obtained = certificates.valid(acme?.siteHost ?? '')
          if (obtained && name === acme?.siteHost) http.setCertificate(obtained)
          if (name === config.mailHost) onMailCertificate()
        },
        more: () => policyHosts(config, mailDomains()),
      })
    },
    /** Tries again at once what failed. */
    retryCertificates: () => certificates?.retry(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Domains that are looked up at once. */
const LOOKED_UP_AT_ONCE = 20

/** The hosts of MTA-STS that lead to where the site is: the operator meant them for this server, which can obtain their certificates. */
async function policyHosts({ publicUrl, dnsServers }: Config, mailDomains: readonly string[]): Promise<string[]> {
  const { createNameServer } = await import('#server/platform/net/name-server.ts')
  const names = createNameServer(dnsServers)
  const own = new Set(await names.addresses(new URL(publicUrl).hostname))
  const found: string[] = []
  for (let at = 0; at < mailDomains.length; at += LOOKED_UP_AT_ONCE) {
    const hosts = mailDomains.slice(at, at + LOOKED_UP_AT_ONCE).map(mtaStsHost)
    const addresses = await Promise.all(hosts.map(host => names.addresses(host)))
    found.push(...hosts.filter((_, index) => addresses[index]?.some(address => own.has(address))))
  }
  return found
}

async function openCertificates(
  { dataDir, proxy }: Config,
  acme: NonNullable<Config['acme']>,
  { clock, log }: SiteDeps,
): Promise<Certificates> {
  const { Certificates } = await import('#server/platform/certificates/certificates.ts')
  return Certificates.open({ acme, proxy, dataDir, clock, log, random: Math.random })
}

/** Stops the server in two steps, each an abort signal for HTTP; SMTP is disposed of after them. */
export class Shutdown {
  readonly #stopping = new AbortController()
  readonly #closing = new AbortController()

  /** Aborts first: `/readyz` fails and HTTP connections are no longer kept alive, but everything still works. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Aborts after the delay: event streams and long polls end, and new connections are refused. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** `delayMs`: how long load balancers need to notice that `/readyz` fails. */
  async begin(delayMs: number): Promise<void> {
    this.#stopping.abort()
    if (delayMs > 0) await sleep(delayMs)
    this.#closing.abort()
  }
}
