/**
 * The site: its ports, open before the rest of the server is ready; the HTTP side, wired when everything else is there; and its end. The
 * modules of `server/http` are imported only then: SMTP already greets senders.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PortCertificate } from '#contract/operator.ts'
import { createBotCheck } from '#server/http/bot-check/bot-check.ts'
import { listenHttp } from '#server/http/connections/http-server.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { Control } from '#server/operator/control.ts'
import type { OutsideServers } from '#server/operator/doctor/context.ts'
import { countingBotCheck } from '#server/operator/metrics.ts'
import { findConditions } from '#server/operator/notices.ts'
import type { CertificateStatus, Certificates } from '#server/platform/certificates/certificates.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import { root } from '#server/platform/installation.ts'
import { createMemoryLimiter } from '#server/platform/limits/limiter.ts'
import { limitsFor } from '#server/platform/limits/rate-limits.ts'
import type { Log } from '#server/platform/log.ts'
import type { SmtpServer } from '#server/smtp/smtp-server.ts'
import type { DatabaseFeatures } from './database-features.ts'
import type { Basics, MailStorage, Meters } from './start-phases.ts'

type HttpSideDeps = {
  readonly storage: MailStorage
  readonly meters: Meters
  readonly mail: MailCore
  readonly features: DatabaseFeatures
  readonly smtp: SmtpServer
  readonly site: Site
  readonly control: Control
  readonly shutdown: Shutdown
}

/** See `AppDeps`. */
type Replacements = { readonly siteFolder?: string; readonly doctor?: OutsideServers }

/** Answers requests on the site's ports from now on. */
export async function serveHttp(basics: Basics, deps: HttpSideDeps, { siteFolder = join(root, 'dist/web'), doctor }: Replacements) {
  const { config, secret, clock, log } = basics
  const { storage, meters, mail, features, smtp, site, control, shutdown } = deps
  const { operations, accounts, webhooks, push, views } = features
  const { metrics, statistics, streams } = meters
  const { sharedLimits, health } = storage
  const [{ createHttp }, { loadSiteFiles, toSiteConfig }] = await Promise.all([
    import('#server/http/http.ts'),
    import('#server/http/pages/site-files.ts'),
  ])
  const difficulty = () => operations.livePolicy.current.difficulty
  const shared = sharedLimits && { secret, counts: sharedLimits }
  const uncounted = await createBotCheck(config, { clock, signal: shutdown.closing, difficulty, shared })
  const botCheck = countingBotCheck(uncounted, statistics, metrics)
  const certificates = () =>
    portCertificates({
      mail: smtp.certificate(),
      mailHost: config.mailHost,
      siteHost: config.acme?.siteHost,
      obtained: site.certificateStatus(),
    })
  operations.notices.watch(() => findConditions(health.latest, certificates(), clock()))
  const app = createHttp({
    config,
    clock,
    log,
    mail,
    metrics,
    streams,
    botCheck,
    accounts,
    webhooks,
    push,
    views,
    ...operations,
    limits: limitsFor(config),
    limiter: sharedLimits ?? createMemoryLimiter(clock),
    health: () => health.latest,
    certificates,
    startedAt: control.identify().startedAt,
    onUntrustedProxy: control.noteProxy,
    examine: async () => (await import('#server/operator/doctor/doctor.ts')).examineSelf(config, control, clock, doctor),
    siteFiles: () => loadSiteFiles(siteFolder, { publicUrl: config.publicUrl, config: toSiteConfig(config, botCheck) }),
    stopping: shutdown.stopping,
    closing: shutdown.closing,
  })
  site.http.serve(app.fetch)
}

type SiteDeps = { readonly clock: Clock; readonly log: Log; readonly stopping: AbortSignal }
type Http = Awaited<ReturnType<typeof listenHttp>>
type Site = AsyncDisposable & {
  readonly http: Http
  /** Empty without ACME_EMAIL. */
  certificateStatus(): CertificateStatus[]
  /** Obtains certificates from now on; `onMailCertificate`: that of the mail port is new. */
  startCertificates(onMailCertificate: () => void): void
  /** What failed is tried again at once. */
  retryCertificates(): void
}

/**
 * The site's ports: plain HTTP and, with ACME_EMAIL, HTTPS with certificates that the server obtains itself.
 */
export async function listenSite(config: Config, { clock, log, stopping }: SiteDeps): Promise<Site> {
  const { host, httpPort: port, shutdownDrainMs: drainMs, acme, publicUrl } = config
  const connections = { perClientMax: config.httpConnectionsPerClientMax, trusted: config.trustedProxies }
  await using opening = new AsyncDisposableStack()
  const certificates = acme && opening.use(await openCertificates(config, acme, { clock, log }))
  const https = acme && {
    port: acme.httpsPort,
    // Browsers warn of the self-made one: it lets the operator look, and is replaced within seconds.
    certificate: certificates?.valid(acme.siteHost) ?? selfSign(acme.siteHost, clock()),
    plain: {
      publicUrl,
      keyAuthorization: (token: string) => certificates?.keyAuthorization(token),
      canRedirect: () => certificates?.valid(acme.siteHost) !== undefined,
    },
  }
  const http = opening.use(await listenHttp({ host, port, connections, drainMs, stopping, https }))
  const opened = opening.move()
  return {
    http,
    certificateStatus: () => certificates?.status() ?? [],
    startCertificates(onMailCertificate) {
      certificates?.start(name => {
        const obtained = certificates.valid(name)
        if (obtained && name === acme?.siteHost) http.setCertificate(obtained)
        if (name === config.mailHost) onMailCertificate()
      })
    },
    retryCertificates: () => certificates?.retry(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function openCertificates(
  { dataDir }: Config,
  acme: NonNullable<Config['acme']>,
  { clock, log }: Pick<SiteDeps, 'clock' | 'log'>,
): Promise<Certificates> {
  const { Certificates } = await import('#server/platform/certificates/certificates.ts')
  return Certificates.open({ acme, dataDir, clock, log, random: Math.random })
}

type Presented = {
  /** The certificate that STARTTLS presents now. */
  readonly mail: { readonly names: string; readonly validTo: string; readonly isSelfSigned: boolean; readonly problem?: string | undefined }
  readonly mailHost: string
  /** Missing without ACME. */
  readonly siteHost: string | undefined
  /** By ACME. */
  readonly obtained: readonly CertificateStatus[]
}

/** The certificates that the mail port and the site present, for the operator's page and the metrics. */
function portCertificates({ mail, mailHost, siteHost, obtained }: Presented): PortCertificate[] {
  const statusOf = (host: string) => obtained.find(({ name }) => name === host)
  const ofMail = statusOf(mailHost)
  const ofSite = siteHost === undefined ? undefined : statusOf(siteHost)
  const { names, validTo, isSelfSigned } = mail
  const name = names.replaceAll('DNS:', '')
  return [
    { use: 'mail', name, validTo, isSelfSigned, problem: ofMail?.problem ?? mail.problem ?? null, retryAt: toIso(ofMail?.retryAt) },
    ...(ofSite
      ? [
          {
            use: 'site' as const,
            name: ofSite.name,
            validTo: toIso(ofSite.validTo),
            isSelfSigned: false,
            problem: ofSite.problem ?? null,
            retryAt: toIso(ofSite.retryAt),
          },
        ]
      : []),
  ]
}

const toIso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())

/** Stops the server in two steps, each an abort signal for SMTP and HTTP. */
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
