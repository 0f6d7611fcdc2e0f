/** The site's ports: plain HTTP and, with ACME_EMAIL, HTTPS with certificates that the server obtains itself. */

import { listenHttp } from '#server/http/connections/http-server.ts'
import type { CertificateStatus, Certificates } from '#server/platform/certificates/certificates.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Log } from '#server/platform/log.ts'

type SiteDeps = { readonly clock: Clock; readonly log: Log; readonly stopping: AbortSignal }
type Http = Awaited<ReturnType<typeof listenHttp>>
export type Site = AsyncDisposable & {
  readonly http: Http
  /** Empty without ACME_EMAIL. */
  certificateStatus(): CertificateStatus[]
  /** Obtains certificates from now on; `onMailCertificate`: that of the mail port is new. */
  startCertificates(onMailCertificate: () => void): void
  /** What failed is tried again at once. */
  retryCertificates(): void
}

/** Listens before the rest of the server is ready. */
export async function listenSite(config: Config, { clock, log, stopping }: SiteDeps): Promise<Site> {
  const { host, httpPort: port, shutdownDrainMs: drainMs, acme, publicUrl } = config
  const connections = { perClientMax: config.httpConnectionsPerClientMax * config.networkLimitFactor, trusted: config.trustedProxies }
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
